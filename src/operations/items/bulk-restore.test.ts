import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { bulkRestore } from '#src/operations/items/bulk-restore.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { openBase } from '#test/support/base.ts'

const FILTER = { name: { starts_with: 'Gone' } }

let base: Awaited<ReturnType<typeof openBase>>
let live: string
let gone: string[]

beforeEach(async () => {
  base = await openBase()
  const made = []
  for (const name of ['Gone 1', 'Gone 2', 'Gone 3', 'Gone but here', 'Another'])
    made.push((await base.run(createItem, { name })).item_id)
  live = made[3]!
  gone = made.slice(0, 3)
  for (const item_id of [...gone, made[4]!]) await base.run(deleteItem, { item_id })
})
afterEach(() => base.close())

const newId = ulidSource()
const context = (planned?: string): SqlContext => ({
  db: base.db,
  caller: base.caller,
  now: new Date('2026-03-01T00:00:00.000Z'),
  time_zone: 'UTC',
  newId: () => newId(Date.now()),
  change: new OpenChange('bulkRestore', () => newId(Date.now())),
  planned,
})
/** As a reader plans it, that takes so long. */
async function plan(ms: number): Promise<string> {
  const { json } = (await bulkRestore.plan!(context(), { filter: FILTER })) as Reply
  return JSON.stringify({ ...JSON.parse(json), ms })
}
async function restored(planned: string): Promise<string[] | 'out of date'> {
  const reply = (await bulkRestore.run(context(planned), { filter: FILTER })) as Reply
  return rollbackReason(reply) === 'overtaken' ? 'out of date' : JSON.parse(reply.json).affected_ids
}

type Between = [what: string, happens: () => Promise<unknown>, comesBack: () => string[], isMended: boolean]
const cases: Between[] = [
  ['nothing', async () => {}, () => gone, true],
  ['a creation', () => base.run(createItem, { name: 'Gone soon' }), () => gone, true],
  ['a change beside', () => base.run(updateItem, { item_id: live, name: 'Here' }), () => gone, true],
  ['a restoration', () => base.run(restoreItem, { item_id: gone[0]! }), () => gone.slice(1), true],
  ['a purge', () => base.run(purgeDeleted, { item_ids: [gone[2]!] }), () => gone.slice(0, 2), true],
  ['a deletion', () => base.run(deleteItem, { item_id: live }), () => [...gone, live], true],
  ['a new tag', () => base.run(createTag, { name: 'New', fields: {} }), () => gone, false],
]

describe('restoring by a filter that was looked through before', () => {
  for (const [what, happens, comesBack, isMended] of cases)
    it(`brings back what is there after ${what}, or is planned again where that took long`, async () => {
      const slow = await plan(1000)
      const quick = await plan(1)
      await happens()
      if (isMended) expect(await restored(slow)).toEqual(comesBack())
      else {
        expect(await restored(slow)).toBe('out of date')
        expect(await restored(quick)).toEqual(comesBack())
      }
    })
})
