import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRestore } from '#src/operations/items/bulk-restore.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { getBacklinks } from '#src/operations/items/get-backlinks.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { upsertItem } from '#src/operations/items/upsert-item.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { query } from '#src/sql/query.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { isAnyLeaving, takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { bringBack, outOfIndexes } from '#src/storage/large/returning-items.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { addManyTasks } from '#test/support/many-tasks.ts'
import { openBase } from '#test/support/base.ts'

const taskTag = query((_: object, db) => db.selectFrom('tag').select('tag_id').where('name', '=', 'Task'))
const TASKS = MANY + 900
/** Nine in ten. */
const MOST = { filter: { 'Task.owner': { neq: 'owner 0' } } }
const TIMEOUT = 120_000

let base: Awaited<ReturnType<typeof openBase>>
let gone: readonly string[]
let first: string

const waitingWords = () => base.db.raw.prepare('select count(*) from word_pending').pluck().get()
const leaving = () => base.db.raw.prepare('select count(*) from leaving_item').pluck().get()
async function clear(): Promise<void> {
  while (await takeSomeOut(base.db, 700));
}
/** Once nothing leaves any more, the indexes are what the items say. */
async function expectRight(): Promise<void> {
  await clear()
  expect(indexDisagreements(base.db)).toEqual([])
}

let made: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  made = await openBase()
  await addManyTasks(made, TASKS)
  first = (await made.run(searchItems, { filter: { name: 'item 0' } }))[0]!.item_id
  gone = (await made.run(bulkDelete, MOST)).affected_ids
  expect(gone.length).toBeGreaterThan(MANY)
}, TIMEOUT)
afterAll(() => made.close())
beforeEach(() => {
  base = made.copy()
})
afterEach(() => base.close())

