import { addDays, addMonths, dayOf, daysBetween, partsOf, weekdayOf } from '#web/rules/calendar.ts'
import { type DateNames, dateNames, dayFormats, named, plainWord } from '#web/rules/date-names.ts'
import { plainSigns } from '#web/rules/plain-signs.ts'

/** What a text says of a day; where it may be several they are asked, never guessed. */
export type DateRead =
  | { is: 'nothing' }
  | { is: 'day'; day: string }
  | { is: 'which'; days: readonly string[] }
  | { is: 'fault'; message: string }

export interface DateReading {
  locale: string
  /** The reader's own day: `2026-11-23`. */
  today: string
}

const NOT_A_DATE = 'Not a date. Write it as 2027-03-12, 12 Mar 2027, tomorrow, friday or in 2 weeks'
const NO_SUCH_DAY = 'There is no such day in the calendar'
const YEARS = 'Write the year with four digits, from 0001 to 9999'

const fault = (message: string): DateRead => ({ is: 'fault', message })

/** One day, or a question; none at all: there is no such day. */
function oneOf(days: readonly (string | null)[]): DateRead {
  const real = [...new Set(days.filter((day) => day !== null))]
  const [first] = real
  if (first === undefined) return fault(NO_SUCH_DAY)
  return real.length === 1 ? { is: 'day', day: first } : { is: 'which', days: real }
}

/** Reads a day as people write it. */
export function readDate(text: string, { locale, today }: DateReading): DateRead {
  const given = plainText(text)
  if (!given) return { is: 'nothing' }
  const names = dateNames(locale)
  const read =
    fromWords(given, today, names) ??
    fromNumbers(withoutEnd(given, names), today, names) ??
    withNames(given, today, names)
  return read.is === 'fault' ? (asSaid(given, locale) ?? read) : read
}

const plainText = (text: string): string => plainSigns(text).trim().toLowerCase().replaceAll(/\s+/g, ' ')

/** Numbers after which a language says that they are a date: `12.03.2027 г.` */
function withoutEnd(given: string, { fillers }: DateNames): string {
  const [, numbers, word] = /^([^\p{L}]*\d[^\p{L}]*) (\p{L}+)\.?$/u.exec(given) ?? []
  return numbers !== undefined && fillers.has(word!) ? numbers : given
}

/** With the day of the week as a number there are four. */
const MOST_NUMBERS = 4

/**
 * The day of which this application says just that: languages write a day together with what belongs to it
 * (`วันศุกร์ที่ 12 มีนาคม 2027`, `12 tháng 3, 2027`), so that no word of it names a month or a weekday.
 */
function asSaid(given: string, locale: string): DateRead | undefined {
  const numbers = given.match(/\d+/g) ?? []
  if (numbers.length < 2 || numbers.length > MOST_NUMBERS) return undefined
  const days = numbers.flatMap((year, i) =>
    // A year of two digits is not said in full.
    year.length < 3
      ? []
      : numbers.flatMap((day, j) =>
          i === j
            ? []
            : Array.from({ length: 12 }, (_, month) => dayOf(Number(year), month + 1, Number(day))),
        ),
  )
  const said = days.filter(
    (day) =>
      day !== null &&
      dayFormats(locale).some((each) => plainText(each.format(Date.parse(`${day}T00:00:00Z`))) === given),
  )
  return said.length ? oneOf(said) : undefined
}

/** In Spanish `mar` is a day of the week and a month: next to one number, which is no date with the one, it is the other. */
function withNames(given: string, today: string, names: DateNames): DateRead {
  const read = withWeekday(given, today, names)
  if (read && (read.is !== 'fault' || given.match(/\d+/g)!.length > 1)) return read
  const byMonth = fromNames(given, today, names)
  return read && byMonth.is === 'fault' ? read : byMonth
}

const OTHER_WEEKDAY = 'That day is another day of the week'

