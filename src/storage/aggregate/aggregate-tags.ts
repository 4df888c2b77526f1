import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { GroupKey } from '#src/storage/aggregate/group-key.ts'
import type { Groups } from '#src/storage/aggregate/groups.ts'
import type { Metric } from '#src/storage/aggregate/metric.ts'
import { countMask } from '#src/storage/search/column-matches.ts'
import { Columns } from '#src/storage/columns/columns.ts'
import { isKnownTag } from '#src/storage/sight/sight.ts'
import { fitsColumns, maskOf } from '#src/storage/columns/plan-mask.ts'
import { isSelective } from '#src/storage/search/strategy.ts'

/** Of all tags together; a tag has a byte for each item. */
const MAX_BYTES = 16 * 2 ** 20

const livingTags = query((p: { limit: number }, db) =>
  db.selectFrom('tag').select('id').where('deleted_at', 'is', null).orderBy('id').limit(p.limit),
)

interface Wanted {
  plan: FilterPlan
  keys: readonly GroupKey[]
  metrics: readonly Metric[]
}

/**
 * Counts by tag over columns: who counts by statements has to find out which of all items have no tag. Fills `groups`
 * and gives the number of items; undefined where the statements are to do it.
 */
export async function aggregateTags(
  db: Db,
  { plan, keys: [key, ...others], metrics }: Wanted,
  groups: Groups,
): Promise<number | undefined> {
  if (key?.source.kind !== 'has_tag' || others.length || metrics.length) return undefined
  if (!db.committed || !fitsColumns(plan) || (await isSelective(db, plan))) return undefined
  const columns = await Columns.of(db)
  const mask = columns && (await maskOf(columns, plan))
  if (!mask) return undefined
  const most = Math.floor(MAX_BYTES / columns.rows)
  const tags = await db.all(livingTags, { limit: most + 1 })
  if (tags.length > most) return undefined
  const known = tags.filter(({ id }) => isKnownTag(db, id))
  const flags: Uint8Array[] = []
  for (const { id } of known) {
    const column = await columns.tag(id)
    if (!column) return undefined
    flags.push(column.flags)
  }
  if (!columns.areCurrent) return undefined
  const items = mask()
  const total = countMask(items)
  for (const [i, { id }] of known.entries()) {
    const count = countBoth(items, flags[i]!)
    if (count) groups.add([id], count)
  }
  for (const tagged of flags) for (let row = 0; row < items.length; row++) items[row]! &= ~tagged[row]!
  const untagged = countMask(items)
  if (untagged) groups.add([null], untagged)
  return total
}

function countBoth(one: Uint8Array, other: Uint8Array): number {
  let count = 0
  for (let row = 0; row < one.length; row++) count += one[row]! & other[row]!
  return count
}
