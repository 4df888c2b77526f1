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
