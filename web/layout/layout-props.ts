import type { Dispatch, RefObject, SetStateAction } from 'react'
import type { Row } from '#web/data/row-source.ts'
import type { BoardStore } from '#web/layout/board-store.ts'
import type { BoardColumn } from '#web/rules/board.ts'
import type { Column, ColumnTag, FieldColumn } from '#web/rules/column.ts'
import type { Layout } from '#web/rules/layout.ts'
import type { Question } from '#web/rules/table-state.ts'
import type { Selection } from '#web/table/selection.ts'
import type { LayoutRows } from '#web/table/table-view.tsx'

export interface LayoutsProps extends LayoutRows {
  layout: Layout
  onLayout: (layout: Layout) => void
  /** The day on which a calendar is; null: today. */
  day: string | null
  onDay: (day: string | null) => void
  /** The tag that a new item gets. */
  tag: ColumnTag | undefined
}

export interface LayoutProps extends LayoutsProps {
  selection: Selection
  onSelection: Dispatch<SetStateAction<Selection>>
}

export interface ColumnsProps extends LayoutProps {
  field: FieldColumn
  sum: FieldColumn | undefined
}

export interface BoardColumnProps {
  column: BoardColumn
  field: FieldColumn
  sum: FieldColumn | undefined
  /** What the cards show besides their names. */
  fields: readonly Column[]
  question: Question
  store: BoardStore
  /** When the heads were counted. */
  counted: number
  /** When the tag had last been changed then, where its columns are variants. */
  named_at: string | undefined
  selection: Selection
  tag: ColumnTag | undefined
  scroller: RefObject<HTMLElement | null>
  /** The item that is open next to the layout. */
  beside: string | null
  onMade: (row: Row) => void
}
