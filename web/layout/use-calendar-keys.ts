import type { KeyboardEvent, RefObject } from 'react'
import type { CalendarGridProps } from '#web/layout/calendar-props.ts'
import { drawnNames } from '#web/layout/drawn-items.ts'
import { useWantedFocus } from '#web/layout/use-wanted-focus.ts'
import { type Action, useActions } from '#web/parts/action.ts'
import { movedDay } from '#web/parts/calendar.tsx'
import { addDays } from '#web/rules/calendar.ts'
import { spanOf } from '#web/rules/schedule.ts'

const HEARD: readonly [keys: string, title: string][] = [
  ['alt+arrowright', 'Move the item by a day; Alt ↓ by a week'],
  ['enter', 'From a day to its items, and open one next to it'],
  ['mod+enter', 'Open the item'],
  ['shift+enter', 'New item on this day'],
  ['alt+delete', 'Take its day from the item'],
]

/** What the calendar hears by itself, for the map of keys. */
const CALENDAR_KEYS: readonly Action[] = HEARD.map(([keys, title]) => ({
  id: `calendar ${keys}`,
  title,
  keys,
  group: 'Calendar',
  heard: true,
  run: () => undefined,
}))

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

interface CalendarKeys extends CalendarGridProps {
  grid: RefObject<HTMLElement | null>
  onAdding: (day: string) => void
}

/** From day to day, into a day and through its items, and an item along with it. */
export function useCalendarKeys(props: CalendarKeys) {
  const { grid, onDay, store, schedule, isFixed, move, reader, onOpen, onAdding, beside, onTurn } = props
  useActions(CALENDAR_KEYS)
  const want = useWantedFocus(grid)
  const go = (to: string) => {
    want(`[data-drop="${to}"]`)
    onDay(to)
  }
  const moveItem = (item: string, by: number) => {
    const row = store.find(item)
    const span = row && spanOf(schedule, row)
    const to = span && addDays(span.from, by)
    if (!to || isFixed) return
    want(`[data-item="${item}"] [data-name]`)
    if (move(item, to)) onDay(to)
  }
  const onItem = (event: KeyboardEvent, item: HTMLElement): boolean => {
    const { key } = event
    const id = item.dataset['item']!
    const cell = item.closest<HTMLElement>('[data-drop]')!
    const all = drawnNames(cell)
    const at = all.findIndex((each) => item.contains(each))
    if (event.altKey && key === 'Delete' && !isFixed) {
      if (move(id, null)) want(`[data-drop="${cell.dataset['drop']!}"]`)
    } else if (event.altKey && STEPS[key] !== undefined) moveItem(id, STEPS[key])
    else if (event.altKey) return false
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) onOpen(id)
    else if (key === 'ArrowDown' && all[at + 1]) all[at + 1]!.focus()
    else if (key === 'ArrowUp' && at > 0) all[at - 1]!.focus()
    else if (key === 'ArrowUp' || key === 'Escape') go(cell.dataset['drop']!)
    else if (key === 'ArrowDown') return true
    else return false
    return true
  }
  const onDayKey = (event: KeyboardEvent, cell: HTMLElement): boolean => {
    const { key, shiftKey } = event
    const here = cell.dataset['drop']!
    if (event.altKey || event.ctrlKey || event.metaKey) return false
    const [first] = drawnNames(cell)
    if (key === 'Escape' && beside !== null) onTurn(null)
    else if (key === 'Enter' && first && !shiftKey) first.focus()
    else if (key === 'Enter' && !isFixed) onAdding(here)
    else {
      const to = movedDay(key, shiftKey, here, reader)
      if (to === undefined) return false
      go(to)
    }
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (target.closest('input, [aria-haspopup], [role=menu]')) return
    const cell = target.closest<HTMLElement>('[data-drop]')
    const item = target.closest<HTMLElement>('[data-item]')
    if (!cell) return
    const isHeard = item
      ? onItem(event, item) || (moves(event) && onDayKey(event, cell))
      : onDayKey(event, cell)
    if (isHeard) event.preventDefault()
  }
  return { onKeyDown, focusDay: (date: string) => want(`[data-drop="${date}"]`) }
}

/** From an item sideways it goes on from its day. */
const moves = ({ key, altKey }: KeyboardEvent) =>
  !altKey && ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key)
