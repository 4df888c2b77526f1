import type { CellRow } from '#web/rules/cell-value.ts'
import { cellValue } from '#web/rules/cell-value.ts'
import { isOfMoments, type Schedule } from '#web/rules/schedule.ts'
import { clockIn, type ZonedClock } from '#web/rules/zoned-clock.ts'

export const HOUR = 3_600_000
/** What one slot of a day is, to which things are moved. */
export const SLOT = HOUR / 2
const DAY = 24 * HOUR

/** `2027-03-12T14:30`, of a day and the milliseconds of its clock. */
export function slotKey(day: string, clock: number): string {
  const pad = (part: number) => String(part).padStart(2, '0')
  const minutes = Math.floor(clock / 60_000)
  return `${day}T${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

/** Undefined for a day alone. */
export function readSlot(key: string): { day: string; clock: number } | undefined {
  const [, day, hours, minutes] = /^(.{10})T(\d\d):(\d\d)$/.exec(key) ?? []
  return day === undefined ? undefined : { day, clock: Number(hours) * HOUR + Number(minutes) * 60_000 }
}

export const slotOf = (clock: number): number => Math.floor(clock / SLOT) * SLOT

/** On one day: from one time of the clock to another. */
export interface Hours {
  day: string
  begin: number
  end: number
}

/** Null where an item lies on several days, or has no times at all. */
export function hoursOf({ from, until, zone }: Schedule, row: CellRow): Hours | null {
  const value = cellValue(from, row)
  if (!isOfMoments(from) || typeof value !== 'string') return null
  const time = Date.parse(value)
  if (Number.isNaN(time)) return null
  const { day, clock } = clockIn(time, zone)
  const last = until ? Date.parse(String(cellValue(until, row))) : Number.NaN
  if (Number.isNaN(last) || last <= time) return { day, begin: clock, end: Math.min(clock + HOUR, DAY) }
  const ends = clockIn(last, zone)
  if (ends.day === day) return { day, begin: clock, end: Math.max(ends.clock, clock + SLOT) }
  return ends.clock === 0 && last - time <= DAY ? { day, begin: clock, end: DAY } : null
}

/** What the clock shows so many milliseconds later: over an hour that is left out, through both that are one. */
export const clockLater = ({ from, zone }: Schedule, row: CellRow, by: number): ZonedClock =>
  clockIn(Date.parse(String(cellValue(from, row))) + by, zone)

/** More than these next to each other have no room for a word. */
const MOST_BESIDE = 4

interface Laid<Item> {
  item: Item
  place: number
  places: number
}

/** Those that have room, and those that are counted in the last place. */
export function withRoom<Item>(laid: readonly Laid<Item>[]): { shown: Laid<Item>[]; hidden: Laid<Item>[] } {
  const isShown = ({ place, places }: Laid<Item>) => places <= MOST_BESIDE || place < MOST_BESIDE - 1
  const cut = laid.map((each) => ({ ...each, places: Math.min(each.places, MOST_BESIDE) }))
  return {
    shown: cut.filter((_, i) => isShown(laid[i]!)),
    hidden: cut.filter((_, i) => !isShown(laid[i]!)).map((each) => ({ ...each, place: MOST_BESIDE - 1 })),
  }
}

/** Side by side where they overlap: which place each has, of how many. */
export function sideBySide<Item extends Pick<Hours, 'begin' | 'end'>>(items: readonly Item[]): Laid<Item>[] {
  const ordered = items.toSorted((a, b) => a.begin - b.begin || b.end - a.end)
  const laid: Laid<Item>[] = []
  let group: typeof laid = []
  let ends: number[] = []
  const close = () => {
    for (const each of group) each.places = ends.length
    group = []
    ends = []
  }
  for (const item of ordered) {
    if (ends.every((end) => end <= item.begin)) close()
    const free = ends.findIndex((end) => end <= item.begin)
    const place = free < 0 ? ends.length : free
    ends[place] = item.end
    const each = { item, place, places: 1 }
    group.push(each)
    laid.push(each)
  }
  close()
  return laid
}
