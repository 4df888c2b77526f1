import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '#src/domain/reply.ts'
import { accessPathsOf } from '#src/storage/search/access-paths.ts'
import { filterSource, type FilterSource } from '#src/storage/search/filter-source.ts'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { getItemHistory } from '#src/operations/items/get-item-history.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { fitsColumns } from '#src/storage/columns/plan-mask.ts'
import { columnMatches, idsOfMask } from '#src/storage/search/column-matches.ts'
import type { Db } from '#src/sql/query.ts'
import { countMatching, matchingItems } from '#src/storage/search/matching-items.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { findDeleted } from '#src/storage/trash/find-deleted.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { type Base, openBase } from '#test/support/base.ts'
import {
  ORACLE_NOW,
  oracleHolds,
  type OracleItem,
  type OracleSort,
  oracleSearch,
  oracleSort,
  type World,
} from '#test/support/oracle.ts'
import { filterArbitrary, keysOf, sortArbitrary } from '#test/support/random-filter.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { randomWorld } from '#test/support/random-world.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

// More on demand: DIFFERENTIAL_FILTERS=100000 DIFFERENTIAL_SEED=7 npx vitest run test/differential.test.ts
const FILTERS =
  TEST_ENGINE === 'sqlite' ? runs(200, 1200, 'DIFFERENTIAL_FILTERS') : runs(100, 800, 'DIFFERENTIAL_FILTERS')
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1)
const FILTERS_IN_A_WORLD = runs(100, 200)
const WORLDS = Math.ceil(FILTERS / FILTERS_IN_A_WORLD)
/** So many that the search does not just go through everything: it has to choose its ways. */
const MANY_ITEMS = runs(2000, 6000)
/** Alternatives of a wide `or`, each of which few items satisfy. */
const WIDE = { minLength: 70, maxLength: 110, size: 'max' } as const
/** A busy machine is no fault. */
const TIMEOUT = 300_000

const TIME = { now: new Date(ORACLE_NOW), time_zone: 'UTC' }

type OpenBase = Base & { close(): void | Promise<void> }
type Filter = Record<string, unknown>

describe.each(Array.from({ length: WORLDS }, (_, i) => SEED * 1000 + i))('in random world %i', (seed) => {
  let base: OpenBase
  let world: World
  beforeAll(async () => {
    base = await openAny()
    world = await randomWorld(base, seed)
  })
  afterAll(() => base.close())

  it('filters find what the specification says', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(
        filterArbitrary(world),
        sortArbitrary(world),
        fc.integer({ min: 5, max: 40 }),
        (...run) => checkFilter(base, world, ...run),
      ),
      { numRuns: FILTERS_IN_A_WORLD, seed },
    )
  })

  it('and so do alternatives that are looked up beforehand', { timeout: TIMEOUT }, async () => {
    const narrow = filterArbitrary(world).filter(
      (filter) => oracleSearch(world, filter).length <= world.items.length / 20,
    )
    const wide = fc.oneof(
      fc.array(narrow, WIDE).map((or): Filter => ({ or })),
      fc.array(narrow, WIDE).map((or): Filter => ({ not: { or } })),
      fc
        .tuple(filterArbitrary(world), fc.array(narrow, WIDE))
        .map(([one, or]): Filter => ({ and: [one, { or }] })),
      fc.array(narrow, WIDE).map((or): Filter => {
        const half = or.length >> 1
        return { and: [{ or: or.slice(0, half) }, { or: or.slice(half - 10) }] }
      }),
    )
    await fc.assert(
      fc.asyncProperty(wide, sortArbitrary(world), fc.integer({ min: 5, max: 40 }), (...run) =>
        checkFilter(base, world, ...run),
      ),
      { numRuns: Math.ceil(FILTERS_IN_A_WORLD / 40), seed },
    )
  })

  it('and of each field which values are outdated, of gone variants and under others too', async () => {
    const keys = world.tags.flatMap((tag) => keysOf(tag)).map((key) => ({ [key]: { outdated: true } }))
    const met = keys.filter((filter) => oracleSearch(world, filter).length)
    expect(met.length).toBeGreaterThan(3)
    for (const filter of met) {
      await checkFilter(base, world, filter, [], 1000)
      const [key] = Object.keys(filter)
      await checkFilter(base, world, { [key!]: { outdated: false } }, [], 1000)
    }
  })

  it('and of deleted items what they were', { timeout: TIMEOUT }, async () => {
    const gone: OracleItem[] = []
    const left: World = { ...world, items: world.items.filter((_, i) => !(i % 2)) }
    for (const item of world.items.filter((_, i) => i % 2)) {
      await base.run(deleteItem, { item_id: item.item_id })
      const [deletion] = await base.run(getItemHistory, { item_id: item.item_id, limit: 1 })
      gone.push({ ...item, events: [...item.events, deletion!.created_at] })
    }
    await fc.assert(
      fc.asyncProperty(filterArbitrary(world), async (filter) => {
        const { plan } = await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))
        const found = new Set<string>()
        for await (const page of findDeleted(base.db, plan, {}))
          for (const each of page) found.add(each.item_id)
        const expected = gone.filter((item) => oracleHolds(left, filter, item))
        expect(gone.filter(({ item_id }) => found.has(item_id))).toEqual(expected)
      }),
      { numRuns: FILTERS_IN_A_WORLD / 4, seed },
    )
  })
})

