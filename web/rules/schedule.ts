import { isDate } from '#src/domain/date-time.ts'
import { addDays, daysBetween } from '#web/rules/calendar.ts'
import { type CellRow, cellValue } from '#web/rules/cell-value.ts'
import type { Column, FieldColumn } from '#web/rules/column.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { pathOf } from '#web/rules/groups.ts'
import { clockIn, momentOf, momentsAt, offsetAt } from '#web/rules/zoned-clock.ts'

/** What puts items on days: where they begin, and where they end if a field says so. */
export interface Schedule {
  from: Column
  until: FieldColumn | undefined
  /** Whose days they are, where a value is a moment. */
  zone: string
}

/** Days, both of them included. */
export interface Span {
  from: string
  until: string
}

const HOUR = 3_600_000
/** At which something begins that is put on a day and had no time. */
const MORNING = 9 * HOUR

export const isOfMoments = (column: Column): boolean =>
  column.kind !== 'field' || column.field.type === 'DateTime'

/** The day of a value; null where it is none. */
function dayOf(column: Column, value: unknown, zone: string): string | null {
  if (typeof value !== 'string') return null
  if (!isOfMoments(column)) return isDate(value) ? value : null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : clockIn(time, zone).day
}

/** The days on which an item is; null where it is on none. */
export function spanOf({ from, until, zone }: Schedule, row: CellRow): Span | null {
  const first = dayOf(from, cellValue(from, row), zone)
  if (first === null) return null
  const end = until && cellValue(until, row)
  const last = (until && lastDay(until, end, zone)) ?? first
  return { from: first, until: last < first ? first : last }
}

/** What ends at midnight is not on the day that begins then. */
function lastDay(column: FieldColumn, value: unknown, zone: string): string | null {
  const day = dayOf(column, value, zone)
  if (day === null || !isOfMoments(column)) return day
  return clockIn(Date.parse(value as string), zone).clock === 0 ? addDays(day, -1) : day
}

/**
 * The moment at which the clock shows this; where it is put forward over it, as long after as the clock had gone on. Of
 * two, the one at which the clock is as far from UTC as it was before: there and back is the same moment.
 */
function momentAt(day: string, clock: number, zone: string, was = Number.NaN): string | null {
  const all = momentsAt(day, clock, zone)
  const offset = all.length > 1 && !Number.isNaN(was) ? offsetAt(was, zone) : undefined
  const moment = all.find((each) => offsetAt(Date.parse(each), zone) === offset) ?? all[0]
  if (moment !== undefined) return moment
  const [before] = momentsAt(day, clock - 3 * HOUR, zone)
  return before === undefined ? null : new Date(Date.parse(before) + 3 * HOUR).toISOString()
}

/** The value so many days later: a date stays a date, a time stays at its hour. Null past the last day there is. */
function movedValue(column: FieldColumn, value: string, days: number, zone: string): string | null {
  if (!isOfMoments(column)) return addDays(value, days)
  const time = Date.parse(value)
  const { day, clock } = clockIn(time, zone)
  const to = addDays(day, days)
  return to === null ? null : momentAt(to, clock, zone, time)
}

type Values = Record<string, string | null>

/** The values by which an item begins then, its end as long after as before. Null past the last moment there is. */
function valuesFrom({ from, until }: Schedule, row: CellRow, begin: string): Values | null {
  if (from.kind !== 'field') return null
  const took = until
    ? Date.parse(String(cellValue(until, row))) - Date.parse(String(cellValue(from, row)))
    : Number.NaN
  if (!until || Number.isNaN(took)) return { [from.field.name]: begin }
  const end = momentOf(Date.parse(begin) + took)
  return end === null ? null : { [from.field.name]: begin, [until.field.name]: end }
}

/**
 * The values by which an item begins on a day, its end as long after as before; without a day it is on none. Null where
 * that cannot be.
 */
export function valuesOn(schedule: Schedule, row: CellRow, day: string | null): Values | null {
  const { from, until, zone } = schedule
  if (from.kind !== 'field') return null
  const { name } = from.field
  if (day === null) return { [name]: null }
  const span = spanOf({ from, until, zone }, row)
  if (!span) {
    const value = newValue(from, day, zone)
    return value === null ? null : { [name]: value }
  }
  const by = daysBetween(span.from, day)
  const began = cellValue(from, row) as string
  const begin = movedValue(from, began, by, zone)
  const end = until && cellValue(until, row)
  if (begin === null) return null
  if (!until || dayOf(until, end, zone) === null) return { [name]: begin }
  const last = movedValue(until, end as string, by, zone)
  if (last === null) return null
  // Over a change of clocks an hour may be left out, or come twice, between the two.
  const isLate = isOfMoments(from) && clockOf(begin, zone) !== clockOf(began, zone)
  if (isLate || (last <= begin && (end as string) > began)) return valuesFrom(schedule, row, begin)
  return { [name]: begin, [until.field.name]: last }
}

