import { toDateTime } from '#src/domain/date-time.ts'
import { faultOfYear, parseIsoTime } from '#src/domain/iso-time.ts'
import { type DateNames, dateNames, plainWord } from '#web/rules/date-names.ts'
import { plainSigns } from '#web/rules/plain-signs.ts'
import { readDate } from '#web/rules/read-date.ts'
import { clockIn, momentsAt } from '#web/rules/zoned-clock.ts'

/** What a text says of a moment, as it is stored: `2027-03-12T13:30:00.000Z`. */
export type MomentRead =
  | { is: 'nothing' }
  | { is: 'moment'; moment: string }
  | { is: 'which'; moments: readonly string[] }
  | { is: 'fault'; message: string }

export interface MomentReading {
  locale: string
  /** Milliseconds. */
  now: number
  timeZone: string
}

const fault = (message: string): MomentRead => ({ is: 'fault', message })

const WITH_OFFSET = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d.*(?:z|[+-]\d\d:?\d\d)$/i
const MINUTE = 60_000
const MILLISECONDS: Readonly<Record<string, number>> = {
  minute: MINUTE,
  min: MINUTE,
  hour: 60 * MINUTE,
  h: 60 * MINUTE,
}

/** Reads a moment as people write it, on the reader's own clock; a day alone is its midnight. */
export function readMoment(text: string, reading: MomentReading): MomentRead {
  const { locale, now, timeZone } = reading
  const given = plainSigns(text).trim().replaceAll(/\s+/g, ' ')
  if (!given) return { is: 'nothing' }
  if (WITH_OFFSET.test(given)) return stored(given)
  const from = distanceOf(given.toLowerCase())
  if (from !== undefined) return { is: 'moment', moment: inSeconds(now + from) }
  const today = clockIn(now, timeZone).day
  const { rest, clocks, wrong } = clocksOf(given.toLowerCase(), dateNames(locale))
  if (wrong) return fault('There is no such time of day')
  const date = rest ? readDate(rest, { locale, today }) : ({ is: 'day', day: today } as const)
  if (date.is === 'fault' || date.is === 'nothing')
    return date.is === 'fault' ? date : fault('Write a date, and a time as 14:30')
  const days = date.is === 'day' ? [date.day] : date.days
  const moments = [
    ...minutesOf(given).map((minutes) => inSeconds(now + minutes * MINUTE)),
    ...days.flatMap((day) => clocks.flatMap((clock) => momentsAt(day, clock, timeZone))),
  ]
  const [first] = moments
  if (first === undefined)
    return fault(days.some((day) => OUTER.has(day)) ? BEYOND : 'The clock leaves this time out on that day')
  return moments.length === 1 ? { is: 'moment', moment: first } : { is: 'which', moments }
}

/** Days of which some hours are in the year before, or behind, in UTC. */
const OUTER: ReadonlySet<string> = new Set(['0001-01-01', '9999-12-31'])
const BEYOND = 'In UTC, as times are stored, its year is not one of 0001 to 9999'

function stored(given: string): MomentRead {
  const text = given.replace(' ', 'T').toUpperCase()
  const time = parseIsoTime(text)
  if (!time) return fault('There is no such time; years go from 0001 to 9999')
  const moment = toDateTime(text)
  if (faultOfYear(time.floor) !== undefined || moment?.startsWith('0000')) return fault(BEYOND)
  if (moment === null) return fault('Seconds have three digits at most')
  return { is: 'moment', moment }
}

function distanceOf(given: string): number | undefined {
  if (given === 'now') return 0
  const [, sign, digits, short] = /^(\+|-|in )? ?(\d{1,6}) ?(h|min)$/.exec(given) ?? []
  if (short && sign) return (sign === '-' ? -1 : 1) * Number(digits) * MILLISECONDS[short]!
  const [, coming, amount, unit, ago] =
    /^(in )?(\d{1,6}|an?|one) (minute|min|hour|h)s?( ago)?$/.exec(given) ?? []
  if (!unit || !amount || !coming === !ago) return undefined
  const count = /\d/.test(amount) ? Number(amount) : 1
  return (ago ? -count : count) * MILLISECONDS[unit]!
}

const inSeconds = (time: number) => new Date(time - (time % 1000)).toISOString()

/** `+5m` is of minutes or of months. */
function minutesOf(given: string): number[] {
  const [, sign, count] = /^(\+|-|in )? ?(\d{1,5}) ?m$/i.exec(given) ?? []
  return count === undefined ? [] : [sign === '-' ? -Number(count) : Number(count)]
}

/** Milliseconds since midnight. */
type Clock = number

interface Clocks {
  /** What is left: the day. */
  rest: string
  clocks: readonly Clock[]
  /** There is a time of day, but none like it. */
  wrong?: boolean
}

const AT_END =
  /(?:^|[ ,t])(\d{1,2})(?: ?([:h]) ?(\d\d)(?::(\d\d)(?:[.,](\d{1,3}))?)?)? ?([ap]\.? ?m\.?|h|uhr)?$/

function clocksOf(text: string, names: DateNames): Clocks {
  const given = withColon(withHalf(text, names), names)
  const found = AT_END.exec(given)
  const [whole, hours, sign, minutes = '0', seconds = '0', fraction = '0', half] = found ?? []
  if (!found || hours === undefined || (!sign && !half)) return { rest: given, clocks: [0] }
  const rest = withoutFillers(given.slice(0, given.length - whole!.length), names)
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  const isNamed = half !== undefined && /^[ap]/.test(half)
  if (h > 23 || m > 59 || s > 59 || (isNamed && (h < 1 || h > 12))) return { rest, clocks: [], wrong: true }
  const clock = (hour: number) => ((hour * 60 + m) * 60 + s) * 1000 + Number(fraction.padEnd(3, '0'))
  if (isNamed) return { rest, clocks: [clock((h % 12) + (half.startsWith('p') ? 12 : 0))] }
  // Where a day has twice twelve hours, `2:30` may be either.
  const isOpen =
    names.isHalfDay && !half && h >= 1 && h <= 12 && !hours.startsWith('0') && !/^\d{4}-\d\d-\d\d$/.test(rest)
  return { rest, clocks: isOpen ? [clock(h % 12), clock((h % 12) + 12)] : [clock(h)] }
}

/** The half of the day behind its hour, as English has it. */
function withHalf(given: string, { halves }: DateNames): string {
  for (const [half, hour] of halves) {
    const parts = given.split(new RegExp(`(?<!\\p{L})${half}(?!\\p{L})`, 'u'))
    if (parts.length === 2) return `${parts.join(' ')} ${hour ? 'pm' : 'am'}`.replaceAll(/\s+/g, ' ')
  }
  return given
}

/** `kl. 14.30`: behind a word that says that a time follows, or a whole date, a point is no sign of a date. */
const withColon = (given: string, { fillers }: DateNames): string =>
  given.replace(/(?<=^|\s)(\S+) (\d{1,2}\.\d\d(?:\.\d\d)?)$/, (whole, word: string, clock: string) =>
    fillers.has(plainWord(word)) || /^\d{4},$/.test(word) ? `${word} ${clock.replaceAll('.', ':')}` : whole,
  )

/** `tomorrow at`, `morgen um`, `12 marzo alle ore`. */
function withoutFillers(given: string, { fillers }: DateNames): string {
  const words = given
    .replace(/[,،]\s*$/, '')
    .trim()
    .split(' ')
  while (words.length && fillers.has(plainWord(words.at(-1)!))) words.pop()
  return words.join(' ').replace(/[,،]$/, '').trim()
}