/** `Fri 12.3.2027`, `2027-03-12 (Fri)`. */
function withWeekday(given: string, today: string, names: DateNames): DateRead | undefined {
  const { name, rest } =
    (
      /^(?<name>[\p{L}.-]+),? (?<rest>\d[^\p{L}]*)$/u.exec(given) ??
      /^(?<rest>\d[^\p{L}(]*?),? ?\(?(?<name>[\p{L}.-]+)\)?$/u.exec(given)
    )?.groups ?? {}
  const weekday = name && named(names.weekdays, plainWord(name))
  const read = weekday && rest ? fromNumbers(rest, today, names) : undefined
  if (!read || read.is === 'fault' || read.is === 'nothing') return read
  const days = (read.is === 'day' ? [read.day] : read.days).filter((day) => weekdayOf(day) === weekday)
  return days.length ? oneOf(days) : fault(OTHER_WEEKDAY)
}

/** `tomorrow`, `friday`, `in 2 weeks`. */
function fromWords(given: string, today: string, names: DateNames): DateRead | undefined {
  const by = names.days.get(given)
  if (by !== undefined) return oneOf([addDays(today, by)])
  const distance = distanceOf(given, names)
  if (distance) return oneOf([moved(today, distance)])
  if (given === 'next week') return oneOf([addDays(today, 8 - weekdayOf(today)), addDays(today, 7)])
  const [, which, name] = /^(?:(next|this|last|on) )?([\p{L}.-]+)$/u.exec(given) ?? []
  const weekday = name && named(names.weekdays, plainWord(name))
  return weekday ? oneOf(weekdaysMeant(which, weekday, today)) : undefined
}

interface Distance {
  count: number
  unit: Unit
}
type Unit = 'day' | 'week' | 'month' | 'year'
const UNITS: readonly Unit[] = ['day', 'week', 'month', 'year']

const SHORT: Readonly<Record<string, Unit>> = { d: 'day', w: 'week', m: 'month', mo: 'month', y: 'year' }

/** `in 2 weeks`, `3 days ago`, `-3d`; in the reader's language as its own rules say it. */
function distanceOf(given: string, { relative }: DateNames): Distance | undefined {
  const [, sign, digits, letter] = /^(\+|-|in )? ?(\d{1,5}) ?(d|w|mo?|y)$/.exec(given) ?? []
  if (letter) return { count: sign === '-' ? -Number(digits) : Number(digits), unit: SHORT[letter]! }
  const [, coming, amount, unit, ago] =
    /^(in )?(\d{1,5}|an?|one) (day|week|month|year)s?( ago)?$/.exec(given) ?? []
  const count = amount === undefined ? 0 : /\d/.test(amount) ? Number(amount) : 1
  if (unit && !coming !== !ago) return { count: ago ? -count : count, unit: unit as Unit }
  const [number] = /\d{1,5}/.exec(given) ?? []
  if (number === undefined) return undefined
  const ways = [Number(number), -Number(number)]
  return UNITS.flatMap((each) => ways.map((way) => ({ count: way, unit: each }))).find(
    (way) => relative.format(way.count, way.unit).toLowerCase() === given,
  )
}

function moved(today: string, { count, unit }: Distance): string | null {
  if (unit === 'day') return addDays(today, count)
  if (unit === 'week') return addDays(today, count * 7)
  return addMonths(today, unit === 'month' ? count : count * 12)
}

/** The next such day; where it may be today, or is of this week and `next`, it is asked. */
function weekdaysMeant(which: string | undefined, weekday: number, today: string): (string | null)[] {
  const ahead = (weekday - weekdayOf(today) + 7) % 7
  if (which === 'last') return [addDays(today, ahead - 7)]
  if (which === 'this') return [addDays(today, ahead)]
  if (ahead === 0) return which === 'next' ? [addDays(today, 7)] : [today, addDays(today, 7)]
  const isOfThisWeek = weekday > weekdayOf(today)
  if (which === 'next' && isOfThisWeek) return [addDays(today, ahead), addDays(today, ahead + 7)]
  return [addDays(today, ahead)]
}

type Order = DateNames['order']

/** `2027-03-12`, `12.3.2027`, `3/12`, `20270312`. */
function fromNumbers(given: string, today: string, { order }: DateNames): DateRead | undefined {
  const tight = given.replaceAll(/ ?([./-]) ?/g, '$1')
  const [, a, between, b, second, c] = /^(\d+)([./-])(\d+)(?:([./-])(\d*))?\.?$/.exec(tight) ?? []
  if (a === undefined || b === undefined) return fromDigits(tight, order)
  if (second && second !== between && c) return undefined
  if (!c)
    return b.length > 2 || a.length > 2 ? undefined : fromTwo(Number(a), Number(b), between!, order, today)
  if (a.length > 2) {
    if (a.length !== 4 || a === '0000') return fault(YEARS)
    return oneOf([dayOf(Number(a), Number(b), Number(c))])
  }
  return fromThree([a, b, c], between!, order, today)
}

/** Points stand between day, month and year; other signs between what the reader's language has first. */
const ordersFor = (between: string, order: Order): readonly Order[] =>
  between === '.' || order === 'dmy' ? ['dmy', 'mdy'] : ['mdy', 'dmy']

function fromThree(parts: readonly string[], between: string, order: Order, today: string): DateRead {
  const [a, b, c] = parts.map(Number) as [number, number, number]
  const { length } = parts[2]!
  // `27. 3. 12.` and `27/3/1`, in languages that say the year first.
  const early =
    order === 'ymd' && length < 3 && parts[0]!.length === 2
      ? yearsMeant(a, today).map((year) => dayOf(year, b, c))
      : []
  if (early.length && length === 1) return oneOf(early)
  if ((length !== 2 && length !== 4) || parts[2] === '0000') return fault(YEARS)
  const years = length === 4 ? [c] : yearsMeant(c, today)
  const as = (each: Order) =>
    years
      .map((year) => (each === 'dmy' ? dayOf(year, b, a) : dayOf(year, a, b)))
      .filter((day) => day !== null)
  const [first, other] = ordersFor(between, order)
  if (order === 'ymd')
    return oneOf([...early, ...as('dmy'), ...(between === '.' && as('dmy').length ? [] : as('mdy'))])
  const meant = as(first!)
  return oneOf(meant.length ? meant : as(other!))
}

/** Years around today that end so; of those that are far it is asked. */
function yearsMeant(short: number, today: string): number[] {
  const { year } = partsOf(today)
  const century = year - (year % 100)
  const all = [century - 100 + short, century + short, century + 100 + short]
  const near = all.filter((each) => Math.abs(each - year) <= 30)
  return near.length ? near : all.filter((each) => Math.abs(each - year) <= 100)
}

function fromTwo(a: number, b: number, between: string, order: Order, today: string): DateRead {
  const isDayFirst = ordersFor(between, order)[0] === 'dmy' && (order !== 'ymd' || between === '.')
  const meant = (isDayFirst ? [[b, a]] : [[a, b]]) as [number, number][]
  const other: [number, number] = isDayFirst ? [a, b] : [b, a]
  const first = nearest(...meant[0]!, today)
  return oneOf(first.length ? first : nearest(...other, today))
}

type Fits = (day: string) => boolean

/** The years in which a day without one may be: the coming one, where it is nearer than the one that is past. */
function nearest(month: number, day: number, today: string, fits: Fits = () => true): string[] {
  const { year } = partsOf(today)
  const around = Array.from({ length: 17 }, (_, i) => dayOf(year + i - 8, month, day)).filter(
    (each) => each !== null && fits(each),
  ) as string[]
  const coming = around.find((each) => each >= today)
  const past = around.findLast((each) => each < today)
  if (!coming || !past) return [coming ?? past].filter((each) => each !== undefined)
  return daysBetween(today, coming) <= daysBetween(past, today) ? [coming] : [past, coming]
}

/** Without signs between them: as many readings as are days. */
function fromDigits(given: string, order: Order): DateRead | undefined {
  if (!/^\d+$/.test(given)) return undefined
  if (given.length !== 8) return fault(given.length <= 2 ? 'Of which month?' : NOT_A_DATE)
  const part = (from: number, to: number) => Number(given.slice(from, to))
  const last = [dayOf(part(4, 8), part(2, 4), part(0, 2)), dayOf(part(4, 8), part(0, 2), part(2, 4))]
  return oneOf([dayOf(part(0, 4), part(4, 6), part(6, 8)), ...(order === 'mdy' ? last.toReversed() : last)])
}

const BETWEEN = /[\s,./،、]+|-(?=\d)|(?<=\d)-/

interface Words {
  month: number
  weekday: number | undefined
  numbers: readonly string[]
}

/** `12 Mar 2027`, `Friday, March 12th`, `3. Dez. 2027`. */
function fromNames(given: string, today: string, names: DateNames): DateRead {
  const words = wordsOf(given, names)
  if (!words?.numbers.length || words.numbers.length > 2) return fault(NOT_A_DATE)
  const { month, weekday, numbers } = words
  const isLong = (each: string) => each.length > 2
  const year = numbers.find(isLong) ?? numbers[1]
  const day = numbers.find((each) => each !== year)
  if (day === undefined) return fault('Which day of the month?')
  if (isLong(day) || (year && ((isLong(year) && year.length !== 4) || year === '0000'))) return fault(YEARS)
  const fits = (each: string) => weekday === undefined || weekdayOf(each) === weekday
  if (year === undefined) return oneOf(nearest(month, Number(day), today, fits))
  const years = isLong(year) ? [Number(year)] : yearsMeant(Number(year), today)
  const days = years.map((each) => dayOf(each, month, Number(day))).filter((each) => each !== null)
  if (days.length && !days.some(fits)) return fault(OTHER_WEEKDAY)
  return oneOf(days.filter(fits))
}

/** `1°`, and the point of `1.º`, of which NFKC has made `1.o`. */
const ORDINAL_SIGN = /(?<=\d)(?:°|\.(?=[oa](?!\p{L})))/gu

function wordsOf(given: string, names: DateNames): Words | undefined {
  const words = given
    .replaceAll(ORDINAL_SIGN, '')
    .split(BETWEEN)
    .filter((each) => each && !names.fillers.has(each))
  const numbers = words.flatMap((word) => {
    const [, number, ending] = /^(\d+)([\p{L}:]*)$/u.exec(word) ?? []
    return number === undefined || (ending && !names.ordinals.has(ending)) ? [] : [number]
  })
  const others = words
    .filter((word) => !/^\d/.test(word))
    .map((word) => ({
      month: named(names.months, plainWord(word)),
      weekday: named(names.weekdays, plainWord(word)),
    }))
  if (numbers.length + others.length !== words.length || others.length > 2) return undefined
  // In French `mar.` is a day and a month: what else is said shows which.
  const month = others.find((each) => each.month && !each.weekday) ?? others.find((each) => each.month)
  const weekday = others.find((each) => each !== month)
  if (!month || (weekday && !weekday.weekday)) return undefined
  return { month: month.month!, weekday: weekday?.weekday, numbers }
}
