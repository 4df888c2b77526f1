import { describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import type { CompiledSql, Db } from '#src/sql/query.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { narrowedDb } from '#src/storage/sight/sight.ts'
import {
  and,
  FIELDS,
  hop,
  not,
  of,
  oneOf,
  or,
  search,
  several,
  tags,
  values,
} from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

const baseWith = (answer: (asked: CompiledSql) => readonly unknown[] = () => []) =>
  recordingDb({ ...postgresDialect }, answer)

describe('alternatives that are too many to be looked at for each item', () => {
  /** Many, as a new plan: what was settled is remembered by the plan itself. */
  const wide = () => or(...several(70, (i) => of(FIELDS.number, oneOf(i))))
  const isSettled = async (plan: FilterPlan, among?: number) => {
    const db = baseWith(({ sql: text }) => {
      if (text.includes('max("id")')) return [{ id: 1000 }]
      const lists = [...text.matchAll(/ as (list_\d+)/g)].map(([, name]) => name!)
      return [Object.fromEntries(lists.map((name) => [name, text.includes('json_agg') ? '[1]' : 1]))]
    })
    const found = await settlePlan(db, plan, among === undefined ? {} : { among: values(among) })
    const lists = db.asked.filter(({ sql: text }) => text.includes('list_0'))
    expect(lists.length > 0).toBe(nodesOf(found).some(({ kind }) => kind === 'items'))
    return lists.length > 0
  }

  it('are looked up for all at once', async () => {
    expect(await isSettled(wide())).toBe(true)
    expect(await isSettled(and(tags(7), wide()))).toBe(true)
  })

  it.each([
    [100, false],
    [101, true],
  ])('are not looked up for %d items that are asked about', async (count, settled) => {
    expect(await isSettled(wide(), count)).toBe(settled)
    expect(await isSettled(and({ kind: 'id', items: values(count) }, wide()))).toBe(settled)
    expect(await isSettled(and(wide(), { kind: 'id', items: values(count) }))).toBe(settled)
  })

  it('are where the items are named in an alternative, or are not those that are asked about', async () => {
    expect(await isSettled(or({ kind: 'id', items: [1] }, wide()))).toBe(true)
    expect(await isSettled(and(not({ kind: 'id', items: [1] }), wide()))).toBe(true)
    expect(await isSettled(and({ kind: 'items', items: values(1) }, wide()))).toBe(true)
  })
})

describe('a plan that is settled', () => {
  it('stays as it is, for anyone who sees the same', async () => {
    const plan = and(tags(7), search('abc'))
    const db = baseWith()
    const settled = await settlePlan(db, plan)
    const { length } = db.asked
    expect(await settlePlan(db, settled)).toBe(settled)
    expect(await settlePlan(baseWith(), settled)).toBe(settled)
    expect(db.asked).toHaveLength(length)
  })

  it('is about what is seen, unless it was made so', async () => {
    const seen = tags(9)
    const narrow = () => {
      const sight = { name: 'some', tags: undefined, filter: seen, plan: seen }
      return narrowedDb(baseWith(), sight)
    }
    const asked = tags(7)
    await settlePlan(baseWith(), asked)
    const tagsIn = async (db: Db, scope?: { within: boolean }) =>
      nodesOf(await settlePlan(db, tags(7), scope)).flatMap((node) =>
        node.kind === 'has_tag' ? node.tags : [],
      )
    expect(await tagsIn(baseWith())).toEqual([7])
    expect(new Set(await tagsIn(narrow()))).toEqual(new Set([7, 9]))
    expect(await tagsIn(narrow(), { within: true })).toEqual([7])
    // What is settled for all is not for those who see a part.
    const db = narrow()
    expect(nodesOf(await settlePlan(db, asked))).toContainEqual(seen)
  })

  it('waits for the log only where it asks what changed', async () => {
    const incomplete = () => baseWith(({ sql: text }) => (text.includes('audit_draft') ? [{ id: 1 }] : []))
    const changed: FilterPlan = { kind: 'changed', from: '01', before: '02' }
    await expect(settlePlan(incomplete(), { ...changed })).rejects.toThrow()
    await expect(settlePlan(incomplete(), and(tags(7), not(hop(changed))))).rejects.toThrow()
    expect(await settlePlan(incomplete(), tags(7))).toEqual(tags(7))
    expect(await settlePlan(baseWith(), { ...changed })).toEqual(changed)
  })
})
