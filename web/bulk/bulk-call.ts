import { call } from '#web/api/call.ts'
import {
  bulkApplyTag,
  bulkDelete,
  bulkRemoveTag,
  bulkUpdateFields,
  searchItems,
} from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Filter } from '#web/rules/filter-edits.ts'

/** What is to be done with each of them. */
export type BulkChange =
  | { kind: 'set'; tag_id: string; field: string; value: unknown }
  | { kind: 'add'; tag_id: string }
  | { kind: 'remove'; tag_id: string }
  | { kind: 'delete' }

export interface BulkAnswer extends OutputOf<typeof bulkDelete> {
  change_id: string | undefined
}

export async function bulkCall(change: BulkChange, filter: Filter, dry_run: boolean): Promise<BulkAnswer> {
  const common = { filter: { ...filter }, dry_run, time_zone: timeZone() }
  const { data, change_id } = await send(change, common)
  return { ...data, change_id }
}

function send(
  change: BulkChange,
  common: { filter: Record<string, unknown>; dry_run: boolean; time_zone: string },
) {
  switch (change.kind) {
    case 'set': {
      const { tag_id, field, value } = change
      return call(bulkUpdateFields, { ...common, tag_id, field_values: { [field]: value }, merge: true })
    }
    case 'add':
      return call(bulkApplyTag, { ...common, tag: { tag_ref: { Existing: change.tag_id } } })
    case 'remove':
      return call(bulkRemoveTag, { ...common, tag_id: change.tag_id })
    case 'delete':
      return call(bulkDelete, common)
  }
}

/** When the last of them was changed: what is changed later is not what somebody has looked at. */
export async function lastChangeOf(filter: Filter): Promise<string | undefined> {
  const { data } = await call(searchItems, {
    filter: { ...filter },
    sort: [{ by: 'updated_at', direction: 'desc' }],
    limit: 1,
    time_zone: timeZone(),
  })
  return data[0]?.updated_at
}

/** Ids in one request. */
const AT_ONCE = 1000

/** How many of the rows are not any more as they were when they were read. */
export async function changedSince(seen: ReadonlyMap<string, string>): Promise<number> {
  const ids = [...seen.keys()]
  let changed = 0
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE)
    const { data } = await call(searchItems, { filter: { id: { in: some } }, limit: AT_ONCE })
    changed += data.filter(({ item_id, updated_at }) => seen.get(item_id) !== updated_at).length
  }
  return changed
}
