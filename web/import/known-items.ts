import { call } from '#web/api/call.ts'
import { searchItems } from '#web/api/operations.ts'
import type { MatchBy } from '#web/rules/import-plan.ts'

/** Values in one request. */
const AT_ONCE = 200

export interface Known {
  /** Ids of the items that have each value. */
  ids: ReadonlyMap<unknown, readonly string[]>
  /** Items among them with the tag. */
  tagged: number
  /** And without it: by name an item of any tag is met. */
  untagged: number
}

/** The items that have one of the values already. */
export async function knownItems(
  { tag_id, by, values }: { tag_id: string; by: MatchBy; values: readonly unknown[] },
  signal: AbortSignal,
): Promise<Known> {
  const ids = new Map<unknown, string[]>()
  const counts = { tagged: 0, untagged: 0 }
  for (let i = 0; i < values.length; i += AT_ONCE) {
    const path = by === 'name' ? 'name' : `${tag_id}.${by.field}`
    const filter = { [path]: { in: values.slice(i, i + AT_ONCE) } }
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const input = { filter, limit: 1000, ...(after !== undefined && { after }) }
      const { data, next } = await call(searchItems, input, { signal })
      for (const { item_id, name, tags } of data) {
        const value = by === 'name' ? name : tags[tag_id]?.field_values[by.field]
        ids.set(value, [...(ids.get(value) ?? []), item_id])
        if (tags[tag_id]) counts.tagged++
        else counts.untagged++
      }
      after = next
    }
  }
  return { ids, ...counts }
}

/** So many of the values, from all over them. */
export function spread<T>(values: readonly T[], most: number): T[] {
  const step = Math.max(1, values.length / most)
  return Array.from({ length: Math.min(most, values.length) }, (_, i) => values[Math.floor(i * step)]!)
}
