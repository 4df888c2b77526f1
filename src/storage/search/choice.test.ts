import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { conjunctsOf } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { accessPathOf, accessPathsOf, accessPathsOver } from '#src/storage/search/access-paths.ts'
import { type Candidates, leavesOf } from '#src/storage/search/candidates.ts'
import {
  firstRowsOf,
  moreRowsOf,
  noteFirstRows,
  oftenFills,
  shapeKey,
} from '#src/storage/search/first-rows.ts'
import { explainMatching } from '#src/storage/search/explain-matching.ts'
import { countItems, countOf, isRemembered, keyOf, remembered } from '#src/storage/search/search-counts.ts'
import { BY_SCORE, OLDEST_FIRST, type SearchOrder } from '#src/storage/search/search-order.ts'
import {
  chooseCandidates,
  chooseStrategy,
  isSelective,
  worthGoingThrough,
} from '#src/storage/search/strategy.ts'
import {
  absent,
  after,
  ALWAYS,
  and,
  before,
  FIELDS,
  hop,
  NEVER,
  not,
  of,
  oneOf,
  or,
  referred,
  search,
  several,
  tags,
} from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

// What is chosen by how many rows each index has, at each bound: below, at and above it. The counts are given.

const ITEMS = 100_000
// A copy has no access path in memory.
let dialect = postgresDialect
beforeEach(() => void (dialect = { ...postgresDialect }))

/** What identifies a condition in a statement that counts its rows: the parameters. */
const parametersOf = (plan: FilterPlan, at = 0): string => {
  const { sources } = accessPathsOf(plan, dialect)[at]!
  const rows = sql`${sql.join(
    sources.map(({ rows }) => rows),
    sql` `,
  )}`.compile(dialect.builder)
  return JSON.stringify(rows.parameters)
}

/** A base of which each condition finds this many items; of those that are not said, a great many. */
function baseWith(counts: readonly (readonly [FilterPlan, number, number?])[], items = ITEMS) {
  const known = new Map(counts.map(([plan, count, at]) => [parametersOf(plan, at), count]))
  return recordingDb(dialect, ({ sql: text, parameters }) => {
    if (text.includes('max("id")')) return [{ id: items }]
    // No column has anything.
    if (text.includes('string_agg')) return []
    const count = known.get(JSON.stringify(parameters.slice(0, -1))) ?? items
    return [{ n: Math.min(count, Number(parameters.at(-1))) }]
  })
}

/** Where the ids come from, by parameters. */
function driverOf({ sources, intersectWith }: Candidates): string {
  const by = (rows: {
    compile: (typeof sql.raw extends never ? never : ReturnType<typeof sql.raw>)['compile']
  }) => JSON.stringify(rows.compile(dialect.builder).parameters)
  if (!sources) return 'all items'
  const [first] = sources
  return (
    [by(first!.rows), ...intersectWith.map(by)].join(' & ') +
    (sources.length > 1 ? ` +${sources.length - 1}` : '')
  )
}

const A = of(FIELDS.number, after(1))
const B = of(FIELDS.starts, after('2024'))
const DONE = of(FIELDS.done, oneOf(1))
const LEFT = of(FIELDS.kind, oneOf('new'))
/** The parameters of each. */
const [A_ROWS, B_ROWS, DONE_ROWS, LEFT_ROWS, TAG_ROWS] = [
  '[12,1]',
  '[15,"2024"]',
  '[13,1]',
  '[16,"new"]',
  '[0,7]',
]

