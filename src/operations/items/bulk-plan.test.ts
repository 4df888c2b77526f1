import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { bulkApplyTag } from '#src/operations/items/bulk-apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRemoveTag } from '#src/operations/items/bulk-remove-tag.ts'
import { bulkRestore } from '#src/operations/items/bulk-restore.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { enterDrafts } from '#src/storage/large/audit-drafts.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { openBase } from '#test/support/base.ts'

/** So many that they are worked out before the writer has its turn, in more than one part. */
const ITEMS = 5050
const AT_ONCE = 1000
const TIMEOUT = 120_000
const OPERATIONS = [bulkUpdateFields, bulkApplyTag, bulkRemoveTag, bulkDelete, bulkRestore]
const filter = { has_tag: 'Task' }
const FIELDS = {
  owner: 'String',
  points: 'Number',
  labels: { type: 'MultiSelect', variants: ['a', 'b'] },
  to: 'Reference',
}

let base: Awaited<ReturnType<typeof openBase>>
let items: string[]
let target: string
let tag_id: string
const run = sqlRunner(OPERATIONS)
const newId = ulidSource()
const NOW = Date.parse('2026-03-01T00:00:00.000Z')

beforeAll(async () => {
  base = await openBase()
  const { tag_id: made } = await base.run(createTag, { name: 'Task', fields: FIELDS })
  tag_id = made
  await base.run(createTag, { name: 'Other', fields: { n: 'Number' } })
  ;({ item_id: target } = await base.run(createItem, { name: 'Target' }))
  items = []
  for (let at = 0; at < ITEMS; at += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, ITEMS - at) }, (_, i) => ({
      name: `Task ${at + i}`,
      tags: [
        {
          tag_ref: { Existing: 'Task' },
          field_values: { owner: `Owner ${(at + i) % 7}`, points: i, labels: i % 2 ? [] : ['a'] },
        },
      ],
    }))
    const created = await base.run(bulkCreate, { items: some })
    items.push(...created.map(({ item_id }) => item_id))
  }
}, TIMEOUT)
afterAll(() => base.close())

const call = (name: string, input: object) => ({ name, caller: base.caller, input, now: NOW })
const nextId = () => newId(NOW)

/** What is in the base; events without what chance has given them. */
const TABLES = {
  item: 'select * from item order by id',
  item_text: 'select * from item_text order by id',
  item_tag: 'select * from item_tag order by item, tag',
  field_value: 'select field, quote(val) as val, item from field_value order by 1, 2, 3',
  audit_event: `select event_type, item_id, tag_id, details, coalesce(state ->> 'updated_at', created_at) as at
    from audit_event order by id desc limit ${ITEMS + 10}`,
  change: 'select operation, summary, counts from change order by change_id desc limit 1',
}
const dump = () =>
  Object.fromEntries(
    Object.entries(TABLES).map(([table, sql]) => [table, JSON.stringify(base.db.raw.prepare(sql).all())]),
  )

interface Outcome {
  answer: unknown
  after: Record<string, string>
  /** Statements that were read from in the transaction. */
  reads: number
  recorded: number
}

/** What a large change makes anew, planned or not. */
const ABOUT_INDEXES = /^(drop|create) index/i

/** Carries a change out in a transaction that is taken back in the end. */
async function outcome(name: string, input: object, planned?: string): Promise<Outcome> {
  const { db } = base
  const watched = { reads: 0, recorded: 0 }
  const { all, enqueueCompiled } = db
  db.all = (...given) => (watched.reads++, all.apply(db, given as never)) as never
  db.enqueueCompiled = (given) => {
    if (!ABOUT_INDEXES.test(given.sql)) watched.recorded++
    return enqueueCompiled.call(db, given)
  }
  db.exec('BEGIN IMMEDIATE')
  try {
    const { json } = await run(db, { ...call(name, input), planned }, nextId)
    Object.assign(db, { all, enqueueCompiled })
    while (await enterDrafts(db));
    expect(indexDisagreements(db)).toEqual([])
    return { answer: JSON.parse(json), after: dump(), ...watched }
  } catch (error) {
    const { message, details } = error as Error & { details: unknown }
    return { answer: { message, details }, after: {}, ...watched }
  } finally {
    Object.assign(db, { all, enqueueCompiled })
    db.rollback()
  }
}

const plan = async (name: string, input: object): Promise<string> =>
  (await run(base.db, { ...call(name, input), plan: true }, nextId)).json

const changes: [string, string, () => object][] = [
  [
    'values that are the same',
    'bulkUpdateFields',
    () => ({ tag_id: 'Task', field_values: { owner: 'Nobody' }, merge: true }),
  ],
  [
    'values put in place of all',
    'bulkUpdateFields',
    () => ({ tag_id: 'Task', field_values: { labels: [], to: target } }),
  ],
  [
    'an edit of each value',
    'bulkUpdateFields',
    () => ({ tag_id: 'Task', field_values: { labels: { add: ['b'] } }, merge: true }),
  ],
  [
    'a tag',
    'bulkApplyTag',
    () => ({ tag: { tag_ref: { Existing: 'Other' }, field_values: { n: 2 ** 40 } } }),
  ],
  ['a tag less', 'bulkRemoveTag', () => ({ tag_id: 'Task' })],
  ['their deletion', 'bulkDelete', () => ({})],
]

