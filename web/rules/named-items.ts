import { typedList } from '#src/domain/list-text.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { faultOfValue } from '#web/rules/cell-value.ts'
import type { Column, FieldColumn } from '#web/rules/column.ts'

/** The ids of those that are called so, by name; of some names there may be several. */
export type NamedItems = ReadonlyMap<string, readonly string[]>

/** What of a pasted text names items, in a column of references. */
export function namesOfItems(column: Column, text: string): string[] {
  const type = column.kind === 'field' ? column.field.type : undefined
  if (type === 'MultiReference') return typedList(text)
  return type === 'Reference' && text.trim() ? [text.trim()] : []
}

/** Those that are called so, and those whose ids are given. */
export function itemsCalled(
  names: readonly string[],
  items: NamedItems,
  column: FieldColumn,
): { value: unknown; fault?: string } {
  const ids: string[] = []
  for (const name of names) {
    const found = items.get(name) ?? []
    const id = found.length ? found[0]! : parseUlid(name)
    if (found.length > 1)
      return { value: null, fault: `${found.length} items are called ${name}: choose the one in its cell` }
    if (id === null)
      return {
        value: null,
        fault: `No item${column.of.length ? ' of those that can stand here' : ''} is called ${name}`,
      }
    ids.push(id)
  }
  const value = column.field.type === 'Reference' ? ids[0]! : [...new Set(ids)]
  const fault = faultOfValue(column, value)
  return { value, ...(fault && { fault }) }
}
