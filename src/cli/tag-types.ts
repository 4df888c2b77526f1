import { type FieldMap, type FlatField, flattenFields, variantsOf } from '#src/domain/field-schema.ts'

export interface TypedTag {
  tag_id: string
  name: string
  description: string | null
  fields: Record<string, unknown>
}

const HEAD = `// Made by \`npm run facet -- types\` of the tags of a base. Values may be older than their tag's schema.

/** The id of an item. */
export type ItemId = string
/** YYYY-MM-DD. */
export type DateText = string
/** A file of an item, as it is read; to write one its file_id is enough. */
export interface FileValue { file_id: string; name: string; size: number; type: string }
/** A moment: YYYY-MM-DDTHH:MM:SS.mmmZ. */
export type DateTimeText = string
`

/** TypeScript types of what items have for each tag: `Tags['Task']['due']`. */
export function tagTypes(tags: readonly TypedTag[]): string {
  const byName = tags.map((tag) => `${comment(tag.description, '  ')}  ${key(tag.name)}: ${valuesOf(tag)}\n`)
  const ids = tags.map(({ name, tag_id }) => `  ${ownKey(name)}: ${JSON.stringify(tag_id)},\n`)
  return `${HEAD}
/** The values that an item has for a tag, by the tag's name. */
export interface Tags {
${byName.join('')}}
export type TagName = keyof Tags

/** Ids of the tags: they stay when a tag is renamed. */
export const TAG_IDS = {
${ids.join('')}} as const satisfies Record<TagName, string>
`
}

function valuesOf({ fields }: TypedTag): string {
  const flat = [...flattenFields(fields as FieldMap).values()]
  if (!flat.length) return 'Record<string, never>'
  const lines = flat.map(
    (field) => `${comment(remarkOf(field), '    ')}    ${key(field.name)}?: ${typeOf(field)} | null\n`,
  )
  return `{\n${lines.join('')}  }`
}

function remarkOf({ schema, parents }: FlatField): string | null {
  const described = typeof schema === 'object' ? (schema.description ?? '') : ''
  const where = (parents ?? []).map(
    ({ field, variants }) => `while ${field} is ${variants.map((name) => `"${name}"`).join(' or ')}`,
  )
  return [described, ...where].filter(Boolean).join('; ') || null
}

function typeOf({ type, schema }: FlatField): string {
  const variants = () =>
    variantsOf(schema)
      .map((name) => JSON.stringify(name))
      .join(' | ') || 'never'
  switch (type) {
    case 'String':
      return 'string'
    case 'Number':
      return 'number'
    case 'Boolean':
      return 'boolean'
    case 'Date':
      return 'DateText'
    case 'DateTime':
      return 'DateTimeText'
    case 'Reference':
      return 'ItemId'
    case 'MultiReference':
      return 'ItemId[]'
    case 'File':
      return 'FileValue[]'
    case 'Select':
      return `{ variant: ${variants()} }`
    case 'MultiSelect':
      return `(${variants()})[]`
  }
}

/** A name is whatever people have called it. */
const key = (name: string): string => JSON.stringify(name)

/** In an object `__proto__` is a property only where it is computed; else it would be its prototype. */
const ownKey = (name: string): string => (name === '__proto__' ? `[${key(name)}]` : key(name))

function comment(text: string | null, indent: string): string {
  if (!text) return ''
  const line = text
    .replaceAll(/<[^>]*>|[\r\n\u2028\u2029]+/g, ' ')
    .replaceAll('*/', '*\\/')
    .trim()
  return line ? `${indent}/** ${line} */\n` : ''
}
