import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { listItems } from '#src/operations/items/list-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import type { CompiledSql } from '#src/sql/query.ts'
import type { Base } from '#test/support/base.ts'
import { addManyTasks, openManyTasks } from '#test/support/many-tasks.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

// What each engine is asked, and how SQLite goes about it (the plans of PostgreSQL depend on its statistics). After a
// change of the compiler or the planner read the difference and accept it by `vitest run test/golden -u`.

const ITEMS = 3000
const NOTES = 1000

type Search = Parameters<typeof searchItems.run>[1]
interface Case {
  search: Search
  /** No table is gone through from end to end. */
  indexed: boolean
}

const LIMIT = 50
const byFilter = (filter: Record<string, unknown>): Case => ({
  search: { filter, limit: LIMIT },
  indexed: true,
})
const sorted = (by: string, direction: 'asc' | 'desc', filter?: Record<string, unknown>): Case => ({
  search: { limit: LIMIT, sort: [{ by, direction }], ...(filter && { filter }) },
  indexed: true,
})
/** Items are walked in order, which ends when the page is full. */
const walked = ({ search }: Case): Case => ({ search, indexed: false })

const CASES: Record<string, Case> = {
  everything: walked({ search: { limit: LIMIT }, indexed: false }),
  'a tag': byFilter({ has_tag: 'Task' }),
  'a tag that others extend': byFilter({ has_tag: 'Thing' }),
  'a selective value': byFilter({ 'Task.owner': 'owner 7' }),
  'two fields, one selective': byFilter({
    and: [{ 'Task.status': { match: 'Open' } }, { 'Task.owner': 'owner 7' }],
  }),
  'two fields, both unselective': byFilter({ and: [{ 'Task.status': 'Open' }, { 'Task.done': false }] }),
  'a Select by order': byFilter({ 'Task.status': { gt: 'Open' } }),
  'a short span of dates': byFilter({
    and: [{ 'Task.due': { gte: '2026-01-05' } }, { 'Task.due': { lt: '2026-01-07' } }],
  }),
  'an unselective range': walked(byFilter({ 'Task.points': { gte: 2 } })),
  'a beginning': byFilter({ 'Task.owner': { starts_with: 'owner 12' } }),
  'a set of variants': byFilter({ 'Task.labels': { eq: ['home', 'work'] } }),
  'no value': walked(byFilter({ 'Task.owner': null })),
  'a negation beside a value': byFilter({
    and: [{ 'Task.owner': 'owner 7' }, { not: { 'Task.status': 'Open' } }],
  }),
  'one of two selective values': byFilter({ or: [{ 'Task.owner': 'owner 7' }, { name: 'item 9' }] }),
  'a selective reference': byFilter({ 'Task.parent->name': 'item 3' }),
  'two references': byFilter({ 'Task.parent->Task.parent->Task.owner': 'owner 7' }),
  'an unselective reference': walked(byFilter({ 'Task.parent->Task.status': 'Open' })),
  'what is referred to, by many': byFilter({ '<-Task.parent': { 'Task.status': 'Open' } }),
  'what is referred to, by few': byFilter({ '<-Note.about': { 'Note.by': 'person 7' } }),
  'what is referred to so often': byFilter({
    '<-Task.parent': { filter: { 'Task.owner': 'owner 7' }, count: { gte: 3 } },
  }),
  'a text': byFilter({ search: 'item 27' }),
  'one character': walked(byFilter({ search: 'x' })),
  'a name': byFilter({ name: 'item 9' }),
  'one of several names': byFilter({ name: { in: ['item 9', 'item 10'] } }),
  'part of a name': walked(byFilter({ name: { contains: 'tem 1' } })),
  'sorted by a field': sorted('Task.due', 'asc'),
  'sorted by a field, backwards, filtered': sorted('Task.due', 'desc', { 'Task.status': 'Open' }),
  'sorted by a Select': sorted('Task.status', 'desc'),
  'sorted by name': walked(sorted('name', 'asc')),
  'sorted by change': walked(sorted('updated_at', 'desc', { has_tag: 'Task' })),
  'few, sorted': sorted('Task.due', 'asc', { 'Task.owner': 'owner 7' }),
  'two keys': {
    search: { limit: LIMIT, sort: [{ by: 'Task.points' }, { by: 'Task.due', direction: 'desc' }] },
    indexed: true,
  },
}

const FOLDER = TEST_ENGINE === 'sqlite' ? 'searches' : 'searches-postgres'

let base: Base & { close(): void | Promise<void> }
beforeAll(async () => {
  if (TEST_ENGINE === 'sqlite') base = await openManyTasks(ITEMS)
  else {
    base = await openPostgresBase()
    await addManyTasks(base, ITEMS)
  }
  await addNotes()
})
afterAll(() => base.close())

/** Each about an item of its own, by few people. */
async function addNotes(): Promise<void> {
  await base.run(createTag, { name: 'Note', fields: { about: 'Reference', by: 'String' } })
  const items = await base.run(listItems, { limit: NOTES })
  await base.run(bulkCreate, {
    items: (items as { item_id: string }[]).map(({ item_id }, i) => ({
      name: `note ${i}`,
      tags: [{ tag_ref: { Existing: 'Note' }, field_values: { about: item_id, by: `person ${i % 50}` } }],
    })),
  })
}

/** The statements that a search makes for itself, in order. */
async function statementsOf(search: Search): Promise<CompiledSql[]> {
  const statements: CompiledSql[] = []
  const db: typeof base.db = Object.create(base.db)
  db.select = (given) => {
    const { sql, parameters } = 'compile' in given ? given.compile() : given
    statements.push({ sql, parameters })
    return base.db.select({ sql, parameters })
  }
  await searchItems.run(
    {
      db,
      caller: base.caller,
      now: new Date(0),
      time_zone: 'UTC',
      newId: () => '',
      change: new OpenChange('searchItems', () => ''),
    },
    search,
  )
  return statements
}

/** No lines where the engine's plans are not a matter of the statement alone. */
const planOf = async ({ sql, parameters }: CompiledSql) => {
  if (TEST_ENGINE !== 'sqlite') return []
  const rows = await base.db.select<{ detail: string }>({ sql: `explain query plan ${sql}`, parameters })
  return rows.map(({ detail }) => detail)
}

/** A table or index from end to end; a subquery or a list of the statement's own is no table. */
const WHOLE = /^SCAN (item|i|w|v|o|n|t|e|field_value|item_text)\b(?!.*VIRTUAL TABLE)/

describe('a search for', () => {
  for (const [name, { search, indexed }] of Object.entries(CASES))
    it(name, async () => {
      let text = `${JSON.stringify(search)}\n`
      for (const statement of await statementsOf(search)) {
        const plan = await planOf(statement)
        text += `\n${statement.sql}\n-- ${JSON.stringify(statement.parameters)}\n${plan.map((line) => `--   ${line}\n`).join('')}`
        if (indexed) expect(plan.filter((line) => WHOLE.test(line))).toEqual([])
      }
      await expect(text).toMatchFileSnapshot(`${FOLDER}/${name.replaceAll(/\W+/g, '-')}.sql`)
    })
})
