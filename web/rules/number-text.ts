import { type DecimalSign, SignCount } from '#src/domain/number-text.ts'

export type { DecimalSign }

export const DECIMAL_SIGNS: readonly (readonly [sign: DecimalSign, words: string])[] = [
  ['.', '1,234.5'],
  [',', '1.234,5'],
]

/** The sign of a column's numbers, seen by all of them; undefined where `1.234` can be read in two ways. */
export function decimalSignOf(values: readonly string[]): DecimalSign | undefined {
  const count = new SignCount()
  for (const value of values) count.take(value)
  return count.sign
}