describe('items that a large change has deleted', { timeout: TIMEOUT }, () => {
  it('are seen by nobody, while the indexes have them and afterwards', async () => {
    expect(leaving()).toBe(gone.length)
    const answers = async () => ({
      found: await Promise.all(
        [
          { has_tag: 'Task' },
          { has_tag: 'Thing' },
          { search: 'item 1' },
          { search: 'item 4321' },
          { 'Task.points': { gte: 3 } },
          { 'Task.owner': { in: ['owner 0', 'owner 1'] } },
          { 'Task.owner': { regex: 'r [01]$' } },
          { 'Task.labels': { contains: 'home' } },
          { 'Task.parent': { name: 'item 0' } },
          { or: [{ 'Task.done': true }, { 'Task.status': 'Ready' }] },
          { not: { 'Task.points': 1 } },
          { references: { field: 'Task.parent', filter: { 'Task.done': true } } },
        ].map(async (filter) => {
          const reply = await base
            .run(searchItems, { filter, limit: 20, sort: [{ by: 'name' }] })
            .catch((error: Error) => error.message)
          const meta = await base.meta(searchItems, { filter, limit: 0, count: true }).catch(() => null)
          return [reply, meta?.total]
        }),
      ),
      sorted: await base.run(searchItems, {
        filter: { has_tag: 'Task' },
        sort: [{ by: 'Task.due' }],
        limit: 30,
      }),
      ranked: await base.run(searchItems, {
        filter: { search: 'item' },
        sort: [{ by: 'relevance' }],
        limit: 30,
      }),
      groups: await base.run(aggregateItems, { filter: { has_tag: 'Task' }, group_by: ['Task.owner'] }),
      backlinks: await base.run(getBacklinks, { item_id: first }),
      backlinked: (await base.meta(getBacklinks, { item_id: first, limit: 1, count: true })).total,
    })
    const before = await answers()
    const words = waitingWords()
    expect(before.backlinked).toBe(TASKS - gone.length)
    await takeSomeOut(base.db, 500)
    expect(leaving()).toBe(gone.length - 500)
    expect(await answers()).toEqual(before)
    await clear()
    expect([leaving(), await isAnyLeaving(base.db)]).toEqual([0, false])
    expect(waitingWords()).toBe(words) // they left that index once, when they were deleted
    expect(await answers()).toEqual(before)
    expect(indexDisagreements(base.db)).toEqual([])
  })

  it('are matched by no upsert', async () => {
    const match = { 'Task.owner': 'owner 1' }
    const { item, created } = (await base.run(upsertItem, { match, name: 'Another' })) as never as {
      item: { item_id: string }
      created: boolean
    }
    expect(created ?? !gone.includes(item.item_id)).toBe(true)
    await expectRight()
  })

  it.each([0, 1, 2500])('come back with what the indexes have, %i of them cleared', async (cleared) => {
    if (cleared) await takeSomeOut(base.db, cleared)
    await base.run(restoreItem, { item_id: gone[3]! })
    await base.run(bulkRestore, { filter: { has_tag: 'Task' } })
    expect(leaving()).toBe(0)
    expect(indexDisagreements(base.db)).toEqual([])
    expect((await base.meta(searchItems, { filter: { has_tag: 'Task' }, limit: 0, count: true })).total).toBe(
      TASKS,
    )
    expect(await base.run(searchItems, { filter: { search: 'item 4321' } })).toHaveLength(1)
  })

  it('are given back to the indexes before a change restores them, and nobody sees them there', async () => {
    const ids = base.db.raw
      .prepare('select id from item where deleted_at is not null order by id')
      .pluck()
      .all() as number[]
    const missing = () => outOfIndexes(base.db, ids)
    expect(await missing()).toEqual([]) // all are there
    await clear()
    const words = waitingWords()
    expect(await missing()).toEqual(ids)
    await bringBack(base.db, ids.slice(0, 1000))
    expect(await missing()).toEqual([]) // what is left is a small change
    for (let at = 0; at < ids.length; at += 700) await bringBack(base.db, ids.slice(at, at + 700))
    expect(leaving()).toBe(gone.length)
    const count = async () =>
      (await base.meta(searchItems, { filter: { has_tag: 'Task' }, limit: 0, count: true })).total
    expect(await count()).toBe(TASKS - gone.length)
    expect(await base.run(searchItems, { filter: { search: 'item 4321' } })).toEqual([])

    // Another change makes what was brought back worthless.
    const [{ tag_id }] = (await base.db.all(taskTag, {})) as [{ tag_id: string }]
    await base.run(updateTag, { tag_id, rename_fields: { owner: 'holder' } })
    expect(await missing()).toEqual(ids)
    for (let at = 0; at < ids.length; at += 700) await bringBack(base.db, ids.slice(at, at + 700))
    expect(await missing()).toEqual([])
    expect(waitingWords()).toBeGreaterThanOrEqual(words as number)

    await base.run(restoreItem, { item_id: gone[3]! })
    await bringBack(base.db, ids) // of what lives nothing is written twice
    await base.run(bulkRestore, { filter: { has_tag: 'Task' } })
    expect([leaving(), await count()]).toEqual([0, TASKS])
    expect(indexDisagreements(base.db)).toEqual([])
  })

  it('are purged with all that the indexes have of them', async () => {
    await base.run(purgeDeleted, { item_ids: [gone[0]!, gone[4000]!] })
    expect(leaving()).toBe(gone.length - 2)
    await takeSomeOut(base.db, 1000)
    await base.run(purgeDeleted, {})
    expect(leaving()).toBe(0)
    expect(indexDisagreements(base.db)).toEqual([])
  })

  it.each([
    [
      'has other fields',
      (tag_id: string) => base.run(updateTag, { tag_id, fields: { points: 'String', owner: 'String' } }),
    ],
    [
      'is renamed in',
      (tag_id: string) => base.run(updateTag, { tag_id, rename_fields: { owner: 'holder' } }),
    ],
    ['is deleted', (tag_id: string) => base.run(deleteTag, { tag_id })],
  ] as const)('come back right after their tag %s', async (_, change) => {
    const [{ tag_id }] = (await base.db.all(taskTag, {})) as [{ tag_id: string }]
    await change(tag_id)
    const some = gone.slice(0, 50)
    await base.run(bulkRestore, { item_ids: some })
    await base.run(restoreItem, { item_id: gone[60]! })
    await expectRight()
  })

  it('are changed like others once they are back', async () => {
    const item_id = gone[7]!
    await base.run(restoreItem, { item_id })
    await base.run(updateItem, { item_id, name: 'Quite another' })
    await base.run(createItem, {
      name: 'New',
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: { parent: item_id } }],
    })
    await base
      .run(applyTag, { item_id, tag: { tag_ref: { New: { name: 'Fresh', fields: {} } } } })
      .catch(() => {})
    await base.run(bulkDelete, { filter: { name: 'Quite another' } })
    await expectRight()
  })
})
