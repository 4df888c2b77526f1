import { afterAll, beforeAll, expect, it } from 'vitest'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { fieldSource } from '#src/storage/columns/read-column.ts'
import type { Db } from '#src/sql/query.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'

/** Of so many the server has counted the values: it expects none above theirs, and one target for all references. */
const COUNTED = 300
const ITEMS = 3000
const AT_ONCE = 300

let base: Awaited<ReturnType<typeof openPostgresBase>>
beforeAll(async () => {
  base = await openPostgresBase()
  const variants = ['a', 'b']
  await base.run(createTag, {
    name: 'Task',
    fields: {
      n: 'Number',
      due: 'Date',
      code: 'String',
      state: { type: 'Select', variants },
      late: 'Number',
      up: 'Reference',
      since: 'Reference',
    },
  })
  const run = (sql: string) => base.db.select({ sql, parameters: [] })
  await run('alter table field_value set (autovacuum_enabled = off)')
  await run('alter table item set (autovacuum_enabled = off)')
  const made = (await base.run(bulkCreate, { items: ['first'] })).map(({ item_id }) => item_id)
  for (let from = 0; from < ITEMS; from += AT_ONCE) {
    const tasks = Array.from({ length: AT_ONCE }, (_, i) =>
      task(from + i, made.at(-1 - (i % 50)) ?? made[0]!),
    )
    for (const { item_id } of await base.run(bulkCreate, { items: tasks }))
      if (from >= COUNTED) made.push(item_id)
    if (from < COUNTED) await run('analyze')
  }
})
afterAll(() => base.close())

const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
const named = (what: string, n: number) => `${what} ${String(n).padStart(6, '0')}`

function task(n: number, up: string) {
  const since = n >= COUNTED && { late: n, state: { variant: n % 2 ? 'a' : 'b' }, since: up }
  const field_values = { n, due: day(n), code: named('code', n), up, ...since }
  return { name: named('task', n), tags: [{ tag_ref: { Existing: 'Task' }, field_values }] }
}

/** The lines of the plans of all that is asked for. */
async function plansOf(ask: (db: Db) => unknown): Promise<string[]> {
  const plans: string[] = []
  const db: Db = Object.create(base.db)
  db.select = async (given) => {
    const { sql, parameters } = 'compile' in given ? given.compile() : given
    const lines = await base.db.select<Record<string, string>>({ sql: `explain ${sql}`, parameters })
    plans.push(...lines.map((row) => row['QUERY PLAN']!))
    return base.db.select({ sql, parameters })
  }
  await ask(db)
  return plans
}

/** Of what is done for each item: the lines that are under a subplan. */
function eachTime(lines: readonly string[]): string[] {
  const depth = (line: string) => line.search(/\S/)
  let within = Infinity
  return lines.filter((line) => {
    if (depth(line) <= within) within = /^\s*SubPlan/.test(line) ? depth(line) : Infinity
    return depth(line) > within
  })
}

const contextOn = (db: Db) => ({
  db,
  caller: base.caller,
  now: new Date(0),
  time_zone: 'UTC',
  newId: () => '',
  change: new OpenChange('searchItems', () => ''),
})

const tasksWith = (condition: object) => ({ and: [{ has_tag: 'Task' }, condition] })
const late = { 'Task.n': { gte: ITEMS - 10 } }
const half = { 'Task.n': { gte: ITEMS / 2 } }
const SEARCHES: Record<string, object> = {
  'numbers beyond all that were counted': { filter: tasksWith({ 'Task.n': { gte: COUNTED } }) },
  'dates beyond them': { filter: tasksWith({ 'Task.due': { gte: day(COUNTED) } }) },
  'texts beyond them': { filter: tasksWith({ 'Task.code': { gte: named('code', COUNTED) } }) },
  'beginnings of texts': { filter: tasksWith({ 'Task.code': { starts_with: 'code 0029' } }) },
  'values of a field that was empty': { filter: tasksWith({ 'Task.late': { gte: ITEMS / 2 } }) },
  'names of what is referred to': { filter: tasksWith({ 'Task.up->name': { gte: named('task', 500) } }) },
  'values of what is referred to': { filter: tasksWith({ 'Task.up->Task.n': { gte: ITEMS - 500 } }) },
  'references that dangle': { filter: tasksWith({ 'Task.up': { dangling: true } }) },
  'names of what refers': { filter: tasksWith({ '<-Task.up': { name: { gte: named('task', 2500) } } }) },
  'values of what refers': { filter: tasksWith({ '<-Task.up': late }) },
  'how many refer': { filter: tasksWith({ '<-Task.up': { filter: late, count: { gte: 2 } } }) },
  'an order by a field that was empty': { filter: half, sort: [{ by: 'Task.late' }] },
  'an order by variants': { filter: half, sort: [{ by: 'Task.state', direction: 'desc' }] },
}
// A range of an index, all items or a whole table, for each of many items: minutes at 50,000 of them, until the server
// counted what had been written since.
for (const [what, search] of Object.entries(SEARCHES))
  it(`${what}: an item is looked up, and no more than what it has`, async () => {
    const input = { limit: 10, total: true, ...search } as Parameters<typeof searchItems.run>[1]
    const lines = await plansOf((db) => searchItems.run(contextOn(db), input))
    expect(lines.filter((line) => /SubPlan/.test(line))).not.toEqual([])
    expect(eachTime(lines).filter(goesThrough)).toEqual([])
  })

