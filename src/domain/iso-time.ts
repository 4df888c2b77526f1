/** A point in time that need not be a whole millisecond: the milliseconds just before and just after it. */
export interface IsoTime {
  /** The last whole millisecond that is not after the moment. */
  floor: number
  /** The first whole millisecond that is not before it. */
  ceil: number
}

// ISO 8601: a date, or a date and a time with or without an offset (without: UTC).
const FORM =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:([Zz])|([+-])(\d\d)(?::?(\d\d))?)?)?$/
const MINUTE = 60_000

/** Null where the text is no ISO 8601 date or date-time, or one that no calendar has. */
export function parseIsoTime(text: string): IsoTime | null {
  const match = FORM.exec(text)
  if (!match) return null
  const number = (i: number) => Number(match[i] ?? 0)
  const [year, month, day] = [number(1), number(2), number(3)]
  const [hour, minute, second] = [number(4), number(5), number(6)]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
  if (hour > 23 || minute > 59 || second > 59 || number(10) > 23 || number(11) > 59) return null

  const fraction = (match[7] ?? '').padEnd(3, '0')
  const offset = (match[9] === '-' ? -1 : 1) * (number(10) * 60 + number(11)) * MINUTE
  const floor =
    date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + Number(fraction.slice(0, 3)) - offset
  return { floor, ceil: /[1-9]/.test(fraction.slice(3)) ? floor + 1 : floor }
}

const [FIRST_TIME, LAST_TIME] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * A moment as stored times are compared with it, which have years of four digits: what lies beyond them is before and
 * after all of them by code point.
 */
export const comparedTime = (at: number): string =>
  at < FIRST_TIME ? '' : at > LAST_TIME ? '~' : new Date(at).toISOString()

/** What keeps a moment from being stored: its year in UTC. Undefined: nothing does. */
export function faultOfYear(at: number): string | undefined {
  if (at >= FIRST_TIME && at <= LAST_TIME) return undefined
  return `is in the year ${new Date(at).getUTCFullYear()} in UTC; that must be one of 0000 to 9999`
}

/** The minute of a moment, as a timestamp: the resolution of `last_used_at` (additions §2). */
export const minuteOf = (time: number): string => new Date(time - (time % 60_000)).toISOString()
