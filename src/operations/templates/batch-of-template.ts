import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { flattenFields, type FieldMap, type FieldSchema } from '#src/domain/field-schema.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { isRecord } from '#src/domain/is-record.ts'
import type { Template } from '#src/operations/templates/template.ts'

interface Part {
  operation: string
  input: Record<string, unknown>
  as?: string
  /** Where the template says what it does, by a path in its input. */
  placeOf(this: void, path: string): string
}
type Values = Record<string, unknown>

/**
 * A template's tags and items as a batch. What refers to something that is made later gets that in a second step.
 * @throws BadRequest where it refers to what it does not have
 */
export function batchOfTemplate({ tags, items }: Template): Part[] {
  const problems = [
    ...twice(tags, 'tags', ({ name }) => name),
    ...twice(items, 'items', ({ ref }) => ref),
    ...tags.flatMap(({ fields }, i) => checkFieldSchema(fields, `template.tags[${i}].fields`)),
    ...unknownTags(tags, items),
  ]
  if (problems.length) throw invalid(problems)
  return [...tagParts(tags), ...itemParts(tags, items)]
}

function twice<T>(
  all: readonly T[],
  path: 'tags' | 'items',
  nameOf: (one: T) => string | undefined,
): Problem[] {
  const seen = new Set<string>()
  return all.flatMap((each, i) => {
    const name = nameOf(each)
    const at = `template.${path}[${i}].${path === 'tags' ? 'name' : 'ref'}`
    if (name !== undefined && seen.has(name)) return [{ path: at, message: `'${name}' is there twice` }]
    if (name !== undefined) seen.add(name)
    return []
  })
}

function unknownTags(tags: Template['tags'], items: Template['items']): Problem[] {
  const names = new Set(tags.map(({ name }) => name))
  return items.flatMap(({ tags: given = {} }, i) =>
    Object.entries(given).flatMap(([name, values]) => {
      const path = `template.items[${i}].tags.${name}`
      if (!names.has(name)) return [{ path, message: 'is no tag of the template' }]
      return isRecord(values) ? [] : [{ path, message: 'expected an object of values by field' }]
    }),
  )
}

function tagParts(tags: Template['tags']): Part[] {
  const made = new Set<string>()
  const later: Part[] = []
  const parts = inOrder(tags).map((tag, i): Part => {
    made.add(tag.name)
    const placeOf = under(`template.tags[${tags.indexOf(tag)}]`)
    const fields = tag.fields as FieldMap
    const now = Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name, pointing(schema, made, tags)]),
    )
    if (JSON.stringify(now) !== JSON.stringify(fields))
      later.push({ operation: 'updateTag', input: { tag_id: { $: `t${i}` }, fields }, placeOf })
    return { operation: 'createTag', as: `t${i}`, input: { ...tag, fields: now }, placeOf }
  })
  return [...parts, ...later]
}

const under =
  (place: string) =>
  (path: string): string =>
    path === '' || path.startsWith('[') ? place + path : `${place}.${path}`

/** Without the tags of the template that are not made yet; sub-fields too. */
function pointing(schema: FieldSchema, made: ReadonlySet<string>, tags: Template['tags']): FieldSchema {
  if (typeof schema === 'string') return schema
  if ('of' in schema && schema.of?.some((name) => !made.has(name) && tags.some((tag) => tag.name === name)))
    return { ...schema, of: schema.of.filter((name) => made.has(name)) }
  if (schema.type !== 'Select') return schema
  const variants = schema.variants.map((variant) => {
    if (typeof variant === 'string' || !variant.fields) return variant
    const fields = Object.entries(variant.fields).map(([name, each]) => [name, pointing(each, made, tags)])
    return { ...variant, fields: Object.fromEntries(fields) as FieldMap }
  })
  return { ...schema, variants }
}

