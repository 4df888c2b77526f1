import { CHECKS } from '#src/domain/check-value.ts'
import { isDate, toDateTime } from '#src/domain/date-time.ts'
import { type FieldType, type FlatField, type FlatFields } from '#src/domain/field-schema.ts'
import { chosenVariant, isActive, type FieldValues } from '#src/domain/field-values.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'

/** Whether there is, or ever was, an item of this id. */
type IsItem = (item_id: Ulid) => boolean

export interface ConvertedValues {
  /** Without what does not fit. */
  values: FieldValues
  /** Fields of which the value fits neither as it is nor converted. */
  unfitting: string[]
}

/** Values of an older schema as a schema takes them, as far as nothing is lost (additions §8). */
export function convertValues(schema: FlatFields, stored: FieldValues, isItem: IsItem): ConvertedValues {
  const converted = new Map<string, unknown>()
  const unfitting: string[] = []
  for (const [name, value] of Object.entries(stored)) {
    const field = schema.get(name)
    const fit = value === null ? null : field && convertValue(field, value, isItem)
    if (fit === undefined) unfitting.push(name)
    else if (field) converted.set(name, fit)
  }
  // Where a Select's value does not fit, the sub-fields of its variant do not either, and so on below.
  for (let left = true; left;) {
    const values = Object.fromEntries(converted)
    const inactive = [...converted.keys()].filter(
      (name) => values[name] !== null && !isActive(schema, schema.get(name)!, values),
    )
    for (const name of inactive) converted.delete(name)
    unfitting.push(...inactive)
    left = inactive.length > 0
  }
  return { values: Object.fromEntries(converted), unfitting }
}

/** A value that is not null as the field takes it; undefined where something would be lost. */
export function convertValue(field: FlatField, value: unknown, isItem: IsItem): unknown {
  const kept = keptAs(field, value, isItem)
  if (kept !== undefined) return kept
  const single: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  const unwrapped = single === value ? undefined : keptAs(field, single, isItem)
  return unwrapped ?? keptAs(field, CONVERSIONS[field.type](single), isItem)
}

/** The value as it is stored, if it is one of the field's already. */
function keptAs(field: FlatField, value: unknown, isItem: IsItem): unknown {
  if (value === undefined || CHECKS[field.type](value, field, '').length) return undefined
  if (field.type === 'DateTime') return toDateTime(value)
  if (field.type !== 'Reference' && field.type !== 'MultiReference') return value
  const ids = [value].flat().map((each) => (each as string).toUpperCase())
  if (!ids.every(isItem)) return undefined
  return field.type === 'Reference' ? ids[0] : ids
}

/** What a value of another type is in this one, if that says all that it said; checked afterwards. */
const CONVERSIONS: Record<FieldType, (value: unknown) => unknown> = {
  String: textOf,
  Number: numberOf,
  Boolean: (value) => BOOLEANS.get(typeof value === 'number' ? value : textOf(value)?.trim().toLowerCase()),
  Date: (value) => {
    const text = textOf(value)?.trim() ?? ''
    const time = toDateTime(text)
    return isDate(text) ? text : time?.endsWith(MIDNIGHT) ? time.slice(0, -MIDNIGHT.length) : undefined
  },
  DateTime: (value) => {
    const text = textOf(value)?.trim() ?? ''
    return isDate(text) ? text + MIDNIGHT : text
  },
  Reference: (value) => textOf(value)?.trim(),
  MultiReference: (value) => [textOf(value)?.trim()],
  Select: (value) => ({ variant: textOf(value) }),
  MultiSelect: (value) => [textOf(value)],
  File: () => undefined,
}

const MIDNIGHT = 'T00:00:00.000Z'
const BOOLEANS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  [1, true],
  [0, false],
])

/** What a value says as a text. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return chosenVariant(value) ?? undefined
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  const text = textOf(value)?.trim() ?? ''
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) && digitsOf(text) === digitsOf(String(number)) ? number : undefined
}

/** Sign, digits that count and power of ten: equal for two spellings of one number. */
function digitsOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = NUMBER.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const short = digits.replace(/0+$/, '')
  const exponent = Number(power) - fraction.length + digits.length - short.length
  return `${sign}${short || '0'}e${short ? exponent : 0}`
}

/** Every id that a conversion may look at. */
export function* idsIn(values: FieldValues): Generator<Ulid> {
  for (const value of Object.values(values))
    for (const each of Array.isArray(value) ? value : [value]) {
      const text = textOf(each)?.trim()
      const item_id = text === undefined ? null : parseUlid(text)
      if (item_id !== null) yield item_id
    }
}
