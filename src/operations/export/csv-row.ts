import { guarded, listCell } from '#src/domain/csv-text.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { isRecord } from '#src/domain/is-record.ts'
import { canonicalId } from '#src/domain/ulid.ts'
import type { ExportColumn } from '#src/operations/export/export-columns.ts'

/** An item as a search answers it, with the properties that were asked for. */
export type ListedItem = Record<string, unknown> & { references?: References }
export type References = Readonly<Record<string, { name: string | null }>>

/** The cells of one item. */
export const csvRow = (columns: readonly ExportColumn[], item: ListedItem): string[] =>
  columns.map(({ ask, names }) => cellOf(item[ask], names ? (item.references ?? {}) : null, ask))

/** `references`: names in place of ids. */
function cellOf(value: unknown, references: References | null, ask: string): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (ask === 'tags') return guarded(listCell(tagNames(value)))
  if (Array.isArray(value)) return guarded(listCell(value.map((each) => textOf(each, references))))
  return guarded(textOf(value, references))
}

function textOf(value: unknown, references: References | null): string {
  if (typeof value === 'string') return references ? nameOf(value, references) : value
  if (value === null || value === undefined) return ''
  const variant = chosenVariant(value)
  if (variant !== null) return variant
  if (isRecord(value) && typeof value['file_id'] === 'string' && typeof value['name'] === 'string')
    return value['name']
  return JSON.stringify(value)
}

/** A purged item has no name any more. */
function nameOf(id: string, references: References): string {
  const known = canonicalId(id)
  return (Object.hasOwn(references, known) && references[known]!.name) || id
}

const tagNames = (tags: unknown): string[] =>
  Object.values(tags as Record<string, { tag_name: string }>).map(({ tag_name }) => tag_name)
