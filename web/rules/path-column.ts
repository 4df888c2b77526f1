import { type ColumnTag, type FieldColumn, fieldColumns, type PathColumn } from '#web/rules/column.ts'
import { keyOf } from '#web/rules/filter-fields.ts'

/** A column that could be there: a field of what a reference leads to. */
export interface PathChoice {
  /** Its key: `<tag id>.<field>-><tag id>.<field>`. */
  key: string
  label: string
  /** The column from which it leads on. */
  from: string
}

/** Between two fields, whose tags are named by their ids: names may hold an arrow. */
const ARROW = /->(?=[0-9A-HJKMNP-TV-Z]{26}\.)/
/** References that are followed; the service follows five. */
const MOST_HOPS = 5

const isReference = ({ field }: FieldColumn) => /Reference/.test(field.type)

/** Columns by their paths, where they still lead somewhere. */
export function pathColumns(
  paths: readonly string[],
  tags: readonly ColumnTag[],
  as_of: string | null,
): PathColumn[] {
  return paths.flatMap((key) => {
    const fields = key.split(ARROW).map((part) => fieldOf(part, tags))
    const last = fields.at(-1)
    if (fields.length < 2 || !last || !fields.slice(0, -1).every((each) => each && isReference(each)))
      return []
    const all = fields as FieldColumn[]
    return [
      {
        kind: 'path' as const,
        key,
        label: all.map(({ field }) => field.name).join(' → '),
        width: last.width,
        header: all.map(({ tag, field }) => keyOf(tag, field.name)).join('->'),
        last,
        as_of,
        description: last.description,
      },
    ]
  })
}

function fieldOf(part: string, tags: readonly ColumnTag[]): FieldColumn | undefined {
  const tag = tags.find(({ tag_id }) => part.startsWith(`${tag_id}.`))
  return tag && fieldColumns(tag, false).find(({ key }) => key === part)
}

/** What could be shown of the items to which a table's columns refer. */
export function pathChoices(
  columns: readonly (FieldColumn | PathColumn)[],
  tags: readonly ColumnTag[],
): PathChoice[] {
  return columns.flatMap((column) => {
    const end = column.kind === 'path' ? column.last : column
    if (!isReference(end) || column.key.split(ARROW).length > MOST_HOPS) return []
    const meant = tags.filter(({ tag_id, name }) => end.of.includes(tag_id) || end.of.includes(name))
    return meant
      .flatMap((tag) => fieldColumns(tag, false))
      .filter(({ field }) => field.type !== 'File')
      .map(({ key, field }) => ({
        key: `${column.key}->${key}`,
        label: `${column.label} → ${field.name}`,
        from: column.key,
      }))
  })
}

/** What an export is asked for, so that columns by path are in it; undefined: what it gives by itself. */
export function exportedFields(columns: readonly { kind: string }[]): string[] | undefined {
  const all = columns as readonly (FieldColumn | PathColumn)[]
  if (!all.some(({ kind }) => kind === 'path')) return undefined
  return all.flatMap((column) => {
    if (column.kind === 'path') return [column.header]
    return column.kind === 'field' ? [keyOf(column.tag, column.field.name)] : []
  })
}
