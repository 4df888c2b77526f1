import { readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readBulkPlan } from '#src/operations/items/bulk-plan.ts'
import { changedSince } from '#src/operations/items/bulk-targets.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { skipRecorded, writeEarly } from '#src/storage/large/recorded-work.ts'
import { isWrittenAhead, lockItems } from '#src/storage/large/write-ahead.ts'
import { holdPlace } from '#src/storage/tags/insert-tag.ts'

/**
 * Writes ahead what was planned of a bulk operation (decision 110), but for the parts of which an item has changed
 * since. Nothing where the filter speaks of other items too: with those parts written it could not select again.
 */
export async function writeBulkAhead(
  { db, planned, now }: SqlContext,
  readFilter: () => Promise<FilterPlan>,
): Promise<void> {
  if (!planned || !db.ahead) return
  const { newest, items, parts, lines, restsOn, makes } = readBulkPlan(planned)
  if (!parts.length || !readsOwnItem(await readFilter())) return
  await lockItems(db, items)
  const changed = await changedSince(db, newest)
  if (!changed || restsOn.some((id) => changed.has(id))) return
  const moved = new Set(changed.values())
  let from = 0
  for (const [place, part] of parts.entries()) {
    const of = items.slice(from, (from += part.items))
    if (of.some((item) => moved.has(item))) skipRecorded(part, lines)
    else {
      if (makes && !isWrittenAhead(db)) await holdPlace(db, makes, now)
      await writeEarly(db, part, lines)
      db.ahead.parts.add(place)
    }
  }
}
