import { randomBytes } from 'node:crypto'

// https://github.com/ulid/spec: 48 bits of milliseconds, 80 bits of chance, Crockford base32.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const FORM = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const RANDOM_BITS = 80n

export type Ulid = string

/** The id in upper case, or null where the text has not the form of a ULID. */
export function parseUlid(text: string): Ulid | null {
  const upper = text.toUpperCase()
  return FORM.test(upper) ? upper : null
}

function encode(value: bigint): Ulid {
  let text = ''
  for (let rest = value, i = 0; i < 26; i++, rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text
  return text
}

function decode(id: Ulid): bigint {
  let value = 0n
  for (const char of id) value = (value << 5n) | BigInt(ALPHABET.indexOf(char))
  return value
}

/**
 * A source of ULIDs that never goes backwards: it starts after `newest` (the newest id in the database), and when
 * the clock stands still or steps back it counts on from the last id.
 */
export function ulidSource(newest?: Ulid | null): (now: number) => Ulid {
  let last = newest ? decode(newest) : 0n
  return (now) => {
    const fresh = (BigInt(now) << RANDOM_BITS) | BigInt(`0x${randomBytes(10).toString('hex')}`)
    last = fresh >> RANDOM_BITS > last >> RANDOM_BITS ? fresh : last + 1n
    return encode(last)
  }
}
