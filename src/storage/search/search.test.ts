import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { bindSort, BY_SCORE, OLDEST_FIRST, type SearchOrder } from '#src/storage/search/search-order.ts'
import { findItems, type ItemSearch } from '#src/storage/search/search.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { takeInSome } from '#src/work/word-indexer.ts'
import { openBase } from '#test/support/base.ts'

const COUNT = 12
const nameOf = (i: number) => `task ${String(i).padStart(2, '0')}`
const NAMES = Array.from({ length: COUNT }, (_, i) => nameOf(i))

const QUICK = ['quick but long b', 'quick but long a', 'quick but much longer']

/** Two of each tier: the name, its start, the start of a word, within a word, the description. */
const PLUMS: [name: string, description?: string][] = [
  ['plum'],
  ['plum'],
  ['plum a'],
  ['plum jam'],
  ['a plum'],
  ['red plum'],
  ['replum'],
  ['darkplum'],
  ['x', 'a plum'],
  ['xx', 'a plum'],
]

let base: Awaited<ReturnType<typeof openBase>>
let ids: number[]
beforeAll(async () => {
  base = await openBase()
  const { tag_id } = await base.run(createTag, { name: 'Task', fields: { effort: 'Number' } })
  await base.run(bulkCreate, {
    items: NAMES.map((name, i) => ({
      name,
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { effort: i % 2 } }],
    })),
  })
  await base.run(bulkCreate, { items: [{ name: 'another' }] })
  const quick = (await base.run(createTag, { name: 'Quick', fields: {} })).tag_id
  const tags = [{ tag_ref: { Existing: quick } }]
  // More than are looked at first are better, and are not found.
  await base.run(bulkCreate, { items: Array.from({ length: 210 }, (_, i) => ({ name: `quick ${i}` })) })
  const plums = PLUMS.map(([name, description]) => ({ name, ...(description && { description }) }))
  // The worst is the oldest.
  await base.run(bulkCreate, { items: plums.toReversed() })
  await base.run(bulkCreate, { items: QUICK.map((name) => ({ name, tags })) })
  while (await takeInSome({ run: base.runStep, clock: Date.now }));
  ids = base.db.raw.prepare('select id from item order by id').pluck().all() as number[]
})
afterAll(() => base.close())

const catalog = () => tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
const planOf = async (filter: unknown) => (await readFilter(filter, catalog())).plan
const ofAny = async (...keys: string[]) =>
  bindSort(
    keys.map((by) => ({ by })),
    catalog(),
    (await readFilter(ANY, catalog())).filter,
  )
const ANY = { search: { text: 'task', match: 'any' } }

/** The orders of the same filter: by an index of row ids, by a sort, by scores, of which the last is newest first. */
const ORDERS: [name: string, filter: unknown, order: () => Promise<SearchOrder>, names: readonly string[]][] =
  [
    ['creation', { has_tag: 'Task' }, async () => OLDEST_FIRST, NAMES],
    [
      'name, backwards',
      { has_tag: 'Task' },
      () => bindSort([{ by: 'name', direction: 'desc' }], catalog()),
      NAMES.toReversed(),
    ],
    ['score', ANY, async () => BY_SCORE, NAMES.toReversed()],
    // All have one score.
    ['score, then name', ANY, () => ofAny('relevance', 'name'), NAMES],
    ['name, then score', ANY, () => ofAny('name', 'relevance'), NAMES],
  ]

async function find(filter: unknown, order: SearchOrder, more: Partial<ItemSearch> = {}) {
  const listed: (readonly number[])[] = []
  const { json, meta } = await findItems(base.db, {
    plan: await planOf(filter),
    order,
    limit: 100,
    after: undefined,
    count: false,
    listing: async (page) => void listed.push(page),
    ...more,
  })
  const items = JSON.parse(String(json)) as { name: string }[]
  return { names: items.map(({ name }) => name), meta, listed }
}

describe.each(ORDERS)('a page in the order of %s', (_, filter, orderOf, names) => {
  it.each([1, 5, COUNT - 1])('of %d says where the next begins', async (limit) => {
    const order = await orderOf()
    const { names: found, meta } = await find(filter, order, { limit })
    expect(found).toEqual(names.slice(0, limit))
    const next = await find(filter, order, { limit, after: meta.next! })
    expect(next.names).toEqual(names.slice(limit, 2 * limit))
  })

  it.each([COUNT, COUNT + 1])('that has them all, of %d, says that none follows', async (limit) => {
    const { names: found, meta } = await find(filter, await orderOf(), { limit })
    expect(found).toEqual(names)
    expect(meta).toEqual({})
  })

  it.each([
    [0, 4],
    [3, 4],
    [8, 4],
    [9, 4],
    [COUNT, 4],
  ])('leaves %d out, of %d more', async (skip, limit) => {
    const order = await orderOf()
    const { names: found, meta } = await find(filter, order, { skip, limit })
    expect(found).toEqual(names.slice(skip, skip + limit))
    expect(meta.next !== undefined).toBe(skip + limit < COUNT)
    if (meta.next === undefined) return
    // The next goes on behind what was left out, too, and may leave out some itself.
    const behind = { after: meta.next, skip: 1, limit }
    expect((await find(filter, order, behind)).names).toEqual(names.slice(skip + limit + 1).slice(0, limit))
  })

  it('is named before it is listed, without the one that says whether another follows', async () => {
    const { listed, names: found } = await find(filter, await orderOf(), { limit: 4 })
    expect(listed.map((page) => page.map((id) => nameOf(ids.indexOf(id))))).toEqual([found])
  })

  it('is counted where that is asked for', async () => {
    const order = await orderOf()
    expect((await find(filter, order, { limit: 4, count: true })).meta.total).toBe(COUNT)
    expect((await find(filter, order, { limit: 4 })).meta.total).toBeUndefined()
    const none = await find(filter, order, { limit: 0, count: true })
    expect(none).toEqual({ names: [], meta: { total: COUNT }, listed: [] })
  })

  it('ends by the length of its texts, and goes on there', async () => {
    const order = await orderOf()
    const { names: found, meta } = await find(filter, order, { page_text: 1 })
    expect(found.length).toBeGreaterThan(0)
    expect(found.length).toBeLessThan(COUNT)
    expect(found).toEqual(names.slice(0, found.length))
    expect((await find(filter, order, { after: meta.next! })).names).toEqual(names.slice(found.length))
  })
})

