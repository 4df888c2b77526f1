import type { Column } from '#web/rules/column.ts'

/** Ids of the items to which the value of a cell refers. */
export function referredBy(column: Column, value: unknown): string[] {
  const end = column.kind === 'path' ? column.last : column
  if (end.kind !== 'field' || !/Reference/.test(end.field.type)) return []
  return (Array.isArray(value) ? value.flat() : [value]).filter((id) => typeof id === 'string')
}
