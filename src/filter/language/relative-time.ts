import { momentOf, wallTime } from '#src/domain/zoned-time.ts'
import type { SubjectType } from '#src/filter/language/subject.ts'

/** This many days from today's midnight, or an ISO 8601 duration from now. */
export type RelativeTime = { today: number } | { now: string }

/** What relative times go by. */
export interface RequestTime {
  now: Date
  /** Where it is today: an IANA name. */
  time_zone: string
}

const DAY = 86_400_000
/** Nearly two thousand years: dates keep four digits. */
const MAX_DAYS = 700_000
const FORM =
  /^([+-]?)P(?=.)(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:[.,]\d{1,9})?)S)?)?$/

export function isRelativeTime(value: unknown): value is RelativeTime {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const [key, ...others] = Object.keys(value)
  return !others.length && (key === 'today' || key === 'now')
}

/** What is wrong with a relative time. */
export function relativeTimeFault(time: RelativeTime): string | undefined {
  if ('today' in time)
    return Number.isInteger(time.today) && Math.abs(time.today) <= MAX_DAYS
      ? undefined
      : `'today' takes a whole number of days, at most ${MAX_DAYS} either way`
  const duration = typeof time.now === 'string' ? parseDuration(time.now) : undefined
  return duration && Math.abs(daysOf(duration)) <= MAX_DAYS
    ? undefined
    : `'now' takes an ISO 8601 duration such as "-PT6H" or "P1D", at most ${MAX_DAYS} days either way`
}

/** As what types of values a relative time compares: as what clocks show, or as a moment. */
const COMPARED: Partial<Record<SubjectType, 'wall' | 'moment'>> = {
  String: 'wall',
  Date: 'wall',
  DateTime: 'moment',
  Time: 'moment',
}

/** The operand with relative times in it made absolute, where the subject knows times. */
export function absoluteOperand(operand: unknown, type: SubjectType, request: RequestTime): unknown {
  const compared = COMPARED[type]
  if (!compared) return operand
  if (Array.isArray(operand)) return operand.map((each) => absoluteOperand(each, type, request))
  return isRelativeTime(operand) ? absolute(operand, compared, request) : operand
}

function absolute(time: RelativeTime, compared: 'wall' | 'moment', { now, time_zone }: RequestTime): string {
  if ('today' in time) {
    const today = Math.floor(wallTime(now.getTime(), time_zone) / DAY)
    const midnight = (today + time.today) * DAY
    if (compared === 'wall') return new Date(midnight).toISOString().slice(0, 'YYYY-MM-DD'.length)
    return new Date(momentOf(midnight, time_zone)).toISOString()
  }
  const at = later(now.getTime(), parseDuration(time.now)!, time_zone)
  if (compared === 'moment') return new Date(at).toISOString()
  return new Date(wallTime(at, time_zone)).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)
}

interface Duration {
  months: number
  days: number
  /** Milliseconds. */
  time: number
}

function parseDuration(text: string): Duration | undefined {
  const match = FORM.exec(text)
  if (!match) return undefined
  const sign = match[1] === '-' ? -1 : 1
  const part = (i: number) => sign * Number((match[i] ?? '0').replace(',', '.'))
  return {
    months: part(2) * 12 + part(3),
    days: part(4) * 7 + part(5),
    time: Math.round((part(6) * 3600 + part(7) * 60 + part(8)) * 1000),
  }
}

const daysOf = ({ months, days, time }: Duration) => months * 31 + days + time / DAY

/** Years, months and days by the calendar of the zone (the last day of a month that has fewer), hours as they pass. */
function later(at: number, { months, days, time }: Duration, time_zone: string): number {
  if (!months && !days) return at + time
  const wall = new Date(wallTime(at, time_zone))
  const day = wall.getUTCDate()
  wall.setUTCDate(1)
  wall.setUTCMonth(wall.getUTCMonth() + months)
  const length = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + 1, 0)).getUTCDate()
  wall.setUTCDate(Math.min(day, length))
  return momentOf(wall.getTime() + days * DAY, time_zone) + time
}

/** In English: `today`, `7 days before today`, `now`, `-PT6H from now`. */
export function relativeTimeWords(time: RelativeTime): string {
  if (!('today' in time)) return /[1-9]/.test(time.now) ? `${time.now} from now` : 'now'
  const days = Math.abs(time.today)
  if (!days) return 'today'
  return `${days} ${days === 1 ? 'day' : 'days'} ${time.today < 0 ? 'before' : 'after'} today`
}
