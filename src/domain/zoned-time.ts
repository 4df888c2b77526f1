const DAY = 86_400_000
/** Each formatter is some kilobytes. */
const MAX_FORMATS = 100
const formats = new Map<string, Intl.DateTimeFormat>()

/** Whether the text names a time zone of the IANA database; an offset is none. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** What clocks of a zone show at a moment: the milliseconds at which a clock in UTC shows the same. */
export function wallTime(at: number, time_zone: string): number {
  if (time_zone === 'UTC') return at
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(time_zone).formatToParts(at)) parts[type] = Number(value)
  const { month = 1, day, hour = 0, minute, second } = parts
  const utc = new Date(at)
  const shown = new Date(0)
  shown.setUTCFullYear(localYear(utc.getUTCFullYear(), utc.getUTCMonth() + 1, month), month - 1, day)
  shown.setUTCHours(hour, minute, second, at - Math.floor(at / 1000) * 1000)
  return shown.getTime()
}

/**
 * The year of a local month (1 to 12), by the year and month that UTC has at the moment: less than a day is between them.
 * What a formatter shows before year 1 counts from the birth of Christ.
 */
export function localYear(utc_year: number, utc_month: number, month: number): number {
  if (utc_month === 12 && month === 1) return utc_year + 1
  return utc_month === 1 && month === 12 ? utc_year - 1 : utc_year
}

/** The moment at which clocks of a zone show a time: the first where there are two, as much later where it is skipped. */
export function momentOf(wall: number, time_zone: string): number {
  const before = wall - offsetAt(wall - DAY, time_zone)
  if (wallTime(before, time_zone) === wall) return before
  const after = wall - offsetAt(wall + DAY, time_zone)
  return wallTime(after, time_zone) === wall ? after : before
}

const offsetAt = (at: number, time_zone: string) => wallTime(at, time_zone) - at

function formatOf(time_zone: string): Intl.DateTimeFormat {
  let found = formats.get(time_zone)
  if (!found) {
    found = new Intl.DateTimeFormat('en-u-ca-iso8601-hc-h23', {
      timeZone: time_zone,
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formats.size === MAX_FORMATS) formats.delete(formats.keys().next().value!)
    formats.set(time_zone, found)
  }
  return found
}
