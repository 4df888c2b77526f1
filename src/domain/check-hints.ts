/** What says how a value, or a variant, looks (further §22): it refuses no value. What is wrong with one; undefined: nothing. */
type Check = (value: unknown) => string | undefined

const MAX_UNIT = 20
const MAX_DECIMALS = 9
export const MAX_HUE = 359

const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `expected one of: ${values.join(', ')}`
const upTo =
  (max: number): Check =>
  (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= max
      ? undefined
      : `expected a whole number from 0 to ${max}`
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'expected true or false')
const unit: Check = (value) =>
  typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= MAX_UNIT
    ? undefined
    : `expected a text of 1 to ${MAX_UNIT} characters, not blank`

export const HUE: Check = upTo(MAX_HUE)
const MOMENT = { relative: flag }

/** Of a field, by its type. */
export const FIELD_HINTS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  String: { format: oneOf('email', 'url', 'phone', 'long') },
  Number: {
    format: oneOf('percent'),
    unit,
    unit_at: oneOf('before', 'behind'),
    decimals: upTo(MAX_DECIMALS),
  },
  Date: MOMENT,
  DateTime: MOMENT,
}
export const VARIANT_HINTS: Readonly<Record<string, Check>> = { closed: flag, hue: HUE }

const HINTS = new Set(['description', 'of', ...Object.values(FIELD_HINTS).flatMap(Object.keys)])
/** A schema without what says nothing of the values that it takes. */
export const withoutHints = (schema: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !HINTS.has(key)))