describe('where the ids of a page of 50 come from', () => {
  const choose = async (
    plan: FilterPlan,
    counts: readonly (readonly [FilterPlan, number, number?])[],
    more: Partial<Parameters<typeof chooseCandidates>[1]> = {},
    items = ITEMS,
  ) => {
    const db = baseWith(counts, items)
    const { candidates, few, mayBeSparse } = await chooseCandidates(db, {
      plan,
      limit: 50,
      inRowOrder: false,
      ...more,
    })
    return {
      from: driverOf(candidates),
      few,
      mayBeSparse,
      probe: candidates.probe.kind,
      asked: db.asked.length,
    }
  }

  it('is all items where no index can drive', async () => {
    expect(await choose(not(tags(7)), [])).toEqual({ from: 'all items', few: false, probe: 'not', asked: 0 })
    expect(await choose(ALWAYS, [])).toMatchObject({ from: 'all items', few: false })
  })

  it('is one look-up for several texts, in place of one for each', async () => {
    const texts = and(search('abc'), search('def'), search('gh'), tags(7))
    const both = '["%abc%","%abc%","%def%","%def%"]'
    const counted = async (joint: number) => {
      const db = recordingDb(dialect, ({ sql: text, parameters }) => {
        if (text.includes('max("id")')) return [{ id: ITEMS }]
        const n = JSON.stringify(parameters.slice(0, -1)) === both ? joint : ITEMS
        return [{ n: Math.min(n, Number(parameters.at(-1))) }]
      })
      const { candidates, few } = await chooseCandidates(db, { plan: texts, limit: 50, inRowOrder: true })
      return { from: driverOf(candidates), few, left: conjunctsOf(candidates.probe) }
    }
    // Two letters are no text for the index: they are looked for in what it finds.
    expect(await counted(300)).toEqual({ from: both, few: true, left: [search('gh'), tags(7)] })
    expect(await counted(ITEMS)).toMatchObject({ from: TAG_ROWS, few: false })
    dialect = { ...sqliteDialect }
    const paths = accessPathsOver(texts, dialect)
    expect(paths.map(({ part }) => part)).toEqual([search('abc'), search('def'), tags(7)])
  })

  it('is the one index whose order is right, of which nothing is counted', async () => {
    expect(await choose(tags(7), [], { inRowOrder: true })).toEqual({
      from: TAG_ROWS,
      few: false,
      probe: 'always',
      asked: 0,
    })
    const { asked, ...chosen } = await choose(referred(ALWAYS), [], { inRowOrder: true })
    expect(asked).toBeGreaterThan(0)
    expect(chosen).toMatchObject({ from: '[19,19]', mayBeSparse: true })
    expect(await choose(A, [], { inRowOrder: true })).toMatchObject({ from: TAG_ROWS, mayBeSparse: true })
  })

  it.each([
    ['a list in order of 300 without more ado', and(tags(7), A), [[tags(7), 300]], true, TAG_ROWS, 1],
    ['the smallest, one more', and(tags(7), A), [[tags(7), 301]], true, TAG_ROWS, 4],
    ['what is found by 2236 of 100,000', and(tags(7), A), [[tags(7), 2236]], true, TAG_ROWS, 4],
    ['all items where one more is found', and(tags(7), A), [[tags(7), 2237]], false, TAG_ROWS, 4],
    [
      'the other index where that has fewer',
      and(tags(7), A),
      [
        [tags(7), 2000],
        [A, 1999],
      ],
      true,
      A_ROWS,
      4,
    ],
    [
      'the first of two as large',
      and(B, A),
      [
        [A, 2000],
        [B, 2000],
      ],
      true,
      B_ROWS,
      3,
    ],
    ['what has no order is not taken for being short', A, [[A, 1]], true, A_ROWS, 2],
  ] as const)('is %s', async (_, plan, counts, few, from, asked) => {
    expect(await choose(plan, counts)).toMatchObject({ few, from, asked })
  })

  it('is an index that finds a quarter of the items where all are wanted', async () => {
    const all = { limit: undefined }
    expect(await choose(A, [[A, 25_000]], all)).toMatchObject({ few: true })
    expect(await choose(A, [[A, 25_001]], all)).toMatchObject({ few: false })
  })

  it('is an index that finds 500, however few items there are', async () => {
    expect(await choose(A, [[A, 500]], {}, 1000)).toMatchObject({ few: true })
    expect(await choose(A, [[A, 501]], {}, 1000)).toMatchObject({ few: false })
  })

  it('is an index that finds a quarter of that where others are passed by', async () => {
    expect(await choose(A, [[A, 559]], { passesBy: true })).toMatchObject({ few: true })
    expect(await choose(A, [[A, 560]], { passesBy: true })).toMatchObject({ few: false })
  })

  describe('and each part finds many', () => {
    const both = and(DONE, LEFT)

    it('is what indexes have in common, in row order', async () => {
      expect(await choose(both, [], { inRowOrder: true })).toMatchObject({
        from: `${DONE_ROWS} & ${LEFT_ROWS}`,
        few: false,
        mayBeSparse: true,
        probe: 'always',
      })
      expect(await choose(and(DONE, A), [], { inRowOrder: true })).toMatchObject({
        from: DONE_ROWS,
        mayBeSparse: false,
        probe: 'field',
      })
      expect(await choose(and(B, A), [], { inRowOrder: true })).toMatchObject({
        from: TAG_ROWS,
        mayBeSparse: true,
      })
      expect(await choose(and(referred(ALWAYS), A), [], { inRowOrder: true })).toMatchObject({
        from: '[19,19]',
        mayBeSparse: true,
      })
    })

    it('is a union in row order, which is not intersected', async () => {
      expect(await choose(and(tags(7, 8), A), [], { inRowOrder: true })).toMatchObject({
        from: '[0,7] +1',
        mayBeSparse: false,
      })
      const unions = { from: '[0,7] +1', probe: 'has_tag' }
      expect(await choose(and(tags(7, 8), tags(9, 10)), [], { inRowOrder: true })).toMatchObject(unions)
      expect(await choose(and(tags(7, 8), DONE), [], { inRowOrder: true })).toMatchObject({
        from: DONE_ROWS,
        mayBeSparse: false,
      })
    })

    it('is the eight smallest of nine', async () => {
      const nine = several(9, (i) => tags(i))
      const db = baseWith(nine.map((plan, i) => [plan, 5000 + (i === 0 ? 100 : i)] as const))
      // Counted further before, for a larger page.
      for (const plan of nine) await countOf(db, accessPathOf(plan, dialect)!, 10_000)
      const { candidates } = await chooseCandidates(db, { plan: and(...nine), limit: 50, inRowOrder: true })
      const eight = nine.slice(1).map((plan) => parametersOf(plan))
      expect(driverOf(candidates)).toBe(eight.join(' & '))
      expect(candidates.probe).toEqual(nine[0])
      // As many as that stay as the filter has them, whatever their counts.
      const first = baseWith(nine.map((plan, i) => [plan, 9000 - i] as const))
      for (const plan of nine) await countOf(first, accessPathOf(plan, dialect)!, 10_000)
      const whole = await chooseCandidates(first, {
        plan: and(...nine.slice(1)),
        limit: 50,
        inRowOrder: true,
      })
      expect(driverOf(whole.candidates)).toBe(eight.join(' & '))
    })

    it.each([
      [2236, true],
      [2237, false],
    ])('is what they have in common for a sort, of which there are %d: %j', async (common, few) => {
      const db = recordingDb(dialect, ({ sql: text, parameters }) => {
        if (text.includes('max("id")')) return [{ id: ITEMS }]
        return [{ n: text.includes('intersect') ? Math.min(common, Number(parameters.at(-1))) : ITEMS }]
      })
      const chosen = await chooseCandidates(db, { plan: both, limit: 50, inRowOrder: false })
      expect(chosen.few).toBe(few)
      expect(driverOf(chosen.candidates)).toBe(few ? `${DONE_ROWS} & ${LEFT_ROWS}` : TAG_ROWS)
      expect(db.asked.at(-1)!.sql).toContain('intersect')
      // What they have in common is remembered, too.
      const { length } = db.asked
      await chooseCandidates(db, { plan: both, limit: 50, inRowOrder: false })
      expect(db.asked).toHaveLength(length)
    })

    it('is not asked what one index has in common with none', async () => {
      const db = baseWith([])
      await chooseCandidates(db, { plan: and(DONE, A), limit: 50, inRowOrder: false })
      expect(db.asked.filter(({ sql: text }) => text.includes('intersect'))).toEqual([])
    })
  })

  it('starts from those that refer where these are few', async () => {
    const plan = referred(of(FIELDS.number, oneOf(3)))
    expect(accessPathsOf(plan, dialect)).toHaveLength(2)
    expect(await choose(plan, [[plan, 40, 1]])).toMatchObject({
      from: '[12,3,19]',
      few: true,
      probe: 'always',
    })
    const counted = referred(of(FIELDS.number, oneOf(3)), 2)
    expect(await choose(counted, [[counted, 40, 1]])).toMatchObject({ from: '[12,3,19]', probe: 'referred' })
  })
})

