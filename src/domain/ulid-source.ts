import { randomFillSync } from 'node:crypto'
import {
  encodeTime,
  RANDOM_DIGITS,
  TIME_DIGITS,
  type Ulid,
  ULID_ALPHABET,
  ulidTime,
} from '#src/domain/ulid.ts'

/**
 * A source of ULIDs that never goes backwards: it starts after `newest` (the newest id in the database), and when
 * the clock stands still or steps back it counts on from the last id.
 */
export function ulidSource(newest?: Ulid | null): (now: number) => Ulid {
  let time = newest ? ulidTime(newest) : -1
  let prefix = newest?.slice(0, TIME_DIGITS) ?? ''
  const digits = new Uint8Array(RANDOM_DIGITS)
  if (newest)
    for (let i = 0; i < RANDOM_DIGITS; i++) digits[i] = ULID_ALPHABET.indexOf(newest[TIME_DIGITS + i]!)

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
    for (let i = 0; i < RANDOM_DIGITS; i++) id += ULID_ALPHABET[digits[i]!]
    return id
  }
}