describe('a large change that is worked out before its transaction', () => {
  it.each(changes)(
    'gives the items %s as in the transaction',
    { timeout: TIMEOUT },
    async (_, name, given) => {
      const input = { filter, ...given() }
      const planned = await plan(name, input)
      const { recorded, reads, ...ahead } = await outcome(name, input, planned)
      const { reads: otherwise, recorded: none, ...within } = await outcome(name, input)
      expect(ahead).toEqual(within)
      expect([none, recorded > 0, reads < 20, otherwise > reads]).toEqual([0, true, true, true])
    },
  )

  it.each(changes)('gives %s to what is there by then', { timeout: TIMEOUT }, async (_, name, given) => {
    const input = { filter, ...given() }
    const [, changed, untagged, gone, purged, renamed] = [0, 5, 1200, 2100, 2101, 5025].map((i) => items[i]!)
    const planned = await plan(name, input)
    const task = { tag_ref: { Existing: 'Task' }, field_values: { owner: 'New' } }
    await base.run(updateTagValues, { item_id: changed!, tag_id, field_values: { owner: 'Since' } })
    await base.run(removeTag, { item_id: untagged!, tag_id }).catch(() => {})
    await base.run(deleteItem, { item_id: gone! }).catch(() => {})
    await base.run(deleteItem, { item_id: purged! }).catch(() => {})
    await base.run(purgeDeleted, { item_ids: [purged!] }).catch(() => {})
    await base.run(updateItem, { item_id: renamed!, name: `Renamed by ${name}` })
    await base.run(createItem, { name: 'New', tags: [task] })
    const { recorded, reads: _reads, ...ahead } = await outcome(name, input, planned)
    const { reads: _others, recorded: none, ...within } = await outcome(name, input)
    expect(ahead).toEqual(within)
    expect([none, recorded > 0]).toEqual([0, true])
    // The same again where the filter took long: then the items are mended, not found again.
    const end = planned.indexOf('\n')
    const slow = JSON.stringify({ ...JSON.parse(planned.slice(0, end)), ms: 1000 }) + planned.slice(end)
    const { recorded: also, reads: _more, ...mended } = await outcome(name, input, slow)
    expect(mended).toEqual(within)
    expect(also).toBe(recorded)
  })

  it('finds what it refers to deleted since', { timeout: TIMEOUT }, async () => {
    const { item_id } = await base.run(createItem, { name: 'Soon gone' })
    const input = { filter, tag_id: 'Task', field_values: { to: item_id }, merge: true }
    const planned = await plan('bulkUpdateFields', input)
    await base.run(deleteItem, { item_id })
    const { answer } = await outcome('bulkUpdateFields', input, planned)
    expect(answer).toEqual((await outcome('bulkUpdateFields', input)).answer)
    expect(answer).toMatchObject({ message: expect.stringContaining(item_id) })
  })

  it('goes by the schema of then', { timeout: TIMEOUT }, async () => {
    const input = { filter, tag_id: 'Task', field_values: { points: 7 }, merge: true }
    const planned = await plan('bulkUpdateFields', input)
    const { owner, ...others } = FIELDS
    await base.run(updateTag, { tag_id, fields: { ...others, points: 'String', owner } })
    const { answer } = await outcome('bulkUpdateFields', input, planned)
    expect(answer).toEqual((await outcome('bulkUpdateFields', input)).answer)
    await expect(plan('bulkUpdateFields', input)).rejects.toMatchObject({ code: 'BadRequest' })
  })

  it('brings deleted items back as in the transaction', { timeout: TIMEOUT }, async () => {
    const { affected_ids } = await base.run(bulkDelete, { filter })
    const planned = await plan('bulkRestore', { filter })
    await base.run(restoreItem, { item_id: affected_ids[3]! })
    await base.run(purgeDeleted, { item_ids: [affected_ids[2000]!] })
    const { recorded, reads: _reads, ...ahead } = await outcome('bulkRestore', { filter }, planned)
    const { reads: _others, recorded: none, ...within } = await outcome('bulkRestore', { filter })
    expect(ahead).toEqual(within)
    expect([none, recorded > 0]).toEqual([0, true])
    // Nobody notes in the log what leaves the indexes (decision 46).
    const before = await plan('bulkRestore', { filter })
    await takeSomeOut(base.db, 1500)
    const { recorded: still, reads: _more, ...mended } = await outcome('bulkRestore', { filter }, before)
    expect(mended).toEqual(within)
    expect(still).toBeGreaterThan(0)
  })

  it('is worked out in the transaction where the caller may change only a number of items', async () => {
    const may_change = { left: 10_000, per_hour: 10_000 }
    const caller = { ...base.caller, may_change } as unknown as typeof base.caller
    const { json } = await run(base.db, { ...call('bulkDelete', { filter }), caller, plan: true }, nextId)
    expect(json).not.toContain('\n')
  })
})
