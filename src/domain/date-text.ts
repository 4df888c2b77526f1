import { isDate } from '#src/domain/date-time.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'

/** In which order the parts of a date are written. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD'

const NUMERIC = /^(\d{1,4})\s*([-/.])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?$/
/** The same in every order. */
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+(\p{L}{3,})\.?,?[\s-]+(\d{4})$/iu
const MONTH_FIRST = /^(\p{L}{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu
/** A time may follow, as spreadsheets write dates: of midnight nothing is lost. */
const MIDNIGHT = /[T\s]+00:00(?::00(?:\.0+)?)?Z?$/
const TIME = /^(.+?)[T\s,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([AP])?\.?M?\.?$/i
/** Milliseconds are what is kept. */
const FINER = /:\d{2}[.,]\d{3}0*[1-9]/
/** As ISO 8601 writes a moment, with its offset or without. */
export const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/

/** The months' names in lower case, a list for each language. */
export type MonthNames = readonly (readonly string[])[]

/** Undefined: the language of whoever runs it. */
export const monthNames = (locales: readonly (string | undefined)[]): MonthNames =>
  locales.map((locale) =>
    Array.from({ length: 12 }, (_, month) =>
      new Date(Date.UTC(2000, month, 1))
        .toLocaleDateString(locale, { month: 'long', timeZone: 'UTC' })
        .toLowerCase(),
    ),
  )

/** `2026-03-01` of a date in this order; null where it is none. Years of four digits in front say the order themselves. */
export function readDateWith(text: string, order: DateOrder, months: MonthNames): string | null {
  const given = text.replace(MIDNIGHT, '').trim()
  const iso = ISO_DAY.exec(given)
  if (iso) return isoDate(iso[1]!, Number(iso[2]), iso[3]!)
  const named = DAY_FIRST.exec(given)
  if (named) return isoDate(named[3]!, monthOf(named[2]!, months), named[1]!)
  const american = MONTH_FIRST.exec(given)
  if (american) return isoDate(american[3]!, monthOf(american[1]!, months), american[2]!)
  const [, a, , b, c] = NUMERIC.exec(given) ?? []
  if (!a || !b || !c) return null
  if (a.length > 2 || order === 'YMD') return c.length > 2 ? null : isoDate(a, Number(b), c)
  return order === 'DMY' ? isoDate(c, Number(b), a) : isoDate(c, Number(a), b)
}

export interface MomentReading {
  order: DateOrder
  months: MonthNames
  /** Of `2026-03-01T10:30:00.000`, where no offset says it. */
  momentOf: (wall: string) => number
}

/** A moment as the service keeps it; null where it is none, or finer than that. */
export function readMomentWith(text: string, { order, months, momentOf }: MomentReading): string | null {
  if (FINER.test(text)) return null
  const iso = ISO_MOMENT.exec(text)
  if (iso?.[1]) return isoOf(parseIsoTime(text)?.floor ?? NaN)
  const [, day = text, hour = '0', minute = '0', second = '0', fraction = '', half] = TIME.exec(text) ?? []
  const date = readDateWith(day, order, months)
  const hours = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour)
  if (!date || hours > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const ms = fraction.slice(0, 3).padEnd(3, '0')
  return isoOf(momentOf(`${date}T${twoDigits(hours)}:${twoDigits(minute)}:${twoDigits(second)}.${ms}`))
}

/** Whether it says a time besides the day. */
export const hasTime = (text: string): boolean =>
  !MIDNIGHT.test(text) && (ISO_MOMENT.test(text) || TIME.test(text))

/** Whether it says a time that would have to be rounded. */
export const isFinerThanKept = (text: string): boolean => FINER.test(text) && hasTime(text)

/** Null where it is no moment. */
export const isoOf = (at: number): string | null => (Number.isNaN(at) ? null : new Date(at).toISOString())

function isoDate(year: string, month: number, day: string): string | null {
  if (year.length === 3 || year.length === 1) return null
  // As POSIX has it: 69 to 99 are of the last century.
  const full = year.length === 2 ? Number(year) + (Number(year) < 69 ? 2000 : 1900) : Number(year)
  const date = `${String(full).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(Number(day))}`
  return isDate(date) ? date : null
}

const twoDigits = (part: number | string): string => String(part).padStart(2, '0')

/** From 1; 0 where it is none. */
function monthOf(name: string, months: MonthNames): number {
  const given = name.toLowerCase()
  const start = given.slice(0, LETTERS)
  const names = months.find((each) => each.some((month) => month.startsWith(start)))
  return names ? mostAlike(given, names) + 1 : 0
}

/** Letters that a month is known by, as far as no other of its language has them. */
const LETTERS = 3

/** Where the name stands that has the most first letters in common; -1 where two have as many: `jui` is juin or juillet. */
function mostAlike(given: string, names: readonly string[]): number {
  const common = names.map((name) => lettersInCommon(given, name))
  const most = Math.max(...common)
  const first = common.indexOf(most)
  return first === common.lastIndexOf(most) ? first : -1
}

function lettersInCommon(a: string, b: string): number {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i
}

/** One order is right where the other has so many times fewer values. */
const CLEARLY = 20

/** Counts how the dates of a column are written. */
export class OrderCount {
  private dayFirst = 0
  private monthFirst = 0
  private open = 0
  private short = 0

  take(value: string): void {
    const [, day = value] = TIME.exec(value.replace(MIDNIGHT, '')) ?? []
    const [, a, sign, b, c] = NUMERIC.exec(day.trim()) ?? []
    if (!a || !b || !c || a.length > 2) return
    if (c.length <= 2 && sign === '-') this.short++
    const [first, second] = [Number(a), Number(b)]
    const [isDay, isMonth] = [second <= 12 && first <= 31, first <= 12 && second <= 31]
    if (isDay && isMonth) {
      // With full stops a date is written day first everywhere.
      if (sign === '.') this.dayFirst++
      else if (first !== second) this.open++
    } else if (isDay) this.dayFirst++
    else if (isMonth) this.monthFirst++
  }

  /** Undefined where they can be read in two ways: somebody is to say it then. */
  get order(): DateOrder | undefined {
    const { dayFirst, monthFirst, open } = this
    // `26-03-01` may begin with its year.
    if (this.short) return undefined
    if (dayFirst > CLEARLY * monthFirst) return 'DMY'
    if (monthFirst > CLEARLY * dayFirst) return 'MDY'
    return dayFirst || monthFirst || open ? undefined : 'YMD'
  }
}
