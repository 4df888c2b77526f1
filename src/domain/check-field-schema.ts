import { FIELD_HINTS, VARIANT_HINTS } from '#src/domain/check-hints.ts'
import { NO_CHARACTER } from '#src/domain/earlier-name.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { MAX_PROBLEMS, type Problem } from '#src/domain/errors.ts'
import {
  FIELD_TYPES,
  type FlatFields,
  isReference,
  SIMPLE_TYPES,
  variantsOf,
} from '#src/domain/field-schema.ts'
import { sameFieldShape } from '#src/domain/field-shape.ts'
import { nearest } from '#src/domain/nearest.ts'

/** Characters. */
export const MAX_FIELD_NAME = 200
/** Fields and sub-fields of a tag. */
const MAX_FIELDS = 1000
/** Characters of a field map as JSON. */
const MAX_SCHEMA_SIZE = 1024 * 1024
const MAX_FIELD_DESCRIPTION = 10_000
/** Tags that a reference may name. */
const MAX_OF = 100

/**
 * Every fault of a tag's field map (decisions §4); none: it is a FieldMap. `before`: the fields that the tag has, whose
 * variants keep names that no new one may have.
 */
export function checkFieldSchema(fields: unknown, path = 'fields', before?: FlatFields): Problem[] {
  // First, so that all further checks have a bounded amount to do.
  if (isRecord(fields) && JSON.stringify(fields).length > MAX_SCHEMA_SIZE)
    return [{ path, message: 'must be at most 1 MiB as JSON' }]
  const check = new SchemaCheck(isRecord(fields) ? Object.keys(fields) : [], before)
  check.fieldMap(fields, path)
  if (check.count > MAX_FIELDS)
    check.fault(path, `must have at most ${MAX_FIELDS} fields and sub-fields, not ${check.count}`)
  return check.problems
}

/** What is wrong with the name of a field. */
export function checkFieldName(name: string): string[] {
  const faults: string[] = []
  if (name === '') faults.push('a field name must not be empty')
  if (Array.from(name).length > MAX_FIELD_NAME)
    faults.push(`a field name must have at most ${MAX_FIELD_NAME} characters`)
  for (const part of ['.', '->'])
    if (name.includes(part)) faults.push(`a field name must not contain '${part}'`)
  faults.push(...checkKey(name, 'field'))
  return faults
}

/** What is wrong with the name of a variant. */
export const checkVariantName = (name: string): string[] =>
  name === '' ? ['a variant must not be empty'] : checkKey(name, 'variant')

/** Renames and maps of values have names as keys, and no input may have `__proto__` (decision 51). */
function checkKey(name: string, kind: 'field' | 'variant'): string[] {
  if (name === '__proto__') return [`a ${kind} must not be named '__proto__'`]
  return name.includes(NO_CHARACTER)
    ? [`a ${kind} must not have U+FDD0 in its name, which is no character`]
    : []
}

const isSimple = (type: string) => (SIMPLE_TYPES as readonly string[]).includes(type)

class SchemaCheck {
  readonly problems: Problem[] = []
  /** Fields and sub-fields met. */
  count = 0
  private readonly topLevel: ReadonlySet<string>
  /** Where a sub-field's name was first seen, and as what. */
  private readonly subFields = new Map<string, unknown>()
  private readonly before: FlatFields | undefined

  constructor(topLevel: readonly string[], before: FlatFields | undefined) {
    this.topLevel = new Set(topLevel)
    this.before = before
  }

  fieldMap(fields: unknown, path: string, within?: 'variant'): void {
    if (!isRecord(fields)) return this.fault(path, 'expected an object with field schemas by field name')
    for (const [name, schema] of Object.entries(fields)) {
      this.count++
      if (this.problems.length > MAX_PROBLEMS) continue
      const at = `${path}.${name}`
      for (const message of checkFieldName(name)) this.fault(at, message)
      if (within) this.collision(name, schema, at)
      this.schema(schema, at, name)
    }
  }

  private collision(name: string, schema: unknown, path: string): void {
    if (this.topLevel.has(name))
      this.fault(path, `the sub-field '${name}' collides with the field '${name}'; give one another name`)
    else if (!this.subFields.has(name)) this.subFields.set(name, schema)
    else if (!sameFieldShape(this.subFields.get(name), schema))
      this.fault(
        path,
        `the sub-field '${name}' collides with a sub-field '${name}' of another type; give one another name`,
      )
  }

