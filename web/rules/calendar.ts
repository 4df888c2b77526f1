/** Days of the calendar, as they are stored: `2027-03-12`. */
const FORM = /^(\d{4})-(\d{2})-(\d{2})$/
const DAY = 86_400_000
const WEEK = 7

const pad = (part: number, digits: number) => String(part).padStart(digits, '0')
const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`)

/** Null where there is no such day in the years 0001 to 9999. */
export function dayOf(year: number, month: number, day: number): string | null {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return null
  if (day > daysIn(year, month)) return null
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

export function partsOf(day: string): { year: number; month: number; day: number } {
  const [, year, month, date] = FORM.exec(day)!
  return { year: Number(year), month: Number(month), day: Number(date) }
}

/** Null past the last day that can be said. */
export function addDays(day: string, count: number): string | null {
  const time = new Date(timeOf(day) + count * DAY)
  if (Number.isNaN(time.getTime())) return null
  return dayOf(time.getUTCFullYear(), time.getUTCMonth() + 1, time.getUTCDate())
}

/** The same day of another month, or its last one where it is shorter. */
export function addMonths(from: string, count: number): string | null {
  const { year, month, day } = partsOf(from)
  const months = year * 12 + month - 1 + count
  const to = { year: Math.floor(months / 12), month: (months % 12) + 1 }
  return dayOf(to.year, to.month, Math.min(day, daysIn(to.year, to.month)))
}

/** Days from one to another. */
export const daysBetween = (from: string, to: string): number => (timeOf(to) - timeOf(from)) / DAY

/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: string): number => new Date(timeOf(day)).getUTCDay() || WEEK

/** The weeks in which a month lies, whole; the first day of a week as people there have it. */
export function weeksAround(day: string, firstWeekday: number): (string | null)[][] {
  const { year, month } = partsOf(day)
  const first = dayOf(year, month, 1)!
  const before = (weekdayOf(first) - firstWeekday + WEEK) % WEEK
  const count = Math.ceil((before + daysIn(year, month)) / WEEK)
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: WEEK }, (__, at) => addDays(first, week * WEEK + at - before)),
  )
}
