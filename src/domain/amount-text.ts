import { shiftedPoint } from '#src/domain/shifted-point.ts'
import { type DecimalSign, readNumber } from '#src/domain/number-text.ts'

/** A number with what it counts, as a text: `$1,234.50`, `12 %`. */
export interface Amount {
  /** Without the unit: `1,234.50`, `-5`. */
  number: string
  /** `%` of a percentage. */
  unit: string
  unit_at: 'before' | 'behind'
}

export const PERCENT = '%'

interface Patterns {
  before: RegExp
  behind: RegExp
}
let made: Patterns | undefined

/** Made on first use: each thread loads this, and most never read an amount. */
function patterns(): Patterns {
  if (made) return made
  const codes = Intl.supportedValuesOf('currency').join('|')
  /** Signs of currencies, alone or as `US$` and `CA$`, their codes, and what is written where there is no sign. */
  const unit = String.raw`%|[A-Z]{0,3}\p{Sc}|(?:${codes})|kr\.?|zł|Kč|Fr\.`
  return (made = {
    before: new RegExp(String.raw`^([+\-−]?)\s*(${unit})\s*([+\-−(]?[\d.,].*)$`, 'u'),
    behind: new RegExp(String.raw`^(.*[\d.,)])\s*(${unit})$`, 'u'),
  })
}

const IN_PARENTHESES = /^\(([^()+\-−]+)\)$/
const LONGEST = 100

/** Null where it is not written so; whether `number` is one is left open. `known`: a unit that counts besides currencies. */
export function amountOf(text: string, known?: string): Amount | null {
  const given = text.trim()
  if (given.length > LONGEST) return null
  // As accounts are kept: `($5.25)` and `$(5.25)` are below zero.
  const inner = IN_PARENTHESES.exec(given)?.[1]
  const amount = ofKnown(inner ?? given, known) ?? ofCurrency(inner ?? given)
  if (!amount) return null
  const isBelow = IN_PARENTHESES.exec(amount.number)?.[1]
  if (inner !== undefined) return isBelow === undefined ? { ...amount, number: `-${amount.number}` } : null
  return isBelow === undefined ? amount : { ...amount, number: `-${isBelow}` }
}

function ofCurrency(text: string): Amount | null {
  const [, sign = '', before, behind = ''] = patterns().before.exec(text) ?? []
  if (before !== undefined) return { number: sign + behind, unit: before, unit_at: 'before' }
  const [, number = '', unit] = patterns().behind.exec(text) ?? []
  return unit === undefined ? null : { number: number.trim(), unit, unit_at: 'behind' }
}

function ofKnown(text: string, unit: string | undefined): Amount | null {
  if (!unit) return null
  if (text.endsWith(unit)) return { number: text.slice(0, -unit.length).trim(), unit, unit_at: 'behind' }
  const [, sign = '', rest = ''] = /^([+\-−]?)(.*)$/s.exec(text) ?? []
  return rest.startsWith(unit)
    ? { number: sign + rest.slice(unit.length).trim(), unit, unit_at: 'before' }
    : null
}

/** A percentage as its share: `12 %` is 0.12. Null where its number is none that is written with this sign. */
export function readAmount({ number, unit }: Amount, sign: DecimalSign): number | null {
  const value = readNumber(number, sign)
  return value !== null && unit === PERCENT ? shiftedPoint(value, -2) : value
}
