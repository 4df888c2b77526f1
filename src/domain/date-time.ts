import { parseIsoTime } from '#src/domain/iso-time.ts'

const LENGTH = '2026-01-31T09:30:00.000Z'.length
const HAS_TIME = /^.{10}[Tt ]/

/**
 * A date with a time, with an offset or in UTC, as it is stored: `2026-01-31T09:30:00.000Z`. The order of such texts is
 * the order in time. Null where the text is none, names a moment that no such text can say, or is finer than a
 * millisecond: nothing is rounded.
 */
export function toDateTime(value: unknown): string | null {
  if (typeof value !== 'string' || !HAS_TIME.test(value)) return null
  const time = parseIsoTime(value)
  if (!time || time.floor !== time.ceil) return null
  const text = new Date(time.floor).toISOString()
  return text.length === LENGTH ? text : null
}