describe('going through the matches is worth it', () => {
  it.each([
    [50, 100_000, 2236],
    [1, 1000, 500],
    [undefined, 4000, 1000],
    [undefined, 100, 500],
  ])('for %s of %d items up to %d', async (limit, items, worth) => {
    expect(await worthGoingThrough(baseWith([], items), limit)).toBe(worth)
  })
})

describe('an item is probed by', () => {
  it.each([
    [ALWAYS, 1],
    [A, 1],
    [and(A, B, not(or(A, B))), 4],
    [hop(A), 2],
    [hop(hop(and(A, B))), 4],
    [referred(A), 200],
    [referred(and(A, B)), 300],
  ])('conditions: %j', (plan, leaves) => {
    expect(leavesOf(plan)).toBe(leaves)
  })
})

describe('a plan is selective', () => {
  it.each([
    [and(tags(7), A), [[A, 1000]], true],
    [and(tags(7), A), [[A, 1001]], false],
    [A, [[A, 1000]], true],
    [not(A), [[A, 0]], false],
    [ALWAYS, [], false],
  ] as const)('%j with %j: %j', async (plan, counts, selective) => {
    expect(await isSelective(baseWith(counts), plan)).toBe(selective)
  })
})

describe('the strategy of a page', () => {
  const byName: SearchOrder = { keys: [{ column: 'name', descending: false }], descending: false }
  const kindOf = async (
    plan: FilterPlan,
    order: SearchOrder,
    counts: Parameters<typeof baseWith>[0] = [],
    allowed = {},
  ) => (await chooseStrategy(baseWith(counts), { plan, order, position: undefined, limit: 50 }, allowed)).kind

  it.each([
    [NEVER, OLDEST_FIRST, 'nothing'],
    [NEVER, byName, 'nothing'],
    [search('abc'), { ...byName, relevance: [[[{ text: 'abc', places: ['name'] }]]] }, 'tiers'],
    [ALWAYS, OLDEST_FIRST, 'row_order'],
    [tags(7), OLDEST_FIRST, 'row_order'],
    [A, OLDEST_FIRST, 'first_rows'],
    [ALWAYS, byName, 'order_index'],
    [A, byName, 'order_index'],
    [A, BY_SCORE, 'rank_walk'],
  ] as [FilterPlan, SearchOrder, string][])('of %j by %j is %s', async (plan, order, kind) => {
    expect(await kindOf(plan, order)).toBe(kind)
  })

  it('is a sort of few', async () => {
    expect(await kindOf(A, byName, [[A, 2236]])).toBe('sort')
    expect(await kindOf(A, byName, [[A, 2237]])).toBe('order_index')
    expect(await kindOf(A, BY_SCORE, [[A, 559]])).toBe('sort')
    expect(await kindOf(A, BY_SCORE, [[A, 560]])).toBe('rank_walk')
  })

  it('is over columns where indexes that have no order find many, of a connection that keeps some', async () => {
    const kindOn = async (plan: FilterPlan, allowed = {}) => {
      const db = Object.assign(baseWith([]), { committed: new Map<string, unknown>() })
      const search = { plan, order: OLDEST_FIRST, position: undefined, limit: 50 }
      return (await chooseStrategy(db, search, { firstRows: false, moreRows: false, ...allowed })).kind
    }
    expect(await kindOn(A)).toBe('columns')
    expect(await kindOn(A, { columns: false })).toBe('row_order')
    expect(await kindOn(A, { moreRows: true })).toBe('first_rows')
    expect(await kindOn(A, { moreRows: true, columns: false })).toBe('row_order')
    expect(await kindOn(tags(7))).toBe('row_order')
    expect(await kindOn(and(DONE, A))).toBe('row_order')
    expect(await kindOn(and(DONE, LEFT))).toBe('columns')
    expect(await kindOn(search('abc'))).toBe('row_order')
  })

  it('is another one where the first rows did not fill the page', async () => {
    const search = { plan: A, order: OLDEST_FIRST, position: undefined, limit: 50 }
    const more = await chooseStrategy(baseWith([]), search, { firstRows: false })
    expect(more.kind).toBe('first_rows')
    const none = await chooseStrategy(baseWith([]), search, { firstRows: false, moreRows: false })
    expect(none.kind).toBe('row_order')
    expect((await chooseStrategy(baseWith([]), search, { firstRows: false, columns: false })).kind).toBe(
      'row_order',
    )
    // An index finds few, so that a page is full of them, or there are no more.
    expect((await chooseStrategy(baseWith([[A, 5]]), search, { firstRows: false })).kind).toBe('row_order')
  })
})

