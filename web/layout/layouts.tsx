import { type ComponentType, type FocusEvent, useEffect, useState } from 'react'
import type { LayoutProps, LayoutsProps } from '#web/layout/layout-props.ts'
import { Board } from '#web/layout/board.tsx'
import { Calendar } from '#web/layout/calendar.tsx'
import { Gallery } from '#web/layout/gallery.tsx'
import { useRead } from '#web/layout/use-read.ts'
import type { LayoutKind } from '#web/rules/layout.ts'
import { NOTHING, type Selection } from '#web/table/selection.ts'
import { SelectionBar } from '#web/table/selection-bar.tsx'
import css from '#web/layout/layout-bar.module.css'

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
  const onFocus = useTurn(props)
  if (layout.kind === 'table') return null
  const Part = PARTS[layout.kind]
  return (
    <>
      <div className={css.layout} onFocus={onFocus} role="presentation">
        <Part {...props} selection={selection} onSelection={setSelection} />
      </div>
      <SelectionBar selection={selection} source={source} onClear={clear}>
        {renderBulk?.({ selection, question, source, clear })}
      </SelectionBar>
    </>
  )
}

/** As next to a table: where there is room an item is open by itself, and the one next to it goes along with the focus. */
function useTurn({ layout, source, beside, opensItself, onTurn }: LayoutsProps) {
  const isLaidOut = layout.kind !== 'table'
  const first = useRead(source) >= 0 ? source.row(0)?.item_id : undefined
  useEffect(() => {
    if (isLaidOut && opensItself && beside === null && first) onTurn(first)
    // oxlint-disable-next-line react/exhaustive-deps -- once there is one, and where there is room
  }, [isLaidOut, opensItself, beside === null, first === undefined])
  return ({ target }: FocusEvent) => {
    const item_id = target.closest<HTMLElement>('[data-item]')?.dataset['item']
    if (item_id && item_id !== beside && (opensItself || beside !== null)) onTurn(item_id)
  }
}
