/** What parts the whole from the rest. */
export type DecimalSign = '.' | ','

/** The whole is parted into groups of three by one and the same sign, or not at all. */
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  '.': /^[+\-−]?\s*(?:(?:\d{1,3}(?:([\s'’,])\d{3}(?:\1\d{3})*)?|\d+)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
  ',': /^[+\-−]?\s*(?:(?:\d{1,3}(?:([\s'’.])\d{3}(?:\1\d{3})*)?|\d+)(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i,
}
/** Of what is a number: what parts its groups, or its sign from its digits, says nothing. */
const tightOf = (text: string) => text.replaceAll(/[\s'’]/g, '').replace('−', '-')

/** A number that is written with this sign; null where it is none, or has more digits than a number keeps. */
export function readNumber(text: string, sign: DecimalSign): number | null {
  const plain = plainNumber(text, sign)
  if (plain === null || wouldBeRounded(plain)) return null
  const value = Number(plain)
  return Number.isFinite(value) ? value + 0 : null // JSON has no -0
}

/** Whether it is a number but for having more digits than one keeps, as the number of an account has. */
export function hasTooManyDigits(text: string, sign: DecimalSign): boolean {
  const plain = text.length > SAFE_LENGTH ? plainNumber(text, sign) : null
  return plain !== null && wouldBeRounded(plain)
}

/** Whether it is a number but for being larger than one can be. */
export function isTooLarge(text: string, sign: DecimalSign): boolean {
  const plain = plainNumber(text, sign)
  return plain !== null && !Number.isFinite(Number(plain))
}

function plainNumber(text: string, sign: DecimalSign): string | null {
  if (!FORMS[sign].test(text.trim())) return null
  const tight = tightOf(text)
  return sign === '.' ? tight.replaceAll(',', '') : tight.replaceAll('.', '').replace(',', '.')
}

const SAFE_LENGTH = 15
const WHOLE = /^[+-]?\d+$/

/** Whether a whole number would be another one (decisions §3); a fraction is taken as the nearest. */
export function wouldBeRounded(plain: string): boolean {
  if (plain.length <= SAFE_LENGTH || !WHOLE.test(plain)) return false
  const number = Number(plain)
  return Number.isFinite(number) && !Number.isSafeInteger(number) && BigInt(plain) !== shortestWhole(number)
}

/** The integer that a number is written as: its shortest decimal digits, which need not be its exact value. */
export function shortestWhole(number: number): bigint {
  const [mantissa = '', exponent = '0'] = number.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  const decimals = digits.replace('-', '').length - 1
  return BigInt(digits) * 10n ** BigInt(Number(exponent) - decimals)
}

/** One sign is right where the other has so many times fewer values. */
const CLEARLY = 20

/** Counts how the numbers of a column are written. */
export class SignCount {
  private point = 0
  private comma = 0
  private open = 0

  take(text: string): void {
    const given = text.trim()
    const asPoint = FORMS['.'].test(given)
    const asComma = FORMS[','].test(given)
    if (asPoint && asComma) {
      const tight = tightOf(given)
      if (!/[.,]/.test(tight)) return
      // `0.125` has nothing that a sign would part into thousands.
      if (/^[+-]?(?:0|$)/.test(tight)) this.count(tight.includes('.'))
      else this.open++
    } else if (asPoint || asComma) this.count(asPoint)
  }

  /** Undefined where they can be read in two ways, as `1.234`. */
  get sign(): DecimalSign | undefined {
    const { point, comma, open } = this
    if (point > CLEARLY * comma) return '.'
    if (comma > CLEARLY * point) return ','
    return point || comma || open ? undefined : '.'
  }

  /** Undefined where no number shows it. */
  get shown(): DecimalSign | undefined {
    return this.point || this.comma ? this.sign : undefined
  }

  private count(isPoint: boolean): void {
    if (isPoint) this.point++
    else this.comma++
  }
}
