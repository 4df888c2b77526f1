import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import type { Db } from '#src/sql/query.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

// PostgreSQL can take an index for an order only where the statement is written for it. So few items it might rather
// sort, so it sorts here only where it has no other way.

const ITEMS = 1000
const LIMIT = 20

let base: Awaited<ReturnType<typeof openPostgresBase>>
beforeAll(async () => {
  base = await openPostgresBase()
  await base.run(createTag, {
    name: 'Task',
    fields: { owner: 'String', points: 'Number', parent: 'Reference' },
  })
  const [parent] = await base.run(bulkCreate, { items: ['parent'] })
  const tasks = Array.from({ length: ITEMS }, (_, i) => ({
    name: `task ${(i * 7) % ITEMS}`,
    tags: [
      {
        tag_ref: { Existing: 'Task' },
        field_values: { owner: `owner ${i % 700}`, points: i % 700, parent: parent!.item_id },
      },
    ],
  }))
  await base.run(bulkCreate, { items: tasks })
  for (const sql of ['vacuum analyze', 'set enable_sort = off']) await base.db.select({ sql, parameters: [] })
})
afterAll(() => base.close())

/** The page after `after`, and how PostgreSQL goes about the statements that it asks for. */
async function page(
  asked: { sort?: object[]; filter?: object },
  after?: string,
): Promise<{ plans: string[]; next: string }> {
  const plans: string[] = []
  const db: Db = Object.create(base.db)
  db.select = async (given) => {
    const { sql, parameters } = 'compile' in given ? given.compile() : given
    const lines = await base.db.select<Record<string, string>>({ sql: `explain ${sql}`, parameters })
    plans.push(lines.map((row) => row['QUERY PLAN']).join('\n'))
    return base.db.select({ sql, parameters })
  }
  const context = {
    db,
    caller: base.caller,
    now: new Date(0),
    time_zone: 'UTC',
    newId: () => '',
    change: new OpenChange('searchItems', () => ''),
  }
  const input = { limit: LIMIT, ...asked, ...(after && { after }) } as Parameters<typeof searchItems.run>[1]
  const reply = (await searchItems.run(context, input)) as { meta: { next: string } }
  return { plans, next: reply.meta.next }
}

describe('a page of many items', () => {
  for (const by of ['name', 'created_at', 'Task.owner', 'Task.points', 'Task.parent'])
    for (const direction of ['asc', 'desc'])
      it(`can be walked by an index, by ${by} ${direction}`, async () => {
        const first = await page({ sort: [{ by, direction }] })
        const second = await page({ sort: [{ by, direction }] }, first.next)
        for (const { plans } of [first, second]) {
          expect(plans).not.toHaveLength(0)
          for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (item|field_value)|Sort/)
        }
      })
})

describe('what a filter asks of each item', () => {
  for (const filter of [
    { 'Task.parent->name': { contains: 'par' } },
    { not: { 'Task.points': { gt: 690 } } },
    { or: [{ 'Task.owner': 'owner 1' }, { 'Task.points': { lt: 650 } }] },
  ])
    it(`drives no join: ${JSON.stringify(filter)}`, async () => {
      const { plans } = await page({ filter })
      expect(plans.at(-1)).toContain('SubPlan')
      expect(plans.at(-1)).not.toMatch(/(Semi|Anti) Join/)
    })
})
