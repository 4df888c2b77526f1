import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { leavesOf } from '#src/storage/search/candidates.ts'
import { columnMatches, countMask } from '#src/storage/search/column-matches.ts'
import { OLDEST_FIRST } from '#src/storage/search/search-order.ts'
import { chooseStrategy } from '#src/storage/search/strategy.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'

const ITEMS = 3000
/** Of an item, where two are wanted: among the nearest, among a sixtieth of all, behind that. */
const PLACES = [5, 40, 2000]

let base: Awaited<ReturnType<typeof openBase>>
let made: { item_id: string }[]
beforeAll(async () => {
  base = await openBase()
  const { tag_id } = await base.run(createTag, {
    name: 'Task',
    fields: { low: 'Number', high: 'Number', next: 'Reference' },
  })
  made = await base.run(bulkCreate, {
    items: Array.from({ length: ITEMS }, (_, i) => ({
      name: `Task ${i}`,
      tags: [
        {
          tag_ref: { Existing: tag_id },
          // Both are large for many items, and for none together but for those at these places and the next.
          field_values: { low: i % 2, high: PLACES.some((at) => i === at || i === at + 1) ? 5 : (i + 1) % 2 },
        },
      ],
    })),
  })
})
afterAll(() => base.close())
beforeEach(() => {
  base.db.committed = new Map()
  base.db.hints.clear()
})

const idOf = (at: number) => made[at]!.item_id

/** Two large ranges; what they have in common begins at a place. */
const filterFrom = (place: number) => ({
  and: [
    { or: [{ 'Task.low': { gte: 1 } }, { 'Task.high': { gte: 5 } }] },
    { 'Task.high': { gte: 1 } },
    {
      not: {
        id: { in: PLACES.filter((at) => at < place).flatMap((at) => [idOf(at), idOf(at + 1)]) },
      },
    },
  ],
})
const page = async (place: number) =>
  (await base.run(searchItems, { filter: filterFrom(place), limit: 1 })).map(({ name }) => name)

describe('two large sets that have little in common', () => {
  it('are looked for among the nearest items, then among a sixtieth of all, then over columns', async () => {
    const catalog = tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
    const { plan } = await readFilter(filterFrom(0), catalog)
    const search = { plan, order: OLDEST_FIRST, position: undefined, limit: 2 }
    const kinds: string[] = []
    for (const allowed of [{}, { firstRows: false }, { firstRows: false, moreRows: false }])
      kinds.push((await chooseStrategy(base.db, search, allowed)).kind)
    expect(kinds).toEqual(['first_rows', 'first_rows', 'columns'])
  })

  it.each([
    ['the nearest', PLACES[0]!, false],
    ['a sixtieth of all', PLACES[1]!, false],
    ['all, over columns', PLACES[2]!, true],
  ])('are found among %s', async (_, place, readsColumns) => {
    expect(await page(place)).toEqual([`Task ${place}`])
    expect(base.db.committed!.size > 0).toBe(readsColumns)
  })

  it('are not looked for there where most such searches found too few', async () => {
    for (let i = 0; i < 2; i++) await page(PLACES[2]!)
    base.db.committed = new Map()
    expect(await page(PLACES[1]!)).toEqual([`Task ${PLACES[1]}`])
    expect(base.db.committed.size).toBeGreaterThan(0)
  })
})

describe('what a search goes by', () => {
  const planOf = async (filter: unknown) =>
    (await readFilter(filter, tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' }))).plan

  it.each([
    [{ name: 'x' }, 1],
    [{ and: [{ name: 'x' }, { 'Task.low': 1 }, { not: { or: [{ name: 'y' }, { name: { gt: 'z' } }] } }] }, 4],
    [{ 'Task.next->Task.low': 1 }, 2],
    [{ '<-Task.next': { 'Task.low': 1 } }, 200],
  ])('is how many conditions an item is probed by: %j', async (filter, leaves) => {
    expect(leavesOf(await planOf(filter))).toBe(leaves)
  })

  it('is no column that another call has brought further', async () => {
    const plan = await planOf({ 'Task.low': { gte: 1 } })
    const matches = await columnMatches(base.db, plan)
    expect(countMask(matches!()!)).toBe(ITEMS / 2)
    await base.run(createItem, { name: 'another' })
    expect(await columnMatches(base.db, plan)).toBeDefined()
    expect(matches!()).toBeUndefined()
  })
})
