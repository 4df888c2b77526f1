import { createHash } from 'node:crypto'

/** In code points: what an index entry of PostgreSQL (2,704 bytes at the most) surely holds. */
const LONGEST = 500
/** Sorts after every continuation that a text of `LONGEST` code points could have. */
const MARK = '\u{10ffff}'

/**
 * What stands in the index for a text: itself, or for a long one its beginning and a hash, so that equality stays
 * exact and order is right against every text that is not long itself.
 */
export function indexedText(text: string): string {
  if (text.length <= LONGEST) return text
  const points = Array.from(text)
  if (points.length <= LONGEST) return text
  return points.slice(0, LONGEST).join('') + MARK + createHash('sha256').update(text).digest('base64url')
}

export const isLong = (text: string): boolean => indexedText(text) !== text

/** The first characters of a text: what the index on names holds. */
export const beginning = (text: string): string =>
  text.length <= LONGEST ? text : Array.from(text).slice(0, LONGEST).join('')

export const BEGINNING = LONGEST