it('what indexes have in common is said in words', async () => {
  const { plan } = await explainMatching(baseWith([]), and(DONE, LEFT))
  expect(plan[0]).toBe('in row order: the intersection of 2 indexes until the page is full')
})

describe('the first rows', () => {
  const nearest = (plan: FilterPlan, position?: { item: number }, limit = 50) => {
    const found = firstRowsOf(baseWith([]), { plan, position, limit })
    if (!found) return undefined
    const { sources, conditions } = found.candidates
    return {
      from: driverOf(found.candidates),
      upTo: conditions.map((each) => each(sql`i.id`).compile(dialect.builder).parameters),
      sources: sources?.length,
    }
  }

  it('are ten for one that is wanted, from the place on', () => {
    expect(nearest(A)).toEqual({ from: TAG_ROWS, upTo: [[500]], sources: 1 })
    expect(nearest(A, { item: 70 }, 3)).toMatchObject({ upTo: [[100]] })
    expect(nearest(or(A, B))).toMatchObject({ from: 'all items', upTo: [[500]] })
  })

  it('are those up to the last of so many, which is one of them', () => {
    const { conditions } = firstRowsOf(baseWith([]), { plan: A, position: undefined, limit: 1 })!.candidates
    expect(conditions.map((each) => each(sql`i.id`).compile(dialect.builder))).toMatchObject([
      { sql: 'i.id <= $1', parameters: [10] },
    ])
  })

  it('are not looked at where nothing drives, or an index has its items in order', () => {
    for (const plan of [ALWAYS, not(A), of(FIELDS.number, absent), tags(7), and(A, tags(7))])
      expect(nearest(plan)).toBeUndefined()
    dialect = { ...sqliteDialect }
    expect(nearest(search('abc'))).toBeUndefined()
  })

  it('are at most 500 where texts are read, or as many as the page has', () => {
    expect(nearest(search('abc'), undefined, 20)).toMatchObject({ upTo: [[200]] })
    expect(nearest(search('abc'), undefined, 100)).toMatchObject({ upTo: [[500]] })
    expect(nearest(and(search('abc'), search('def')), { item: 70 }, 1000)).toMatchObject({ upTo: [[1070]] })
  })

  it('are left out where an index finds few texts', async () => {
    const kindOf = async (plan: FilterPlan, counts: readonly (readonly [FilterPlan, number])[]) =>
      (
        await chooseStrategy(baseWith(counts), {
          plan,
          order: OLDEST_FIRST,
          position: undefined,
          limit: 50,
        })
      ).kind
    expect(await kindOf(search('abc'), [[search('abc'), 300]])).toBe('row_order')
    expect(await kindOf(search('abc'), [[search('abc'), 301]])).toBe('first_rows')
    expect(await kindOf(and(A, search('abc')), [[search('abc'), 300]])).toBe('row_order')
  })

  it('are looked at where a text index would go through its matches before the place', () => {
    expect(nearest(search('abc'), { item: 70 })).toMatchObject({ upTo: [[570]] })
    expect(nearest(and(search('abc'), tags(7)), { item: 70 })).toBeUndefined()
  })

  it('are three for one that is wanted of those that are referred to', () => {
    expect(nearest(referred(ALWAYS))).toEqual({ from: '[19,19,150]', upTo: [], sources: 1 })
    expect(nearest(and(A, referred(ALWAYS)), { item: 70 }, 2)).toMatchObject({ from: '[19,70,19,6]' })
  })

  it('may be a sixtieth of all where that is more', async () => {
    const more = async (items: number, plan = A, limit = 50) => {
      const found = await moreRowsOf(baseWith([], items), { plan, position: undefined, limit })
      return found?.candidates.conditions.map((each) => each(sql`i.id`).compile(dialect.builder).parameters)
    }
    expect(await more(30_059)).toBeUndefined()
    expect(await more(30_060)).toEqual([[501]])
    expect(await more(60_000, or(A, B))).toEqual([[1000]])
    expect(await more(ITEMS, search('abc'))).toBeUndefined()
    expect(await more(ITEMS, and(A, referred(ALWAYS)))).toBeUndefined()
    expect(await more(ITEMS, and(A, hop(referred(ALWAYS))))).toEqual([[1666]])
  })

  it('are not looked at again where they did not fill the page, or others of their shape', async () => {
    const db = baseWith([])
    const page = { plan: A, position: undefined, limit: 50 }
    const { key, shape } = firstRowsOf(db, page)!
    expect(shape).toBe(shapeKey(A, 50))
    expect(firstRowsOf(db, page, 1000)!.shape).toBe(shapeKey(A, 50, true))
    await remembered(db, key, 0, async () => 3)
    expect(firstRowsOf(db, page)).toBeUndefined()
    expect(firstRowsOf(db, { ...page, limit: 51 })).toBeDefined()
    expect(firstRowsOf(db, page, 1000)).toBeDefined()
    const like = { ...page, plan: of(FIELDS.number, after(2)) }
    expect(firstRowsOf(db, like)?.shape).toBe(shape)
    noteFirstRows(db, shape, false)
    expect(firstRowsOf(db, like)).toBeUndefined()
    expect(firstRowsOf(db, { ...page, plan: of(FIELDS.starts, after('2')) })).toBeDefined()
  })

  it('are not looked at for a condition that is too long to be remembered', () => {
    const long = of(FIELDS.number, oneOf(...Array.from({ length: 20_000 }, (_, i) => i)))
    expect(firstRowsOf(baseWith([]), { plan: long, position: undefined, limit: 50 })).toBeUndefined()
  })

  describe('are known to fill a page', () => {
    it('by a shape in which values do not count', () => {
      const shapes: FilterPlan[] = [
        A,
        of(FIELDS.number, oneOf(1)),
        B,
        and(A, B),
        or(A, B),
        or(B, A),
        and(A, A),
        not(A),
        hop(A),
        hop(A, FIELDS.people),
        hop(B),
        referred(A),
        referred(B),
        { kind: 'text', column: 'name', test: oneOf('a') },
        { kind: 'text', column: 'description', test: oneOf('a') },
        { kind: 'text', column: 'name', test: after('a') },
        search('a'),
        tags(7),
      ]
      expect(new Set(shapes.map((plan) => shapeKey(plan, 50))).size).toBe(shapes.length)
      expect(shapeKey(of(FIELDS.number, before(5)), 50)).toBe(shapeKey(A, 50))
    })

    it('as long as more did than did not', () => {
      const db = baseWith([])
      for (const [filled, often] of [
        [true, true],
        [false, true],
        [false, false],
        [true, true],
        [true, true],
        [false, true],
      ] as const) {
        noteFirstRows(db, 'shape', filled)
        expect(oftenFills(db, 'shape')).toBe(often)
      }
    })
  })

  describe('are remembered', () => {
    afterEach(() => void vi.useRealTimers())

    it('for five seconds since the last time', () => {
      vi.useFakeTimers()
      const db = baseWith([])
      noteFirstRows(db, 'shape', false)
      noteFirstRows(db, 'shape', false)
      vi.advanceTimersByTime(4999)
      expect(oftenFills(db, 'shape')).toBe(false)
      noteFirstRows(db, 'shape', true)
      vi.advanceTimersByTime(4999)
      expect(oftenFills(db, 'shape')).toBe(false)
      vi.advanceTimersByTime(2)
      expect(oftenFills(db, 'shape')).toBe(true)
      // Begun again, one is enough.
      noteFirstRows(db, 'shape', false)
      expect(oftenFills(db, 'shape')).toBe(false)
      noteFirstRows(db, 'shape', true)
      expect(oftenFills(db, 'shape')).toBe(true)
    })
  })
})

