import { defineOperation } from '#src/runtime/operation.ts'
import { Type } from 'typebox'
import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { conflict } from '#src/domain/errors.ts'
import { flattenFields, type FieldMap, type FieldSchema, type FlatFields } from '#src/domain/field-schema.ts'
import { toReply } from '#src/domain/reply.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'
import { MAX_TAGS, MAX_VIEWS, Template, TEMPLATE_FORMAT } from '#src/operations/templates/template.ts'
import { withDescription, withRefs } from '#src/operations/templates/template-links.ts'
import { query } from '#src/sql/query.ts'

/** Of each tag so many items, the oldest, come along as samples. */
const SAMPLES = 5
/** Characters of all samples: what is longer is left out. */
const MAX_SAMPLES = 4_000_000
const ULID = /\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/

interface Tag {
  tag_id: string
  name: string
  description: string | null
  fields: FieldMap
  extends: string[]
  look?: Template['tags'][number]['look']
}
interface Item {
  item_id: string
  name: string
  description?: string | null
  tags: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}

const sharedViews = query((_: object, sql) =>
  sql
    .selectFrom('view')
    .select(['name', 'icon', 'filter', 'settings', 'position'])
    .where('shared', '=', 1)
    .orderBy('id')
    .limit(MAX_VIEWS + 1),
)

export const getTemplate = defineOperation({
  name: 'getTemplate',
  summary: 'The tags, shared views and a few items of each tag, as a template for another base.',
  description:
    'References and links to items that do not come along are left out, and so are views whose filters name items, files with the pictures of them, and values that do not fit the present schema. More than 200 tags or shared views are 409.',
  access: 'user',
  effect: 'read',
  rest: 'GET /api/template',
  input: Type.Object({}, { additionalProperties: false }),
  output: Template,
  errors: ['Conflict'],
  run: (context) => templateOf(context),
})

export async function templateOf(context: SqlContext): Promise<Template> {
  const tags = within(await allTags(context), MAX_TAGS, 'tags')
  const views = within(await context.db.all(sharedViews, {}), MAX_VIEWS, 'shared views')
  const names = new Map(tags.map(({ tag_id, name }) => [tag_id, name]))
  const samples = await samplesOf(context, tags)
  const refs = new Map([...samples.keys()].map((item_id, i) => [item_id, `item ${i + 1}`]))
  return {
    format: TEMPLATE_FORMAT,
    version: 1,
    name: 'A base of Facet',
    tags: tags.map((tag) => tagOf(tag, names)),
    views: views.flatMap((view) => viewOf(view, names, refs)),
    items: itemsOf(tags, samples, refs),
  }
}

/** All of them, or more than there may be. */
async function allTags(context: SqlContext): Promise<Tag[]> {
  const tags: Tag[] = []
  for (let after: string | undefined, isFirst = true; isFirst || after; isFirst = false) {
    const page = toReply(await searchTags.run(context, { limit: MAX_TAGS + 1, ...(after && { after }) }))
    tags.push(...(JSON.parse(page.json) as Tag[]))
    after = tags.length > MAX_TAGS ? undefined : page.meta?.next
  }
  return tags
}

/** @throws Conflict rather than leaving some out */
function within<T>(all: T[], most: number, what: string): T[] {
  if (all.length <= most) return all
  throw conflict(`The base has more than ${most} ${what}: a template has at most ${most}`, {
    suggestion: 'Take the whole base with the command export',
  })
}

async function samplesOf(context: SqlContext, tags: readonly Tag[]): Promise<Map<string, Item>> {
  const items = new Map<string, Item>()
  let size = 0
  for (const { tag_id } of tags) {
    const found = await searchItems.run(context, { filter: { has_tag: tag_id }, limit: SAMPLES })
    for (const item of JSON.parse(toReply(found).json) as Item[]) {
      const { length } = JSON.stringify(item)
      if (items.has(item.item_id) || size + length > MAX_SAMPLES) continue
      size += length
      items.set(item.item_id, item)
    }
  }
  return items
}

function tagOf({ name, description, fields, extends: bases, look }: Tag, names: ReadonlyMap<string, string>) {
  const extended = bases.flatMap((tag_id) => names.get(tag_id) ?? [])
  return {
    name,
    ...(description !== null && { description }),
    fields: namedFields(fields, names),
    ...(extended.length && { extends: extended }),
    ...(look && { look }),
  }
}

const namedFields = (fields: FieldMap, names: ReadonlyMap<string, string>): FieldMap =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, named(schema, names)]))

/** With names in `of`; tags that are gone are left out. */
function named(schema: FieldSchema, names: ReadonlyMap<string, string>): FieldSchema {
  if (typeof schema === 'string') return schema
  if ('of' in schema && schema.of) return { ...schema, of: schema.of.flatMap((id) => names.get(id) ?? []) }
  if (schema.type !== 'Select') return schema
  const variants = schema.variants.map((variant) =>
    typeof variant === 'object' && variant.fields
      ? { ...variant, fields: namedFields(variant.fields, names) }
      : variant,
  )
  return { ...schema, variants }
}

interface ViewText {
  name: string
  icon: string
  filter: string
  settings: string
  position: number | null
}

function viewOf(
  { name, icon, filter, settings, position }: ViewText,
  names: ReadonlyMap<string, string>,
  refs: ReadonlyMap<string, string>,
) {
  const text = withNames(filter, names)
  // It names an item, or a tag that is gone.
  if (ULID.test(text)) return []
  const named = withDescription(JSON.parse(withNames(settings, names)), (html) => withRefs(html, refs))
  return [{ name, icon, filter: JSON.parse(text), settings: named, position }]
}

function withNames(text: string, names: ReadonlyMap<string, string>): string {
  let named = text
  for (const [tag_id, name] of names)
    named = named.replaceAll(tag_id, () => JSON.stringify(name).slice(1, -1))
  return named
}

function itemsOf(
  tags: readonly Tag[],
  items: ReadonlyMap<string, Item>,
  refs: ReadonlyMap<string, string>,
): Template['items'] {
  const byId = new Map(tags.map((tag) => [tag.tag_id, flattenFields(tag.fields)]))
  return [...items.values()].map(({ item_id, name, description, tags: applied }) => {
    const given = Object.entries(applied).flatMap(([tag_id, { tag_name, field_values }]) => {
      const fields = byId.get(tag_id)
      return fields ? [[tag_name, valuesOf(fields, field_values, refs)]] : []
    })
    return {
      ref: refs.get(item_id)!,
      name,
      ...(description && { description: withRefs(description, refs) }),
      tags: Object.fromEntries(given),
    }
  })
}

/** With refs for ids, without what another base would refuse. */
function valuesOf(
  fields: FlatFields,
  stored: Record<string, unknown>,
  refs: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const fitting = Object.entries(stored).filter(
    ([field, value]) => !checkFieldValues(fields, { [field]: value }).problems.length,
  )
  const values = Object.fromEntries(fitting)
  const inactive = new Set(checkSubFields(fields, values, values).map(({ path }) => path))
  const taken = fitting.flatMap(([field, value]) => {
    const type = fields.get(field)!.type
    if (inactive.has(`field_values.${field}`) || type === 'File') return []
    if (type === 'Reference') return refs.has(String(value)) ? [[field, refs.get(String(value))]] : []
    if (type === 'MultiReference' && Array.isArray(value))
      return [[field, value.flatMap((id) => refs.get(String(id)) ?? [])]]
    return [[field, value]]
  })
  return Object.fromEntries(taken) as Record<string, unknown>
}
