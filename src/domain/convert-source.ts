import { chosenVariant } from '#src/domain/field-values.ts'
import { isDate } from '#src/domain/date-time.ts'
import { parseIsoTime } from '#src/domain/iso-time.ts'
import { wouldBeRounded } from '#src/domain/number-text.ts'
import { wallTime } from '#src/domain/zoned-time.ts'

export const CONVERSIONS = ['number', 'text', 'date'] as const
/** What a value that comes from elsewhere is to be (further §18). */
export type Conversion = (typeof CONVERSIONS)[number]

/** The value, or undefined where it cannot be that. */
export function convertSource(value: unknown, as: Conversion, time_zone: string): unknown {
  switch (as) {
    case 'number':
      return typeof value === 'number' ? value : numberIn(textOf(value))
    case 'text':
      return textOf(value)
    case 'date':
      return dateIn(textOf(value), time_zone)
  }
}

/** Why the value cannot be that. */
export function conversionFault(value: unknown, as: Conversion): string {
  const [, digits = ''] = (as === 'number' && NUMBER_WITH_UNIT.exec(textOf(value) ?? '')) || []
  const why = wouldBeRounded(digits) ? 'has more digits than a number keeps' : `is no ${as}`
  return `${JSON.stringify(value).slice(0, 100)} ${why}`
}

/** A decimal number at the beginning, behind it nothing or a unit without digits. */
const NUMBER_WITH_UNIT = /^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))(?![.,\d])\P{Nd}*$/u

function numberIn(text: string | undefined): number | undefined {
  const [, digits] = NUMBER_WITH_UNIT.exec(text ?? '') ?? []
  if (digits === undefined || wouldBeRounded(digits)) return undefined
  const number = Number(digits)
  return Number.isFinite(number) ? number : undefined
}

function dateIn(given: string | undefined, time_zone: string): string | undefined {
  const text = given?.trim() ?? ''
  if (isDate(text)) return text
  const time = parseIsoTime(text)
  if (!time) return undefined
  const day = new Date(wallTime(time.floor, time_zone)).toISOString().slice(0, 10)
  return isDate(day) ? day : undefined
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const texts = value.map(textOf)
    return texts.includes(undefined) ? undefined : texts.join(', ')
  }
  return chosenVariant(value) ?? undefined
}
