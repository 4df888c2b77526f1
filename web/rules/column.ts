import {
  flattenFields,
  isMany,
  type FieldMap,
  type FieldSchema,
  type FieldType,
  type FlatField,
  type FlatFields,
  variantsOf,
} from '#src/domain/field-schema.ts'
import { lookOfField } from '#web/rules/shown-value.ts'

export type { FieldSchema, FieldType }

/** What a tag must say for its columns. */
export interface ColumnTag {
  tag_id: string
  name: string
  fields: Readonly<Record<string, unknown>>
  schema_version: number
  /** Of a tag as it is now. */
  updated_at?: string
}

/** A column of a table: something of the item itself, a field of one tag, or one behind a reference. */
export type Column = ItemColumn | FieldColumn | PathColumn

export interface ItemColumn {
  kind: 'name' | 'tags' | 'created_at' | 'updated_at'
  /** A tag that is left out. */
  except?: string
  key: string
  label: string
  width: number
  sortBy?: string
}

export interface FieldColumn {
  kind: 'field'
  /** `<tag id>.<field>`, which is also what it sorts by. */
  key: string
  label: string
  width: number
  sortBy?: string
  tag: ColumnTag
  fields: FlatFields
  field: FlatField
  /** Of a Reference: the tags whose items are meant. */
  of: readonly string[]
  description: string | undefined
}

/** What a reference leads to: read, and changed where it is stored. */
export interface PathColumn {
  kind: 'path'
  /** `<tag id>.<field>-><tag id>.<field>`. */
  key: string
  label: string
  width: number
  sortBy?: string
  /** The path by names, as an export heads it. */
  header: string
  /** The field at its end. */
  last: FieldColumn
  /** The moment as of which it is asked for; null: now. */
  as_of: string | null
  description: string | undefined
}

const WIDTHS: Readonly<Record<FieldType, number>> = {
  String: 200,
  Number: 104,
  Boolean: 88,
  Date: 128,
  DateTime: 168,
  Reference: 184,
  MultiReference: 220,
  Select: 148,
  MultiSelect: 220,
  File: 220,
}
const WIDTH_OF_NAME = 300

const NAME: ItemColumn = { kind: 'name', key: 'name', label: 'Name', width: WIDTH_OF_NAME, sortBy: 'name' }
const TAGS: ItemColumn = { kind: 'tags', key: 'tags', label: 'Tags', width: 220 }
const TIMES: readonly ItemColumn[] = [
  { kind: 'created_at', key: 'created_at', label: 'Created', width: 148, sortBy: 'created_at' },
  { kind: 'updated_at', key: 'updated_at', label: 'Changed', width: 148, sortBy: 'updated_at' },
]

/**
 * Name, the fields of each tag in order with sub-fields after their Select, those of `more` tags that the items may have
 * besides, the item's tags, its times. What lies behind a reference comes after it.
 */
export function columnsOf(
  tags: readonly ColumnTag[],
  more: readonly ColumnTag[] = [],
  paths: readonly PathColumn[] = [],
): Column[] {
  const [only] = tags
  // In a table of one tag, that tag says nothing.
  const others = only && tags.length === 1 ? { ...TAGS, label: 'Other tags', except: only.tag_id } : TAGS
  const own = tags.flatMap((tag) => fieldColumns(tag, tags.length > 1))
  const fields = [...own, ...more.flatMap((tag) => fieldColumns(tag, true))]
  const behind = (key: string) => paths.filter((path) => path.key.startsWith(`${key}->`))
  return [NAME, ...fields.flatMap((field) => [field, ...behind(field.key)]), others, ...TIMES]
}

export function fieldColumns(tag: ColumnTag, named: boolean): FieldColumn[] {
  const fields = flattenFields(tag.fields as FieldMap)
  return [...fields.values()].map((field) => {
    const { schema, name, type } = field
    const key = `${tag.tag_id}.${name}`
    const sortable = !isMany(type) && type !== 'Reference'
    return {
      kind: 'field',
      key,
      label: named ? `${tag.name}.${name}` : name,
      width: WIDTHS[type] + moreWidth(schema),
      ...(sortable && { sortBy: key }),
      tag,
      fields,
      field,
      of: of(schema),
      description: typeof schema === 'object' ? schema.description : undefined,
    }
  })
}

/** Pixels of a character of a number. */
const CHARACTER = 9
const MOST_MORE = 80

/** Of a number: room for its unit and its decimals. */
function moreWidth(schema: FieldSchema): number {
  const { unit, decimals = 0 } = lookOfField(schema)
  return Math.min(MOST_MORE, CHARACTER * (decimals + (unit ? unit.length + 1 : 0)))
}

const of = (schema: FieldSchema): readonly string[] =>
  typeof schema === 'object' && 'of' in schema && schema.of ? schema.of : []

/**
 * Ids or names of the tags that a filter is about, by themselves or by a field, whichever branch of an `or` holds: their
 * fields are the columns.
 */
export function tagsAskedFor(filter: unknown): string[] {
  if (typeof filter !== 'object' || filter === null) return []
  const found = Object.entries(filter).flatMap(([key, value]) => {
    if (key === 'and' && Array.isArray(value)) return value.flatMap(tagsAskedFor)
    if (key === 'or' && Array.isArray(value)) return inAll(value.map(tagsAskedFor))
    if (key === 'has_tag' && typeof value === 'string') return [value]
    if (key === 'has_tag') {
      const { id, name } = (value ?? {}) as { id?: unknown; name?: { eq?: unknown } }
      return [id, name?.eq].filter((each) => typeof each === 'string')
    }
    return tagOfKey(key)
  })
  return [...new Set(found)]
}

/** `Task` of `Task.status` and `Task.project->Project.name`; nothing of what says who refers. */
function tagOfKey(key: string): string[] {
  const [reference = ''] = key.split('->')
  const dot = reference.lastIndexOf('.')
  return reference.startsWith('<-') || dot < 1 ? [] : [reference.slice(0, dot)]
}

function inAll([first = [], ...others]: readonly string[][]): string[] {
  return first.filter((each) => others.every((other) => other.includes(each)))
}

/** When its tag was last changed, where its values are names of variants: others may have exchanged them since. */
export const namedAt = (column: Column): string | undefined =>
  column.kind === 'field' && variantsOf(column.field.schema).length ? column.tag.updated_at : undefined
