import { type ComponentType, type Dispatch, type SetStateAction, useState } from 'react'
import { loaded } from '#web/parts/loaded.tsx'
import type { ColumnTag } from '#web/rules/column.ts'
import type { Layout, LayoutKind } from '#web/rules/layout.ts'
import { NOTHING, type Selection } from '#web/table/selection.ts'
import { SelectionBar } from '#web/table/selection-bar.tsx'
import type { LayoutRows } from '#web/table/table-view.tsx'
import { Waiting } from '#web/table/waiting.tsx'

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

const PARTS: Readonly<Record<Exclude<LayoutKind, 'table'>, ComponentType<LayoutProps>>> = {
  board: loaded(() => import('#web/layout/board.tsx').then(({ Board }) => Board), Waiting),
}

/** The items of a table in another layout, and what can be done with those that are selected. */
export function Layouts(props: LayoutsProps) {
  const { layout, question, source, renderBulk } = props
  const [selection, setSelection] = useState<Selection>(NOTHING)
  const clear = () => setSelection(NOTHING)
  if (layout.kind === 'table') return null
  const Part = PARTS[layout.kind]
  return (
    <>
      <Part {...props} selection={selection} onSelection={setSelection} />
      <SelectionBar selection={selection} source={source} onClear={clear}>
        {renderBulk?.({ selection, question, source, clear })}
      </SelectionBar>
    </>
  )
}
