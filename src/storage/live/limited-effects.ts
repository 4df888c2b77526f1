import type { CallerClient } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { limitOf } from '#src/storage/accounts/limits.ts'
import { type CachedFilter, Plans } from '#src/storage/live/cached-plans.ts'
import { LookTime, TookTooLong } from '#src/storage/live/look-time.ts'
import type { LiveEvent } from '#src/storage/live/log-window.ts'
import type { TagsThen } from '#src/storage/live/tags-before.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import type { Sight } from '#src/storage/sight/sight.ts'
import { allBasesOf } from '#src/storage/tags/tag-bases.ts'
import { findDeletedTag, findTagById } from '#src/storage/tags/tags.ts'

/** Where values of all tags are looked at. */
const IN_VALUES = '"values"'

/** Whether a limited follower may see others, or know other tags, because of changes of tags: all is reported again then. */
export async function concernsLimit(
  db: Db,
  { filter, limited }: { filter: string; limited: CallerClient },
  sight: Sight | undefined,
  { changed }: TagsThen,
): Promise<boolean> {
  if (!changed.size) return false
  const text = `${filter} ${JSON.stringify((await limitOf(db, limited)) ?? {})}`
  if (!sight?.tags && text.includes(IN_VALUES)) return true
  const known = new Set(sight?.tags?.values())
  const isNamed = (tag_id: Ulid) => known.has(tag_id) || text.includes(tag_id)
  for (const [tag_id, { extended = [] }] of changed)
    for (const each of [tag_id, ...extended]) {
      if (isNamed(each)) return true
      const tag = (await findTagById(db, each)) ?? (await findDeletedTag(db, each))
      if (tag && (await allBasesOf(db, tag.id)).some(isNamed)) return true
    }
  return false
}

/** Whether one of an item's own events is of what is seen of it. */
export const isSeenEvent = (sight: Sight | undefined, events: readonly LiveEvent[]): boolean => {
  const tags = sight?.tags
  if (!tags) return true
  const known = new Set(tags.values())
  return events.some(({ tag_id }) => tag_id === null || known.has(tag_id))
}

/**
 * How many items changed at once is nobody's business who sees a part: what is reported is how many they have to read,
 * 0 where that takes too long to find out.
 */
export async function countAsSeen<Effect>(
  db: Db,
  effects: readonly (Effect | { count: number })[],
  followed: readonly (CachedFilter & { next?: CachedFilter | undefined; time_zone: string })[],
  now: Date,
): Promise<(Effect | { count: number })[]> {
  const counted: (Effect | { count: number })[] = []
  const time = new LookTime(db)
  for (const [i, each] of effects.entries()) {
    const { limited, time_zone, next = followed[i]! } = followed[i]!
    const isCount = typeof each === 'object' && each !== null && 'count' in each
    if (!limited || !isCount) counted.push(each)
    else {
      const plan = await (await Plans.of(db)).plan(next, { now, time_zone })
      time.next()
      counted.push({ count: await time.search(() => countOf(db, plan)).catch(noneIfTooLong) })
    }
  }
  return counted
}

const countOf = async (db: Db, plan: FilterPlan): Promise<number> => (await matchingItems(db, plan)).length

function noneIfTooLong(error: unknown): number {
  if (error instanceof TookTooLong) return 0
  throw error
}
