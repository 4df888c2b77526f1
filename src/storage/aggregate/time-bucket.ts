import { localYear } from '#src/domain/zoned-time.ts'

/** Calendar periods by which times are grouped (additions §7). */
export const BUCKETS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Bucket = (typeof BUCKETS)[number]

const DAY = 86_400_000

const two = (number: number) => String(number).padStart(2, '0')

/** The period that a day (`YYYY-MM-DD`) lies in: `2024-05-01`, `2024-W05` (ISO 8601 weeks), `2024-05`, `2024-Q2`, `2024`. */
export function bucketOfDay(day: string, bucket: Bucket): string {
  switch (bucket) {
    case 'day':
      return day
    case 'week':
      return isoWeek(day)
    case 'month':
      return day.slice(0, 7)
    case 'quarter':
      return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
    case 'year':
      return day.slice(0, 4)
  }
}

/** ISO 8601: weeks begin on Monday and belong to the year of their Thursday. */
function isoWeek(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  const weekday = (date.getUTCDay() + 6) % 7
  const thursday = new Date(date.getTime() + (3 - weekday) * DAY)
  const year = thursday.getUTCFullYear()
  // `Date.UTC` takes a year below 100 for one of the twentieth century.
  const newYear = new Date(0).setUTCFullYear(year, 0, 1)
  const week = 1 + Math.floor((thursday.getTime() - newYear) / DAY / 7)
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-W${two(week)}`
}

/** `YYYY-MM-DD`. */
export const DAY_LENGTH = 10
/**
 * How long the part of a moment is that its local day goes by: up to the minute, but before `since`, when zones were off by
 * seconds (the last one Monrovia, until January 1972), up to the second.
 */
export const LOCAL_LENGTH = { since: '1973', after: 16, before: 19 }
export const localPart = (moment: string): string =>
  moment.slice(0, moment < LOCAL_LENGTH.since ? LOCAL_LENGTH.before : LOCAL_LENGTH.after)

/**
 * Gives the local day of a moment (`localPart`) in a time zone, each looked up once. `wallTime` would give the time of day
 * as well, at twice the cost. Where the local day has a year beyond four digits it is that of UTC.
 */
export function localDays(zone: string): (moment: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    month: '2-digit',
    day: '2-digit',
  })
  const known = new Map<string, string>()
  return (moment) => {
    let day = known.get(moment)
    if (day === undefined) {
      const whole = moment.length > LOCAL_LENGTH.after ? moment : `${moment}:00`
      day = inItsYear(moment, format.format(new Date(`${whole}Z`)))
      known.set(moment, day)
    }
    return day
  }
}

/** A local month and day (`MM-DD`), with their year. */
function inItsYear(moment: string, day: string): string {
  const year = localYear(Number(moment.slice(0, 4)), Number(moment.slice(5, 7)), Number(day.slice(0, 2)))
  return year < 0 || year > 9999 ? moment.slice(0, DAY_LENGTH) : `${String(year).padStart(4, '0')}-${day}`
}
