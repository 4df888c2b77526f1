import { conjunctsOf } from '#src/filter/meaning/conjuncts-of.ts'
import { type RawBuilder, sql } from 'kysely'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { type AccessPath, accessPathOf, accessPathsOf } from '#src/storage/search/access-paths.ts'
import { type Candidates, idsInOrder } from '#src/storage/search/candidates.ts'
import { filterSource } from '#src/storage/search/filter-source.ts'
import { countItems, countOf, countRows, keyOf, remembered } from '#src/storage/search/search-counts.ts'

/** Fewer rows than these are always gone through whole. */
const FEW = 500
/** A list in order that is no longer than this needs no comparison with others. */
const SHORT = 300

/** How many items a walk passes by while another way goes through one, roughly, as to the cap: the root of it. */
const PASSED_BY = 4

interface Chosen {
  readonly candidates: Candidates
  /** They may be gone through whole for each page. */
  readonly few: boolean
  /** Many are looked at, and there may be hardly any that satisfy the plan: a page may take as long as all of it. */
  readonly mayBeSparse?: boolean
}

interface Wanted {
  plan: FilterPlan
  /** Ids that are wanted; undefined for all. */
  limit: number | undefined
  /** The order is that of row ids. */
  inRowOrder: boolean
  /** The walk looks at hardly any item closer. */
  passesBy?: boolean
}

/**
 * Where the ids of a search come from. No fixed form of SQL is good everywhere: going through the items of a selective
 * part is slow for an unselective one, and walking all items until enough are found the other way round. So the parts
 * of the filter that have an index are counted, up to where it makes no difference.
 */
export async function chooseCandidates(
  db: Db,
  { plan, limit, inRowOrder, passesBy }: Wanted,
): Promise<Chosen> {
  const parts = conjunctsOf(plan)
  const paths = parts.flatMap((part) => accessPathsOf(part, db.dialect))
  const [only] = paths
  const walked = { candidates: allItems(plan, db.dialect), few: false }
  if (!only) return walked
  // The one index that there is, and its order is right: nothing to choose.
  if (paths.length === 1 && inRowOrder && only.ordered && only.part.kind !== 'referred')
    return { candidates: fromIndexes([only], parts), few: false }

  for (const path of paths)
    if (path.ordered && (await countOf(db, path, SHORT)) <= SHORT)
      return { candidates: fromIndexes([path], parts), few: true }

  const cap = Math.floor((await worthGoingThrough(db, limit)) / (passesBy ? PASSED_BY : 1))
  const counts = await Promise.all(paths.map((path) => countOf(db, path, cap)))
  const smallest = paths[counts.indexOf(Math.min(...counts))]!
  if (Math.min(...counts) <= cap) return { candidates: fromIndexes([smallest], parts), few: true }

  const merged = paths.filter(({ ordered, sources }) => ordered && sources.length === 1)
  if (inRowOrder) {
    const ordered = merged.length ? merged : paths.filter((path) => path.ordered).slice(0, 1)
    const candidates = ordered.length ? fromIndexes(ordered, parts) : walked.candidates
    const mayBeSparse = ordered.length !== 1 || ordered[0]!.part.kind === 'referred'
    return { candidates, few: false, mayBeSparse }
  }
  const few = merged.length > 1 && (await areFew(db, merged, parts, cap))
  return few ? { candidates: fromIndexes(merged, parts), few } : walked
}

/**
 * Walking all n items to find `limit` of those that m satisfy looks at limit × n / m of them; going through the m
 * looks at m. So up to √(limit × n) going through them is the better choice.
 */
export async function worthGoingThrough(db: Db, limit: number | undefined): Promise<number> {
  const items = await countItems(db)
  return Math.max(FEW, Math.floor(limit === undefined ? items / 4 : Math.sqrt(limit * items)))
}

/** Of all items that a plan may find so few, by an index, that to look at all items would take longer. */
const SELECTIVE = 1 / 100

/** Whether an index finds the items of a plan among few. */
export async function isSelective(db: Db, plan: FilterPlan): Promise<boolean> {
  const few = Math.floor((await countItems(db)) * SELECTIVE)
  for (const part of conjunctsOf(plan)) {
    const path = accessPathOf(part, db.dialect)
    if (path && (await countOf(db, path, few)) <= few) return true
  }
  return false
}

/** Items in row order, each probed: of all items, or of those with a tag that the plan cannot do without. */
export function allItems(probe: FilterPlan, dialect: Dialect): Candidates {
  const tag = conjunctsOf(probe)
    .map(tagOf)
    .find((each) => each !== undefined)
  const tagged = tag === undefined ? undefined : filterSource({ kind: 'has_tag', tags: [tag] }, dialect)
  return { sources: tagged && [tagged], intersectWith: [], probe, conditions: [] }
}

/** An item that has a value in a field has the field's tag. */
function tagOf(part: FilterPlan): number | undefined {
  if (part.kind === 'hop') return part.field.tag
  if (part.kind !== 'field') return undefined
  const { test } = part
  const takesNull = test.test === 'absent' || (test.test === 'none_of' && test.or_absent)
  return takesNull ? undefined : part.field.tag
}

/** The first gives the items, the others (in row order, of one source) narrow them down; the rest is probed. */
function fromIndexes([first, ...others]: readonly AccessPath[], parts: readonly FilterPlan[]): Candidates {
  const served = [first!, ...others].filter(({ exact }) => exact).map(({ part }) => part)
  const left = parts.filter((part) => !served.includes(part))
  return {
    sources: first!.sources,
    intersectWith: others.map(({ sources }) => sources[0]!.rows),
    probe: left.length > 1 ? { kind: 'and', children: left } : (left[0] ?? { kind: 'always' }),
    conditions: [],
  }
}

/** Parts that are many each can have few items in common. */
async function areFew(
  db: Db,
  paths: readonly AccessPath[],
  parts: readonly FilterPlan[],
  cap: number,
): Promise<boolean> {
  const key = keyOf(paths.map(({ part }) => part))
  const common = { ...fromIndexes(paths, parts), probe: { kind: 'always' } } as const
  const rows: RawBuilder<unknown> = sql`${idsInOrder(common, { descending: false }, db.dialect)}`
  return (await remembered(db, key, cap, () => countRows(db, rows, cap))) <= cap
}
