import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { say } from '#web/parts/live-region.tsx'
import { moved, movedTo } from '#web/rules/moved.ts'

interface Movable {
  key: string
  name: string
}

/** A list whose rows are moved by their grip, or by Alt ↑ and Alt ↓ from anywhere in them. */
export function useReorder<T extends Movable>(list: readonly T[], onList: (list: T[]) => void) {
  const latest = useRef<{ list: readonly T[]; onList: (list: T[]) => void }>({ list, onList })
  const [dragged, setDragged] = useState<string | null>(null)
  useEffect(() => {
    latest.current = { list, onList }
  })
  /** The next move goes on from it, also where the list is drawn only later. */
  const take = (next: T[]) => {
    const { onList: report } = latest.current
    latest.current = { list: next, onList: report }
    flushSync(() => report(next))
  }

  const onPointerDown = (key: string) => (event: PointerEvent<HTMLElement>) => {
    const rows = event.currentTarget.closest('[data-reorder]')?.parentElement
    if (event.button !== 0 || !rows) return
    event.preventDefault()
    setDragged(key)
    const move = ({ clientY }: globalThis.PointerEvent) => {
      const over = rowAt(rows, clientY)
      const to = over?.dataset['reorder']
      if (!over || to === undefined || to === key) return
      const { top, height } = over.getBoundingClientRect()
      const now = latest.current.list
      const isDown = now.findIndex((each) => each.key === to) > now.findIndex((each) => each.key === key)
      // Only past the middle, or rows of unlike height would change places for ever.
      if (isDown === clientY > top + height / 2) take(movedTo(now, key, to))
    }
    const end = () => {
      setDragged(null)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }

  const onKeyDown = (key: string) => (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!by || !event.altKey || event.defaultPrevented) return
    event.preventDefault()
    const focused = document.activeElement
    const next = moved(latest.current.list, key, by)
    take(next)
    // A row that is put elsewhere loses the focus.
    if (focused instanceof HTMLElement) focused.focus()
    const place = next.findIndex((each) => each.key === key)
    say(`${next[place]?.name || 'It'} is number ${place + 1} of ${next.length}`)
  }
  return { dragged, onPointerDown, onKeyDown }
}

const rowAt = (rows: Element, y: number) =>
  [...rows.children].find((each): each is HTMLElement => {
    const { top, bottom } = each.getBoundingClientRect()
    return each instanceof HTMLElement && y >= top && y < bottom
  })
