/** What parts the whole from the rest. */
export type DecimalSign = '.' | ','

const tightOf = (text: string) => text.replaceAll(/[\s\u00A0\u202F'’]/g, '')
const FORMS: Readonly<Record<DecimalSign, RegExp>> = {
  '.': /^[+-]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i,
  ',': /^[+-]?(?:(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d*)?|,\d+)(?:e[+-]?\d+)?$/i,
}

/** A number that is written with this sign; null where it is none. */
export function readNumber(text: string, sign: DecimalSign): number | null {
  const tight = tightOf(text)
  if (!FORMS[sign].test(tight)) return null
  const plain = sign === '.' ? tight.replaceAll(',', '') : tight.replaceAll('.', '').replace(',', '.')
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

/** One sign is right where the other has so many times fewer values. */
const CLEARLY = 20

/** Counts how the numbers of a column are written. */
export class SignCount {
  private point = 0
  private comma = 0

  take(text: string): void {
    const tight = tightOf(text)
    const asPoint = FORMS['.'].test(tight)
    const asComma = FORMS[','].test(tight)
    if (asPoint && asComma) {
      // `0.125` has nothing that a sign would part into thousands.
      if (/^[+-]?(?:0|$)/.test(tight) && /[.,]/.test(tight)) this.count(tight.includes('.'))
    } else if (asPoint || asComma) this.count(asPoint)
  }

  /** The comma only where it is clear: `1.234` and `1,234` are read as programs write them. */
  get sign(): DecimalSign {
    return this.comma > CLEARLY * this.point ? ',' : '.'
  }

  private count(isPoint: boolean): void {
    if (isPoint) this.point++
    else this.comma++
  }
}
