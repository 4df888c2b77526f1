import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { itemRows } from '#src/storage/items/items.ts'
import { leavesOf } from '#src/storage/search/candidates.ts'
import { columnMatches, countMask } from '#src/storage/search/column-matches.ts'
import { idsByRank } from '#src/storage/search/rank-walk.ts'
import { OLDEST_FIRST } from '#src/storage/search/search-order.ts'
import { chooseStrategy } from '#src/storage/search/strategy.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { takeInSome } from '#src/work/word-indexer.ts'
import { openBase } from '#test/support/base.ts'

const ITEMS = 3000
/** Of an item, where two are wanted: among the nearest, among a sixtieth of all, behind that. */
const PLACES = [5, 40, 2000]
const KINDS = ['new', 'begun', 'done']
const FIELDS = {
  low: 'Number',
  high: 'Number',
  next: 'Reference',
  kind: { type: 'Select', variants: KINDS },
  text: 'String',
}
/** Of texts an index holds the beginning. */
const LONG = 'é'.repeat(600)
const sortedValues = (i: number) => ({
  kind: i % 7 ? { variant: KINDS[i % 3]! } : null,
  text: i % 11 ? (i % 5 ? `text ${i % 300}` : LONG + (i % 13)) : null,
})

let tag_id: string
let base: Awaited<ReturnType<typeof openBase>>
let made: { item_id: string }[]
beforeAll(async () => {
  base = await openBase()
  tag_id = (await base.run(createTag, { name: 'Task', fields: FIELDS })).tag_id
  made = await base.run(bulkCreate, {
    items: Array.from({ length: ITEMS }, (_, i) => ({
      name: `Task ${i}`,
      tags: [
        {
          tag_ref: { Existing: tag_id },
          // Both are large for many items, and for none together but for those at these places and the next.
          field_values: {
            low: i % 2,
            high: PLACES.some((at) => i === at || i === at + 1) ? 5 : (i + 1) % 2,
            ...sortedValues(i),
          },
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

  it('are found without columns while other calls bring these further again and again', async () => {
    await page(PLACES[2]!)
    const memory = base.db.committed!.get('columns') as { version: unknown }
    Object.defineProperty(memory, 'version', { get: () => ({}), set: () => {} })
    expect(await page(PLACES[2]!)).toEqual([`Task ${PLACES[2]}`])
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

it('items of which either of two searches is true come by the length of their names', async () => {
  const filter = { or: [{ search: 'task 1234' }, { search: 'task 77' }] }
  const { plan } = await readFilter(filter, tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' }))
  const ids = await idsByRank(base.db, { probe: plan }, undefined, 3)
  const names = (await itemRows(base.db, ids)).map(({ name }) => name)
  expect(names).toHaveLength(3)
  expect(names).toContain('Task 77')
})

describe('pages of many items', () => {
  const walk = async (search: object, limit: number, most = Infinity): Promise<string[]> => {
    const found: string[] = []
    let after: string | undefined
    do {
      const input = { ...search, limit, ...(after !== undefined && { after }) }
      found.push(...(await base.run(searchItems, input)).map(({ name }) => name))
      after = (await base.meta(searchItems, input)).next
    } while (after !== undefined && found.length < most)
    return found
  }
  const numbers = Array.from({ length: ITEMS }, (_, i) => i)
  const valueOf = {
    kind: (i: number) => i % 7 && KINDS.indexOf(KINDS[i % 3]!) + 1,
    text: textOf,
    low: (i: number) => i % 2,
  }
  function textOf(i: number): string | 0 {
    return sortedValues(i).text ?? 0
  }

  it.each([
    ['kind', 'asc'],
    ['kind', 'desc'],
    ['text', 'asc'],
    ['text', 'desc'],
    ['low', 'desc'],
  ] as const)('sorted by %s, %s, have each once, in order', async (field, direction) => {
    const way = direction === 'asc' ? 1 : -1
    const lacks = (i: number) => field !== 'low' && valueOf[field](i) === 0
    const expected = numbers.toSorted((a, b) => {
      if (lacks(a) !== lacks(b)) return lacks(a) ? 1 : -1
      const [one, other] = [valueOf[field](a), valueOf[field](b)]
      return (one === other ? a - b : one < other ? -1 : 1) * way
    })
    const sort = [{ by: `Task.${field}`, direction }]
    expect(await walk({ filter: { has_tag: 'Task' }, sort }, 150)).toEqual(expected.map((i) => `Task ${i}`))
  })

  it(
    'of one score come newest first, though as many others have names as long',
    { timeout: 60_000 },
    async () => {
      const names = (word: string, count: number) =>
        Array.from({ length: count }, (_, i) => ({ name: `${word} ${String(i).padStart(4, '0')}` }))
      await base.run(bulkCreate, { items: names('word', 3100) })
      await base.run(bulkCreate, { items: names('else', 450) })
      while (await takeInSome({ run: base.runStep, clock: Date.now }));
      const found = await walk({ filter: { search: { text: 'word', match: 'any' } } }, 100, 300)
      expect(found).toEqual(
        names('word', 3100)
          .map(({ name }) => name)
          .toReversed()
          .slice(0, 300),
      )
    },
  )

  it('behind the 10,000 best come the others, oldest first, each once', { timeout: 60_000 }, async () => {
    const items = Array.from({ length: 4000 }, (_, i) => ({ name: `more ${String(i).padStart(4, '0')}` }))
    await base.run(bulkCreate, { items })
    while (await takeInSome({ run: base.runStep, clock: Date.now }));
    const found = await walk({ filter: { search: { text: 'more word task else', match: 'any' } } }, 1000)
    expect(new Set(found).size).toBe(ITEMS + 3100 + 450 + 4000)
    expect(found).toHaveLength(ITEMS + 3100 + 450 + 4000)
    const names = base.db.raw.prepare('select name from item order by id').pluck().all()
    const behind = found.slice(10_000).map((name) => names.indexOf(name))
    expect(behind).toEqual(behind.toSorted((a, b) => a - b))
  })

  it('have what is sorted by a variant that the schema does not have any more at the end', async () => {
    const kind = { type: 'Select', variants: ['begun', 'done'] }
    await base.run(updateTag, { tag_id, fields: { ...FIELDS, kind } })
    const sort = [{ by: 'Task.kind', direction: 'asc' as const }]
    const found = await walk({ filter: { has_tag: 'Task' }, sort }, 150)
    const isKnown = (name: string) =>
      kind.variants.includes(sortedValues(Number(name.slice(5))).kind?.variant ?? '')
    expect(new Set(found).size).toBe(ITEMS)
    expect(found.findLastIndex(isKnown)).toBeLessThan(found.findIndex((name) => !isKnown(name)))
  })
})