/** What a tag extends comes before it; a circle is left for the tags' own check. */
function inOrder(tags: Template['tags']): Template['tags'] {
  const byName = new Map(tags.map((tag) => [tag.name, tag]))
  const done = new Set<string>()
  const order: Template['tags'] = []
  const visit = (tag: Template['tags'][number]) => {
    if (done.has(tag.name)) return
    done.add(tag.name)
    for (const name of tag.extends ?? []) if (byName.has(name)) visit(byName.get(name)!)
    order.push(tag)
  }
  for (const tag of tags) visit(tag)
  return order
}

function itemParts(tags: Template['tags'], items: Template['items']): Part[] {
  const places = new Map(inOrder(tags).map(({ name }, i) => [name, `t${i}`]))
  const references = new Map(tags.map((tag) => [tag.name, referencesOf(tag.fields as FieldMap)]))
  const refs = new Map(items.flatMap(({ ref }, i) => (ref === undefined ? [] : [[ref, i] as const])))
  const later: Part[] = []
  const parts = items.map(({ name, description, tags: given = {} }, i): Part => {
    const at = under(`template.items[${i}]`)
    const valuesAt = (tag: string, path: string) =>
      under(at(`tags.${tag}`))(path.replace(/^field_values\.?/, ''))
    const applied = Object.entries(given).map(([tag, values]) => {
      const all = withRefs(values, references.get(tag)!, refs, at(`tags.${tag}`))
      const now = Object.fromEntries(Object.entries(all).filter(([, value]) => newest(value) < i))
      if (Object.keys(now).length < Object.keys(all).length)
        later.push({
          operation: 'updateTagValues',
          input: { item_id: { $: `i${i}` }, tag_id: { $: places.get(tag)! }, field_values: all },
          placeOf: (path) => valuesAt(tag, path),
        })
      return { tag_ref: { Existing: { $: places.get(tag)! } }, field_values: now }
    })
    const input = { name, ...(description !== undefined && { description }), tags: applied }
    const placeOf = (path: string): string => {
      const [, tag, rest = ''] = /^tags\[(\d+)\]\.?(.*)$/s.exec(path) ?? []
      return tag === undefined ? at(path) : valuesAt(Object.keys(given)[Number(tag)]!, rest)
    }
    return { operation: 'createItem', as: `i${i}`, input, placeOf }
  })
  return [...parts, ...later]
}

const referencesOf = (fields: FieldMap): ReadonlySet<string> =>
  new Set(
    [...flattenFields(fields).values()]
      .filter(({ type }) => type === 'Reference' || type === 'MultiReference')
      .map(({ name }) => name),
  )

function withRefs(
  values: Values,
  references: ReadonlySet<string>,
  refs: ReadonlyMap<string, number>,
  path: string,
): Values {
  const idOf = (ref: unknown, at: string) => {
    const i = typeof ref === 'string' ? refs.get(ref) : undefined
    if (i === undefined)
      throw invalid([{ path: at, message: `no item of the template has the ref ${JSON.stringify(ref)}` }])
    return { $: `i${i}` }
  }
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => {
      const at = `${path}.${field}`
      if (!references.has(field) || value === null) {
        if (hasPlaceholder(value))
          throw invalid([
            { path: at, message: 'expected a value; only references name items of the template' },
          ])
        return [field, value]
      }
      return [field, Array.isArray(value) ? value.map((each) => idOf(each, at)) : idOf(value, at)]
    }),
  )
}

/** What a batch would take for something that it makes. */
function hasPlaceholder(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasPlaceholder)
  return isRecord(value) && (Object.hasOwn(value, '$') || Object.values(value).some(hasPlaceholder))
}

/** Of the items that a value of `withRefs` refers to, the last; -1: none. */
function newest(value: unknown): number {
  if (Array.isArray(value)) return Math.max(-1, ...value.map(newest))
  const of = typeof value === 'object' && value !== null ? (value as { $?: string }).$ : undefined
  return of === undefined ? -1 : Number(of.slice(1))
}
