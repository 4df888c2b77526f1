import { type PointerEvent, useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ArrangedColumns } from '#web/table/use-column-settings.ts'

/** Pixels after which a press is no click any more. */
const SLACK = 6

/** Columns are moved by their headings; keys and the menu do it too. A finger scrolls instead. */
export function useColumnDrag(columns: ArrangedColumns) {
  const latest = useRef(columns)
  useEffect(() => {
    latest.current = columns
  })
  return (key: string) => (event: PointerEvent<HTMLElement>) => {
    const heading = event.currentTarget
    const isHandle = (event.target as HTMLElement).closest('[aria-haspopup], [data-grip]') !== null
    if (event.button !== 0 || event.pointerType === 'touch' || isHandle) return
    const { clientX: start, clientY: y } = event
    const move = ({ clientX: x }: globalThis.PointerEvent) => {
      if (heading.dataset['dragged'] === undefined && Math.abs(x - start) < SLACK) return
      heading.dataset['dragged'] = ''
      const over = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')
      const keys = latest.current.shown.map((each) => each.key)
      const from = keys.indexOf(key)
      const to = keys.indexOf(over?.dataset['column'] ?? '')
      if (!over || to < 1 || to === from) return
      const { left, width } = over.getBoundingClientRect()
      // Only past the middle, or columns of unlike width would change places for ever.
      if (to > from === x > left + width / 2) flushSync(() => latest.current.move(key, to - from))
    }
    const end = () => {
      // What is dragged is not sorted by.
      if (heading.dataset['dragged'] !== undefined) dropNextClick()
      delete heading.dataset['dragged']
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }
}

function dropNextClick(): void {
  const drop = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', drop, { capture: true })
  setTimeout(() => removeEventListener('click', drop, { capture: true }))
}
