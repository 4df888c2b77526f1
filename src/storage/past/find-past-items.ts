import type { ReplyMeta } from '#src/domain/reply.ts'
import type { JsonText } from '#src/json/join.ts'
import type { Db } from '#src/sql/query.ts'
import { countMatching, matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import { RankedSearch, rankedSearches } from '#src/storage/search/ranked-search.ts'
import { findItems, type ItemSearch, pageOfIds } from '#src/storage/search/search.ts'
import type { PageSearch } from '#src/storage/search/strategy.ts'
import { cursorItems, placeOfCursor } from '#src/storage/search/search-cursor.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { referenceFields } from '#src/storage/references/reference-fields.ts'
import { copyEnds, copyReferences } from '#src/storage/past/copy-referred.ts'
import { countPastItems, isAskedInMemory, isByItself } from '#src/storage/past/count-past-items.ts'
import { goesByUpdate, namedTags } from '#src/storage/past/named-tags.ts'
import { readyFor, splitPlan, untouched } from '#src/storage/past/split-plan.ts'
import type { PastBase } from '#src/storage/past/past-base.ts'
import { these } from '#src/storage/words/settle-any.ts'

type FoundItems = { json: JsonText; meta: ReplyMeta }

/**
 * One page of the items that satisfied a plan at a moment: those that are touched since are found in the base of then,
 * the best of the others in the base itself; these are copied to the first, which puts all in order and lists them.
 */
export async function findPastItems(base: Db, past: PastBase, search: ItemSearch): Promise<FoundItems> {
  const { plan, order, limit, count } = search
  const ranks =
    order.relevance !== undefined || order.keys.some(({ tier }) => tier) || order.by_score !== undefined
  const texts = ranks || search.snippets !== undefined
  await past.widen(base, namedTags(past, plan, order))
  if (limit === 0 && count && !texts && isAskedInMemory(past, plan))
    return { json: '[]', meta: { total: await countPastItems(base, past, plan) } }
  await readyFor(base, past, plan, { fields: await fieldsOf(past, search), texts })
  if (texts || goesByUpdate(plan, order)) await past.needExact(base)
  if (isByParts(past, search)) return firstParts(base, past, search)
  await past.whole(base)
  const split = await splitPlan(base, past, plan)
  const of_base = untouched(split.base, past)
  const of_past = await matchingItems(past.db, split.past)
  const total = count ? (await countUntouched(base, past, split.base)) + of_past.length : undefined
  const counted = total === undefined ? {} : { total }
  if (limit === 0) return { json: '[]', meta: counted }
  const { json, meta } = await past.aside(async () => {
    const best = await bestOfBase(base, past, search, of_base)
    return page(base, past, search, { best, of_past, texts })
  })
  return { json, meta: { ...meta, ...counted } }
}

/** Touched items that are read at first; then twice as many each time. */
const FIRST_PART = 500

/** A page in order of creation, for which what was touched is read from its beginning on until it is full. */
function isByParts(past: PastBase, search: ItemSearch): boolean {
  const { plan, order, count, limit, expand, selection, snippets } = search
  if (order.keys.length || order.descending || order.relevance || order.by_score !== undefined) return false
  if (limit === 0 || expand || snippets || selection?.paths.size) return false
  return count ? isAskedInMemory(past, plan) : isByItself(plan)
}

async function firstParts(base: Db, past: PastBase, search: ItemSearch): Promise<FoundItems> {
  const { plan, order, limit, after, skip = 0, count } = search
  const total = count ? { total: await countPastItems(base, past, plan) } : {}
  const start = after === undefined ? undefined : await placeOfCursor(base, order, after)
  const wanted = skip + limit + 1
  const settled = await settlePlan(base, { ...plan })
  const best = await firstUntouched(base, past, { plan: settled, order, position: start, limit: wanted })
  for (let some = FIRST_PART; ; some *= 2) {
    const until = await past.writeFrom(base, start?.item ?? 0, some)
    const found = await matchingItems(past.db, { ...plan })
    const of_past = found.filter((id) => id > (start?.item ?? 0)).slice(0, wanted)
    const last = [...of_past, ...best].sort((a, b) => a - b)[wanted - 1]
    if (until !== undefined && (last === undefined || last > until)) continue
    const { json, meta } = await past.aside(async () => {
      if (after !== undefined) await past.copy(base, await cursorItems(base, order, after))
      return page(base, past, search, { best, of_past, texts: false })
    })
    return { json, meta: { ...meta, ...total } }
  }
}

/** Passes over what is touched: to leave it out by a list costs by the length of the list. */
async function firstUntouched(base: Db, { touched }: PastBase, search: PageSearch): Promise<number[]> {
  const found: number[] = []
  let { position, limit } = search
  for (; found.length < search.limit; limit *= 2) {
    const ids = await pageOfIds(base, { ...search, position, limit })
    found.push(...ids.filter((id) => !touched.has(id)))
    if (ids.length < limit) break
    position = { item: ids.at(-1)!, values: [] }
  }
  return found.slice(0, search.limit)
}

/** What all of the base counts, less what is touched: a list of exceptions keeps a count from the columns. */
async function countUntouched(base: Db, { touchedIds }: PastBase, plan: ItemSearch['plan']): Promise<number> {
  const touched = await matchingAmong(base, { ...plan }, touchedIds)
  return (await countMatching(base, { ...plan })) - touched.length
}

/** By which it is put in order, and led to what it refers to. */
async function fieldsOf(past: PastBase, { order, expand, selection }: ItemSearch): Promise<number[]> {
  const sorted = order.keys.flatMap(({ field }) => field?.id ?? [])
  const hops = [...(selection?.paths.values() ?? [])].flatMap((path) => path.hops.map(({ id }) => id))
  return [...sorted, ...hops, ...(expand ? (await referenceFields(past.db)).keys() : [])]
}

interface Parts {
  /** The first of the base, as many as the page and what is before it may hold. */
  best: readonly number[]
  of_past: readonly number[]
  texts: boolean
}

async function page(
  base: Db,
  past: PastBase,
  search: ItemSearch,
  { best, of_past, texts }: Parts,
): Promise<FoundItems> {
  const { plan, limit, skip = 0, expand, selection } = search
  // So many come before the page wherever those of then are.
  const passed = Math.min(best.length, Math.max(0, skip - of_past.length))
  const near = best.slice(passed)
  await past.copy(base, near, { texts })
  const listing = async (ids: readonly number[]) => {
    await past.show(base, ids)
    if (expand) await copyReferences(base, past, ids)
    for (const path of selection?.paths.values() ?? []) await copyEnds(base, past, path, ids)
  }
  return findItems(past.db, {
    ...search,
    plan: these([...of_past, ...near]),
    limit,
    skip: skip - passed,
    count: false,
    listing,
    ...(search.order.by_score !== undefined && { by: await rankedBy(base, plan, search.after) }),
  })
}

/** As many as a page may hold, and those before it, one more. */
async function bestOfBase(
  base: Db,
  past: PastBase,
  { order, limit, after, skip = 0 }: ItemSearch,
  plan: ItemSearch['plan'],
): Promise<number[]> {
  const wanted = skip + limit + 1
  if (order.by_score !== undefined) return (await RankedSearch.of(base, { plan, order, after })).page(wanted)
  const settled = await settlePlan(base, { ...plan })
  if (after === undefined)
    return pageOfIds(base, { plan: settled, order, position: undefined, limit: wanted })
  await past.copy(base, await cursorItems(base, order, after))
  const position = await placeOfCursor(past.db, order, after)
  return pageOfIds(base, { plan: settled, order, position, limit: wanted })
}

/** Words are as rare as they are today. */
async function rankedBy(base: Db, plan: ItemSearch['plan'], after: string | undefined) {
  const searches = rankedSearches(plan)
  return { searches, weights: await RankedSearch.weightsOf(base, searches, after) }
}
