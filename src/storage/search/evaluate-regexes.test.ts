import { describe, expect, it } from 'vitest'
import type { TextTest } from '#src/domain/text-test.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { evaluateRegexes, type Scope } from '#src/storage/search/evaluate-regexes.ts'
import { and, FIELDS, hop, name, of, oneOf, or, referred, tags } from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

type Text = readonly [item: number, text: string]
const textsOf = (count: number, of: (i: number) => Text): Text[] =>
  Array.from({ length: count }, (_, i) => of(i))

/** Gives the texts behind a place, up to a number of them and of bytes; matches where a text has the pattern in it. */
function baseOf(texts: readonly Text[]) {
  const base = recordingDb(sqliteDialect, ({ sql: text, parameters }) => {
    if (text.includes('over (order by')) {
      const [bytes, most, after] = parameters.toReversed().map(Number) as [number, number, number]
      const rows = texts.filter(([item]) => item > after).slice(0, most)
      let before = 0
      const page = rows.filter(([, each]) => ((before += each.length), before - each.length < bytes))
      return page.map(([item, each]) => ({ item, text: each, rows: rows.length }))
    }
    if (text.includes('from "item"')) {
      const [after, limit] = parameters.map(Number) as [number, number]
      const ids = [...new Set(texts.map(([item]) => item))].filter((item) => item > after)
      return ids.slice(0, limit).map((id) => ({ id }))
    }
    const ids = JSON.parse(String(parameters[0])) as number[]
    return texts.filter(([item]) => ids.includes(item)).map(([item, each]) => ({ item, text: each }))
  })
  const matched: [pattern: string, texts: number][] = []
  const match = async (test: TextTest, given: readonly (string | null)[]) => {
    const parts = test.test === 'regex' ? [test.pattern] : test.texts
    matched.push([parts.join(), given.length])
    return given.flatMap((each, i) => (parts.some((part) => each?.includes(part)) ? [i] : []))
  }
  return Object.assign(base, { patterns: { match }, matched })
}

const regex = (pattern: string): FilterPlan => name({ test: 'regex', pattern })
const parts = (...texts: string[]): FilterPlan => name({ test: 'any_substring', texts })
const value = (text: string, ...fields: number[]): FilterPlan => ({ kind: 'values', text, fields })
const items = (...found: number[]): FilterPlan => ({ kind: 'items', items: found })
const found = async (texts: readonly Text[], plan: FilterPlan, scope?: Scope) => {
  const base = baseOf(texts)
  return { plan: await evaluateRegexes(base, plan, scope), asked: base.asked, matched: base.matched }
}