const clockOf = (moment: string, zone: string): number => clockIn(Date.parse(moment), zone).clock

/** The values by which an item begins at a time of a day; its end as long after as before. */
export function valuesAt(schedule: Schedule, row: CellRow, day: string, clock: number): Values | null {
  const { from, zone } = schedule
  const begin = momentAt(day, clock, zone, Date.parse(String(cellValue(from, row))))
  return begin === null ? null : valuesFrom(schedule, row, begin)
}

/** The values by which an item begins so many milliseconds later, and ends so much later. */
export function valuesLater(schedule: Schedule, row: CellRow, by: number): Values | null {
  const begin = momentOf(Date.parse(String(cellValue(schedule.from, row))) + by)
  return begin === null ? null : valuesFrom(schedule, row, begin)
}

/** What a new item has that is made on a day, at a time where it has one. */
export const newValue = (
  from: FieldColumn,
  day: string,
  zone: string,
  clock: number = MORNING,
): string | null => (isOfMoments(from) ? momentAt(day, clock, zone) : day)

const pathOfDay = (column: Column): string => (column.kind === 'field' ? pathOf(column) : column.key)

/** True of what is on one of the days from the first to the last. */
export function filterOfDays({ from, until, zone }: Schedule, first: string, last: string): Filter {
  const after = addDays(last, 1) ?? last
  const bound = (column: Column, day: string) => (isOfMoments(column) ? (momentAt(day, 0, zone) ?? day) : day)
  const begins = pathOfDay(from)
  const before = { [begins]: { lt: bound(from, after) } }
  const since = { [begins]: { gte: bound(from, first) } }
  if (!until) return { and: [since, before] }
  return { and: [before, { or: [since, { [pathOf(until)]: { gte: bound(until, first) } }] }] }
}

/** True of what is on no day. */
export const filterOfNoDay = (from: FieldColumn): Filter => ({ not: { [pathOf(from)]: { exists: true } } })

/** An item on days of one week. */
export interface Piece<Item> {
  item: Item
  /** Of the days of the week, by their places. */
  first: number
  length: number
  /** Which line of the week it is in. */
  lane: number
  /** It goes on from the week before, or into the next. */
  isCut: { before: boolean; after: boolean }
}

export interface Spanned {
  span: Span
}

/** Each in the highest line that is free on all its days; what is longer comes before what begins on the same day. */
export function piecesOf<Item extends Spanned>(
  week: readonly string[],
  items: readonly Item[],
): Piece<Item>[] {
  const [monday, sunday] = [week[0]!, week.at(-1)!]
  const here = items.filter(({ span }) => span.from <= sunday && span.until >= monday)
  const length = ({ span }: Item) => daysBetween(span.from, span.until)
  const ordered = here.toSorted((a, b) => {
    if (a.span.from !== b.span.from) return a.span.from < b.span.from ? -1 : 1
    return length(b) - length(a)
  })
  const lanes: number[] = []
  return ordered.map((item) => {
    const { from, until } = item.span
    const first = Math.max(0, daysBetween(monday, from))
    const last = Math.min(week.length - 1, daysBetween(monday, until))
    const free = lanes.findIndex((end) => end < first)
    const lane = free < 0 ? lanes.length : free
    lanes[lane] = last
    return {
      item,
      first,
      length: last - first + 1,
      lane,
      isCut: { before: from < monday, after: until > sunday },
    }
  })
}

/** What of a week is shown where there is room for so many lines, and how many are left out of each day. */
export function shownPieces<Item>(
  pieces: readonly Piece<Item>[],
  days: number,
  room: number,
): { shown: Piece<Item>[]; hidden: number[] } {
  const covers = ({ first, length }: Piece<Item>, day: number) => day >= first && day < first + length
  const isFull = Array.from({ length: days }, (_, day) =>
    pieces.some((piece) => piece.lane >= room && covers(piece, day)),
  )
  // The last line of a full day says how many more there are.
  const isShown = (piece: Piece<Item>) =>
    piece.lane < room - 1 || (piece.lane < room && !isFull.some((full, day) => full && covers(piece, day)))
  const hidden = isFull.map(
    (_, day) => pieces.filter((piece) => !isShown(piece) && covers(piece, day)).length,
  )
  return { shown: pieces.filter(isShown), hidden }
}
