import { type RawBuilder, sql } from 'kysely'
import { filterSource } from '#src/storage/search/filter-source.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { countItems, countOf, countRows, keyOf, remembered } from '#src/storage/search/search-counts.ts'
import { conjunctsOf, type Driver, driverOf } from '#src/storage/search/search-drivers.ts'
import { type Candidates, idsInOrder } from '#src/storage/search/search-sql.ts'

/** Fewer rows than these are always gone through whole. */
const FEW = 500
/** A list in order that is no longer than this needs no comparison with others. */
const SHORT = 300

/**
 * How a search is carried out. No fixed form of SQL is good everywhere: going through the items of a selective part
 * is slow for an unselective one, and walking all items until enough are found the other way round. So the parts of
 * the filter that have an index are counted, up to where it makes no difference.
 */
export interface SearchPlan {
  readonly candidates: Candidates
  /** The candidates are few: they may be gone through whole for each page. */
  readonly few: boolean
}

export interface Wanted {
  plan: FilterPlan
  /** Ids that are wanted; undefined for all. */
  limit: number | undefined
  /** The order is that of row ids. */
  byId: boolean
}

export async function planSearch(db: Db, { plan, limit, byId }: Wanted): Promise<SearchPlan> {
  const parts = conjunctsOf(plan)
  const drivers = parts.flatMap((part) => driverOf(part, db.dialect) ?? [])
  const [only] = drivers
  if (!only) return { candidates: walk(plan, db.dialect), few: false }
  // The one index that there is, and its order is right: nothing to choose.
  if (drivers.length === 1 && byId && only.ordered) return { candidates: drivenBy([only], parts), few: false }

  for (const driver of drivers)
    if (driver.ordered && (await countOf(db, driver, SHORT)) <= SHORT)
      return { candidates: drivenBy([driver], parts), few: true }

  const cap = await worthGoingThrough(db, limit)
  const counts = await Promise.all(drivers.map((driver) => countOf(db, driver, cap)))
  const smallest = drivers[counts.indexOf(Math.min(...counts))]!
  if (Math.min(...counts) <= cap) return { candidates: drivenBy([smallest], parts), few: true }

  const merged = drivers.filter(({ ordered, sources }) => ordered && sources.length === 1)
  if (byId) {
    const ordered = merged.length ? merged : drivers.filter((driver) => driver.ordered).slice(0, 1)
    return { candidates: ordered.length ? drivenBy(ordered, parts) : walk(plan, db.dialect), few: false }
  }
  const few = merged.length > 1 && (await areFew(db, merged, parts, cap))
  return few ? { candidates: drivenBy(merged, parts), few } : { candidates: walk(plan, db.dialect), few }
}

/**
 * Walking all n items to find `limit` of those that m satisfy looks at limit × n / m of them; going through the m
 * looks at m. So up to √(limit × n) going through them is the better choice.
 */
export async function worthGoingThrough(db: Db, limit: number | undefined): Promise<number> {
  const items = await countItems(db)
  return Math.max(FEW, Math.floor(limit === undefined ? items / 4 : Math.sqrt(limit * items)))
}

/** Items in order, each probed: of all items, or of those with a tag that the plan cannot do without. */
export function walk(probe: FilterPlan, dialect: Dialect): Candidates {
  const tag = conjunctsOf(probe)
    .map(tagOf)
    .find((each) => each !== undefined)
  const tagged = tag === undefined ? undefined : filterSource({ kind: 'has_tag', tags: [tag] }, dialect)
  return { sources: tagged && [tagged], within: [], probe, conditions: [] }
}

/** An item that has a value in a field has the field's tag. */
function tagOf(part: FilterPlan): number | undefined {
  if (part.kind === 'hop') return part.field.tag
  if (part.kind !== 'field') return undefined
  const { test } = part
  const takesNull = test.test === 'absent' || (test.test === 'none_of' && test.or_absent)
  return takesNull ? undefined : part.field.tag
}

/** The first gives the items, the others (in order, of one source) narrow them down; the rest is probed. */
function drivenBy([first, ...others]: readonly Driver[], parts: readonly FilterPlan[]): Candidates {
  const served = [first!, ...others].filter(({ exact }) => exact).map(({ part }) => part)
  const left = parts.filter((part) => !served.includes(part))
  return {
    sources: first!.sources,
    within: others.map(({ sources }) => sources[0]!.rows),
    probe: left.length > 1 ? { kind: 'and', children: left } : (left[0] ?? { kind: 'always' }),
    conditions: [],
  }
}

/** Parts that are many each can have few items in common. */
async function areFew(
  db: Db,
  drivers: readonly Driver[],
  parts: readonly FilterPlan[],
  cap: number,
): Promise<boolean> {
  const key = keyOf(drivers.map(({ part }) => part))
  const common = { ...drivenBy(drivers, parts), probe: { kind: 'always' } } as const
  const rows: RawBuilder<unknown> = sql`${idsInOrder(common, { descending: false }, db.dialect)}`
  return (await remembered(db, key, cap, () => countRows(db, rows, cap))) <= cap
}
