import type { FieldMap, FieldSchema } from '#src/domain/field-schema.ts'
import { numberFrom } from '#web/rules/cell-value.ts'

/** A list of so few different texts, each of which comes again, is a choice. */
const MOST_VARIANTS = 12
const SAMPLE = 1000
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}\.\s*\d{1,2}\.\s*\d{4})$/
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/
const TRUTH = /^(?:yes|no|true|false|y|n|✓)$/i

/** Fields with the types that all values of their columns fit; the first column is the item's name. */
export function fieldsFrom(headings: readonly string[], rows: readonly (readonly string[])[]): FieldMap {
  const nameAt = Math.max(
    0,
    headings.findIndex((each) => /^(?:name|title)$/i.test(each)),
  )
  const fields: Record<string, FieldSchema> = {}
  for (const [i, heading] of headings.entries()) {
    const name = heading.replaceAll('.', ' ').replaceAll('->', ' ').trim()
    if (i === nameAt || !name || name === '__proto__' || Object.hasOwn(fields, name)) continue
    if (/^description$/i.test(name)) continue
    fields[name] = typeFor(rows.slice(0, SAMPLE).map((row) => (row[i] ?? '').trim()))
  }
  return fields
}

function typeFor(cells: readonly string[]): FieldSchema {
  const values = cells.filter(Boolean)
  if (!values.length) return 'String'
  const all = (test: (value: string) => boolean) => values.every(test)
  if (all((value) => DATE.test(value))) return 'Date'
  if (all((value) => MOMENT.test(value))) return 'DateTime'
  // A number with zeros before it is a code.
  if (all((value) => typeof numberFrom(value) === 'number' && !/^0\d/.test(value))) return 'Number'
  if (all((value) => TRUTH.test(value))) return 'Boolean'
  const different = [...new Set(values)]
  const isChoice = different.length <= MOST_VARIANTS && values.length >= 3 * different.length
  return isChoice && different.every((each) => each.length <= 40)
    ? { type: 'Select', variants: different }
    : 'String'
}
