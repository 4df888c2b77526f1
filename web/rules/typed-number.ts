import type { FieldSchema } from '#src/domain/field-schema.ts'
import { type DecimalSign, hasTooManyDigits, readNumber, wouldBeRounded } from '#src/domain/number-text.ts'
import { shiftedPoint } from '#src/domain/shifted-point.ts'
import { plainDigits } from '#web/rules/plain-signs.ts'
import { remembered } from '#web/rules/remembered.ts'
import { isPercent, lookOfField } from '#web/rules/shown-value.ts'

export { readNumber }

/** What somebody has typed where a number is wanted. */
export type TypedNumber =
  | { is: 'nothing' }
  | { is: 'value'; value: number }
  | { is: 'which'; values: readonly number[] }
  | { is: 'fault'; message: string }

export const thisLocale = (): string => Intl.NumberFormat().resolvedOptions().locale

interface Signs {
  decimal: string
  group: string
  /** The locale's own digits, 0 to 9. */
  digits: string
}

const signsOf = remembered((locale): Signs => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.5)
  const sign = (type: string) => parts.find((part) => part.type === type)?.value ?? ''
  const digits = new Intl.NumberFormat(locale, { useGrouping: false }).format(9_876_543_210)
  return {
    decimal: sign('decimal'),
    group: sign('group'),
    digits: Array.from(digits).toReversed().join(''),
  }
})

const SIGNS: readonly DecimalSign[] = ['.', ',']

/** `1,23,456`, as India writes it. */
const BY_HUNDREDS = /^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?$/

/**
 * Reads a number as the person writes it: where a sign may part thousands or the whole from the rest, by the person's
 * language; where that does not use the sign, it is a question.
 */
export function typedNumber(text: string, locale: string): TypedNumber {
  const { decimal, group, digits } = signsOf(locale)
  const given = Array.from(plainDigits(text).trim(), (each) => westernOf(each, digits)).join('')
  if (!given) return { is: 'nothing' }
  if (SIGNS.some((sign) => hasTooManyDigits(given, sign)) || wouldBeRounded(given.replaceAll(',', '')))
    return {
      is: 'fault',
      message: `${text.trim()} has more digits than a number keeps; a String keeps them all`,
    }
  if (BY_HUNDREDS.test(given)) return { is: 'value', value: Number(given.replaceAll(',', '')) }
  const asPoint = readNumber(given, '.')
  const asComma = readNumber(given, ',')
  if (asPoint === null && asComma === null)
    return { is: 'fault', message: `${text.trim()} is no number such as ${sayNumber(1234.5, locale)}` }
  if (asPoint === null || asComma === null) return { is: 'value', value: (asPoint ?? asComma)! }
  const sign = signIn(given)
  if (asPoint === asComma || !sign || BEGINS_WITH_0.test(given))
    return { is: 'value', value: sign === ',' ? asComma : asPoint }
  const isDecimal = sign === westernOf(decimal, digits)
  if (isDecimal || sign === westernOf(group, digits)) {
    const isPoint = (sign === '.') === isDecimal
    return { is: 'value', value: isPoint ? asPoint : asComma }
  }
  return { is: 'which', values: [asPoint, asComma].sort((a, b) => b - a) }
}

/** Nothing is left of the sign that it would part into thousands. */
const BEGINS_WITH_0 = /^[+-]?0?[.,]/

const signIn = (text: string): DecimalSign | undefined => /[.,]/.exec(text)?.[0] as DecimalSign | undefined

const FULL_WIDTH = /[＋，－．ｅＥ]/
const TO_NARROW = 0xfee0

/** Digits and signs of other scripts, as programs write them. */
function westernOf(sign: string, digits: string): string {
  if (sign === '٫') return '.'
  if (sign === '٬') return ','
  if (sign === '−') return '-'
  // As an input method writes them for Chinese and Japanese.
  if (FULL_WIDTH.test(sign)) return String.fromCharCode(sign.charCodeAt(0) - TO_NARROW)
  const at = digits.indexOf(sign)
  return at < 0 ? sign : String(at)
}

/** As its field shows it: `12 km` is 12, `25%` of a percentage 0.25. A bare number of a percentage is one with `asShown`. */
export function typedNumberOf(
  schema: FieldSchema,
  text: string,
  { locale, asShown = false }: { locale: string; asShown?: boolean },
): TypedNumber {
  const { unit } = lookOfField(schema)
  const bare = (unit ? text.replace(unit, '') : text).trim()
  if (!isPercent(schema)) return typedNumber(bare, locale)
  const hasSign = /[%％٪]$/.test(bare)
  const read = typedNumber(hasSign ? bare.slice(0, -1) : bare, locale)
  if (!hasSign && !asShown) return read
  if (read.is === 'value') return { is: 'value', value: shiftedPoint(read.value, -2) }
  return read.is === 'which'
    ? { is: 'which', values: read.values.map((each) => shiftedPoint(each, -2)) }
    : read
}

/** All digits and no groups: nothing in it can be taken for another number. */
export function sayNumber(value: number, locale: string): string {
  const { decimal, digits } = signsOf(locale)
  const written = String(value).replace('.', decimal)
  return written.replaceAll(/\d/g, (each) => digits[Number(each)]!)
}

/** What is stored, as it is typed again: read again it is the same. */
export const numberText = (schema: FieldSchema, value: number, locale: string): string =>
  isPercent(schema) ? `${sayNumber(shiftedPoint(value, 2), locale)}%` : sayNumber(value, locale)

/** What was understood; undefined where it says no more than what was typed. */
export function understoodNumber(
  schema: FieldSchema,
  text: string,
  read: TypedNumber,
  locale: string,
): string | undefined {
  if (read.is === 'which') return 'Which one? ↓ and Enter choose'
  if (read.is !== 'value' || !/[.,٫٬'’\s]/.test(text.trim())) return undefined
  const said = numberText(schema, read.value, locale)
  const isOpen = /^[+-]?[1-9]\d{0,2}[.,]\d{3}\D*$/.test(text.trim())
  if (!isOpen || Number.isInteger(read.value)) return said
  const low = Math.floor(read.value)
  return isPercent(schema) ? said : `${said}, between ${low} and ${low + 1}`
}
