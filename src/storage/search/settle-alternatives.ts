import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import { sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { type AccessPath, accessPathOf, targetsOf } from '#src/storage/search/access-paths.ts'
import { allIds, type Rows } from '#src/storage/search/candidates.ts'
import { countEach, listEach } from '#src/storage/search/many-rows.ts'
import { countItems } from '#src/storage/search/search-counts.ts'

/** A plan of no more conditions than these is searched by as it is. */
const MANY_CONDITIONS = 64
/** Alternatives that are no more than these are left to the search, which makes a union of their indexes. */
const FEW_ALTERNATIVES = 8
/** Rows that are read for one `or`, however few items there are, and however many. */
const [LEAST_ROWS, MOST_ROWS] = [50_000, 1_000_000]
/** Rows that are probed one by one for alternatives of which an index serves a part only. */
const [MOST_PROBED, MOST_PROBED_OF_ONE] = [100_000, 5000]
/** A reference is not followed backwards from more items than these. */
const MAX_TARGETS = 2000
/** How often more is read of what has more rows than its share. */
const ROUNDS = 4

/**
 * The plan with each wide `or` settled: the items of the alternatives that an index serves are read, all of them at
 * once, and are in their place as one list. To probe each item by a thousand alternatives takes a thousand times as
 * long. What no index serves, or finds more items than are worth reading, is left alongside the list; most items that
 * it is about are in the list already, or meet one of the first of those that find this many.
 */
export async function settleAlternatives(db: Db, plan: FilterPlan): Promise<FilterPlan> {
  return conditionsIn(plan) > MANY_CONDITIONS ? settle(db, plan) : plan
}

function conditionsIn(plan: FilterPlan): number {
  switch (plan.kind) {
    case 'and':
    case 'or':
      return plan.children.reduce((sum, each) => sum + conditionsIn(each), 0)
    case 'not':
      return conditionsIn(plan.child)
    case 'referred':
      return 1 + conditionsIn(plan.filter)
    default:
      return 1
  }
}

async function settle(db: Db, plan: FilterPlan): Promise<FilterPlan> {
  switch (plan.kind) {
    case 'and': {
      const children: FilterPlan[] = []
      for (const each of noneOfMany(plan.children)) children.push(await settle(db, each))
      return { kind: 'and', children }
    }
    case 'or': {
      const children: FilterPlan[] = []
      for (const each of plan.children) children.push(await settle(db, each))
      return children.length > FEW_ALTERNATIVES ? settleOr(db, children) : { kind: 'or', children }
    }
    case 'not':
      return { kind: 'not', child: await settle(db, plan.child) }
    case 'referred':
      return { ...plan, filter: await settle(db, plan.filter) }
    default:
      return plan
  }
}

/** What has none of many texts is what is not among those that have one of them; to go through a text for each is slow. */
function noneOfMany(conditions: readonly FilterPlan[]): readonly FilterPlan[] {
  const [unwanted, others] = [conditions.filter(isNoSearch), conditions.filter((each) => !isNoSearch(each))]
  if (unwanted.length <= FEW_ALTERNATIVES) return conditions
  return [...others, { kind: 'not', child: { kind: 'or', children: unwanted.map(({ child }) => child) } }]
}

const isNoSearch = (plan: FilterPlan): plan is Extract<FilterPlan, { kind: 'not' }> =>
  plan.kind === 'not' && isSearch(plan.child)

/** A search for words is one for each of them. */
const isSearch = (plan: FilterPlan): boolean =>
  plan.kind === 'search' || ((plan.kind === 'and' || plan.kind === 'or') && plan.children.every(isSearch))

/** One alternative with the rows that give it. */
interface Served {
  readonly part: FilterPlan
  readonly rows: Rows
}

async function settleOr(db: Db, alternatives: readonly FilterPlan[]): Promise<FilterPlan> {
  const served = await servedOf(db, alternatives)
  const { items, whole } = await itemsOf(db, served)
  const left = alternatives.filter((each) => !whole.has(each))
  if (left.length === alternatives.length) return { kind: 'or', children: alternatives }
  const found: FilterPlan[] = items.length ? [{ kind: 'items', items }] : []
  const children = [...found, ...left]
  return children.length > 1 ? { kind: 'or', children } : (children[0] ?? { kind: 'never' })
}

/** Reads in rounds, so that one alternative that finds a great many leaves enough for the others. */
async function itemsOf(
  db: Db,
  served: readonly Served[],
): Promise<{ items: number[]; whole: Set<FilterPlan> }> {
  const found = new Set<number>()
  const whole = new Set<FilterPlan>()
  let budget = Math.min(Math.max(2 * (await countItems(db)), LEAST_ROWS), MOST_ROWS)
  let waiting = served
  for (let round = 0; round < ROUNDS && waiting.length && budget > waiting.length; round++) {
    const share = Math.floor(budget / waiting.length)
    const more: Served[] = []
    await listEach(
      db,
      waiting.map(({ rows }) => rows),
      share + 1,
      (at, items) => {
        for (const item of items) found.add(item)
        budget -= items.length
        if (items.length > share) more.push(waiting[at]!)
        else whole.add(waiting[at]!.part)
      },
    )
    waiting = more
  }
  return { items: [...found].sort((a, b) => a - b), whole }
}

/** Of the alternatives those that are quickly read through an index. */
async function servedOf(db: Db, alternatives: readonly FilterPlan[]): Promise<Served[]> {
  const ways = alternatives.map((part) =>
    conjunctsOf(part).flatMap((each) => accessPathOf(each, db.dialect) ?? []),
  )
  const near = await withFewTargets(db, ways.flat())
  const counted = await countsOf(
    db,
    ways
      .filter((paths, i) => !isWhole(paths, alternatives[i]!))
      .flat()
      .filter((path) => near.has(path)),
  )
  const served: Served[] = []
  let probed = 0
  for (const [i, part] of alternatives.entries()) {
    const paths = ways[i]!.filter((path) => near.has(path))
    const [only] = paths
    if (!only) continue
    if (isWhole(ways[i]!, part)) served.push({ part, rows: rowsOf(only, part, db) })
    else {
      const count = (path: AccessPath) => counted.get(path) ?? Infinity
      const best = paths.reduce((a, b) => (count(b) < count(a) ? b : a))
      if (probed + count(best) > MOST_PROBED) continue
      probed += count(best)
      served.push({ part, rows: rowsOf(best, part, db) })
    }
  }
  return served
}

/** One index has exactly the items of the alternative, which says nothing besides. */
const isWhole = ([only, ...others]: readonly AccessPath[], part: FilterPlan) =>
  only !== undefined && only.exact && !others.length && conjunctsOf(part).length === 1

function rowsOf(path: AccessPath, part: FilterPlan, { dialect }: Db): Rows {
  const left = conjunctsOf(part).filter((each) => each !== path.part || !path.exact)
  const probe: FilterPlan =
    left.length > 1 ? { kind: 'and', children: left } : (left[0] ?? { kind: 'always' })
  return allIds({ sources: path.sources, intersectWith: [], probe, conditions: [] }, dialect)
}

/** Those that go through no long list of referenced items before they find the first row. */
async function withFewTargets(db: Db, paths: readonly AccessPath[]): Promise<Set<AccessPath>> {
  const lists = paths.flatMap((path) => targetsOf(path).map((rows) => ({ path, rows })))
  const counts = await countEach(
    db,
    lists.map(({ rows }) => rows),
    MAX_TARGETS + 1,
  )
  const far = new Set(lists.filter((_, i) => counts[i]! > MAX_TARGETS).map(({ path }) => path))
  return new Set(paths.filter((path) => !far.has(path)))
}

/** Rows of each that has few enough to be probed one by one. What is in many alternatives is counted once. */
async function countsOf(db: Db, paths: readonly AccessPath[]): Promise<Map<AccessPath, number>> {
  const groups = [...Map.groupBy(paths, ({ part }) => JSON.stringify(part)).values()]
  const lists = groups.map(([path]): Rows => sql`${sql.join(rowsIn(path!), sql` union all `)}`)
  const counts = await countEach(db, lists, MOST_PROBED_OF_ONE + 1)
  const few = groups.flatMap((group, i) =>
    counts[i]! > MOST_PROBED_OF_ONE ? [] : group.map((path) => [path, counts[i]!] as const),
  )
  return new Map(few)
}

/** Each in parentheses of its own, since it may be a union itself. */
const rowsIn = ({ sources }: AccessPath) =>
  sources.map(({ rows }): Rows => sql`select s.item as item from (${rows}) s`)
