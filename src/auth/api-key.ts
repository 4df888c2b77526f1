import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// `facet_`, 256 random bits, a checksum: scanners find one that leaked, and a mistyped one is known without a look-up.
const PREFIX = 'facet_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(ALPHABET.length)
/** Digits of 256 and of 32 bits. */
const BODY_DIGITS = 43
const CHECK_DIGITS = 6
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${BODY_DIGITS + CHECK_DIGITS}}$`)
const IN_TEXT = new RegExp(`${PREFIX}[0-9A-Za-z]{${BODY_DIGITS},}`, 'g')
/** Characters by which people recognize their keys. */
const SHOWN = PREFIX.length + 6

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value, i = 0; i < digits; i++, rest /= BASE) text = ALPHABET[Number(rest % BASE)] + text
  return text
}

const withChecksum = (text: string): string => text + base62(BigInt(crc32(text)), CHECK_DIGITS)

export const newKey = (): string =>
  withChecksum(PREFIX + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), BODY_DIGITS))

export const prefixOf = (key: string): string => key.slice(0, SHOWN)

/** Whether a token is meant to be a key. */
export const isKeyLike = (token: string): boolean => token.startsWith(PREFIX)

/** False: it was mistyped, or cut. */
export const isWholeKey = (token: string): boolean =>
  FORM.test(token) && token === withChecksum(token.slice(0, -CHECK_DIGITS))

/** What is left of a text that may be shown: of each key in it what its account recognizes it by. */
export const withoutKeys = (text: string): string => text.replace(IN_TEXT, (key) => `${prefixOf(key)}…`)
