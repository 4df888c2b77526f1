import { type Amount, PERCENT, readAmount } from '#src/domain/amount-text.ts'
import type { DecimalSign } from '#src/domain/number-text.ts'
import type { NumberHints } from '#src/imports/look/guessed-column.ts'

const SIGNS: readonly DecimalSign[] = ['.', ',']
/** As many as a field may say. */
const MOST_DECIMALS = 9

/** Sees the numbers with a unit of a column. */
export class AmountCount {
  private first: Amount | undefined
  private hasOthers = false
  /** How many digits they have behind the sign, of each sign. */
  private readonly decimals = { '.': new Set<number>(), ',': new Set<number>() }

  take(amount: Amount): void {
    if (SIGNS.every((sign) => readAmount(amount, sign) === null)) return
    this.first ??= amount
    if (!this.isOfOne(amount)) this.hasOthers = true
    for (const sign of SIGNS) this.decimals[sign].add((amount.number.split(sign)[1] ?? '').length)
  }

  /** Whether it is a number in the unit of the others, written in the same place. */
  isOfOne(amount: Amount): boolean {
    const { unit, unit_at } = this.first ?? amount
    return (
      amount.unit === unit &&
      amount.unit_at === unit_at &&
      SIGNS.some((sign) => readAmount(amount, sign) !== null)
    )
  }

  /** Undefined where there is no unit, or more than one. `sign`: how the numbers are written. */
  hints(sign: DecimalSign = '.'): NumberHints | undefined {
    if (!this.first || this.hasOthers) return undefined
    const { unit, unit_at } = this.first
    if (unit === PERCENT) return { format: 'percent' }
    const [decimals = 0, ...others] = this.decimals[sign]
    const isEven = decimals > 0 && decimals <= MOST_DECIMALS && !others.length
    return { unit, unit_at, ...(isEven && { decimals }) }
  }
}
