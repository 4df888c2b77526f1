import { useMemo } from 'react'
import type { Tag } from '#web/data/tags-query.ts'
import type { Draft } from '#web/import/import-draft.ts'
import type { TableText } from '#web/import/read-table.ts'
import { useReferenceGuess } from '#web/import/use-reference-guess.ts'
import type { ColumnTag } from '#web/rules/column.ts'
import {
  type FieldMap,
  fieldName,
  type FieldSchema,
  guessType,
  type Reading,
  readingOf,
  schemaFor,
  type TypeChoice,
  valuesIn,
} from '#web/rules/guess-columns.ts'
import { askedColumns, type ColumnReading, guessTargets, type Target } from '#web/rules/import-plan.ts'

/** What a column of a new tag becomes. */
export type NewColumn = TypeChoice | 'skip' | 'name' | 'description'

/** What becomes of the columns, by what was said and by what is guessed of the rest. */
export interface Arrangement {
  /** Null: nobody has said yet what the rows become. */
  into: 'tag' | 'new' | 'bare' | null
  /** The tag that is there, or the one that would be made. */
  tag: ColumnTag | null
  /** Of the one that would be made. */
  fields: FieldMap
  newColumns: readonly NewColumn[]
  targets: readonly Target[]
  readings: readonly ColumnReading[]
  /** As the columns as a whole are written. */
  guessed: readonly Reading[]
  /** Columns that can be read in two ways. */
  asked: readonly number[]
}

/** Of a table, or of none yet. */
export function useArrangement(table: TableText | null, tag: Tag | null, draft: Draft): Arrangement {
  const columns = useMemo(
    () =>
      table
        ? table.headings.map((_, i) => {
            const values = valuesIn(table.rows, i)
            return { values, type: guessType(values), reading: readingOf(values) }
          })
        : [],
    [table],
  )
  const into = tag ? 'tag' : draft.into
  const plain = useMemo(() => (table ? guessTargets(table.headings, null) : []), [table])
  const candidates = columns.flatMap(({ type }, i) =>
    into === 'new' && plain[i] === 'skip' && (type === 'String' || type === 'Select') ? [i] : [],
  )
  const references = useReferenceGuess(table, candidates)
  const newColumns = columns.map(({ type }, i): NewColumn => {
    const said = draft.columns[i]?.type
    if (said) return said
    if (plain[i] !== 'skip') return plain[i] as 'name' | 'description'
    if (!fieldName(table!.headings[i]!)) return 'skip'
    const of = references.get(i)
    return of === undefined ? { type } : { type: 'Reference', of }
  })
  const shape = JSON.stringify(newColumns)
  const made = useMemo(() => {
    const names = namesOf(table?.headings ?? [], JSON.parse(shape) as NewColumn[])
    const fields: Record<string, FieldSchema> = {}
    const targets = (JSON.parse(shape) as NewColumn[]).map((column, i): Target => {
      if (typeof column === 'string') return column
      fields[names[i]!] = schemaFor(column, columns[i]!.values)
      return { field: names[i]! }
    })
    return { fields, targets }
  }, [shape, table, columns])
  const newTag = useMemo(
    (): ColumnTag => ({
      tag_id: 'new',
      name: draft.name || 'New tag',
      fields: made.fields,
      schema_version: 1,
    }),
    [draft.name, made],
  )
  const own = useMemo(() => (table ? guessTargets(table.headings, tag) : []), [table, tag])
  const isSaid = draft.targets?.of === targetsKey(table, tag)
  const targets = into === 'new' ? made.targets : isSaid ? draft.targets!.targets : own
  const readings = useMemo(
    () =>
      columns.map(({ reading }, i): ColumnReading => {
        const { order = reading.order, sign = reading.sign, isEmptied } = draft.columns[i] ?? {}
        return { order, sign, ...(isEmptied && { isEmptied }) }
      }),
    [columns, draft.columns],
  )
  const shown = into === 'new' ? newTag : tag
  return {
    into,
    tag: shown,
    fields: made.fields,
    newColumns,
    targets,
    readings,
    guessed: columns.map(({ reading }) => reading),
    asked: askedColumns(targets, shown, readings),
  }
}

/** What was said of columns belongs to these headings and this tag. */
export const targetsKey = (table: TableText | null, tag: Tag | null): string =>
  `${tag?.tag_id} ${tag?.schema_version} ${table?.headings.join('\t')}`

/** Each field has a name of its own, though two columns may be called alike. */
function namesOf(headings: readonly string[], columns: readonly NewColumn[]): string[] {
  const taken = new Set<string>()
  return headings.map((heading, i) => {
    if (typeof columns[i] !== 'object') return ''
    const plain = fieldName(heading) ?? `Column ${i + 1}`
    let name = plain
    for (let n = 2; taken.has(name); n++) name = `${plain} ${n}`
    taken.add(name)
    return name
  })
}
