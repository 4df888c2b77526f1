import { type FieldMap, type FieldSchema, type FlatFields, flattenFields } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { sightOf } from '#src/storage/sight/sight.ts'

/** What a tag says of others. */
interface Tag {
  /** Row id. */
  readonly id: number
  /** The field map as JSON text. */
  readonly fields: string
  readonly schema: FlatFields
  readonly bases: readonly { id: number }[]
}

const known = new WeakMap<ReadonlyMap<number, Ulid>, WeakMap<Tag, Tag>>()

/** The tag as the caller knows it: undefined, or without the tags that are unknown in `extends` and `of`. */
export function asKnown<T extends Tag>(db: Db, tag: T | undefined): T | undefined {
  const tags = sightOf(db)?.tags
  if (!tag || !tags) return tag
  if (!tags.has(tag.id)) return undefined
  let made = known.get(tags)
  if (!made) known.set(tags, (made = new WeakMap()))
  let found = made.get(tag)
  if (!found) made.set(tag, (found = withoutUnknown(tag, tags)))
  return found as T
}

function withoutUnknown<T extends Tag>(tag: T, tags: ReadonlyMap<number, Ulid>): T {
  const bases = tag.bases.filter(({ id }) => tags.has(id))
  const ids = new Set(tags.values())
  const given = JSON.parse(tag.fields) as FieldMap
  const fields = mapOf(given, ids)
  // As it was given, where nothing is to be left out.
  if (fields === given) return { ...tag, bases }
  return { ...tag, bases, fields: JSON.stringify(fields), schema: flattenFields(fields) }
}

/** The same object where nothing is left out. */
function mapOf(fields: FieldMap, ids: ReadonlySet<Ulid>): FieldMap {
  const entries = Object.entries(fields).map(([name, schema]) => [name, schemaOf(schema, ids)] as const)
  return entries.some(([name, schema]) => schema !== fields[name]) ? Object.fromEntries(entries) : fields
}

function schemaOf(schema: FieldSchema, ids: ReadonlySet<Ulid>): FieldSchema {
  if (typeof schema === 'string') return schema
  if ('of' in schema && schema.of) {
    const { of: named, ...rest } = schema
    const left = named.filter((tag_id) => ids.has(tag_id))
    if (left.length === named.length) return schema
    return left.length ? { ...schema, of: left } : rest
  }
  if (schema.type !== 'Select') return schema
  const variants = schema.variants.map((variant) => {
    if (typeof variant === 'string' || !variant.fields) return variant
    const fields = mapOf(variant.fields, ids)
    return fields === variant.fields ? variant : { ...variant, fields }
  })
  return variants.some((each, i) => each !== schema.variants[i]) ? { ...schema, variants } : schema
}
