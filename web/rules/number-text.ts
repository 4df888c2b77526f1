/** What parts the whole from the rest. */
export type DecimalSign = '.' | ','

export const DECIMAL_SIGNS: readonly (readonly [sign: DecimalSign, words: string])[] = [
  ['.', '1,234.5'],
  [',', '1.234,5'],
]

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

/** The sign of a column's numbers, seen by all of them; undefined where `1.234` can be read in two ways. */
export function decimalSignOf(values: readonly string[]): DecimalSign | undefined {
  let [point, comma, open] = [0, 0, 0]
  for (const value of values) {
    const tight = tightOf(value)
    const asPoint = FORMS['.'].test(tight)
    const asComma = FORMS[','].test(tight)
    if (asPoint && asComma) {
      // `0.125` has nothing that a sign would part into thousands.
      if (/^[+-]?(?:0|$)/.test(tight) && /[.,]/.test(tight)) tight.includes('.') ? point++ : comma++
      else if (/[.,]/.test(tight)) open++
    } else if (asPoint) point++
    else if (asComma) comma++
  }
  if (point > CLEARLY * comma) return '.'
  if (comma > CLEARLY * point) return ','
  return point || comma || open ? undefined : '.'
}
