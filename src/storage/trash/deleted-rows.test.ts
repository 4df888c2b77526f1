import { afterAll, beforeAll, expect, it } from 'vitest'
import { deletedRows, deletionsOf } from '#src/storage/trash/deleted-rows.ts'
import { allDeleted, countDeleted } from '#src/storage/trash/find-deleted.ts'
import { openBase } from '#test/support/base.ts'
import { plansOf } from '#test/support/plans-of.ts'

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
})
afterAll(() => base.close())

it('walks what is deleted in the order of an index, from page to page', async () => {
  const after = { deleted_at: '2026-01-31T09:30:00.000Z', item_id: '01KG9P6JRMHKD6W0DXP9M28SSN' }
  const plans = await plansOf(base.db, async () => {
    for (const asked of [{}, { after }, { deleted_after: '2026-01-01' }])
      await deletedRows(base.db, asked, 50)
  })
  expect(plans.filter((detail) => detail.includes('INDEX item_deleted_at'))).toHaveLength(3)
  expect(plans.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
  // Of thousands that were deleted at the same moment a page begins where the one before has ended.
  expect(plans.filter((detail) => detail.includes('(deleted_at,item_id)<(?,?)'))).toHaveLength(1)
})

it("reads who deleted a page's items from these items' own events, whatever else was deleted", async () => {
  const plans = await plansOf(base.db, () => deletionsOf(base.db, ['01KG9P6JRMHKD6W0DXP9M28SSN']))
  expect(plans.filter((detail) => detail.includes('audit_event_'))).toEqual([
    'SEARCH audit_event USING INDEX audit_event_item (item_id=?)',
  ])
})

it('reads the positions of all that are deleted at once, and of nobody who deleted them unless that is asked for', async () => {
  base.db.exec(`insert into item (item_id, name, created_at, updated_at, deleted_at)
    with recursive n (n) as (select 1 union all select n + 1 from n where n < 450)
    select printf('%026d', n), 'item', '', '', '2026-01-31T09:30:00.000Z' from n`)
  const plan = { kind: 'always' } as const
  for (const [read, events] of [
    [async () => expect(await allDeleted(base.db, plan, {})).toHaveLength(450), 0],
    [async () => expect(await countDeleted(base.db, plan, {})).toBe(450), 0],
    [async () => expect(await countDeleted(base.db, plan, { deleted_by: 'nobody' })).toBe(0), 5],
  ] as const) {
    const plans = await plansOf(base.db, read)
    expect(plans.filter((detail) => detail.includes('INDEX item_deleted_at'))).toHaveLength(1)
    expect(plans.filter((detail) => detail.includes('audit_event_item'))).toHaveLength(events)
  }
})
