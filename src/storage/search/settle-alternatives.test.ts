import { type RawBuilder, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { CompiledSql } from '#src/sql/query.ts'
import { countEach, listEach } from '#src/storage/search/many-rows.ts'
import { settleAlternatives } from '#src/storage/search/settle-alternatives.ts'
import {
  absent,
  after,
  and,
  FIELDS,
  hop,
  not,
  of,
  oneOf,
  or,
  referred,
  several,
} from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

/** The parameters of each list that a statement is about. */
function listsIn({ sql: text, parameters }: CompiledSql): unknown[][] {
  let at = 0
  return text
    .split(/ as list_\d+/)
    .slice(0, -1)
    .map((list) => parameters.slice(at, (at += list.match(/\$\d+/g)?.length ?? 0)))
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, i) => from + i)

interface Lists {
  /** The items of a list by its parameters, without the limit, and the limit; it gives no more than that. */
  itemsOf: (parameters: readonly unknown[], limit: number) => readonly number[]
  items?: number
}

function baseWith({ itemsOf, items = 100 }: Lists) {
  return recordingDb(postgresDialect, (asked) => {
    if (asked.sql.includes('max("id")')) return [{ id: items }]
    const lists = listsIn(asked).map((parameters) =>
      itemsOf(parameters.slice(0, -1), Number(parameters.at(-1))).slice(0, Number(parameters.at(-1))),
    )
    const answers = lists.map((list) => (asked.sql.includes('json_agg') ? JSON.stringify(list) : list.length))
    return [Object.fromEntries(answers.map((answer, i) => [`list_${i}`, answer]))]
  })
}

const value = (i: number): FilterPlan => of(FIELDS.number, oneOf(i))
/** By the value that a list is of. */
const byValue =
  (of: (value: number, limit: number) => readonly number[]) =>
  ([, value]: readonly unknown[], limit: number): readonly number[] =>
    of(Number(value), limit)
/** Limits of the lists of each statement, once each. */
const limitsOf = ({ asked }: { asked: CompiledSql[] }) =>
  asked
    .filter(({ sql: text }) => text.includes('list_0'))
    .map((each) => [...new Set(listsIn(each).map((list) => list.at(-1)))].join())

describe('alternatives are looked up beforehand', () => {
  const own = baseWith({ itemsOf: byValue((i) => [i]) })

  it('where a plan has more than 64 conditions', async () => {
    const few = or(...several(64, value))
    expect(await settleAlternatives(own, few)).toBe(few)
    expect(await settleAlternatives(own, or(...several(65, value)))).toEqual({
      kind: 'items',
      items: numbers(65),
    })
  })

  it('however deep these are', async () => {
    const wide = or(...several(31, value))
    const settled = { kind: 'items', items: numbers(31) }
    const found = (plan: FilterPlan) => settleAlternatives(own, plan)
    expect(await found(and(wide, not(and(wide, value(1), value(2)))))).not.toHaveProperty('children.0.items')
    expect(await found(and(wide, not(and(wide, value(1), value(2), value(3)))))).toEqual(
      and(settled as FilterPlan, not(and(settled as FilterPlan, value(1), value(2), value(3)))),
    )
    // One that is referred to is a condition, too.
    expect(await found(and(wide, referred(and(wide, value(1)))))).not.toHaveProperty('children.0.items')
    expect(await found(and(wide, referred(and(wide, value(1), value(2)))))).toEqual(
      and(settled as FilterPlan, referred(and(settled as FilterPlan, value(1), value(2)))),
    )
  })

  it('nine of them, not eight', async () => {
    const rest = and(...several(60, value))
    const eight = or(...several(8, value))
    expect(await settleAlternatives(own, and(eight, rest))).toEqual(and(eight, rest))
    expect(await settleAlternatives(own, and(or(...several(9, value)), rest))).toEqual(
      and({ kind: 'items', items: numbers(9) }, rest),
    )
  })

  it('of what is to be in no text, too: nine of them, not eight', async () => {
    const found = baseWith({ itemsOf: () => [3] })
    const rest = and(...several(60, value))
    const without = (count: number) => several(count, (i) => not({ kind: 'search', text: `word ${i}` }))
    const eight = and(rest, ...without(8))
    expect(await settleAlternatives(found, eight)).toEqual(eight)
    expect(await settleAlternatives(found, and(rest, ...without(9)))).toEqual(
      and(rest, not({ kind: 'items', items: [3] })),
    )
    // What has none of many values is probed quickly.
    const values = and(...several(70, (i) => not(value(i))))
    expect(await settleAlternatives(found, values)).toEqual(values)
  })

  it('but for those that no index serves', async () => {
    const none = of(FIELDS.number, absent)
    const many = several(70, value)
    const found = (plan: FilterPlan) => settleAlternatives(own, plan)
    expect(await found(or(...many, none))).toEqual(or({ kind: 'items', items: numbers(70) }, none))
    const unserved = or(...several(70, () => none))
    expect(await found(unserved)).toEqual(unserved)
    const empty = baseWith({ itemsOf: () => [] })
    expect(await settleAlternatives(empty, or(...many))).toEqual({ kind: 'never' })
    expect(await settleAlternatives(empty, or(...many, none))).toEqual(none)
    expect(await settleAlternatives(empty, or(...many, none, none))).toEqual(or(none, none))
  })

  it('each item once, in order', async () => {
    const base = baseWith({ itemsOf: byValue((i) => [100 - i, 50]) })
    expect(await settleAlternatives(base, or(...several(70, value)))).toEqual({
      kind: 'items',
      items: numbers(70, 30),
    })
  })
})

