import { eachOf, namesIn, valueText } from '#web/rules/cell-value.ts'
import type { Column } from '#web/rules/column.ts'
import { sayNumber } from '#web/rules/shown-value.ts'
import { sayDate, sayMoment } from '#web/rules/say-time.ts'

/** A value as text that is read, not typed again: dates and numbers as the reader writes them. */
export function cellText(column: Column, value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined || value === '') return ''
  if (column.kind === 'path')
    return eachOf(column, value)
      .map((each) => cellText(column.last, each, nameOf))
      .join(', ')
  const type = column.kind === 'field' ? column.field.type : column.kind
  if (typeof value === 'string') {
    if (type === 'Date') return sayDate(value)
    if (type === 'DateTime' || type === 'created_at' || type === 'updated_at') return sayMoment(value)
  }
  if (typeof value === 'number' && column.kind === 'field') return sayNumber(column.field.schema, value)
  const names = column.kind === 'field' ? namesIn(column, value, nameOf) : undefined
  return names?.join(', ') ?? valueText(column, value, nameOf)
}
