import { randomFillSync } from 'node:crypto'

// https://github.com/ulid/spec: 48 bits of milliseconds, 80 bits of chance, Crockford base32.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

export type Ulid = string

/** The id in upper case, or null where the text has not the form of a ULID. */
export function parseUlid(text: string): Ulid | null {
  if (text.length !== TIME_DIGITS + RANDOM_DIGITS) return null
  const upper = text.toUpperCase()
  return FORM.test(upper) ? upper : null
}

/** Milliseconds since the epoch at which the id was made. */
export function ulidTime(id: Ulid): number {
  let time = 0
  for (let i = 0; i < TIME_DIGITS; i++) time = time * 32 + ALPHABET.indexOf(id[i]!)
  return time
}

/** Not above, not below any id made in that millisecond. */
export const firstUlidAt = (time: number): Ulid => encodeTime(time) + '0'.repeat(RANDOM_DIGITS)
export const lastUlidAt = (time: number): Ulid => encodeTime(time) + 'Z'.repeat(RANDOM_DIGITS)

function encodeTime(time: number): string {
  let text = ''
  for (let rest = time, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text
  return text
}

/**
 * A source of ULIDs that never goes backwards: it starts after `newest` (the newest id in the database), and when
 * the clock stands still or steps back it counts on from the last id.
 */
export function ulidSource(newest?: Ulid | null): (now: number) => Ulid {
  let time = newest ? ulidTime(newest) : -1
  let prefix = newest?.slice(0, TIME_DIGITS) ?? ''
  const digits = new Uint8Array(RANDOM_DIGITS)
  if (newest) for (let i = 0; i < RANDOM_DIGITS; i++) digits[i] = ALPHABET.indexOf(newest[TIME_DIGITS + i]!)

  function startAt(next: number): void {
    time = next
    prefix = encodeTime(next)
    randomFillSync(digits)
    for (let i = 0; i < RANDOM_DIGITS; i++) digits[i]! &= 31
  }
  function countOn(): void {
    for (let i = RANDOM_DIGITS - 1; i >= 0; i--) {
      if (digits[i]! < 31) {
        digits[i]!++
        return
      }
      digits[i] = 0
    }
    startAt(time + 1)
  }

  return (now) => {
    if (now > time) startAt(now)
    else countOn()
    let id = prefix
    for (let i = 0; i < RANDOM_DIGITS; i++) id += ALPHABET[digits[i]!]
    return id
  }
}
