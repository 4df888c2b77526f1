import { checkFieldValues } from '#src/domain/check-field-values.ts'
import { type FieldSchema, isReference, variantsOf } from '#src/domain/field-schema.ts'
import { listCell, readBoolean } from '#src/domain/csv-text.ts'
import { elementsOf } from '#src/domain/file-values.ts'
import { chosenVariant, isActive, valueOf } from '#src/domain/field-values.ts'
import { typedList } from '#src/domain/list-text.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import type { Column, FieldColumn, PathColumn } from '#web/rules/column.ts'
import { type Reader, typedDate } from '#web/rules/typed-date.ts'
import { typedNumberOf } from '#web/rules/typed-number.ts'

/** What of an item the columns need. */
export interface CellRow {
  item_id: string
  name: string
  created_at: string
  updated_at: string
  tags: Readonly<
    Record<
      string,
      { tag_name: string; schema_version: number; field_values: Readonly<Record<string, unknown>> }
    >
  >
}

/** The value of a cell as it is stored; null where there is none. */
export function cellValue(column: Column, row: CellRow): unknown {
  if (column.kind === 'field')
    return valueOf(row.tags[column.tag.tag_id]?.field_values ?? {}, column.field.name)
  if (column.kind === 'tags')
    return Object.entries(row.tags)
      .filter(([tag_id]) => tag_id !== column.except)
      .map(([, { tag_name }]) => tag_name)
  // Not of the row: see data/path-values.
  if (column.kind === 'path') return null
  return row[column.kind]
}

/** The values of the column's tag. */
export const valuesOf = (column: Column, row: CellRow): Readonly<Record<string, unknown>> | undefined =>
  column.kind === 'field' ? row.tags[column.tag.tag_id]?.field_values : undefined

/** Why a cell takes no value, or undefined where it takes one. */
export function whyReadOnly(column: Column, row: CellRow): string | undefined {
  if (column.kind === 'name') return undefined
  if (column.kind === 'path') return `It is stored elsewhere: ${column.label}`
  if (column.kind !== 'field') return 'The service keeps this value'
  const applied = row.tags[column.tag.tag_id]
  if (!applied) return `This item does not have the tag ${column.tag.name}`
  if (!isActive(column.fields, column.field, applied.field_values)) {
    const needed = column.field.parents!.map(({ field, variants }) => `${field} is ${variants.join(' or ')}`)
    return `Only where ${needed.join(', or ')}`
  }
  return undefined
}

/** A row with values for some of its cells: what is written together is possible together. */
export function rowWith<R extends CellRow>(row: R, cells: readonly { column: Column; value: unknown }[]): R {
  const tags = { ...row.tags }
  for (const { column, value } of cells) {
    const applied = column.kind === 'field' ? tags[column.tag.tag_id] : undefined
    if (column.kind !== 'field' || !applied) continue
    const field_values = { ...applied.field_values, [column.field.name]: value }
    tags[column.tag.tag_id] = { ...applied, field_values }
  }
  return { ...row, tags }
}

/** What is wrong with a value, before anything is sent. */
export function faultOfValue(column: Column, value: unknown): string | undefined {
  if (column.kind === 'name')
    return typeof value === 'string' && value.trim() ? undefined : 'An item needs a name'
  if (column.kind !== 'field' || value === null) return undefined
  return problemOf(column, value)
}

function problemOf({ fields, field }: FieldColumn, value: unknown): string | undefined {
  // A name that is still to be looked up is judged by the service.
  return checkFieldValues(fields, { [field.name]: value }).problems[0]?.message
}

/** Whether the values are of an older version of the tag, and no longer fit it. */
export function outdatedFault(column: Column, row: CellRow): string | undefined {
  if (column.kind !== 'field') return undefined
  const applied = row.tags[column.tag.tag_id]
  if (!applied || applied.schema_version >= column.tag.schema_version) return undefined
  const value = valueOf(applied.field_values, column.field.name)
  return value === null ? undefined : problemOf(column, value)
}

/** A value as text, as it is copied and as it is typed again. */
export function valueText(column: Column, value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined) return ''
  if (column.kind === 'path')
    return eachOf(column, value)
      .map((each) => valueText(column.last, each, nameOf))
      .join(', ')
  if (column.kind !== 'field') return asList(value).join(', ')
  switch (column.field.type) {
    case 'Select':
      return chosenVariant(value) ?? ''
    case 'MultiSelect':
    case 'MultiReference':
      return listCell(namesIn(column, value, nameOf)!)
    case 'Reference':
    case 'File':
      return namesIn(column, value, nameOf)!.join(', ')
    case 'Boolean':
      return value ? 'yes' : 'no'
    default:
      return plain(value)
  }
}

