import { isTextTest } from '#src/domain/text-test.ts'
import type { CallerClient } from '#src/domain/caller.ts'
import type { StoredLimit } from '#src/domain/limit.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { namedFields, isRelative } from '#src/filter/meaning/named-fields.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import type { RequestTime } from '#src/filter/language/relative-time.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { limitOf } from '#src/storage/accounts/limits.ts'
import { findingSight, type MatchingTime } from '#src/storage/search/matching-time.ts'
import { matchingSome } from '#src/storage/search/matching-items.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { narrowedDb, type Sight } from '#src/storage/sight/sight.ts'
import { extendingTags } from '#src/storage/tags/tag-bases.ts'
import { findTagById, findTagByRow } from '#src/storage/tags/tags.ts'

/** What begins so is forgotten when a tag changes (storage/tags, forgetTags). */
const CACHE_KEY = 'tag limit of'

/**
 * The connection as a limited key or app sees it, on the snapshot of its call. With `matching`, everything that looks
 * through it at what is seen takes its time from that.
 */
export async function limitedDb(
  db: Db,
  client: CallerClient,
  time: RequestTime,
  matching?: MatchingTime,
): Promise<Db> {
  const sight = matching
    ? await findingSight(db, () => sightFor(db, client, time))
    : await sightFor(db, client, time)
  return narrowedDb(db, sight, matching)
}

async function sightFor(db: Db, client: CallerClient, time: RequestTime): Promise<Sight> {
  const key = `${CACHE_KEY} ${client.kind} ${client.id}`
  const known = db.cache.get(key) as Sight | undefined
  if (known) return known
  const limit = await limitOf(db, client)
  const name = `${client.kind} ${client.id}`
  const settle = (plan: FilterPlan) => settlePlan(db, plan)
  const read = (limit && (await readLimit(db, limit, time, settle))) ?? NOTHING
  const sight = { ...read, name }
  if (read.lasts) db.cache.set(key, sight)
  return sight
}

/** The same for plans that are looked at in memory: nothing in it is looked up before. */
export async function lookedAtSight(db: Db, client: CallerClient, time: RequestTime): Promise<Sight> {
  const limit = await limitOf(db, client)
  const read = limit && (await readLimit(db, limit, time, (plan) => Promise.resolve(plan)))
  return { ...(read ?? NOTHING), name: `${client.kind} ${client.id}` }
}

type Read = Omit<Sight, 'name'> & {
  /** It is the same for the next call, unless something is written. */
  lasts: boolean
}

type Settle = (plan: FilterPlan) => Promise<FilterPlan>

const NEVER: FilterPlan = { kind: 'never' }
const NOTHING: Read = { tags: new Map(), filter: NEVER, plan: NEVER, lasts: false }

/** Undefined where a tag or a field of it is gone, or of another type: it shows nothing then. */
async function readLimit(
  db: Db,
  { tag_ids, filter, types }: StoredLimit,
  time: RequestTime,
  settle: Settle,
): Promise<Read | undefined> {
  const tags = tag_ids && (await tagsOf(db, tag_ids))
  if (tag_ids && !tags) return undefined
  const read = filter && (await planOf(db, { filter, types, time, settle }))
  if (filter && !read) return undefined
  const tagged: FilterPlan[] = tags ? [{ kind: 'has_tag', tags: [...tags.keys()] }] : []
  const within = (own?: FilterPlan): FilterPlan => {
    const parts = [...tagged, ...(own ? [own] : [])]
    return parts.length > 1 ? { kind: 'and', children: parts } : parts[0]!
  }
  const lasts = read?.lasts ?? true
  const now: Sight['now'] = (whole) => matchingSome(whole, within(read?.asked))
  return { tags, filter: read?.plan, plan: within(read?.plan), lasts, ...(!lasts && { now }) }
}

/** The tags themselves and those that extend them. */
async function tagsOf(db: Db, tag_ids: readonly Ulid[]): Promise<Map<number, Ulid> | undefined> {
  const tags = new Map<number, Ulid>()
  for (const tag_id of tag_ids) {
    const tag = await findTagById(db, tag_id)
    if (!tag) return undefined
    for (const row of await extendingTags(db, tag.id)) tags.set(row, (await findTagByRow(db, row))!.tag_id)
  }
  return tags
}

async function planOf(
  db: Db,
  {
    filter: given,
    types,
    time,
    settle,
  }: {
    filter: Record<string, unknown>
    types: readonly string[] | undefined
    time: RequestTime
    settle: Settle
  },
): Promise<{ plan: FilterPlan; asked: FilterPlan; lasts: boolean } | undefined> {
  const { filter, plan } = await checkFilter(given, tagCatalog({ db, ...time }))
  if (!filter || String(namedFields(filter).map(({ type }) => type)) !== String(types ?? [])) return undefined
  return { plan: await settle(plan), asked: plan, lasts: isSettled(plan) && !isRelative(filter) }
}

/** More conditions than these may become a list of items. */
const FEW = 50

/** Whether it is searched by as it is, whatever items there are. */
function isSettled(plan: FilterPlan): boolean {
  const nodes = nodesOf(plan)
  return nodes.length < FEW && !nodes.some(isLookedUp)
}

const isLookedUp = (node: FilterPlan): boolean =>
  node.kind === 'any' ||
  node.kind === 'search' ||
  node.kind === 'values' ||
  ((node.kind === 'field' || node.kind === 'text') && isTextTest(node.test))
