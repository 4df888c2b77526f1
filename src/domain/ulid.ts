// https://github.com/ulid/spec: 48 bits of milliseconds, 80 bits of chance, Crockford base32.
export const ULID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
export const TIME_DIGITS = 10
export const RANDOM_DIGITS = 16

export type Ulid = string

/** The id in upper case, or null where the text does not have the form of a ULID. */
export function parseUlid(text: string): Ulid | null {
  if (text.length !== TIME_DIGITS + RANDOM_DIGITS) return null
  const upper = text.toUpperCase()
  return FORM.test(upper) ? upper : null
}

/** The id as it is stored; what is none stays as it is, and is found nowhere. */
export const canonicalId = (text: string): string => parseUlid(text) ?? text

/** Those of the texts that are ids, as they are stored. */
export const idsAmong = (texts: readonly string[]): Ulid[] => texts.flatMap((text) => parseUlid(text) ?? [])

/** The one that is `count` further on in the same millisecond; null where that holds no more. */
export function ulidAfter(id: Ulid, count: number): Ulid | null {
  let text = ''
  let carry = count
  for (let at = id.length - 1; at >= TIME_DIGITS; at--) {
    const sum = ULID_ALPHABET.indexOf(id[at]!) + carry
    text = ULID_ALPHABET[sum % 32]! + text
    carry = Math.floor(sum / 32)
  }
  return carry ? null : id.slice(0, TIME_DIGITS) + text
}

/** Milliseconds since the epoch at which the id was made. */
export function ulidTime(id: Ulid): number {
  let time = 0
  for (let i = 0; i < TIME_DIGITS; i++) time = time * 32 + ULID_ALPHABET.indexOf(id[i]!)
  return time
}

/** Not above, not below any id made in that millisecond. */
export const firstUlidAt = (time: number): Ulid => encodeTime(time) + '0'.repeat(RANDOM_DIGITS)
export const lastUlidAt = (time: number): Ulid => encodeTime(time) + 'Z'.repeat(RANDOM_DIGITS)

export function encodeTime(time: number): string {
  let text = ''
  for (let rest = time, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32))
    text = ULID_ALPHABET[rest % 32] + text
  return text
}