  private schema(schema: unknown, path: string, field: string): void {
    if (typeof schema === 'string') return this.typeName(schema, path)
    if (!isRecord(schema)) return this.fault(path, `expected a type: ${FIELD_TYPES.join(', ')}`)
    const { type, variants } = schema
    if (typeof type !== 'string')
      return this.fault(`${path}.type`, `expected a type: ${FIELD_TYPES.join(', ')}`)
    if (Object.hasOwn(schema, 'description')) this.description(schema.description, `${path}.description`)
    if (type !== 'Select' && type !== 'MultiSelect') return this.simple(type, schema, path)
    this.noOtherKeys(schema, ['type', 'variants', 'description'], path)
    if (!Array.isArray(variants) || variants.length === 0)
      return this.fault(`${path}.variants`, 'expected an array with at least one variant')
    this.variants(variants, { type, path: `${path}.variants`, field })
  }

  private typeName(type: string, path: string): void {
    if (isSimple(type)) return
    if (type === 'Select' || type === 'MultiSelect')
      return this.fault(path, `'${type}' needs variants: {"type": "${type}", "variants": [...]}`)
    this.unknownType(type, path)
  }

  private simple(type: string, schema: Record<string, unknown>, path: string): void {
    if (!isSimple(type)) return this.unknownType(type, `${path}.type`)
    const hints = Object.hasOwn(FIELD_HINTS, type) ? FIELD_HINTS[type]! : {}
    const known = ['type', 'description', ...(isReference(type) ? ['of'] : []), ...Object.keys(hints)]
    this.noOtherKeys(schema, known, path)
    this.hints(schema, hints, path)
    if (isReference(type) && Object.hasOwn(schema, 'of')) this.tags(schema.of, `${path}.of`)
  }

  private hints(given: Record<string, unknown>, hints: typeof VARIANT_HINTS, path: string): void {
    for (const [name, check] of Object.entries(hints)) {
      const message = Object.hasOwn(given, name) ? check(given[name]) : undefined
      if (message) this.fault(`${path}.${name}`, message)
    }
  }

  private description(text: unknown, path: string): void {
    if (typeof text !== 'string') this.fault(path, 'expected a string')
    else if (text.length > MAX_FIELD_DESCRIPTION)
      this.fault(path, `must have at most ${MAX_FIELD_DESCRIPTION} characters`)
  }

  private tags(of: unknown, path: string): void {
    if (!Array.isArray(of) || of.length > MAX_OF || !of.every((each) => typeof each === 'string'))
      this.fault(path, `expected an array of at most ${MAX_OF} ids or names of tags`)
  }

  private unknownType(type: string, path: string): void {
    const close = nearest(type, FIELD_TYPES)
    const hint = close ? `did you mean '${close}'?` : `expected one of: ${FIELD_TYPES.join(', ')}`
    this.fault(path, `unknown type '${type}'; ${hint}`)
  }

  private variants(
    variants: readonly unknown[],
    { type, path, field }: { type: 'Select' | 'MultiSelect'; path: string; field: string },
  ): void {
    const kept = variantsOf(this.before?.get(field)?.schema ?? 'String')
    const seen = new Set<string>()
    for (const [i, variant] of variants.entries()) {
      if (this.problems.length > MAX_PROBLEMS) return
      const at = `${path}[${i}]`
      const name = typeof variant === 'string' ? variant : this.variantObject(variant, type, at)
      if (name === undefined) continue
      const faults = checkVariantName(name)
      if (faults.length && !kept.includes(name)) for (const message of faults) this.fault(at, message)
      else if (seen.has(name)) this.fault(at, `the variant '${name}' appears here twice`)
      seen.add(name)
    }
  }

  /** The variant's name, where it has one. */
  private variantObject(variant: unknown, type: 'Select' | 'MultiSelect', path: string): string | undefined {
    const hints = Object.keys(VARIANT_HINTS)
    // Of a MultiSelect it is an object for its hints alone.
    if (
      !isRecord(variant) ||
      (type === 'MultiSelect' && !hints.some((hint) => Object.hasOwn(variant, hint)))
    ) {
      const form = type === 'Select' ? 'a string or an object {"name", "fields"}' : 'a string'
      this.fault(path, `expected ${form}`)
      return undefined
    }
    this.noOtherKeys(variant, ['name', ...(type === 'Select' ? ['fields'] : []), ...hints], path)
    this.hints(variant, VARIANT_HINTS, path)
    if (type === 'Select' && Object.hasOwn(variant, 'fields'))
      this.fieldMap(variant.fields, `${path}.fields`, 'variant')
    if (typeof variant.name === 'string') return variant.name
    this.fault(`${path}.name`, 'expected a string')
    return undefined
  }

  private noOtherKeys(schema: Record<string, unknown>, known: readonly string[], path: string): void {
    for (const key of Object.keys(schema)) {
      if (known.includes(key)) continue
      const close = nearest(key, known)
      this.fault(
        `${path}.${key}`,
        `unknown property; ${close ? `did you mean '${close}'?` : `expected: ${known.join(', ')}`}`,
      )
    }
  }

  fault(path: string, message: string): void {
    this.problems.push({ path, message })
  }
}