/** What a value of several names, or of references or files, names; undefined: it is of another type. */
export function namesIn(
  { field }: FieldColumn,
  value: unknown,
  nameOf: (id: string) => string,
): string[] | undefined {
  if (field.type === 'MultiSelect') return asList(value)
  if (isReference(field.type)) return asList(value).map(nameOf)
  return field.type === 'File' ? elementsOf(value).map(({ name }) => name) : undefined
}

/** Through several references there may be several values. */
export const eachOf = ({ last }: PathColumn, value: unknown): unknown[] =>
  Array.isArray(value) && !last.field.type.startsWith('Multi') ? value : [value]

/** What is stored may be of an earlier type of its field. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const asList = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(plain)

/** As cells show no. */
const NO = /^[–-]$/

/**
 * Text as a value of the column's type; where it is none, the text itself, which the check then refuses by name. With a
 * reader dates are read as that person writes them, else as they are stored.
 */
export function valueFromText(column: Column, text: string, reader?: Reader): unknown {
  const given = text.trim()
  if (column.kind === 'name') return given
  if (column.kind !== 'field' || !given) return null
  switch (column.field.type) {
    case 'String':
      return text
    case 'Number':
      return numberIn(column.field.schema, given, reader?.locale ?? 'en')
    case 'Boolean':
      return readBoolean(given) ?? (NO.test(given) ? false : given)
    case 'Select':
      return { variant: given }
    case 'MultiSelect':
      return variantsIn(variantsOf(column.field.schema), given)
    case 'MultiReference':
      return typedList(given)
    case 'Date':
    case 'DateTime': {
      const read = reader && typedDate(column.field.type, given, reader)
      if (read?.is === 'value') return read.value
      return column.field.type === 'DateTime' ? dateTimeFrom(given) : given
    }
    default:
      return given
  }
}

/** What is wrong with a text that is pasted: what the editor of its cell says where it is typed, which asks which is meant. */
export function faultOfText(column: Column, text: string, reader: Reader): string | undefined {
  const wrong = faultOfValue(column, valueFromText(column, text, reader))
  if (!wrong || column.kind !== 'field') return wrong
  const { type, schema } = column.field
  if (type === 'Boolean') return `${text} is neither yes nor no`
  if (type === 'File') return 'A file is no text: choose it in the cell, or paste the file itself'
  const read =
    type === 'Number'
      ? typedNumberOf(schema, text, { locale: reader.locale })
      : type === 'Date' || type === 'DateTime'
        ? typedDate(type, text, reader)
        : undefined
  if (read?.is === 'fault') return read.message
  return read?.is === 'which' ? 'It may be several: type it into the cell, which asks for the one' : wrong
}

/** One whose name reads as a list, as other programs write it, is that one, where it is no list of others. */
function variantsIn(variants: readonly string[], text: string): string[] {
  const names = typedList(text)
  const isOne = variants.includes(text) && !names.every((name) => variants.includes(name))
  return isOne ? [text] : names
}

/** What is no number, and what may be two, is left as it is. */
function numberIn(schema: FieldSchema, text: string, locale: string): number | string {
  const read = typedNumberOf(schema, text, { locale })
  return read.is === 'value' ? read.value : text
}

/** A time without an offset is one of the reader's own; what has another form is not guessed. */
function dateTimeFrom(text: string): string {
  const time = parseIsoTime(text)
  if (!time || time.floor !== time.ceil) return text
  return new Date(text.replace(' ', 'T')).toISOString()
}

/** A Select's value as one of a MultiSelect, a reference as one of several. */
export const listOfOne = (type: string, value: unknown): unknown[] => [
  type === 'Select' ? chosenVariant(value) : value,
]

/** Variants of a Select or MultiSelect in order; none of other types. */
export const variantNames = ({ field }: FieldColumn): string[] => variantsOf(field.schema)

/** The variant that a Select's value chooses, and where it is among the others; -1: it is none of them any more. */
export function chosenOf(
  column: FieldColumn,
  value: unknown,
): { name: string; position: number; count: number } {
  const name = chosenVariant(value) ?? ''
  const names = variantNames(column)
  return { name, position: names.indexOf(name), count: names.length }
}
