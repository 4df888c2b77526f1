import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { RowSource } from '#web/data/row-source.ts'
import { Button } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'
import { countOf, isNothing, type Selection } from '#web/table/selection.ts'
import css from '#web/table/selection-bar.module.css'

interface SelectionBarProps {
  selection: Selection
  source: RowSource
  onClear: () => void
  /** Selects all that match, where no key does. */
  onAll?: (() => void) | undefined
  /** What can be done with them. */
  children: ReactNode
}

/** How many items are selected. */
export function SelectionBar({ selection, source, onClear, onAll, children }: SelectionBarProps) {
  useSyncExternalStore(source.subscribe, source.snapshot)
  const count = countOf(selection, source.counted ?? source.total)
  const nothing = isNothing(selection)
  useEffect(() => {
    if (!nothing) say(`${count} selected`)
  }, [count, nothing])
  if (nothing) return null
  return (
    <section className={css.bar} aria-label="Selected items" data-region>
      <strong>{count.toLocaleString()} selected</strong>
      {children}
      {onAll && !selection.all && <Button onClick={onAll}>Select all</Button>}
      <Button kind="quiet" icon="close" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
