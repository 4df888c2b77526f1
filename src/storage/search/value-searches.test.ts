import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterToSql } from '#src/filter/sql/filter-to-sql.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { openBase } from '#test/support/base.ts'
import { and, or, several } from '#test/support/plan-table.ts'

const VALUES: Record<string, { title?: string; note?: string; effort?: number }> = {
  one: { title: 'Red apples', note: 'sour' },
  two: { title: 'green', note: 'Red wine, apples' },
  three: { title: 'apples' },
  four: { note: 'sour green' },
  five: { effort: 5 },
  none: {},
}
const SOME = ['red', 'apples', 'sour', 'wine', 'green', '5', 'x1', 'x2', 'x3', 'x4']

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
  const fields = { title: 'String', note: 'String', effort: 'Number' }
  const { tag_id } = await base.run(createTag, { name: 'Task', fields })
  await base.run(bulkCreate, {
    items: Object.entries(VALUES).map(([name, field_values]) => ({
      name,
      tags: [{ tag_ref: { Existing: tag_id }, field_values }],
    })),
  })
})
afterAll(() => base.close())

const textsOf = (name: string) => [VALUES[name]?.title, VALUES[name]?.note].map((text) => text?.toLowerCase())
const has = (name: string, text: string) => textsOf(name).some((each) => each?.includes(text))
const namesThat = (holds: (name: string) => boolean) => Object.keys(VALUES).filter(holds)
const found = async (filter: Record<string, unknown>) =>
  (await base.run(searchItems, { filter })).map(({ name }) => name)
const inValues = (text: string) => ({ search: { text, in: ['values'] } })

describe('a search in values', () => {
  it.each(SOME)('for %s finds the items of which a text has it', async (text) => {
    expect(await found(inValues(text))).toEqual(namesThat((name) => has(name, text)))
  })

  it.each([2, 8, 9, 10])('or another, of %d, finds those of either', async (count) => {
    const texts = SOME.slice(-count)
    expect(await found({ or: texts.map(inValues) })).toEqual(
      namesThat((name) => texts.some((text) => has(name, text))),
    )
  })

  it.each([1, 7, 8])('and %d others finds those of all, in whatever value each is', async (more) => {
    const texts = ['red', 'apples', 'sour']
    const again = ['r', 'e', 'd', 'a', 'p', 's', 'o', 'u'].slice(0, more)
    expect(await found({ and: [...texts, ...again].map(inValues) })).toEqual(['one'])
    expect(await found({ and: [...texts, ...again].map((text) => ({ not: inValues(text) })) })).toEqual(
      namesThat((name) => ![...texts, ...again].some((text) => has(name, text))),
    )
  })
})

describe('of several searches in the same fields', () => {
  const searches = (count: number, fields: number[]) =>
    several(count, (i) => ({ kind: 'values', text: `${i}`, fields }))
  /** How often a value is folded. */
  const foldings = (plan: Parameters<typeof filterToSql>[0]) =>
    sql`${filterToSql(plan, sqliteDialect, 'i')}`
      .compile(sqliteDialect.builder)
      .sql.match(/fold_for_search/g)!.length

  it('many alternatives fold each value once', () => {
    expect(foldings(or(...searches(8, [1])))).toBe(8)
    expect(foldings(or(...searches(9, [1])))).toBe(1)
    expect(foldings(or(...searches(5, [1]), ...searches(5, [2])))).toBe(2)
  })

  it('those that must all be there may be in different values', () => {
    expect(foldings(and(...searches(9, [1])))).toBe(9)
  })
})
