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
  return `${String(year).padStart(4, '0')}-W${two(week)}`
}

/** Gives the local day of a moment in a time zone, each moment looked up once. `wallTime` would give the time of day as well, at twice the cost. */
export function localDays(zone: string): (minute: string) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  const known = new Map<string, string>()
  return (minute) => {
    let day = known.get(minute)
    if (day === undefined) {
      day = inFourDigits(format.format(new Date(`${minute}:00Z`)), minute)
      known.set(minute, day)
    }
    return day
  }
}

/** The year in four digits: `Intl` writes it without zeros, and the one before year 1 as the first before Christ. */
function inFourDigits(day: string, minute: string): string {
  const padded = day.padStart('0000-00-00'.length, '0')
  const isBefore = minute.startsWith('0001-01-01') && padded.startsWith('0001-12')
  return isBefore ? padded.replace('0001', '0000') : padded
}
