import { type DateOrder, hasTime } from '#src/domain/date-text.ts'
import type { FieldMap, FieldSchema, FieldType } from '#src/domain/field-schema.ts'
import { type DecimalSign, readNumber } from '#src/domain/number-text.ts'
import { dateOrderOf, readDate, readMoment } from '#web/rules/date-text.ts'
import { decimalSignOf } from '#web/rules/number-text.ts'

export type { FieldMap, FieldSchema, FieldType }

/** How the texts of a column are read. */
export interface Reading {
  /** Of dates; undefined: not known. */
  order: DateOrder | undefined
  /** Of numbers; undefined: not known. */
  sign: DecimalSign | undefined
}

/** A list of so few different texts, each of which comes again, is a choice. */
const MOST_VARIANTS = 12
const LONGEST_VARIANT = 40
/** A hundredth may be typed wrongly: those are faults of theirs, not of the type. */
const MISFITS = 0.01
/** What people write where they have nothing to say. */
const NOTHING = /^(?:n\.?\/?a\.?|none|null|nil|unknown|tbd|-+|–|—|\?+)$/i
const MOST_NOTHING = 0.2
const TRUTH = /^(?:yes|no|true|false|y|n|✓)$/i
const ORDERS = ['DMY', 'MDY', 'YMD'] as const
const SIGNS = ['.', ','] as const
/** Of a list that somebody asks for. */
const MOST_ASKED_VARIANTS = 1000

export const valuesIn = (rows: readonly (readonly string[])[], column: number): string[] =>
  rows.map((row) => (row[column] ?? '').trim()).filter(Boolean)

/** As the column as a whole is written. */
export const readingOf = (values: readonly string[]): Reading => ({
  order: dateOrderOf(values),
  sign: decimalSignOf(values),
})

/** The type that a column's values fit, but for a few. */
export function guessType(values: readonly string[]): FieldType {
  const real = values.filter((value) => !NOTHING.test(value))
  if (!real.length || values.length - real.length > MOST_NOTHING * values.length) return listType(values)
  const most = Math.floor(real.length * MISFITS)
  const fit = (test: (value: string) => boolean) => {
    let misfits = 0
    return real.every((value) => test(value) || ++misfits <= most)
  }
  if (fit((value) => !hasTime(value) && ORDERS.some((order) => readDate(value, order)))) return 'Date'
  if (fit((value) => ORDERS.some((order) => readMoment(value, order)))) return 'DateTime'
  // A number with zeros before it is a code.
  const isCode = real.some((value) => /^0\d/.test(value))
  if (!isCode && fit((value) => SIGNS.some((sign) => readNumber(value, sign) !== null))) return 'Number'
  if (real.every((value) => TRUTH.test(value))) return 'Boolean'
  return listType(values)
}

function listType(values: readonly string[]): FieldType {
  const parts = values.flatMap(partsOf)
  if (parts.length > values.length && isList(parts) && isShared(values)) return 'MultiSelect'
  return isList(values) ? 'Select' : 'String'
}

/** Whether a part stands in different lists: `Doe, Jane` is one text, with a comma in it. */
function isShared(values: readonly string[]): boolean {
  const parts = [...new Set(values)].flatMap((value) => [...new Set(partsOf(value))])
  return new Set(parts).size < parts.length
}

function isList(values: readonly string[]): boolean {
  const different = new Set<string>()
  for (const value of values) if (different.add(value).size > MOST_VARIANTS) return false
  return (
    values.length > 0 &&
    values.length >= 3 * different.size &&
    [...different].every((each) => each.length <= LONGEST_VARIANT)
  )
}

const partsOf = (value: string) => value.split(/\s*[,;]\s*/).filter(Boolean)

/** What is chosen for a column of a new tag: a type, or the items of one tag. */
export interface TypeChoice {
  type: FieldType
  of?: string
}

/** The field that such a column becomes. */
export function schemaFor({ type, of }: TypeChoice, values: readonly string[]): FieldSchema {
  if (type === 'Select' || type === 'MultiSelect') {
    const all = type === 'Select' ? values : values.flatMap(partsOf)
    return { type, variants: [...new Set(all)].slice(0, MOST_ASKED_VARIANTS) }
  }
  return of === undefined ? type : { type, of: [of] }
}

/** A heading as the name of a field, which has no dots and arrows; null where it can be none. */
export function fieldName(heading: string): string | null {
  const name = heading.replaceAll('.', ' ').replaceAll('->', ' ').trim()
  return name && name !== '__proto__' ? name.slice(0, 200) : null
}
