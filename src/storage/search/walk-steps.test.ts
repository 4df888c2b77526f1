import { describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { CompiledSql } from '#src/sql/query.ts'
import { allItems } from '#src/storage/search/candidates.ts'
import { OrderedWalk } from '#src/storage/search/ordered-walk.ts'
import { idsByRank } from '#src/storage/search/rank-walk.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'
import { OLDEST_FIRST, type OrderKey } from '#src/storage/search/search-order.ts'
import { pageOfIds } from '#src/storage/search/search.ts'
import { after, and, FIELDS, LONG, not, of, or, search, tags } from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

// What a walk asks for, and when it asks no more: by what the statements before gave. What it finds is tested on a base.

type Step = 'entries' | 'sort' | 'tie' | 'items' | 'row ids'

/** Entries of an index, a sort, the ids of a tie, how many items there are, or ids in row order. */
function stepOf({ sql: text }: CompiledSql): Step {
  if (text.includes('max("id")')) return 'items'
  if (text.startsWith('select w.id as item, w.value')) return 'entries'
  if (text.startsWith('with s as')) return 'sort'
  return text.startsWith('select q.item') ? 'tie' : 'row ids'
}

const NUMBER: OrderKey = { field: FIELDS.number, descending: false }
const TEXT: OrderKey = { field: FIELDS.text, descending: false }
const KIND: OrderKey = { field: FIELDS.kind, descending: false }
const NAME: OrderKey = { column: 'name', descending: false }
const TIER: OrderKey = { tier: [[[{ text: 'abc', places: ['name'] }]]], descending: false }
/** The parameters of what is probed. */
const TAG = [0, 7]
/** What the index has of the long text. */
const BEGINNING = postgresDialect.filter.indexed(LONG)

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, i) => ({ item: from + i }))
const entries = (...values: (number | string)[]) => values.map((value, i) => ({ item: 100 + i, value }))

/** A page of three. */
async function walk(
  keys: OrderKey[],
  answers: Partial<Record<Step, object[][]>>,
  position?: CursorPlace,
): Promise<{ found: number[]; steps: Step[]; asked: CompiledSql[] }> {
  const left = structuredClone(answers)
  const db = recordingDb({ ...postgresDialect }, (asked) => {
    const step = stepOf(asked)
    return step === 'items' ? [{ id: 100 }] : (left[step]?.shift() ?? [])
  })
  const candidates = allItems(tags(7), db.dialect)
  const found = await new OrderedWalk(db, candidates, { keys, descending: false }, 3).page(keys, position)
  // Each gives an item once as it is.
  for (const { sql: text } of db.asked) expect(text).not.toContain('distinct')
  return { found, steps: db.asked.map(stepOf), asked: db.asked }
}

describe('a walk by one key', () => {
  it('asks for the entries of a page', async () => {
    const { found, steps, asked } = await walk([NUMBER], { entries: [entries(1, 1, 2)] })
    expect(found).toEqual([100, 101, 102])
    expect(steps).toEqual(['entries'])
    expect(asked[0]!.parameters.at(-1)).toBe(3)
  })

  it('goes on behind the item of a place', async () => {
    const { steps, asked } = await walk([NUMBER], { entries: [entries(2, 2, 3)] }, { item: 9, values: [2] })
    expect(steps).toEqual(['entries'])
    expect(asked[0]!.parameters).toEqual([FIELDS.number.id, 2, 9, ...TAG, 3])
  })

  it('asks for the items without a value where entries do not fill the page', async () => {
    const { found, steps, asked } = await walk([NUMBER], {
      entries: [entries(1, 2)],
      'row ids': [ids(1)],
    })
    expect(found).toEqual([100, 101, 1])
    expect(steps).toEqual(['entries', 'row ids'])
    expect(asked[1]!.parameters.at(-1)).toBe(1)
    const behind = await walk([NUMBER], { 'row ids': [ids(3)] }, { item: 9, values: [null] })
    expect(behind.steps).toEqual(['row ids'])
    expect(behind.asked[0]!.parameters).toContain(9)
  })

  it('asks for no more where every item has a value', async () => {
    expect((await walk([NAME], { entries: [entries('a', 'b')] })).steps).toEqual(['entries'])
    expect((await walk([NAME], {})).steps).toEqual(['entries'])
  })

  it('asks for the items of each variant in turn until the page is full', async () => {
    const all = await walk([KIND], { 'row ids': [ids(2), ids(0), ids(1, 9)] })
    expect(all.found).toEqual([1, 2, 9])
    expect(all.steps).toEqual(['row ids', 'row ids', 'row ids'])
    const limits = all.asked.map(({ parameters }) => parameters.at(-1))
    expect(limits).toEqual([3, 1, 1])
    const behind = await walk([KIND], { 'row ids': [ids(1), ids(2, 9)] }, { item: 99, values: [1] })
    expect(behind.steps).toEqual(['row ids', 'row ids'])
    expect(behind.asked.map(({ parameters }) => parameters.includes(99))).toEqual([true, false])
  })
})