const goesThrough = (line: string) =>
  /Seq Scan|Merge Join|Hash Join/.test(line) ||
  (/Index Cond.*\bitem = /.test(line) && /[<>]|is not null/i.test(line))

const DRIVEN: Record<string, object> = {
  'by a field that was empty, to values of another': { 'Task.since->Task.late': { gte: ITEMS - 500 } },
  twice: { 'Task.since->Task.since->Task.n': { gte: ITEMS - 500 } },
  'backwards, twice': { '<-Task.since': { '<-Task.since': { 'Task.n': { gte: ITEMS - 50 } } } },
  'either of many': { or: Array.from({ length: 70 }, (_, n) => ({ 'Task.since->Task.n': ITEMS - n })) },
}
// What was found first was found again for each reference there is.
for (const [what, filter] of Object.entries(DRIVEN))
  it(`references are followed ${what}: what drives is found once`, async () => {
    const input = { limit: 10, total: true, filter } as Parameters<typeof searchItems.run>[1]
    const lines = await plansOf((db) => searchItems.run(contextOn(db), input))
    expect(lines.filter((line) => /Join Filter/.test(line))).toEqual([])
    expect(eachTime(lines).filter(goesThrough)).toEqual([])
  })

it('what is deleted at the end of a path is looked for from there', async () => {
  const deleted = Array.from({ length: 200 }, (_, n) => named('task', 1000 + n))
  await base.run(bulkDelete, { filter: { name: { in: deleted } } })
  for (const by of ['Task.up->Task.n', 'Task.since->Task.up->Task.n']) {
    const input = { group_by: [{ by, width: 500 }], metrics: [{ count: true }] }
    const lines = await plansOf((db) => aggregateItems.run(contextOn(db), input))
    expect(eachTime(lines).filter(goesThrough)).toEqual([])
    const at = lines.findIndex((line) => /Filter:.*EXISTS/.test(line))
    expect(at).toBeGreaterThan(-1)
  }
})

const GROUPS: Record<string, unknown[]> = {
  'names of what is referred to': ['Task.up->name'],
  'ranges of numbers': [{ by: 'Task.late', width: 500 }, { by: 'Task.state' }],
  'months of what is referred to': [{ by: 'Task.up->Task.due', bucket: 'month' }],
}
for (const [what, group_by] of Object.entries(GROUPS))
  it(`groups by ${what}: nor is more gone through for each of them`, async () => {
    const input = { filter: half, group_by, metrics: [{ count: true }] }
    const lines = await plansOf((db) =>
      aggregateItems.run(contextOn(db), input as Parameters<typeof aggregateItems.run>[1]),
    )
    expect(lines).not.toEqual([])
    expect(eachTime(lines).filter(goesThrough)).toEqual([])
  })

it('paths of all items are put together, not gone through one by the other', async () => {
  for (const by of [
    'Task.up->Task.up->Task.state',
    'Task.since->Task.since->Task.state',
    'Task.since->name',
  ]) {
    const input = { group_by: [by], metrics: [{ count: true }] }
    const lines = await plansOf((db) => aggregateItems.run(contextOn(db), input))
    expect(lines.filter((line) => /Join Filter/.test(line))).toEqual([])
  }
})

// A list of 10,000 was looked through for each value of a field that was empty: searches of a moment ended after 10 s.
it('what items that have changed have of a field is looked up by each of them', async () => {
  const [field] = await base.db.select<{ id: number }>({
    sql: `select id from field where name = 'late'`,
    parameters: [],
  })
  const items = JSON.stringify(Array.from({ length: ITEMS }, (_, n) => n + 1))
  const statement = fieldSource({ ...field!, type: 'Number', variants: [] } as unknown as BoundField).of(
    items,
    base.db,
  )
  const lines = await plansOf((db) => db.select(statement.compile(db.dialect.builder)))
  expect(lines.filter((line) => /Scan.* on field_value|Index Cond/.test(line))).toEqual([
    expect.stringMatching(/Index .*Scan using field_value_(?:item|field) /),
    expect.stringMatching(/Index Cond: .*(?:item = .*field = |field = .*item = )/),
  ])
})
