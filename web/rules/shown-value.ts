import type { FieldSchema } from '#src/domain/field-schema.ts'
import { shiftedPoint } from '#src/domain/shifted-point.ts'
import { remembered } from '#web/rules/remembered.ts'

/** How a field's values are shown (further §22). */
export interface FieldLook {
  format?: string
  unit?: string
  unit_at?: string
  decimals?: number
  relative?: boolean
}

/** The hints of a schema that say how its values look. */
export function lookOfField(schema: FieldSchema): FieldLook {
  if (typeof schema !== 'object' || 'variants' in schema) return {}
  const { format, unit, unit_at, decimals, relative } = schema
  return {
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    ...(unit_at !== undefined && { unit_at }),
    ...(decimals !== undefined && { decimals }),
    ...(relative !== undefined && { relative }),
  }
}

export const isPercent = (schema: FieldSchema): boolean => lookOfField(schema).format === 'percent'

/** Digits of a percentage of which nothing else is said: 0.1 + 0.2 is 30 %. */
const PERCENT_DIGITS = 2

/** Of a number of decimals, or as many as there are. */
const formats = (isShare: boolean) =>
  remembered(
    (decimals) =>
      new Intl.NumberFormat(undefined, {
        ...(isShare && { style: 'percent' as const }),
        ...(decimals === ''
          ? // A year is no amount: four digits stand together.
            { maximumFractionDigits: isShare ? PERCENT_DIGITS : 20, useGrouping: 'min2' as const }
          : { minimumFractionDigits: Number(decimals), maximumFractionDigits: Number(decimals) }),
      }),
  )
const [ofShares, ofNumbers] = [formats(true), formats(false)]

/** A number as its field wants it read: `€ 1,234.50`, `12 km`, `25%`. A percentage is stored as its share, 0.25. */
export function sayNumber(schema: FieldSchema, value: number): string {
  const { format: kind, unit, unit_at, decimals } = lookOfField(schema)
  if (kind !== 'percent' && decimals === undefined) return withUnit(sayAllDigits(value), unit, unit_at)
  const said = (kind === 'percent' ? ofShares : ofNumbers)(String(decimals ?? '')).format(value)
  return withUnit(said, unit, unit_at)
}

/** Smaller ones have no digit among those that are shown. */
const SMALLEST = 1e-15
const ofSmallest = remembered(
  () => new Intl.NumberFormat(undefined, { notation: 'scientific', maximumFractionDigits: 20 }),
)

/** With as many digits as there are. */
export const sayAllDigits = (value: number): string =>
  (value !== 0 && Math.abs(value) < SMALLEST ? ofSmallest : ofNumbers)('').format(value)

/** A figure of the field's values that is said already, with their unit; a share as a percentage. */
export function sayFigure(schema: FieldSchema, value: number, say: (value: number) => string): string {
  const { unit, unit_at } = lookOfField(schema)
  const isShare = isPercent(schema)
  return withUnit(isShare ? `${say(shiftedPoint(value, 2))}%` : say(value), unit, unit_at)
}

const withUnit = (number: string, unit: string | undefined, at: string | undefined): string =>
  unit === undefined ? number : at === 'before' ? `${unit}\u00A0${number}` : `${number}\u00A0${unit}`

/** Where a text leads, by its field's format; undefined: nowhere. Only to the web, to mail and to a phone. */
export function linkOf(schema: FieldSchema, value: string): string | undefined {
  const text = value.trim()
  switch (lookOfField(schema).format) {
    case 'url':
      return webAddress(text)
    case 'email':
      return /^[^\s@<>"]+@[^\s@<>"]+$/.test(text)
        ? `mailto:${encodeURIComponent(text).replace('%40', '@')}`
        : undefined
    case 'phone': {
      const number = text.replaceAll(/[^\d+*#]/g, '')
      return /^\+?[\d*#]{3,}$/.test(number)
        ? `tel:${encodeURIComponent(number).replace('%2B', '+')}`
        : undefined
    }
    default:
      return undefined
  }
}

const BARE_HOST = /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[:/?#]\S*)?$/u

function webAddress(text: string): string | undefined {
  const address = BARE_HOST.test(text) ? `https://${text}` : text
  if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) return undefined
  return new URL(address).href
}

/** A web address without what all of them begin with. */
export const shortAddress = (text: string): string =>
  text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
