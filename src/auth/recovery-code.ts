import { randomBytes } from 'node:crypto'

/** Crockford base32: no letter that looks like a digit. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 16 characters of 5 bits: 80. */
const BYTES = 10
const GROUP = 4
const HOW_MANY = 10

/** As people write it, with hyphens, blanks or nothing between its groups, in any case. */
export const RECOVERY_CODE_PATTERN = String.raw`\s*[0-9A-Za-z]{4}(?:[-\s]*[0-9A-Za-z]{4}){3}\s*`
const FORM = new RegExp(`^${RECOVERY_CODE_PATTERN}$`)

export const isRecoveryCode = (code: string): boolean => FORM.test(code)

/** What is the same however it was written: letters that were mistaken for digits are those digits. */
export const plainRecoveryCode = (code: string): string =>
  code.toUpperCase().replaceAll(/[-\s]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`)
  let text = ''
  for (let i = 0; i < (BYTES * 8) / 5; i++, bits >>= 5n) text = ALPHABET[Number(bits & 31n)] + text
  return text.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-')
}

export const newRecoveryCodes = (): string[] => Array.from({ length: HOW_MANY }, newCode)