describe('a walk by several keys', () => {
  it('sorts what entries gave where they end before the page does', async () => {
    const { steps } = await walk([NUMBER, NAME], { entries: [entries(1, 2), entries()] })
    expect(steps).toEqual(['entries', 'sort', 'entries'])
  })

  it('sorts what was read whole, and the items of the last value by themselves', async () => {
    const { found, steps, asked } = await walk([NUMBER, NAME], {
      entries: [entries(1, 2, 2)],
      tie: [ids(4)],
      sort: [ids(1, 100), ids(2)],
    })
    expect(found).toEqual([100, 1, 2])
    expect(steps).toEqual(['entries', 'sort', 'items', 'tie', 'sort'])
    // The tie is read by the index of its value.
    expect(asked[3]!.sql).toMatch(/from field_value e where e\.field/)
    expect(asked.at(-1)!.parameters.at(-1)).toBe(2)
  })

  it.each([
    [500, 'sort'],
    [501, 'entries'],
  ] as const)('sorts %d of one value where they are few: %s', async (count, last) => {
    const { steps, asked } = await walk([NUMBER, NAME], {
      entries: [entries(2, 2, 2)],
      tie: [ids(count)],
      sort: [ids(3)],
    })
    expect(steps.slice(0, 4)).toEqual(['entries', 'items', 'tie', last])
    // One more than few says that they are not.
    expect(asked[2]!.parameters.at(-1)).toBe(501)
  })

  it('goes on within the value of a place, and then behind it', async () => {
    const place = { item: 9, values: [2, 'b'] }
    const full = await walk([NUMBER, NAME], { tie: [ids(5)], sort: [ids(3)] }, place)
    expect(full.steps).toEqual(['items', 'tie', 'sort'])
    const { steps, asked } = await walk(
      [NUMBER, NAME],
      { tie: [ids(5)], sort: [ids(1), ids(2, 100)], entries: [entries(3, 4), []] },
      place,
    )
    // What is read of the last value fills the page: whether it has more is asked by the index of that value.
    expect(steps).toEqual(['items', 'tie', 'sort', 'entries', 'sort', 'tie', 'sort'])
    // Behind the value, whatever items have it.
    expect(asked[3]!.parameters).toEqual([FIELDS.number.id, 2, ...TAG, 2])
    expect(asked[2]!.parameters).toContain('b')
  })

  it('sorts the items of one value by a tier, which no index has', async () => {
    const { steps } = await walk([NUMBER, TIER], {
      entries: [entries(1, 2, 2)],
      sort: [ids(1, 100), ids(2)],
    })
    expect(steps).toEqual(['entries', 'sort', 'sort'])
  })
})

describe('a walk by texts of which the index has the beginning', () => {
  it('sorts those that begin alike', async () => {
    const { found, steps, asked } = await walk([TEXT], {
      entries: [entries('a', BEGINNING, BEGINNING)],
      sort: [ids(2)],
    })
    expect(found).toEqual([100, 1, 2])
    expect(steps).toEqual(['entries', 'sort'])
    // Found by the beginning, put in order by the whole.
    expect(asked[1]!.parameters).toContain(BEGINNING)
    expect(asked[1]!.parameters).not.toContain(LONG)
  })

  it('goes on within those that begin as the text of a place does, and then behind the beginning', async () => {
    const { steps, asked } = await walk(
      [TEXT],
      { sort: [ids(1)], entries: [entries('z', 'zz')] },
      { item: 9, values: [LONG] },
    )
    expect(steps).toEqual(['sort', 'entries'])
    expect(asked[0]!.parameters).toContain(LONG)
    expect(asked[1]!.parameters).toEqual([FIELDS.text.id, BEGINNING, ...TAG, 2])
  })
})

