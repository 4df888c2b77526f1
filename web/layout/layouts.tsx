import { type ComponentType, useState } from 'react'
import type { LayoutProps, LayoutsProps } from '#web/layout/layout-props.ts'
import { Board } from '#web/layout/board.tsx'
import { Calendar } from '#web/layout/calendar.tsx'
import { Gallery } from '#web/layout/gallery.tsx'
import type { LayoutKind } from '#web/rules/layout.ts'
import { NOTHING, type Selection } from '#web/table/selection.ts'
import { SelectionBar } from '#web/table/selection-bar.tsx'

const PARTS: Readonly<Record<Exclude<LayoutKind, 'table'>, ComponentType<LayoutProps>>> = {
  board: Board,
  calendar: Calendar,
  gallery: Gallery,
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
