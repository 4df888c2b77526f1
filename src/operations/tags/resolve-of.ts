import type { Problem } from '#src/domain/errors.ts'
import type { FieldMap, FieldSchema } from '#src/domain/field-schema.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findDeletedTag, findTag, missingTag } from '#src/storage/tags/tags.ts'

/** The tag that the fields belong to: a reference may mean its items too. */
interface Self {
  tag_id: Ulid
  name: string
  /** Ids that are in its fields already: they stay right when their tags are purged. */
  known: ReadonlySet<string>
}

/** The fields with ids for the tags that references name in `of` (additions §11), and what is wrong with those. */
export async function resolveOf(
  db: Db,
  fields: FieldMap,
  self: Self,
  path = 'fields',
): Promise<{ fields: FieldMap; problems: Problem[] }> {
  if (!tagsNamedIn(fields).size) return { fields, problems: [] }
  const resolver = new OfResolver(db, self)
  return { fields: await resolver.map(fields, path), problems: resolver.problems }
}

/** What is in `of` anywhere in the fields. */
export function tagsNamedIn(fields: FieldMap): Set<string> {
  const named = new Set<string>()
  const visit = (schema: FieldSchema): void => {
    if (typeof schema === 'string') return
    if ('of' in schema) for (const each of schema.of ?? []) named.add(each)
    if ('variants' in schema)
      for (const variant of schema.variants)
        if (typeof variant === 'object') Object.values(variant.fields ?? {}).forEach(visit)
  }
  Object.values(fields).forEach(visit)
  return named
}

class OfResolver {
  readonly problems: Problem[] = []
  private readonly db: Db
  private readonly self: Self

  constructor(db: Db, self: Self) {
    this.db = db
    this.self = self
  }

  async map(fields: FieldMap, path: string): Promise<FieldMap> {
    const resolved: [string, FieldSchema][] = []
    for (const [name, schema] of Object.entries(fields))
      resolved.push([name, await this.schema(schema, `${path}.${name}`)])
    return Object.fromEntries(resolved)
  }

  private async schema(schema: FieldSchema, path: string): Promise<FieldSchema> {
    if (typeof schema === 'string') return schema
    if ('of' in schema && schema.of) return { ...schema, of: await this.tags(schema.of, `${path}.of`) }
    if (schema.type !== 'Select') return schema
    const variants = []
    for (const [i, variant] of schema.variants.entries())
      variants.push(
        typeof variant === 'object' && variant.fields
          ? { ...variant, fields: await this.map(variant.fields, `${path}.variants[${i}].fields`) }
          : variant,
      )
    return { ...schema, variants }
  }

  private async tags(named: readonly string[], path: string): Promise<Ulid[]> {
    const ids: Ulid[] = []
    for (const [i, name] of named.entries()) {
      const tag_id = await this.tag(name)
      if (tag_id === undefined) await this.missing(name, `${path}[${i}]`)
      else if (ids.includes(tag_id))
        this.problems.push({ path: `${path}[${i}]`, message: `the tag '${name}' appears here twice` })
      else ids.push(tag_id)
    }
    return ids
  }

  private async tag(id_or_name: string): Promise<Ulid | undefined> {
    const { tag_id, name, known } = this.self
    const upper = id_or_name.toUpperCase()
    if (upper === tag_id || known.has(upper)) return upper
    const found = (await findTag(this.db, id_or_name)) ?? (await findDeletedTag(this.db, id_or_name))
    return id_or_name === name ? tag_id : found?.tag_id
  }

  private async missing(name: string, path: string): Promise<void> {
    const { message, suggestion } = await missingTag(this.db, name)
    this.problems.push({ path, message: suggestion ? `${message}. ${suggestion}` : message })
  }
}
