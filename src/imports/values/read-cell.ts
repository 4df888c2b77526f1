import { amountOf, PERCENT, readAmount } from '#src/domain/amount-text.ts'
import { readBoolean } from '#src/domain/csv-text.ts'
import { type DateOrder, isFinerThanKept } from '#src/domain/date-text.ts'
import { didYouMean } from '#src/domain/message-words.ts'
import { isReference } from '#src/domain/field-schema.ts'
import { hasTooManyDigits, isTooLarge, readNumber } from '#src/domain/number-text.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { FieldTarget } from '#src/imports/rows/targets.ts'
import type { Cell, Link } from '#src/imports/source.ts'
import { readDate, readMoment } from '#src/imports/values/read-text.ts'
import { listOf, type ListSign } from '#src/domain/list-text.ts'
import { plainOf, textsIn } from '#src/imports/values/stored-value.ts'

/** How the cells of a column are read. */
export interface Reading extends FieldTarget {
  list_sign: ListSign
  /** Variants by their names without case; undefined for other types. */
  folded: ReadonlyMap<string, string> | undefined
  time_zone: string
  /** Blanks at the ends of cells belong to them: of what are texts, or of all that items of ours say. */
  keeps_blanks: 'texts' | 'all' | undefined
}

export type ReadCell =
  | { value: unknown }
  | { names: readonly Link[] }
  | { message: string; suggestion?: string }

/** A cell that is not empty as the field takes it; of a reference what names the items. */
export function readCell(cell: Exclude<Cell, null>, reading: Reading): ReadCell {
  if (typeof cell === 'object' && !Array.isArray(cell)) {
    if ('links' in cell) return linksAs(cell.links, reading)
    if ('files' in cell && reading.type === 'String') return { value: namesOf(cell.files) }
    if ('stored' in cell) return storedAs(cell.stored, reading)
    return { message: `a ${reading.type} cannot be made of this` }
  }
  const plain = cell as string | number | boolean | readonly string[]
  const isTrimmed = typeof plain === 'string' && !isWhole(plain, reading)
  return READ[reading.type](isTrimmed ? plain.trim() : plain, reading)
}

/** Whether a text is what its cell says with the blanks at its ends, if it is blanks alone too. */
export function isWhole(text: string, { type, keeps_blanks, variants }: Reading): boolean {
  if (type === 'String') return keeps_blanks !== undefined
  if (keeps_blanks !== 'all') return false
  return type === 'Select' ? variants?.includes(text) === true : type === 'Reference' && text.trim() !== ''
}

/** A cell that is no more than what it says. */
export type Plain = string | number | boolean | readonly string[]
type Read = (cell: Plain, reading: Reading) => ReadCell

export const textOf = (cell: Plain): string => (isList(cell) ? cell.join(', ') : `${cell}`)
const isList = (cell: Plain): cell is readonly string[] => Array.isArray(cell)
const shown = (cell: Plain): string => `'${textOf(cell).slice(0, 100)}'`

const READ: Record<FieldTarget['type'], Read> = {
  String: (cell) => ({ value: textOf(cell) }),
  Number(cell, { format, unit }) {
    const sign = format === '1.234,5' ? ',' : '.'
    const value = typeof cell === 'number' ? cell : readNumber(textOf(cell), sign)
    if (value !== null && Number.isFinite(value)) return { value }
    const amount = amountOf(textOf(cell), unit)
    const counted = amount && readAmount(amount, sign)
    if (amount && counted !== null)
      return amount.unit === unit ? { value: counted } : otherUnit(shown(cell), amount.unit, unit)
    if (hasTooManyDigits(textOf(cell), sign))
      return { message: `${shown(cell)} has more digits than a number keeps`, suggestion: AS_TEXT }
    if (isTooLarge(textOf(cell), sign))
      return { message: `${shown(cell)} is larger than a number can be`, suggestion: AS_TEXT }
    const example = format === '1.234,5' ? '1.234,5' : '1,234.5'
    return { message: `${shown(cell)} is no number written like ${example}`, suggestion: NUMBERS }
  },
  Boolean(cell) {
    const value = typeof cell === 'boolean' ? cell : readBoolean(textOf(cell))
    return value === null ? { message: `${shown(cell)} is neither true nor false` } : { value }
  },
  Date: (cell, reading) => dateOf(cell, reading, 'date', (text, order) => readDate(text, order)),
  DateTime: (cell, reading) =>
    dateOf(cell, reading, MOMENT, (text, order) => readMoment(text, order, reading.time_zone)),
  Select(cell, reading) {
    const variant = variantOf(textOf(cell), reading)
    return variant === undefined ? noVariant(textOf(cell), reading) : { value: { variant } }
  },
  MultiSelect(cell, reading) {
    const variants = new Set<string>()
    for (const each of elementsOf(cell, reading)) {
      const variant = variantOf(each, reading)
      if (variant === undefined) return noVariant(each, reading)
      variants.add(variant)
    }
    return { value: [...variants] }
  },
  Reference: (cell) => ({ names: [{ name: textOf(cell) }] }),
  MultiReference: (cell, reading) => ({ names: elementsOf(cell, reading).map((name) => ({ name })) }),
  File: (cell) => noFile(textOf(cell)),
}

