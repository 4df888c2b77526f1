import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { idsOf } from '#src/storage/search/candidates.ts'
import { columnMatches, idsOfMask } from '#src/storage/search/column-matches.ts'
import {
  countMatching,
  matchingAmong,
  matchingItems,
  matchingRows,
  someMatching,
} from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'
import { after, ALWAYS, and, FIELDS, NEVER, not, of, tags } from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

describe('what a plan is asked by', () => {
  // What was settled is remembered by the plan itself.
  const askedBy = async (
    use: (db: ReturnType<typeof recordingDb>) => Promise<unknown>,
    items = 1_000_000,
    count = items,
  ) => {
    const db = recordingDb({ ...postgresDialect }, ({ sql: text, parameters }) => {
      if (text.includes('max("id")')) return [{ id: items }]
      return text.includes('count(') ? [{ n: Math.min(count, Number(parameters.at(-1))) }] : [{ item: 5 }]
    })
    const found = await use(db)
    return { found, asked: db.asked }
  }

  it.each([
    ['all', (db) => matchingItems(db, { ...NEVER }), []],
    ['some', (db) => someMatching(db, { ...NEVER }), false],
    ['those among others', (db) => matchingAmong(db, { ...NEVER }, [1, 2]), []],
    ['their number', (db) => countMatching(db, { ...NEVER }), 0],
    ['their rows', (db) => matchingRows(db, { ...NEVER }), 'none'],
  ] as [string, (db: ReturnType<typeof recordingDb>) => Promise<unknown>, unknown][])(
    'is nothing where it can match nothing: %s',
    async (_, use, expected) => {
      expect(await askedBy(use)).toEqual({ found: expected, asked: [] })
    },
  )

  it('is one index where its rows come in order, without a count', async () => {
    const all = await askedBy((db) => matchingItems(db, tags(7)))
    expect(all.found).toEqual([5])
    expect(all.asked).toHaveLength(1)
    expect((await askedBy((db) => someMatching(db, tags(7)))).asked).toHaveLength(1)
    expect((await askedBy((db) => matchingRows(db, tags(7)))).asked).toEqual([])
    // A count of many may be made over columns: whether it is of many is counted.
    expect((await askedBy((db) => countMatching(db, tags(7)))).asked).toHaveLength(3)
  })

  it('is the oldest item alone, where it matters whether there is one', async () => {
    const { found, asked } = await askedBy((db) => someMatching(db, of(FIELDS.number, after(1))))
    expect(found).toBe(true)
    // To go through a thousand is worth it for one of a million: the root of them.
    expect(asked.filter(({ sql: text }) => text.includes('count('))[0]!.parameters.at(-1)).toBe(1001)
    expect(asked.at(-1)!.sql).toMatch(/ asc limit \$\d+$/)
    expect(asked.at(-1)!.parameters.at(-1)).toBe(1)
    const none = recordingDb({ ...postgresDialect }, () => [])
    expect(await someMatching(none, tags(7))).toBe(false)
  })

  it('is a quarter of the items at the most where all are wanted', async () => {
    for (const use of [matchingItems, matchingRows, countMatching]) {
      const { asked } = await askedBy((db) => use(db, of(FIELDS.number, after(1))))
      const caps = asked
        .filter(({ sql: text }) => text.includes('count('))
        .map((each) => each.parameters.at(-1))
      expect(caps).toContain(250_001)
    }
  })

  it('is in row order, which lets what indexes have in common be walked', async () => {
    const both = () => and(tags(7), tags(8))
    for (const use of [matchingItems, someMatching]) {
      const { asked } = await askedBy((db) => use(db, both()))
      expect(asked.filter(({ sql: text }) => text.includes('intersect'))).toEqual([asked.at(-1)])
    }
    const { asked } = await askedBy((db) => countMatching(db, both()))
    expect(asked.filter(({ sql: text }) => text.includes('intersect'))).toEqual([asked.at(-1)])
    expect(
      (await askedBy((db) => matchingRows(db, both()))).asked.every(
        ({ sql: text }) => !/intersect/.test(text),
      ),
    ).toBe(true)
  })
})

describe('items that are counted, or masked, over columns', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  const numbers = [3, 1, 2, 3, null, 1]
  beforeAll(async () => {
    base = await openBase()
    const { tag_id } = await base.run(createTag, {
      name: 'Task',
      fields: { effort: 'Number', title: 'String' },
    })
    await base.run(bulkCreate, {
      items: numbers.map((effort, i) => ({
        name: `Task ${i}`,
        tags: [{ tag_ref: { Existing: tag_id }, field_values: { effort } }],
      })),
    })
  })
  afterAll(() => base.close())
  beforeEach(() => void (base.db.committed = new Map()))

  const planOf = async (filter: unknown) =>
    (await readFilter(filter, tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' }))).plan
  const ids = () => base.db.raw.prepare('select id from item order by id').pluck().all() as number[]
  async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
    const { db } = base
    const { select } = db
    const asked: string[] = []
    db.select = (given) => {
      asked.push(('compile' in given ? given.compile() : given).sql)
      return select.call(db, given) as never
    }
    await work().finally(() => void (db.select = select))
    return asked
  }
  const readsColumns = () => base.db.committed!.has('columns')

  it('are those that a statement finds', async () => {
    for (const [filter, count] of [
      [{ 'Task.effort': { gte: 2 } }, 3],
      [{ 'Task.effort': { lt: 2 } }, 2],
      [{ not: { 'Task.effort': 3 } }, 4],
      [{ search: '' }, 6],
    ] as const) {
      base.db.committed!.clear()
      const plan = await planOf(filter)
      expect(await countMatching(base.db, plan)).toBe(count)
      expect(readsColumns()).toBe(true)
      // Nothing is counted by a statement besides.
      expect(await statementsOf(() => countMatching(base.db, plan))).not.toContainEqual(
        expect.stringMatching(/^select count\(\*\) as n from \(.* m$/),
      )
      const mask = (await columnMatches(base.db, plan))!()!
      expect(idsOfMask(mask, undefined, 10)).toEqual(await matchingItems(base.db, plan))
    }
  })

  it('are counted by an index that finds few', async () => {
    const plan = await planOf({ 'Task.effort': 99 })
    expect(await countMatching(base.db, plan)).toBe(0)
    expect(readsColumns()).toBe(false)
  })

  it('are counted by a statement where columns do not have what is looked at', async () => {
    const plan = await planOf({ name: { gte: 'Task 3' } })
    expect(await columnMatches(base.db, plan)).toBeUndefined()
    expect(readsColumns()).toBe(false)
    expect(await countMatching(base.db, plan)).toBe(3)
    expect(await idsOf(base.db, (await matchingRows(base.db, plan)) as never)).toEqual(ids().slice(3))
  })

  it('are not given by columns of a connection that keeps none, or that have been brought further', async () => {
    const plan = await planOf({ 'Task.effort': { gte: 2 } })
    const matches = (await columnMatches(base.db, plan))!
    expect(matches()).toBeDefined()
    await base.run(createItem, { name: 'another' })
    expect(await columnMatches(base.db, plan)).toBeDefined()
    expect(matches()).toBeUndefined()
    delete base.db.committed
    expect(await columnMatches(base.db, plan)).toBeUndefined()
    expect(await countMatching(base.db, plan)).toBe(3)
  })

  it('are all live items of a plan that is always true, in their order', async () => {
    expect(await matchingItems(base.db, { ...ALWAYS })).toEqual(ids())
    expect(await matchingItems(base.db, not({ ...NEVER }))).toEqual(ids())
    expect(await someMatching(base.db, { ...ALWAYS })).toBe(true)
  })
})
