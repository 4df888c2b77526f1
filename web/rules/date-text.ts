import {
  type DateOrder,
  ISO_MOMENT,
  isoOf,
  monthNames,
  OrderCount,
  readDateWith,
  readMomentWith,
} from '#src/domain/date-text.ts'

export type { DateOrder }

export const DATE_ORDERS: readonly (readonly [order: DateOrder, words: string])[] = [
  ['DMY', 'Day, month, year: 31/12/2026'],
  ['MDY', 'Month, day, year: 12/31/2026'],
  ['YMD', 'Year, month, day: 2026/12/31'],
]

/** English, and as the reader's own language calls them. */
const MONTHS = monthNames(['en', undefined])

export const readDate = (text: string, order: DateOrder): string | null => readDateWith(text, order, MONTHS)

const ownMoment = (wall: string): number => new Date(wall).getTime()

/** A time without an offset is one of the reader's own; what ISO 8601 writes is read with its fractions of a second. */
export const readMoment = (text: string, order: DateOrder): string | null =>
  ISO_MOMENT.test(text)
    ? isoOf(ownMoment(text.replace(' ', 'T')))
    : readMomentWith(text, { order, months: MONTHS, momentOf: ownMoment })

/** The order in which a column's dates are written, seen by all of them. */
export function dateOrderOf(values: readonly string[]): DateOrder | undefined {
  const count = new OrderCount()
  for (const value of values) count.take(value)
  return count.order
}
