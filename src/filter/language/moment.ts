import { isDate } from '#src/domain/date-time.ts'

const DATE_LENGTH = 'YYYY-MM-DD'.length
const MIDNIGHT = 'T00:00:00'
const TIME = /^T([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/

/** Text of the form YYYY-MM-DD (midnight) or YYYY-MM-DDTHH:MM:SS that names a real day and time. */
export function isMoment(text: string): boolean {
  if (text.length === DATE_LENGTH) return isDate(text)
  return TIME.test(text.slice(DATE_LENGTH)) && isDate(text.slice(0, DATE_LENGTH))
}

/**
 * The other text that means the same point in time: only a midnight has two. Among moments, order by code point is
 * order in time but for these pairs.
 */
export function otherSpelling(text: string): string | undefined {
  if (!isMoment(text)) return undefined
  if (text.length === DATE_LENGTH) return text + MIDNIGHT
  return text.endsWith(MIDNIGHT) ? text.slice(0, DATE_LENGTH) : undefined
}