const otherUnit = (cell: string, unit: string, expected: string | undefined): ReadCell => ({
  message: `${cell} is a number of '${unit}', and the field has ${expected ? `'${expected}'` : 'no unit'}`,
  suggestion:
    unit === PERCENT
      ? 'Give the field the format "percent", or import the column as a String'
      : 'Give the field that unit, import the column into another field, or as a String',
})

export const noFile = (text: string): { message: string; suggestion: string } => ({
  message: `${shown(text)} is no file`,
  suggestion: 'Leave the column out, and add the files to the items',
})

const MOMENT = 'date with a time'
const AS_TEXT = 'Import the column as a String'
const NUMBERS = 'With format "1.234,5" the comma parts the whole from the rest'

export function elementsOf(cell: Plain, { list_sign }: Pick<Reading, 'list_sign'>): string[] {
  if (isList(cell)) return [...new Set(cell)]
  return listOf(textOf(cell), list_sign)
}

function variantOf(text: string, { variants, folded, make }: Reading): string | undefined {
  if (variants === undefined || variants.includes(text)) return text
  return folded?.get(text.toLowerCase()) ?? (make ? text : undefined)
}

const noVariant = (text: string, { variants = [] }: Reading): ReadCell => ({
  message: `unknown variant '${text.slice(0, 100)}'; ${didYouMean(text, variants)}`,
  suggestion: 'Correct the cell, or let the column make what is missing: make: true',
})

const ORDER_WORDS = { DMY: 'day, month, year', MDY: 'month, day, year', YMD: 'year, month, day' } as const
const ORDERS = 'Give the column a format: "DMY", "MDY" or "YMD"'
const OTHER_ORDER = 'Correct the cell, or give the column another format: "DMY", "MDY" or "YMD"'

/** Its order is said by its year. */
const YEAR_FIRST = /^\d{4}\D/
const ORDERED = ['DMY', 'MDY', 'YMD'] as const
const ONE_ORDER = ['YMD'] as const

function dateOf(
  cell: Plain,
  { format }: Reading,
  kind: string,
  read: (text: string, order: DateOrder) => string | null,
): ReadCell {
  const text = textOf(cell)
  if (kind === MOMENT && isFinerThanKept(text))
    return { message: `${shown(cell)} is finer than a millisecond`, suggestion: AS_TEXT }
  if (format !== undefined && format !== '1.234,5') {
    const value = read(text, format)
    if (value !== null) return { value }
    return {
      message: `${shown(cell)} is no ${kind} written ${ORDER_WORDS[format]}`,
      suggestion: OTHER_ORDER,
    }
  }
  const [first, ...others] = new Set(
    (YEAR_FIRST.test(text) ? ONE_ORDER : ORDERED).flatMap((order) => read(text, order) ?? []),
  )
  if (first === undefined) return { message: `${shown(cell)} is no ${kind}`, suggestion: ORDERS }
  if (others.length)
    return { message: `${shown(cell)} can be read as ${first} or ${others.join(' or ')}`, suggestion: ORDERS }
  return { value: first }
}

const namesOf = (named: readonly { name: string }[]): string => named.map(({ name }) => name).join(', ')

function linksAs(links: readonly Link[], { type }: Reading): ReadCell {
  if (type === 'String') return { value: namesOf(links) }
  if (type === 'MultiReference' || (type === 'Reference' && links.length === 1)) return { names: links }
  return { message: `${links.length} links are no ${type}` }
}

/** To the letter, where the field is what it was. */
function storedAs(stored: unknown, reading: Reading): ReadCell {
  const { type } = reading
  const ids = isReference(type) ? textsIn(stored) : null
  if (ids)
    return linksAs(
      ids.map((id) => ({ name: id, id })),
      reading,
    )
  const isSame = type === 'File' ? Array.isArray(stored) : type === 'String' && typeof stored === 'string'
  return isSame ? { value: stored } : READ[type](plainOf(stored), reading)
}

export const isItemId = (text: string): boolean => parseUlid(text) !== null
