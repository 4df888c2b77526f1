import { type DateOrder, monthNames, readDateWith, readMomentWith } from '#src/domain/date-text.ts'
import { momentOf } from '#src/domain/zoned-time.ts'

/** What alone makes a column one of truths: `x` and `1` may be anything. */
const CLEAR = /^(?:yes|no|true|false|y|n|✓|checked|wahr|falsch|ja|nein|vrai|faux|oui|non|sí)$/i

export const isClearlyBoolean = (text: string): boolean => CLEAR.test(text)

const MONTHS = monthNames(['en', 'de', 'fr', 'es', 'it'])

export const readDate = (text: string, order: DateOrder): string | null => readDateWith(text, order, MONTHS)

/** A time without an offset is one of that zone. */
export const readMoment = (text: string, order: DateOrder, time_zone: string): string | null =>
  readMomentWith(text, {
    order,
    months: MONTHS,
    momentOf: (wall) => momentOf(Date.parse(`${wall}Z`), time_zone),
  })