describe('rows of alternatives are read', () => {
  const many = (count: number) => or(...several(count, value))

  it.each([
    [100, '501'],
    [25_000, '501'],
    [30_000, '601'],
    [500_000, '10001'],
    [600_000, '10001'],
  ])('of %d items in equal shares, one more of each: %s', async (items, limit) => {
    const base = baseWith({ itemsOf: () => [1], items })
    await settleAlternatives(base, many(100))
    expect(limitsOf(base)).toEqual([limit])
  })

  it('a million at the most', async () => {
    const base = baseWith({ itemsOf: () => [1], items: 600_000 })
    await settleAlternatives(base, many(101))
    // 101 times 9,901 are a million and one.
    expect(limitsOf(base)).toEqual(['9901', '9901'])
  })

  it('again where they are more than the share, of what is left', async () => {
    const base = baseWith({
      itemsOf: byValue((i, limit) => numbers(i === 1 ? limit : 400, i * 1_000_000)),
    })
    const found = await settleAlternatives(base, many(100))
    // Of 50,000 99 have read 400 and one 501: 9899 are left for it, and then none.
    expect(limitsOf(base)).toEqual(['501', '9900'])
    expect(found).toMatchObject({ kind: 'or', children: [{ kind: 'items' }, value(1)] })
  })

  it('in four rounds at the most', async () => {
    // In each round most of the lists that are left are whole: 320, 64, 13, 2, and one that would be in a fifth.
    const rows = (i: number) => (i <= 320 ? 1 : i <= 384 ? 126 : i <= 397 ? 497 : i <= 399 ? 1480 : 5000)
    const base = baseWith({ itemsOf: byValue((i) => numbers(rows(i), i * 10_000)) })
    const found = await settleAlternatives(base, many(400))
    expect([...new Set(limitsOf(base))]).toEqual(['126', '496', '1476', '4238'])
    expect(found).toMatchObject({ kind: 'or', children: [{ kind: 'items' }, value(400)] })
  })

  it.each([
    [804, ['501']],
    [803, ['501', '2']],
  ])('as long as more rows are left than there are lists: %d of two lists', async (rows, limits) => {
    const whole = [402, rows - 402]
    const base = baseWith({ itemsOf: byValue((i) => numbers(i <= 98 ? 600 : whole[i - 99]!, i * 1000)) })
    await settleAlternatives(base, many(100))
    expect(limitsOf(base)).toEqual(limits)
  })

  it('a list that has just its share is whole', async () => {
    const base = baseWith({ itemsOf: byValue((i) => numbers(500, i * 1000)) })
    expect(await settleAlternatives(base, many(100))).toMatchObject({ kind: 'items' })
    expect(limitsOf(base)).toEqual(['501'])
  })
})

