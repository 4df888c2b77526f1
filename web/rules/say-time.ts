import { isDate } from '#src/domain/date-time.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'

/** What is stored is of one calendar, and is shown and typed by it. */
const DAY = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  calendar: 'gregory',
  year: 'numeric',
  timeZone: 'UTC',
})
const MOMENT = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  calendar: 'gregory',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const TIME_TODAY = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const THIS_YEAR = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  calendar: 'gregory',
  hour: '2-digit',
  minute: '2-digit',
})

/** A date, which has no zone: `1 Mar 2026`. What is no date comes back as it is. */
export function sayDate(date: string): string {
  return isDate(date) ? DAY.format(Date.parse(`${date}T00:00:00Z`)) : date
}

/** A moment in the reader's zone. */
export function sayMoment(moment: string): string {
  // A browser guesses what it does not know: what was refused is shown as it was typed.
  return parseIsoTime(moment) ? MOMENT.format(Date.parse(moment)) : moment
}

/** The same, as short as can be for what is near. */
export function sayShort(moment: string, now = Date.now()): string {
  const time = new Date(moment)
  const today = new Date(now)
  if (time.toDateString() === today.toDateString()) return TIME_TODAY.format(time)
  return (time.getFullYear() === today.getFullYear() ? THIS_YEAR : DAY).format(time)
}

/** Of the reader's own day: `2026-03-01`. */
export function today(now = new Date()): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
