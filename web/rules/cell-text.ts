import { valueText } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'

/** A value as text that is read, not typed again: dates and numbers as the reader writes them. */
export function cellText(column: Column, value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined || value === '') return ''
  const type = column.kind === 'field' ? column.field.type : column.kind
  if (typeof value === 'string') {
    if (type === 'Date') return sayDate(value)
    if (type === 'DateTime' || type === 'created_at' || type === 'updated_at') return sayMoment(value)
  }
  if (typeof value === 'number') return value.toLocaleString(undefined, { maximumFractionDigits: 20 })
  return valueText(column, value, nameOf)
}
