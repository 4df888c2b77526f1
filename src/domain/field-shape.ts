import { withoutHints } from '#src/domain/check-hints.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { sameJson } from '#src/domain/same-json.ts'

/**
 * Whether two fields, or maps of fields, take the same values (additions §8, §11): hints and the order of keys say
 * nothing of that. What is no schema is compared as it is.
 */
export const sameFieldShape = (a: unknown, b: unknown): boolean => sameJson(shapeOf(a), shapeOf(b))
export const sameShape = (a: unknown, b: unknown): boolean => sameJson(shapeOfMap(a), shapeOfMap(b))

const shapeOfMap = (fields: unknown): unknown =>
  isRecord(fields)
    ? Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, shapeOf(schema)]))
    : fields

function shapeOf(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const shape = withoutHints(schema)
  if (!Array.isArray(shape.variants)) return Object.keys(shape).length === 1 ? shape.type : shape
  return { ...shape, variants: shape.variants.map(shapeOfVariant) }
}

function shapeOfVariant(variant: unknown): unknown {
  if (!isRecord(variant)) return variant
  const { closed: _, hue: __, fields, ...shape } = variant
  if (fields !== undefined && !isEmpty(fields)) return { ...shape, fields: shapeOfMap(fields) }
  return Object.keys(shape).length === 1 ? shape.name : shape
}

/** A variant without sub-fields may say so. */
const isEmpty = (fields: unknown) => isRecord(fields) && !Object.keys(fields).length

export const sameVariant = (a: unknown, b: unknown): boolean => sameJson(shapeOfVariant(a), shapeOfVariant(b))
