import type { Notes } from '#src/domain/reply.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { listedItems, type WantedOfItems } from '#src/storage/items/listed-items.ts'
import { countMatching } from '#src/storage/search/matching-items.ts'
import { cursorAfter, cursorById, positionOf } from '#src/storage/search/search-cursor.ts'
import { searchIds } from '#src/storage/search/search-ids.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'
import { settlePatterns } from '#src/storage/search/settle-patterns.ts'

export interface ItemSearch extends WantedOfItems {
  plan: FilterPlan
  order: SearchOrder
  limit: number
  /** The cursor of the page before. */
  after: string | undefined
  /** How many of its items come before the page. */
  skip?: number
  /** Whether all matches are counted too. */
  count: boolean
}

/** One page of live items that satisfy a plan, as a JSON array in the list form, with its notes. */
export async function searchItems(
  db: Db,
  { plan: given, order, limit, after, skip = 0, count, expand, selection, page_text }: ItemSearch,
): Promise<{ json: string; notes: Notes }> {
  const plan = await settlePatterns(db, given)
  if (limit === 0) return { json: '[]', notes: { total: await countMatching(db, plan) } }
  const position = after === undefined ? undefined : await positionOf(db, order, after)
  // One more than is wanted tells whether a page follows.
  const ids = (await searchIds(db, { plan, order, position, limit: skip + limit + 1 })).slice(skip)
  const wanted = ids.slice(0, limit)
  const { texts, taken, last } = await listedItems(db, wanted, { expand, selection, page_text })
  const notes: Notes = {}
  if (taken < ids.length)
    notes.next =
      last !== undefined && !order.keys.length
        ? cursorById(last)
        : await cursorAfter(db, order, wanted.slice(0, taken), after)
  if (count) notes.total = await countMatching(db, plan)
  return { json: `[${texts.join()}]`, notes }
}
