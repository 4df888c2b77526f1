import type { Ulid } from '#src/domain/ulid.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { BoundField, FilterPlan } from '#src/filter/meaning/plan.ts'
import { isByRank, type SearchOrder } from '#src/storage/search/search-order.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'

/** Of a field or tag that was not there then: no item has an entry of it. */
export const NO_ROW = -1

/** The tags whose fields have changed since and are spoken of: their items are read from the log. */
export function namedTags(
  { tags }: PastBase,
  plan: FilterPlan,
  order?: SearchOrder,
  fields: readonly BoundField[] = [],
): Set<Ulid> {
  const nodes = nodesOf(plan)
  const named = new Set<Ulid>()
  const spoken = [
    ...nodes.flatMap((node) => ('field' in node ? node.field : [])),
    ...(order?.keys ?? []).flatMap(({ field }) => field ?? []),
    ...fields,
  ]
  const { changed, renamed } = tags
  for (const { id, tag_id } of spoken)
    if (id !== NO_ROW && (changed.has(tag_id) || renamed.has(tag_id))) named.add(tag_id)
  if (nodes.some(({ kind }) => kind === 'values' || kind === 'any'))
    for (const tag_id of changed.keys()) named.add(tag_id)
  // What a rename did to an item moved its time.
  const byTime = goesByUpdate(plan, order && !isByRank(order) ? order : undefined)
  const living = new Set(tags.tags.map(({ tag_id }) => tag_id))
  if (byTime) for (const tag_id of renamed.keys()) named.add(tag_id)
  return new Set([...named].filter((tag_id) => living.has(tag_id)))
}

/** Whether it depends on when items were changed. */
export const goesByUpdate = (plan: FilterPlan, order?: Pick<SearchOrder, 'keys'>): boolean =>
  nodesOf(plan).some((node) => node.kind === 'text' && node.column === 'updated_at') ||
  (order?.keys ?? []).some(({ column }) => column === 'updated_at')