describe('among many items', () => {
  let base: OpenBase
  let world: World
  beforeAll(async () => {
    base = await openAny()
    world = await randomWorld(base, SEED, MANY_ITEMS)
  }, TIMEOUT)
  afterAll(() => base.close())

  it('filters find what the specification says', { timeout: TIMEOUT }, async () => {
    await fc.assert(
      fc.asyncProperty(filterArbitrary(world), sortArbitrary(world), fc.constantFrom(50, 1000), (...run) =>
        checkFilter(base, world, ...run),
      ),
      { numRuns: Math.ceil(FILTERS / 120), seed: SEED },
    )
  })
})

async function openAny(): Promise<OpenBase> {
  if (TEST_ENGINE === 'postgres') return openPostgresBase()
  return openBase()
}

async function checkFilter(
  base: Base,
  world: World,
  filter: Filter,
  sort: OracleSort[],
  limit: number,
): Promise<void> {
  const { plan: read } = await readFilter(filter, tagCatalog({ db: base.db, ...TIME }))
  const plan = await settlePlan(base.db, read)
  const expected = oracleSearch(world, filter)
  expect(await probed(base, plan)).toEqual(expected)
  expect(await matchingItems(base.db, plan)).toHaveLength(expected.length)
  await checkSources(base, plan)
  expect(await pages(base, { filter, sort, limit })).toEqual(oracleSort(world, expected, sort))
  await checkColumns(base, plan, expected.length)
}

/** Over columns it finds as many, and the same. */
async function checkColumns({ db }: Base, plan: FilterPlan, count: number): Promise<void> {
  const reader: Db = Object.create(db, { committed: { value: new Map() } })
  expect(await countMatching(reader, plan)).toBe(count)
  if (!fitsColumns(plan)) return
  const matches = await columnMatches(reader, plan)
  expect(idsOfMask(matches!()!, undefined, Infinity)).toEqual(await matchingItems(db, plan))
}

/** By the condition alone. */
async function probed({ db }: Base, plan: FilterPlan): Promise<string[]> {
  const rows = db.dialect.builder
    .selectFrom('item')
    .select('item_id')
    .where('deleted_at', 'is', null)
    .where(filterToSql(plan, db.dialect))
    .orderBy('id')
  return (await db.select(rows)).map(({ item_id }) => item_id)
}

/** By the operation, page by page. */
async function pages(
  { db, caller }: Base,
  input: { filter: Filter; sort: OracleSort[]; limit: number },
): Promise<string[]> {
  const context = {
    db,
    caller,
    ...TIME,
    newId: () => '',
    change: new OpenChange('searchItems', () => ''),
  }
  const found: string[] = []
  let after: string | undefined
  do {
    const reply = (await searchItems.run(context, { ...input, ...(after && { after }) })) as Reply
    for (const { item_id } of JSON.parse(reply.json) as { item_id: string }[]) found.push(item_id)
    after = reply.meta?.next
  } while (after !== undefined)
  return found
}

/** Each leaf that can drive gives the items that its condition holds for, in the way that it says. */
async function checkSources(base: Base, plan: FilterPlan): Promise<void> {
  if (plan.kind === 'and' || plan.kind === 'or')
    for (const each of plan.children) await checkSources(base, each)
  if (plan.kind === 'not') await checkSources(base, plan.child)
  const { dialect } = base.db
  const source = filterSource(plan, dialect)
  if (plan.kind === 'referred')
    for (const path of accessPathsOf(plan, dialect))
      if (path.fromReferring)
        await checkSource(base, plan, {
          rows: sql`${sql.join(
            path.sources.map(({ rows }) => sql`select * from (${rows}) j`),
            sql` union all `,
          )}`,
          ordered: false,
          distinct: false,
          exact: path.exact,
          seeks: true,
        })
  if (source) await checkSource(base, plan, source)
}

async function checkSource(base: Base, plan: FilterPlan, source: FilterSource): Promise<void> {
  const { dialect } = base.db
  const rows = await base.db.select<{ item: number }>(source.rows.compile(dialect.builder))
  const found = rows.map(({ item }) => item)
  const inOrder = [...new Set(found)].sort((a, b) => a - b)
  if (source.distinct) expect(new Set(found).size).toBe(found.length)
  // PostgreSQL sorts where its index does not give the order.
  if (source.ordered && TEST_ENGINE === 'sqlite') expect(found).toEqual(inOrder)
  const wanted = sql<{
    id: number
  }>`select id from item where deleted_at is null and ${filterToSql(plan, dialect)} order by id`
  const ids = (await base.db.select<{ id: number }>(wanted.compile(dialect.builder))).map(({ id }) => id)
  if (source.exact) expect(inOrder).toEqual(ids)
  else expect(new Set(ids).isSubsetOf(new Set(inOrder))).toBe(true)
}
