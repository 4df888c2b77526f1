import { queryOptions } from '@tanstack/react-query'
import { valueOf } from '#src/domain/field-values.ts'
import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import { timeZone } from '#web/data/time-zone.ts'
import { type DueField, dueFilter } from '#web/rules/due-fields.ts'

export interface Due {
  item_id: string
  name: string
  field: DueField
  /** A date or a moment. */
  at: string
}

/** What is shown at once. */
export const MOST_DUE = 8

/** What is due soon, the soonest first, and how much of it there is. */
export const dueQuery = (fields: readonly DueField[]) =>
  queryOptions({
    queryKey: ['due', fields],
    enabled: fields.length > 0,
    queryFn: async ({ signal }) => {
      const found = await Promise.all(fields.map((field) => dueBy(field, signal)))
      const items = found
        .flatMap(({ items }) => items)
        .toSorted((a, b) => a.at.localeCompare(b.at))
        .slice(0, MOST_DUE)
      return { items, total: found.reduce((sum, { total }) => sum + total, 0) }
    },
    staleTime: 0,
  })

async function dueBy(field: DueField, signal: AbortSignal): Promise<{ items: Due[]; total: number }> {
  const { data, total } = await call(
    searchItems,
    {
      filter: dueFilter(field),
      sort: [{ by: field.key }],
      limit: MOST_DUE,
      count: true,
      time_zone: timeZone(),
    },
    { signal },
  )
  const items = data.map(({ item_id, name, tags }) => ({
    item_id,
    name,
    field,
    at: String(valueOf(tags[field.tag_id]?.field_values ?? {}, field.name)),
  }))
  return { items, total: total ?? items.length }
}
