import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterSource } from '#src/filter/filter-source.ts'
import { filterToSql } from '#src/filter/filter-to-sql.ts'
import type { FilterPlan } from '#src/filter/plan.ts'
import { readFilter } from '#src/filter/read-filter.ts'
import { tagCatalog } from '#src/storage/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'
import { oracleSearch, type World } from '#test/support/oracle.ts'
import { filterArbitrary } from '#test/support/random-filter.ts'
import { randomWorld } from '#test/support/random-world.ts'

// More on demand: DIFFERENTIAL_FILTERS=100000 DIFFERENTIAL_SEED=7 npx vitest run test/differential.test.ts
const FILTERS = Number(process.env.DIFFERENTIAL_FILTERS ?? 8000)
const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 1)
const FILTERS_IN_A_WORLD = 200
const WORLDS = Math.ceil(FILTERS / FILTERS_IN_A_WORLD)

describe.each(Array.from({ length: WORLDS }, (_, i) => SEED * 1000 + i))('in random world %i', (seed) => {
  let base: Awaited<ReturnType<typeof openBase>>
  let world: World
  beforeAll(async () => {
    base = await openBase()
    base.db.exec('PRAGMA synchronous = OFF')
    world = await randomWorld(base, seed)
  })
  afterAll(() => base.close())

  it('finds by SQL what the specification says', async () => {
    await fc.assert(
      fc.asyncProperty(filterArbitrary(world), async (filter) => {
        const { plan } = await readFilter(filter, tagCatalog(base.db))
        const expected = oracleSearch(world, filter)
        expect(await probed(plan)).toEqual(expected)
        await checkSources(plan)
      }),
      { numRuns: FILTERS_IN_A_WORLD, seed },
    )
  })

  async function probed(plan: FilterPlan): Promise<string[]> {
    const { dialect } = base.db
    const rows = dialect.builder
      .selectFrom('item')
      .select('item_id')
      .where('deleted_at', 'is', null)
      .where(filterToSql(plan, dialect))
      .orderBy('id')
    return (await base.db.select(rows)).map(({ item_id }) => item_id)
  }

  /** Each leaf that can drive gives the items that its probe holds for, in the way that it says. */
  async function checkSources(plan: FilterPlan): Promise<void> {
    if (plan.kind === 'and' || plan.kind === 'or') for (const each of plan.children) await checkSources(each)
    if (plan.kind === 'not') await checkSources(plan.child)
    const { dialect } = base.db
    const source = filterSource(plan, dialect)
    if (!source) return
    const rows = await base.db.select<{ item: number }>(source.rows.compile(dialect.builder))
    const found = rows.map(({ item }) => item)
    const inOrder = [...new Set(found)].sort((a, b) => a - b)
    if (source.distinct) expect(new Set(found).size).toBe(found.length)
    if (source.ordered) expect(found).toEqual(inOrder)
    const wanted = await base.db.select<{ id: number }>(
      sql<{
        id: number
      }>`select id from item where deleted_at is null and ${filterToSql(plan, dialect)} order by id`.compile(
        dialect.builder,
      ),
    )
    const ids = wanted.map(({ id }) => id)
    if (source.exact) expect(inOrder).toEqual(ids)
    else expect(inOrder).toEqual(expect.arrayContaining(ids))
  }
})
