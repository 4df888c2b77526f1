import { call } from '#web/api/call.ts'
import {
  bulkApplyTag,
  bulkDelete,
  bulkRemoveTag,
  bulkUpdateFields,
  searchItems,
} from '#web/api/operations.ts'
import type { OutputOf } from '#web/api/route.ts'
import { allByNamesNow } from '#web/data/tag-renames.ts'
import { timeZone } from '#web/data/time-zone.ts'
import type { Filter } from '#web/rules/filter-edits.ts'
import { variantPairs } from '#web/rules/renamed.ts'

/** What is to be done with each of them. */
export type BulkEdit =
  | SetEdit
  | { kind: 'add'; tag_id: string }
  | { kind: 'remove'; tag_id: string }
  | { kind: 'delete' }

/** A field gets a value, or a list that it holds gets or loses some. */
export interface SetEdit {
  kind: 'set'
  how: 'set' | 'add' | 'remove'
  tag_id: string
  field: string
  value: unknown
  /** When the tag had last been changed, as far as it is known: the names are those of then. */
  tag_updated_at: string | undefined
}

export interface BulkAnswer extends OutputOf<typeof bulkDelete> {
  change_id: string | undefined
}

interface BulkOptions {
  dry_run: boolean
  /** All or nothing: only if each of them is as it was then. */
  as_of?: ReadonlyMap<string, string> | undefined
}

/** The same change by the names that its field and variants have by now. */
export async function byNamesNow(change: BulkEdit): Promise<BulkEdit> {
  if (change.kind !== 'set') return change
  const { tag_id, tag_updated_at } = change
  const [values] = await allByNamesNow([{ tag_id, tag_updated_at, values: { [change.field]: change.value } }])
  const [[field, value]] = Object.entries(values!) as [[string, unknown]]
  return { ...change, field, value }
}

/** The names of a field and its variants in one change that are others in the other, each with both. */
export function renamedBetween(before: BulkEdit, after: BulkEdit): [string, string][] {
  if (before.kind !== 'set' || after.kind !== 'set') return []
  return [[before.field, after.field] as [string, string], ...variantPairs(before.value, after.value)].filter(
    ([old, now]) => old !== now,
  )
}

/** `change` is by the names of now. */
export async function sendBulkEdit(
  change: BulkEdit,
  filter: Filter,
  { dry_run, as_of }: BulkOptions,
): Promise<BulkAnswer> {
  const common = { filter: { ...filter }, dry_run, time_zone: timeZone() }
  const { data, change_id } = await send(change, common, as_of)
  return { ...data, change_id }
}

/** Whether the change can be bound to how its items were; the others can be bound to a time alone. */
export const takesAsOf = ({ kind }: BulkEdit): boolean => kind === 'set'

function send(
  change: BulkEdit,
  common: { filter: Record<string, unknown>; dry_run: boolean; time_zone: string },
  as_of: BulkOptions['as_of'],
) {
  switch (change.kind) {
    case 'set': {
      const { tag_id, field, how, value } = change
      const input = {
        ...common,
        tag_id,
        field_values: { [field]: how === 'set' ? value : { [how]: value } },
        merge: true,
        ...(as_of?.size && { if_updated_at: Object.fromEntries(as_of) }),
      }
      return call(bulkUpdateFields, input, { isAtOnce: true })
    }
    case 'add': {
      const input = { ...common, tag: { tag_ref: { Existing: change.tag_id } } }
      return call(bulkApplyTag, input, { isAtOnce: true })
    }
    case 'remove':
      return call(bulkRemoveTag, { ...common, tag_id: change.tag_id }, { isAtOnce: true })
    case 'delete':
      return call(bulkDelete, common, { isAtOnce: true })
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

export interface SeenNow {
  /** How many of the rows are not any more as they were when they were read. */
  changed: number
  /** When each was changed last. */
  now: ReadonlyMap<string, string>
}

export async function seenNow(seen: ReadonlyMap<string, string>): Promise<SeenNow> {
  const ids = [...seen.keys()]
  const now = new Map<string, string>()
  let changed = 0
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE)
    const { data } = await call(searchItems, { filter: { id: { in: some } }, limit: AT_ONCE })
    for (const { item_id, updated_at } of data) {
      now.set(item_id, updated_at)
      if (seen.get(item_id) !== updated_at) changed++
    }
  }
  return { changed, now }
}
