import { parseIsoTime } from '#src/domain/iso-time.ts'

const FORM = /^(\d{4})-(\d{2})-(\d{2})$/

/** A real day of the calendar, written YYYY-MM-DD. */
export function isDate(value: unknown): value is string {
  const [, year, month, day] = (typeof value === 'string' && FORM.exec(value)) || []
  if (!year || !month || !day) return false
  return Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [31, 0, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
}

const LENGTH = '2026-01-31T09:30:00.000Z'.length
const HAS_TIME = /^.{10}[Tt ]/

/**
 * A date with a time, with an offset or in UTC, as it is stored: `2026-01-31T09:30:00.000Z`. The order of such texts is
 * the order in time. Null where the text is none, names a moment that no such text can say, or is finer than a
 * millisecond: nothing is rounded.
 */
export function toDateTime(value: unknown): string | null {
  if (typeof value !== 'string' || !HAS_TIME.test(value)) return null
  const time = parseIsoTime(value)
  if (!time || time.floor !== time.ceil) return null
  const text = new Date(time.floor).toISOString()
  return text.length === LENGTH ? text : null
}