describe('patterns are matched beforehand', () => {
  const few: Text[] = [
    [1, 'ab'],
    [2, 'b'],
    [3, 'a'],
  ]

  it('in place of each of them, and of nothing else', async () => {
    const rest = [tags(7), name(oneOf('a')), of(FIELDS.number, oneOf(1))]
    const { plan, matched } = await found(
      few,
      and(regex('a'), ...rest, hop(regex('b')), referred(or(regex('c'), tags(8))), parts('a', 'd')),
    )
    expect(plan).toEqual(
      and(items(1, 3), ...rest, hop(items(1, 2)), referred(or({ kind: 'never' }, tags(8))), items(1, 3)),
    )
    expect(matched.map(([pattern]) => pattern)).toEqual(['a', 'b', 'c', 'a,d'])
  })

  it('but not where the engine matches them itself', async () => {
    const plan = regex('a')
    expect(
      await evaluateRegexes(
        recordingDb(sqliteDialect, () => []),
        plan,
      ),
    ).toBe(plan)
  })

  it('in what the condition is about', async () => {
    const sqlOf = async (plan: FilterPlan, scope?: Scope) => (await found(few, plan, scope)).asked[0]!
    expect((await sqlOf(regex('a'))).sql).toContain(
      'from (select n.id as item, n.name as text from "item" n where n.deleted_at is null) t where t.item > +?',
    )
    expect((await sqlOf(regex('a'), { table: 'tag' })).sql).toContain(
      'from "tag" n where n.deleted_at is null)',
    )
    const among = await sqlOf(regex('a'), { among: [1, 2] })
    expect(among.sql).toContain('where n.deleted_at is null and n.id in (select value from json_each(+?))')
    expect(among.parameters[0]).toBe('[1,2]')
    const field = await sqlOf(of(FIELDS.text, { test: 'regex', pattern: 'a' }), { among: [3] })
    expect(field.sql).toContain(
      'select v.item, v.val as text from field_value v where v.field = +? and v.item in (select value from json_each(+?))',
    )
    expect(field.parameters.slice(0, 2)).toEqual([FIELDS.text.id, '[3]'])
    expect(field.sql).toContain('rows between unbounded preceding and 1 preceding')
    expect(field.sql).toContain('where coalesce(s.before, 0) < +? order by s.item')
  })

  const pages = async (texts: readonly Text[]) => {
    const { plan, asked, matched } = await found(texts, regex('x'))
    return {
      found: plan.kind === 'items' ? plan.items.length : 0,
      afters: asked.map(({ parameters }) => parameters.at(-3)),
      sizes: matched.map(([, size]) => size),
    }
  }

  it.each([
    [0, [0], [0]],
    [1999, [0], [1999]],
    [2000, [0, 1999], [2000, 1]],
    [2001, [0, 1999], [2000, 2]],
    [4000, [0, 1999, 3998], [2000, 2000, 2]],
  ])('of %d texts, 2000 at once, the last item of a page once more', async (count, afters, sizes) => {
    expect(await pages(textsOf(count, (i) => [i + 1, 'x']))).toEqual({ found: count, afters, sizes })
  })

  it('until one comes alone that is longer than a page', async () => {
    const long = 'x'.repeat(3 * 2 ** 20)
    expect(await pages(textsOf(4, (i) => [i + 1, long]))).toEqual({
      found: 4,
      afters: [0, 1, 2],
      sizes: [2, 2, 2],
    })
    const longest = 'x'.repeat(4 * 2 ** 20)
    expect(await pages(textsOf(3, (i) => [i + 1, longest]))).toMatchObject({ found: 3, afters: [0, 1, 2] })
  })

  it('of an item of which several texts are at the end of a page', async () => {
    const texts = textsOf(2500, (i): Text => [Math.floor(i / 7) + 1, i % 7 === 6 ? 'x' : 'y'])
    expect((await pages(texts)).found).toBe(357)
  })
})

describe('texts are looked for in values', () => {
  const texts = textsOf(450, (i): Text => [i + 1, i % 100 === 3 ? 'Élan' : 'other'])

  it('folded, a few hundred items at once', async () => {
    const { plan, asked } = await found(texts, and(value('elan', 11), tags(7)))
    expect(plan).toEqual(and(items(4, 104, 204, 304, 404), tags(7)))
    const living = asked.filter(({ sql: text }) => text.includes('from "item"'))
    expect(living[0]!.sql).toContain('"deleted_at" is null and "id" > +? order by "id" limit +?')
    expect(living.map(({ parameters }) => parameters)).toEqual([
      [0, 200],
      [200, 200],
      [400, 200],
    ])
    const [values] = asked.filter(({ sql: text }) => text.includes('field_value'))
    expect(values!.sql).toContain(
      'where v.item in (select value from json_each(+?)) and v.field = +? and v.val is not null',
    )
  })

  it.each([
    [1, 200],
    [20, 200],
    [21, 190],
    [500, 8],
    [800, 5],
    [1000, 5],
  ])('of %d searches %d items at once', async (count, limit) => {
    const { asked } = await found(
      texts.slice(0, 3),
      or(...Array.from({ length: count }, (_, i) => value(`${i}`, 11))),
    )
    expect(asked[0]!.parameters).toEqual([0, limit])
  })

  it('at one look for all searches in the same fields', async () => {
    const { plan, asked } = await found(
      texts.slice(0, 5),
      or(value('elan', 11), value('oth', 11), value('elan', 11, 12)),
    )
    expect(plan).toEqual(or(items(4), items(1, 2, 3, 5), items(4)))
    expect(asked.filter(({ sql: text }) => text.includes('field_value'))).toHaveLength(2)
  })

  it('to the end, where the last page is full', async () => {
    const { asked } = await found(texts.slice(0, 400), value('elan', 11))
    const living = asked.filter(({ sql: text }) => text.includes('from "item"'))
    expect(living.map(({ parameters }) => parameters[0])).toEqual([0, 200, 400])
  })

  it('of some items alone', async () => {
    const among = Array.from({ length: 201 }, (_, i) => 450 - 2 * i)
    const { plan, asked } = await found(texts, value('elan', 11), { among })
    expect(plan).toEqual(items(104, 204, 304, 404))
    expect(asked.map(({ parameters }) => (JSON.parse(String(parameters[0])) as number[]).length)).toEqual([
      200, 1,
    ])
  })
})
