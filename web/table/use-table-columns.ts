import { useMemo } from 'react'
import { columnsOf, type ColumnTag } from '#web/rules/column.ts'
import { pathChoices, pathColumns } from '#web/rules/path-column.ts'
import { type ArrangedColumns, type ColumnStore, useArrangedColumns } from '#web/table/use-column-settings.ts'

interface TableColumns {
  /** Whose fields are columns. */
  tags: readonly ColumnTag[]
  /** All others. */
  otherTags: readonly ColumnTag[]
  columnStore: ColumnStore
  /** The moment as of which the table is. */
  as_of: string | null
}

/** The columns of a table, and what lies behind their references. */
export function useTableColumns({ tags, otherTags, columnStore, as_of }: TableColumns): ArrangedColumns {
  const { tags: besides, paths } = columnStore.settings
  const columns = useMemo(() => {
    const more = otherTags.filter(({ tag_id }) => besides?.includes(tag_id))
    return columnsOf(tags, more, pathColumns(paths ?? [], [...tags, ...otherTags], as_of))
  }, [tags, otherTags, besides, paths, as_of])
  const choices = useMemo(() => {
    const shown = columns.filter((column) => column.kind === 'field' || column.kind === 'path')
    const there = new Set(shown.map(({ key }) => key))
    return pathChoices(shown, [...tags, ...otherTags]).filter(({ key }) => !there.has(key))
  }, [columns, tags, otherTags])
  return useArrangedColumns(columns, columnStore, choices)
}
