import { isDate } from '#src/domain/date-time.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { today } from '#web/rules/say-time.ts'

const WORDS = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From here on the larger unit says enough. */
const DAYS_UNTIL_WEEKS = 14
const DAYS_UNTIL_MONTHS = 60
const DAYS_UNTIL_YEARS = 730
const DAYS_A_MONTH = 30.44
const DAYS_A_YEAR = 365.25

/** `in 3 days`, `yesterday`; undefined: it is no date. */
export function sayDateFromNow(date: string, now = Date.now()): string | undefined {
  const days = daysFromNow(date, now)
  return days === undefined ? undefined : sayDays(days)
}

/** Days from the reader's own day; negative: it is past. */
export function daysFromNow(date: string, now = Date.now()): number | undefined {
  if (!isDate(date)) return undefined
  return Math.round((Date.parse(`${date}T00:00:00Z`) - Date.parse(`${today(new Date(now))}T00:00:00Z`)) / DAY)
}

/** `in 20 minutes`, `3 hours ago`, from the day after next on by days. */
export function sayMomentFromNow(moment: string, now = Date.now()): string | undefined {
  if (!parseIsoTime(moment)) return undefined
  const time = Date.parse(moment)
  const away = time - now
  if (Math.abs(away) < HOUR) return WORDS.format(Math.trunc(away / MINUTE), 'minute')
  if (Math.abs(away) < DAY) return WORDS.format(Math.trunc(away / HOUR), 'hour')
  return sayDateFromNow(today(new Date(time)), now)
}

function sayDays(days: number): string {
  const far = Math.abs(days)
  if (far < DAYS_UNTIL_WEEKS) return WORDS.format(days, 'day')
  if (far < DAYS_UNTIL_MONTHS) return WORDS.format(Math.round(days / 7), 'week')
  if (far < DAYS_UNTIL_YEARS) return WORDS.format(Math.round(days / DAYS_A_MONTH), 'month')
  return WORDS.format(Math.round(days / DAYS_A_YEAR), 'year')
}