describe('a walk by the length of names', () => {
  const position = { item: 9, values: [5, '2026'] }
  const asked = async (answers: object[][], place?: CursorPlace) => {
    const left = [...answers]
    const db = recordingDb({ ...postgresDialect }, () => left.shift() ?? [])
    const found = await idsByRank(db, { probe: search('abc') }, place, 3)
    return { found, limits: db.asked.map(({ parameters }) => parameters.at(-1)) }
  }

  it('asks for longer names only where those of one length do not fill the page', async () => {
    expect(await asked([ids(3)], position)).toEqual({ found: [1, 2, 3], limits: [3] })
    expect(await asked([ids(2), ids(1, 9)], position)).toEqual({ found: [1, 2, 9], limits: [3, 1] })
    expect(await asked([ids(2)])).toEqual({ found: [1, 2], limits: [3] })
  })

  it.each<[FilterPlan, string[]]>([
    [search('abc'), []],
    [search('abc', 'name'), ['abc']],
    [search('abc', 'word_start'), ['abc']],
    [search('abc', 'description'), []],
    [tags(7), []],
    [and(search('abc', 'name'), tags(7), search('xyz', 'whole_name')), ['abc', 'xyz']],
    [or(search('abc', 'name')), ['abc']],
    [or(search('abc', 'name'), search('abc', 'name_start')), ['abc']],
    [or(search('abc', 'name'), search('abc')), []],
    [or(search('abc', 'name'), search('xyz', 'name')), []],
    [or(search('abc', 'name'), tags(7)), []],
    [and(or(search('abc', 'name'), search('abc', 'name_start')), search('abc')), ['abc']],
    [not(search('abc', 'name')), []],
  ])('passes by the names that cannot hold a text: %j by %j', async (probe, texts) => {
    const db = recordingDb({ ...postgresDialect }, () => [])
    await idsByRank(db, { probe }, undefined, 3)
    const looked = [...db.asked[0]!.sql.matchAll(/strpos\(lower\(i\.name\), (\$\d+)\)/g)]
    expect(looked.map(([, place]) => db.asked[0]!.parameters[Number(place!.slice(1)) - 1])).toEqual(texts)
  })
})

describe('a page of the first rows', () => {
  const A = of(FIELDS.number, after(1))
  const page = async (db: ReturnType<typeof recordingDb>, item?: number) => {
    const position = item === undefined ? undefined : { item, values: [] }
    const before = db.asked.length
    const found = await pageOfIds(db, { plan: A, order: OLDEST_FIRST, position, limit: 2 })
    return { found, asked: db.asked.slice(before).map(({ sql: text }) => text) }
  }
  /** The nearest rows give these; whatever else is asked, an index. */
  const baseWith = (...nearest: object[][]) =>
    recordingDb({ ...postgresDialect }, ({ sql: text }) => {
      if (text.includes('max("id")')) return [{ id: 1000 }]
      if (text.includes('count(')) return [{ n: 700 }]
      return text.includes('<= $') ? (nearest.shift() ?? []) : ids(2, 50)
    })

  it('asks for no more where they fill it, time after time', async () => {
    const db = baseWith(ids(2), ids(2, 3), ids(2, 5))
    for (const item of [undefined, 2, 4]) expect((await page(db, item)).asked).toHaveLength(1)
  })

  it('asks another way where they do not, and does not look at them again for this page', async () => {
    const db = baseWith(ids(1))
    const { found, asked } = await page(db)
    expect(found).toEqual([50, 51])
    expect(asked.filter((text) => text.includes('<= $'))).toHaveLength(1)
    const again = await page(db)
    expect(again.found).toEqual([50, 51])
    expect(again.asked.filter((text) => text.includes('<= $'))).toEqual([])
  })
})