describe('a page in the order of scores, of what satisfies the rest of the filter', () => {
  const filter = { and: [{ search: { text: 'quick', match: 'any' } }, { has_tag: 'Quick' }] }
  const order = [QUICK[1]!, QUICK[0]!, QUICK[2]!]

  it.each([1, 2, 3, 4, 250])('of %d, where the best do not', async (limit) => {
    const found: string[] = []
    let after: string | undefined
    do {
      const { names, meta } = await find(filter, BY_SCORE, { limit, after, count: true })
      expect(meta.total).toBe(QUICK.length)
      found.push(...names)
      after = meta.next
    } while (after !== undefined)
    expect(found).toEqual(order)
  })

  it.each([
    // One more than is listed is wanted.
    [1, filter, [200, 213]],
    [199, filter, [200, 213]],
    [200, filter, [213]],
    [1, { and: [filter.and[0], { name: { contains: 'quick' } }] }, [200]],
  ])('of %d looks at the 200 best before it looks at 2000: %j', async (limit, given, looked) => {
    const { db } = base
    const { select } = db
    const lists: number[] = []
    db.select = (asked) => {
      const { parameters } = 'compile' in asked ? asked.compile() : asked
      for (const each of parameters)
        if (typeof each === 'string' && each.startsWith('['))
          lists.push((JSON.parse(each) as unknown[]).length)
      return select.call(db, asked) as never
    }
    try {
      await find(given, BY_SCORE, { limit })
    } finally {
      db.select = select
    }
    expect(lists.filter((length) => length >= 200).slice(0, 2)).toEqual(looked)
  })

  it('is of what satisfies all of it', async () => {
    const all = { and: [...filter.and, { name: { contains: 'long' } }, { name: { contains: 'but' } }] }
    expect((await find(all, BY_SCORE)).names).toEqual(order)
    const some = { and: [...filter.and, { name: { contains: ' a' } }] }
    expect((await find(some, BY_SCORE, { count: true })).meta.total).toBe(1)
    expect((await find(some, BY_SCORE)).names).toEqual([QUICK[1]])
  })

  it('is empty where nothing satisfies it', async () => {
    const none = { and: [filter.and[0], { has_tag: 'Task' }] }
    expect(await find(none, BY_SCORE, { count: true })).toEqual({
      names: [],
      meta: { total: 0 },
      listed: [[]],
    })
    const never = { and: [filter.and[0], { 'Task.effort': { in: [] } }] }
    expect((await find(never, BY_SCORE, { count: true })).names).toEqual([])
  })
})

describe('a page in the order of tiers of relevance', () => {
  const byRelevance = async (filter: unknown) =>
    bindSort([{ by: 'relevance' }], catalog(), (await readFilter(filter, catalog())).filter)

  /** All pages. */
  async function walk(filter: unknown, limit: number): Promise<string[]> {
    const order = await byRelevance(filter)
    const found: string[] = []
    let after: string | undefined
    do {
      const { names, meta } = await find(filter, order, { limit, after })
      expect(names.length).toBeLessThanOrEqual(limit)
      found.push(...names)
      after = meta.next
      if (found.length > 1000) throw new Error('the pages do not end')
    } while (after !== undefined)
    return found
  }
  const names = (from: number, to: number) => PLUMS.slice(from, to).map(([name]) => name)

  it.each([1, 2, 3, 4, 10, 11])('of %d goes on within a tier and with the next one', async (limit) => {
    expect(await walk({ search: 'plum' }, limit)).toEqual(names(0, 10))
  })

  it.each([1, 3])('of %d goes by the places that are looked at', async (limit) => {
    expect(await walk({ search: { text: 'plum', in: ['name'] } }, limit)).toEqual(names(0, 8))
    expect(await walk({ search: { text: 'plum', in: ['description'] } }, limit)).toEqual(names(8, 10))
    expect(await walk({ and: [{ search: 'plum' }, { name: { gte: 'plum j' } }] }, limit)).toEqual([
      'plum jam',
      'red plum',
      'replum',
      'x',
      'xx',
    ])
  })

  it('has all items where any value will do', async () => {
    const all = await walk({ search: { text: '', in: ['values'] } }, 300)
    expect(all).toHaveLength(ids.length)
  })
})