describe('alternatives of which an index has a part are probed', () => {
  /** The one condition has its own items, the other the same for all. */
  const two = (i: number, other = 'a'): FilterPlan => and(value(i), of(FIELDS.text, oneOf(other)))
  const settle = async (plans: FilterPlan[], itemsOf: Lists['itemsOf']) => {
    const base = baseWith({ itemsOf })
    const found = await settleAlternatives(base, or(...plans))
    return { found, asked: base.asked }
  }
  const rowsBy = (of: Record<number, number>) => (parameters: readonly unknown[]) => {
    const [field, first] = parameters
    if (field === FIELDS.text.id) return numbers(of[FIELDS.text.id] ?? 5001)
    return parameters.length > 2 ? [Number(first)] : numbers(of[Number(first)] ?? 10)
  }

  it('by the index that has fewer of their items', async () => {
    const { found, asked } = await settle(several(70, two), rowsBy({}))
    expect(found).toEqual({ kind: 'items', items: numbers(70) })
    const [counts, , lists] = asked.filter(({ sql: text }) => text.includes('list_0'))
    // What is in all of them is counted once.
    expect(listsIn(counts!)).toHaveLength(71)
    expect(listsIn(lists ?? asked.at(-1)!)[0]!.slice(0, 2)).toEqual([FIELDS.number.id, 1])
    const other = await settle(several(70, two), rowsBy({ [FIELDS.text.id]: 9 }))
    expect(listsIn(other.asked.at(-1)!)[0]!.slice(0, 2)).toEqual([FIELDS.text.id, 'a'])
  })

  it.each([
    [5000, true],
    [5001, false],
  ])('where that has %d: %j', async (rows, served) => {
    const { found } = await settle(several(70, two), rowsBy({ 7: rows }))
    expect(found).toEqual(
      served
        ? { kind: 'items', items: numbers(70) }
        : or({ kind: 'items', items: numbers(70).filter((i) => i !== 7) }, two(7)),
    )
  })

  it.each([
    [5000, true],
    [5001, false],
  ])('where one condition alone has an index, with %d: %j', async (rows, served) => {
    const plans = several(70, (i) => and(value(i), not(of(FIELDS.text, oneOf('a')))))
    const { found, asked } = await settle(plans, rowsBy({ 7: rows }))
    expect(found).toEqual(
      served
        ? { kind: 'items', items: numbers(70) }
        : or({ kind: 'items', items: numbers(70).filter((i) => i !== 7) }, plans[6]!),
    )
    expect(asked.at(-1)!.sql).toContain('exists')
  })

  it('up to 100,000 of all of them', async () => {
    const rows = Object.fromEntries(numbers(70).map((i) => [i, i <= 20 ? 5000 : 1]))
    const { found } = await settle(several(70, two), rowsBy(rows))
    expect(found).toEqual(or({ kind: 'items', items: numbers(20) }, ...several(70, two).slice(20)))
    const less = await settle(several(70, two), rowsBy({ ...rows, 20: 4950 }))
    expect(less.found).toEqual({ kind: 'items', items: numbers(70) })
    const one = await settle(several(70, two), rowsBy({ ...rows, 20: 4951 }))
    expect(one.found).toEqual(or({ kind: 'items', items: numbers(69) }, two(70)))
  })

  it('what an index has exactly is not probed', async () => {
    const base = baseWith({ itemsOf: byValue((i) => [i]) })
    await settleAlternatives(base, or(...several(70, value)))
    expect(base.asked.at(-1)!.sql).not.toContain('exists')
    const coarse = baseWith({ itemsOf: ([, , i]) => [Number(i ?? 0)] })
    const misfit = of(FIELDS.number, { test: 'misfit' })
    await settleAlternatives(coarse, or(...several(70, () => misfit)))
    expect(coarse.asked.at(-1)!.sql).toContain('exists')
  })

  it.each([
    [2000, true],
    [2001, false],
  ])('a reference is followed backwards from %d items: %j', async (targets, followed) => {
    const plans = several(70, (i) => hop(value(i)))
    const limits = new Set<number>()
    const base = baseWith({
      itemsOf: (parameters, limit) => {
        if (parameters.length > 2) return [Number(parameters.at(-1))]
        limits.add(limit)
        return numbers(targets)
      },
    })
    const found = await settleAlternatives(base, or(...plans))
    // One more says that they are too many.
    expect([...limits]).toEqual([2001])
    expect(found).toEqual(followed ? { kind: 'items', items: numbers(70) } : or(...plans))
  })

  it('alternatives of which nothing is in order are served', async () => {
    const base = baseWith({ itemsOf: ([, bound]) => [Number(bound)] })
    const found = await settleAlternatives(base, or(...several(70, (i) => of(FIELDS.number, after(i)))))
    expect(found).toEqual({ kind: 'items', items: numbers(70) })
  })
})

describe('one statement is about many lists', () => {
  const list = (text: string): RawBuilder<{ item: number }> => sql.raw(text)
  const base = () => baseWith({ itemsOf: () => [1, 2, 3] })

  it('a hundred of them', async () => {
    const lists = (count: number) => numbers(count).map(() => list('select 1 as item'))
    const [hundred, more] = [base(), base()]
    expect(await countEach(hundred, lists(100), 2)).toEqual(numbers(100).map(() => 2))
    expect(hundred.asked).toHaveLength(1)
    expect(await countEach(more, lists(101), 3)).toEqual(numbers(101).map(() => 3))
    expect(more.asked.map((each) => listsIn(each).length)).toEqual([100, 1])
  })

  it.each([
    [123, 123, [2]],
    [123, 124, [1, 1]],
    [247, 0, [2]],
  ])('as long as these read no more than 250 tables: %d and %d', async (one, other, chunks) => {
    const reading = (count: number) => list(`with recursive ${'from a '.repeat(count - 1)}join b`)
    const asking = base()
    await countEach(asking, other ? [reading(one), reading(other)] : [reading(one - 1), list('select')], 2)
    expect(asking.asked.map((each) => listsIn(each).length)).toEqual(chunks)
  })

  it('one by itself, however many it reads, and many that are not recursive', async () => {
    const asking = base()
    await countEach(asking, [list(`with recursive ${'from a '.repeat(300)}`)], 2)
    expect(asking.asked).toHaveLength(1)
    await countEach(asking, [list('from a '.repeat(300)), list('from a')], 2)
    expect(asking.asked).toHaveLength(2)
  })

  it('and gives the items of each in turn', async () => {
    const taken: unknown[] = []
    await listEach(
      base(),
      numbers(101).map(() => list('select 1 as item')),
      2,
      (at, items) => void taken.push([at, items]),
    )
    expect(taken).toEqual(numbers(101, 0).map((at) => [at, [1, 2]]))
  })
})