describe('a count', () => {
  afterEach(() => void vi.useRealTimers())
  const countsFrom = (...counts: number[]) => {
    const asked: number[] = []
    return { asked, count: async () => (asked.push(counts[0]!), counts.shift()!) }
  }

  it('is used again within five seconds, as far as it was counted', async () => {
    vi.useFakeTimers()
    const db = baseWith([])
    const { asked, count } = countsFrom(11, 20, 30, 5, 6, 7)
    expect(await remembered(db, 'key', 10, count)).toBe(11)
    expect(await remembered(db, 'key', 10, count)).toBe(11)
    expect(await remembered(db, 'key', 9, count)).toBe(11)
    expect(asked).toEqual([11])
    // More than the bound is not known to be more than a larger one.
    expect(await remembered(db, 'key', 11, count)).toBe(20)
    expect(await remembered(db, 'key', 20, count)).toBe(30)
    // What is whole is known, however far it was counted.
    expect(await remembered(db, 'other', 5, count)).toBe(5)
    expect(await remembered(db, 'other', 1000, count)).toBe(5)
    vi.advanceTimersByTime(4998)
    expect(await remembered(db, 'other', 1000, count)).toBe(5)
    expect(isRemembered(db, 'other')).toBe(true)
    vi.advanceTimersByTime(2)
    expect(isRemembered(db, 'other')).toBe(false)
    expect(await remembered(db, 'other', 1000, count)).toBe(6)
  })

  it('without a key is made each time', async () => {
    const db = baseWith([])
    const { count } = countsFrom(1, 2)
    expect(await remembered(db, undefined, 10, count)).toBe(1)
    expect(await remembered(db, undefined, 10, count)).toBe(2)
    expect(isRemembered(db, undefined)).toBe(false)
    expect(isRemembered(db, 'unknown')).toBe(false)
  })

  it('has a short key, unless the condition is longer than 100,000 characters', () => {
    expect(keyOf('x'.repeat(99_998))).toHaveLength(27)
    expect(keyOf('x'.repeat(99_999))).toBeUndefined()
    expect(keyOf(A)).not.toBe(keyOf(B))
  })

  it('is one of two thousand that are remembered', async () => {
    const db = baseWith([])
    for (let i = 0; i < 2000; i++) await remembered(db, `${i}`, 10, async () => i)
    expect(isRemembered(db, '0')).toBe(true)
    await remembered(db, '2000', 10, async () => 1)
    expect(isRemembered(db, '0')).toBe(true)
    expect(isRemembered(db, '1')).toBe(false)
    expect(isRemembered(db, '2')).toBe(true)
  })

  it('of an access path is of all its ranges, up to the bound', async () => {
    const path = accessPathOf(of(FIELDS.number, oneOf(1, 2, 3)), dialect)!
    const one = (value: number) => of(FIELDS.number, oneOf(value))
    const of3 = (a: number, b: number, c: number) =>
      baseWith([
        [one(1), a],
        [one(2), b],
        [one(3), c],
      ])
    const limits = ({ asked }: ReturnType<typeof of3>) => asked.map(({ parameters }) => parameters.at(-1))
    const some = of3(4, 3, 2)
    expect(await countOf(some, path, 10)).toBe(9)
    expect(limits(some)).toEqual([11, 7, 4])
    const full = of3(4, 6, 2)
    expect(await countOf(full, path, 10)).toBe(11)
    expect(limits(full)).toEqual([11, 7, 1])
    const more = of3(4, 7, 2)
    expect(await countOf(more, path, 10)).toBe(11)
    expect(limits(more)).toEqual([11, 7])
  })

  it('of one index looks for one more than the bound first, of what costs more to read goes through it once', async () => {
    const isAskedTwice = async (plan: FilterPlan) => {
      const db = recordingDb({ ...sqliteDialect }, () => [{ n: 1 }])
      await countOf(db, accessPathOf(plan, db.dialect)!, 10)
      return db.asked.at(-1)!.sql.includes('offset')
    }
    expect(await isAskedTwice(A)).toBe(true)
    expect(await isAskedTwice(tags(7))).toBe(true)
    expect(await isAskedTwice(hop(A))).toBe(false)
    expect(await isAskedTwice(search('abc'))).toBe(false)
    expect(await isAskedTwice({ kind: 'text', column: 'name', test: oneOf('a') })).toBe(false)
  })

  it('of a hop is not made where its referenced items are more than 2000', async () => {
    const target = of(FIELDS.number, oneOf(3))
    const path = accessPathOf(hop(target), dialect)!
    const few = baseWith([
      [target, 2000],
      [hop(target), 7],
    ])
    expect(await countOf(few, path, 100)).toBe(7)
    expect(few.asked[0]!.parameters.at(-1)).toBe(2001)
    const many = baseWith([[target, 2001]])
    expect(await countOf(many, path, 100)).toBe(Infinity)
    expect(many.asked).toHaveLength(1)
  })

  it('of those that refer is another than of those that are referred to', async () => {
    const plan = referred(of(FIELDS.number, oneOf(3)))
    const [to, by] = accessPathsOf(plan, dialect)
    const db = baseWith([
      [plan, 40, 0],
      [plan, 30, 1],
    ])
    expect(await countOf(db, to!, 100)).toBe(40)
    expect(await countOf(db, by!, 100)).toBe(30)
  })

  it('of all items is the newest row id', async () => {
    expect(await countItems(baseWith([], 77))).toBe(77)
    expect(await countItems(recordingDb(dialect, () => [{ id: null }]))).toBe(0)
  })
})
