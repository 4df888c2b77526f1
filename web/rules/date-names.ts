import { remembered } from '#web/rules/remembered.ts'

/** How dates are written in a language, besides English, which everybody may write. */
export interface DateNames {
  /** Of day, month and year where they are numbers. */
  order: 'dmy' | 'mdy' | 'ymd'
  months: ReadonlyMap<string, number>
  /** 1 is Monday. */
  weekdays: ReadonlyMap<string, number>
  /** `tomorrow`: days from today. */
  days: ReadonlyMap<string, number>
  /** What stands between the parts and says nothing: `de`, `at`, `um`. */
  fillers: ReadonlySet<string>
  /** What follows the number of a day as an ordinal: `1er`, `12th`. */
  ordinals: ReadonlySet<string>
  /** Halves of a day in signs of one's own, in hours: `오후` is 12. */
  halves: ReadonlyMap<string, number>
  /** Whether hours go to twelve twice. */
  isHalfDay: boolean
  /** 1 is Monday. */
  firstWeekday: number
  relative: Intl.RelativeTimeFormat
}

/** What is stored is of this calendar; some languages would write dates by another. */
const calendar = 'gregory'

/** How a day is said in full. */
export const FULL_DAY = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', calendar } as const

/** How a month is said with its year. */
export const MONTH_OF_YEAR = { month: 'long', year: 'numeric', calendar, timeZone: 'UTC' } as const

export const dateNames = remembered(namesIn)

/** A day as this application says it: in full or briefly, with its weekday or without. */
export const dayFormats = remembered((locale) =>
  WIDTHS.flatMap((month) =>
    [{ weekday: month }, {}].map(
      (weekday) =>
        new Intl.DateTimeFormat(locale, {
          ...weekday,
          day: 'numeric',
          month,
          year: 'numeric',
          calendar,
          timeZone: 'UTC',
        }),
    ),
  ),
)

/** Lower case, without the dot of what is shortened. */
export const plainWord = (word: string): string =>
  word.normalize('NFKC').toLowerCase().replaceAll('.', '').trim()

function namesIn(locale: string): DateNames {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const days = new Map([
    ['yesterday', -1],
    ['today', 0],
    ['tomorrow', 1],
  ])
  for (const by of [-2, -1, 0, 1, 2]) days.set(relative.format(by, 'day').toLowerCase(), by)
  return {
    order: orderIn(locale),
    months: monthsIn(locale),
    weekdays: weekdaysIn(locale),
    days,
    fillers: fillersIn(locale),
    ordinals: new Set([...ORDINALS['en']!, ...(ORDINALS[new Intl.Locale(locale).language] ?? [])]),
    halves: halvesIn(locale),
    isHalfDay: new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true,
    firstWeekday: firstWeekdayIn(locale),
    relative,
  }
}

function orderIn(locale: string): DateNames['order'] {
  const parts = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    calendar,
  })
    .formatToParts(0)
    .map(({ type }) => type[0])
  const order = parts.filter((each) => each === 'd' || each === 'm' || each === 'y').join('')
  return order === 'mdy' || order === 'ymd' ? order : 'dmy'
}

const LETTERS = /[\p{L}.]+/gu
/** Next to those of the reader's language. */
const FILLERS = ['of', 'the', 'de', 'del', 'den', 'el', 'le', 'on', 'at', 'um']

/** The words that stand between the parts of a date in full, with a time and without. */
function fillersIn(locale: string): ReadonlySet<string> {
  const fillers = new Set(FILLERS)
  for (const time of [{}, { hour: '2-digit', minute: '2-digit' }] as const)
    for (const { type, value } of new Intl.DateTimeFormat(locale, { ...FULL_DAY, ...time }).formatToParts(0))
      if (type === 'literal' || type === 'era')
        for (const [word] of value.matchAll(LETTERS)) fillers.add(plainWord(word))
  return fillers
}

/** Of days of a month, by the language; English everybody may write. */
const ORDINALS: Readonly<Record<string, readonly string[]>> = {
  ca: ['r', 'n', 't', 'è', 'a'],
  en: ['st', 'nd', 'rd', 'th'],
  es: ['o', 'a', 'ro', 'er'],
  fr: ['er', 're', 'e', 'ème', 'nd'],
  gl: ['o', 'a'],
  it: ['o', 'a'],
  nl: ['e', 'ste', 'de'],
  pt: ['o', 'a'],
  sv: [':a', ':e', 'a', 'e'],
}

function halvesIn(locale: string): ReadonlyMap<string, number> {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
  const halves = new Map<string, number>()
  for (const hour of [0, 12]) {
    const half = format.formatToParts(Date.UTC(2024, 0, 1, hour)).find(({ type }) => type === 'dayPeriod')
    // `am` and `pm` are read in every language.
    if (half && !/\p{Script=Latin}/u.test(half.value)) halves.set(half.value.toLowerCase(), hour)
  }
  return halves
}

const WIDTHS = ['long', 'short'] as const

function monthsIn(locale: string): ReadonlyMap<string, number> {
  const months = new Map<string, number>()
  for (const language of [locale, 'en'])
    for (const month of WIDTHS)
      // Many languages have another form next to a day.
      for (const beside of [{}, { day: 'numeric' }, { day: 'numeric', year: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { month, calendar, timeZone: 'UTC', ...beside })
        for (let i = 0; i < 12; i++) {
          const part = format.formatToParts(Date.UTC(2024, i, 1)).find(({ type }) => type === 'month')
          if (part && /\p{L}/u.test(part.value)) months.set(plainWord(part.value), i + 1)
        }
      }
  return months
}

function weekdaysIn(locale: string): ReadonlyMap<string, number> {
  const weekdays = new Map<string, number>()
  for (const language of [locale, 'en'])
    for (const weekday of WIDTHS) {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
      // The first of January 2024 was a Monday.
      for (let i = 1; i <= 7; i++) weekdays.set(plainWord(format.format(Date.UTC(2024, 0, i))), i)
    }
  // Some have another form next to a day.
  const full = new Intl.DateTimeFormat(locale, { ...FULL_DAY, timeZone: 'UTC' })
  for (let i = 1; i <= 7; i++) {
    const part = full.formatToParts(Date.UTC(2024, 0, i)).find(({ type }) => type === 'weekday')
    if (part) weekdays.set(plainWord(part.value), i)
  }
  return weekdays
}

function firstWeekdayIn(locale: string): number {
  const given = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return (given.getWeekInfo?.() ?? given.weekInfo)?.firstDay ?? 1
}

const LEAST_LETTERS = 3

/** What a word names, also by its beginning, where all names that begin so mean the same. */
export function named(names: ReadonlyMap<string, number>, word: string): number | undefined {
  const exact = names.get(word)
  if (exact !== undefined || word.length < LEAST_LETTERS) return exact
  const all = new Set([...names].flatMap(([name, value]) => (name.startsWith(word) ? [value] : [])))
  return all.size === 1 ? [...all][0] : undefined
}
