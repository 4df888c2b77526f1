import { toDateTime } from '#src/domain/date-time.ts'
import { dateNames, FULL_DAY } from '#web/rules/date-names.ts'
import { readDate } from '#web/rules/read-date.ts'
import { type MomentReading, readMoment } from '#web/rules/read-moment.ts'
import { clockIn, clockText } from '#web/rules/zoned-clock.ts'

/** `Any`: a day where no time is given, else a moment, as filters take both. */
export type DateKind = 'Date' | 'DateTime' | 'Any'

/** What somebody has typed where a date, or a date with a time, is wanted. */
export type TypedDate =
  | { is: 'nothing' }
  | { is: 'value'; value: string }
  | { is: 'which'; values: readonly string[] }
  | { is: 'fault'; message: string }

/** Whose dates they are: language, clock and zone. */
export type Reader = MomentReading

/** The one in front of this browser, now. */
export function thisReader(): Reader {
  const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return { locale, timeZone, now: Date.now() }
}

export const todayOf = ({ now, timeZone }: Reader): string => clockIn(now, timeZone).day

export const firstWeekdayOf = ({ locale }: Reader): number => dateNames(locale).firstWeekday

/** Reads it as it would be stored. */
export function typedDate(kind: DateKind, text: string, reader: Reader): TypedDate {
  if (kind === 'Any') {
    const day = typedDate('Date', text, reader)
    return day.is === 'fault' ? typedDate('DateTime', text, reader) : day
  }
  if (kind === 'DateTime') {
    const read = readMoment(text, reader)
    if (read.is === 'moment') return { is: 'value', value: read.moment }
    return read.is === 'which' ? { is: 'which', values: read.moments } : read
  }
  const read = readDate(text, { locale: reader.locale, today: todayOf(reader) })
  if (read.is === 'day') return { is: 'value', value: read.day }
  return read.is === 'which' ? { is: 'which', values: read.days } : read
}

const isMoment = (value: string) => toDateTime(value) === value

/** What is stored, as it is edited: read again it is the same. */
export const dateText = (value: string, { timeZone }: Reader): string =>
  isMoment(value) ? clockText(value, timeZone) : value

/** The day in which a value lies, for a calendar. */
export const dayIn = (value: string, { timeZone }: Reader): string =>
  isMoment(value) ? clockIn(Date.parse(value), timeZone).day : value

/** Another day, at the same time where there is one. */
export function onDay(day: string, kind: DateKind, value: string | undefined, { timeZone }: Reader): string {
  if (kind !== 'DateTime' && !(value && isMoment(value))) return day
  const [, time = '00:00'] = /^.{10}[T ](.*?)Z?$/.exec(value ? clockText(value, timeZone) : '') ?? []
  return `${day} ${time}`
}

/** In full: `Friday 12 March 2027 at 14:30`; or briefly. */
export function sayTyped(
  value: string,
  { locale, timeZone }: Reader,
  width: 'long' | 'short' = 'long',
): string {
  const day = { ...FULL_DAY, weekday: width, month: width } as const
  if (!isMoment(value))
    return new Intl.DateTimeFormat(locale, { ...day, timeZone: 'UTC' }).format(
      Date.parse(`${value}T00:00:00Z`),
    )
  const time = Date.parse(value)
  return new Intl.DateTimeFormat(locale, {
    ...day,
    hour: '2-digit',
    minute: '2-digit',
    ...(time % 60_000 !== 0 && { second: '2-digit' }),
    ...(time % 1000 !== 0 && { fractionalSecondDigits: 3 }),
    timeZone,
    // Where the clock shows it twice, only the zone tells them apart.
    ...(clockText(value, timeZone) === value && { timeZoneName: 'short' }),
  }).format(time)
}
