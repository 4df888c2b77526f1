import { patternFault } from '#src/domain/pattern.ts'
import { estimatedPatternSize } from '#src/domain/pattern-size.ts'
import { isRelativeTime, type RelativeTime, relativeTimeFault } from '#src/filter/language/relative-time.ts'

/** The operands that operators take. */
export interface OperandKind<Operand = unknown> {
  /** `'gt' requires ${requires}` */
  readonly requires: string
  accepts(value: unknown): value is Operand
  /** A fault within an operand of the right type. */
  fault?(value: Operand): string | undefined
  /** Of a pattern: instructions, roughly. All patterns of one filter are limited together. */
  size?(value: Operand): number
}

type Scalar = string | number | boolean
export interface VariantValue {
  variant: string
}
export type Element = Scalar | VariantValue | RelativeTime | null

export const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNumber = (value: unknown): value is string | number =>
  isText(value) || typeof value === 'number'
const isScalar = (value: unknown): value is Scalar => isTextOrNumber(value) || typeof value === 'boolean'
export const isVariantValue = (value: unknown): value is VariantValue =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 1 &&
  isText((value as { variant?: unknown }).variant)
const isElement = (value: unknown): value is Element =>
  value === null || isScalar(value) || isVariantValue(value) || isRelativeTime(value)

export const A_STRING: OperandKind<string> = { requires: 'a string', accepts: isText }
export const A_BOOLEAN: OperandKind<boolean> = {
  requires: 'a boolean',
  accepts: (value) => typeof value === 'boolean',
}
export const A_PATTERN: OperandKind<string> = {
  ...A_STRING,
  fault: patternFault,
  size: estimatedPatternSize,
}
/** The RE2 pattern of what ends with a text. */
export const endingIn = (text: string): string => `${text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}\\z`

const MAX_ENDING = 400
export const AN_ENDING: OperandKind<string> = {
  ...A_STRING,
  fault: (text) =>
    text.length > MAX_ENDING
      ? `an ending has at most ${MAX_ENDING} characters`
      : patternFault(endingIn(text)),
  size: (text) => estimatedPatternSize(endingIn(text)),
}
const timeFault = (value: unknown) => (isRelativeTime(value) ? relativeTimeFault(value) : undefined)
/** A date may be relative. */
export type Ordered = string | number | RelativeTime
export const ORDERED: OperandKind<Ordered> = {
  requires: 'a number, string, or date',
  accepts: (value) => isTextOrNumber(value) || isRelativeTime(value),
  fault: timeFault,
}
export const A_LIST: OperandKind<Element[]> = {
  requires: 'an array',
  accepts: (value) => Array.isArray(value),
  fault: (list) =>
    list.every(isElement)
      ? list.map(timeFault).find((each) => each !== undefined)
      : 'the array may hold strings, numbers, booleans and {variant} objects',
}
export const A_VALUE: OperandKind<Element | string[]> = {
  requires: 'a string, number, boolean, null, {variant} object, or array of strings',
  accepts: (value): value is Element | string[] =>
    isElement(value) || (Array.isArray(value) && value.every(isText)),
  fault: timeFault,
}
