import type { KeyboardEvent, RefObject } from 'react'
import type { CalendarGridProps } from '#web/layout/calendar-props.ts'
import { drawnNames } from '#web/layout/drawn-items.ts'
import { useWantedFocus } from '#web/layout/use-wanted-focus.ts'
import { type Action, useActions } from '#web/parts/action.ts'
import { addDays } from '#web/rules/calendar.ts'
import { clockLater, HOUR, hoursOf, readSlot, SLOT, slotKey, slotOf } from '#web/rules/hours.ts'
import { spanOf } from '#web/rules/schedule.ts'

const HEARD: readonly [keys: string, title: string][] = [
  ['alt+arrowdown', 'Move the item by half an hour; Alt → by a day'],
  ['enter', 'From a time to its items, and open one next to it'],
  ['mod+enter', 'Open the item'],
  ['shift+enter', 'New item at this time'],
  ['alt+delete', 'Take its day from the item'],
]

/** What the hours hear by themselves, for the map of keys. */
const HOURS_KEYS: readonly Action[] = HEARD.map(([keys, title]) => ({
  id: `hours ${keys}`,
  title,
  keys,
  group: 'Calendar',
  heard: true,
  run: () => undefined,
}))

const LAST = 24 * HOUR - SLOT
/** Where the focus goes from an item that has lost its days. */
const MORNING = 9 * HOUR
const BY_DAY: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -7, PageDown: 7 }
const WEEK: Readonly<Record<string, number>> = { ArrowUp: -7, ArrowDown: 7 }
const BY_SLOT: Readonly<Record<string, number>> = { ArrowUp: -SLOT, ArrowDown: SLOT }

interface HoursKeys extends CalendarGridProps {
  grid: RefObject<HTMLElement | null>
  onClock: (clock: number) => void
  onAdding: (slot: string) => void
}

/** From time to time and from day to day, into a time and through its items, and an item along with it. */
export function useHoursKeys(props: HoursKeys) {
  const { grid, onDay, onClock, store, schedule, isFixed, move, moveBy, onOpen, onAdding } = props
  const { beside, onTurn } = props
  useActions(HOURS_KEYS)
  const want = useWantedFocus(grid)
  const go = (day: string, clock: number) => {
    want(`[data-drop="${slotKey(day, clock)}"]`)
    onClock(clock)
    onDay(day)
  }
  const moved = (key: string, { day, clock }: { day: string; clock: number }) => ({
    day: addDays(day, BY_DAY[key] ?? 0) ?? day,
    clock: Math.max(0, Math.min(LAST, clock + (BY_SLOT[key] ?? 0))),
  })
  const isMove = (key: string) => key in BY_DAY || key in BY_SLOT
  const moveItem = (item: string, key: string) => {
    const row = store.find(item)
    const hours = row && hoursOf(schedule, row)
    if (!hours || isFixed) return
    const by = BY_SLOT[key]
    const to = by === undefined ? moved(key, { ...hours, clock: hours.begin }) : clockLater(schedule, row, by)
    // By half hours it stays on its day.
    if (by !== undefined && to.day !== hours.day) return
    want(`[data-item="${item}"] [data-name]`)
    if (!(by === undefined ? move(item, to.day, to.clock) : moveBy(item, by))) return
    onClock(slotOf(to.clock))
    onDay(to.day)
  }
  // What lies on several days is above the times, on days alone.
  const onWhole = (event: KeyboardEvent, id: string, day: string): boolean => {
    const { key, altKey } = event
    const by = altKey ? (BY_DAY[key] ?? WEEK[key]) : undefined
    if (by !== undefined) moveWhole(id, by)
    else if (altKey && key === 'Delete' && !isFixed) {
      if (move(id, null)) want(`[data-drop="${slotKey(day, MORNING)}"]`)
    } else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) onOpen(id)
    else return false
    return true
  }
  const moveWhole = (item: string, by: number) => {
    const row = store.find(item)
    const span = row && spanOf(schedule, row)
    const to = span && addDays(span.from, by)
    if (!to || isFixed) return
    want(`button[data-item="${item}"], [data-item="${item}"] [data-name]`)
    if (move(item, to)) onDay(to)
  }
  const onItem = (event: KeyboardEvent, item: HTMLElement, here: { day: string; clock: number }): boolean => {
    const { key } = event
    const id = item.dataset['item']!
    if (event.altKey && key === 'Delete' && !isFixed) {
      if (move(id, null)) want(`[data-drop="${slotKey(here.day, here.clock)}"]`)
    } else if (event.altKey && isMove(key)) moveItem(id, key)
    else if (event.altKey) return false
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey)) onOpen(id)
    else if (key === 'Escape') go(here.day, here.clock)
    else if (isMove(key)) {
      const all = drawnNames(item.closest('[data-drop]')!)
      const next = all[all.findIndex((each) => item.contains(each)) + 1]
      if (key === 'ArrowDown' && next) next.focus()
      else go(...slotBeside(moved(key, here)))
    } else return false
    return true
  }
  const onSlot = (event: KeyboardEvent, cell: HTMLElement, here: { day: string; clock: number }): boolean => {
    const { key, shiftKey } = event
    if (event.altKey || event.ctrlKey || event.metaKey) return false
    const [first] = drawnNames(cell)
    if (key === 'Escape' && beside !== null) onTurn(null)
    else if (key === 'Enter' && first && !shiftKey) first.focus()
    else if (key === 'Enter' && !isFixed) onAdding(slotKey(here.day, here.clock))
    else if (key === 'Home') go(here.day, 0)
    else if (key === 'End') go(here.day, LAST)
    else if (isMove(key)) go(...slotBeside(moved(key, here)))
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    if (target.closest('input, [aria-haspopup], [role=menu]')) return
    const cell = target.closest<HTMLElement>('[data-drop]')
    const item = target.closest<HTMLElement>('[data-item]')
    if (!cell) return
    const drop = cell.dataset['drop']!
    const here = readSlot(drop)
    const isHeard = here
      ? item
        ? onItem(event, item, here)
        : onSlot(event, cell, here)
      : !!item && onWhole(event, item.dataset['item']!, drop)
    if (isHeard) event.preventDefault()
  }
  return { onKeyDown, focusSlot: (key: string) => want(`[data-drop="${key}"]`) }
}

const slotBeside = ({ day, clock }: { day: string; clock: number }): [string, number] => [day, clock]
