import type { FieldType } from '#src/domain/field-schema.ts'
import { chosenVariant } from '#src/domain/field-values.ts'
import { otherSpelling } from '#src/filter/language/moment.ts'

/**
 * The same text for two values of a field exactly where the filter's `eq` takes them for one (decisions §6): a set in any
 * order, a midnight that is written as a day. `name` stands for the name of an item, which is text alone.
 */
export function equalityKey(type: FieldType | 'name', value: unknown): string {
  const operand = type === 'Select' ? (chosenVariant(value) ?? value) : value
  if (Array.isArray(operand)) return JSON.stringify([...new Set(operand as string[])].sort())
  if (type === 'String' && typeof operand === 'string') return JSON.stringify(inFull(operand))
  return JSON.stringify(operand)
}

function inFull(text: string): string {
  const other = otherSpelling(text)
  return other !== undefined && other.length > text.length ? other : text
}
