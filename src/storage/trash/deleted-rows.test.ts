import { afterAll, beforeAll, expect, it } from 'vitest'
import { deletedRows } from '#src/storage/trash/deleted-rows.ts'
import { openBase } from '#test/support/base.ts'

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
})
afterAll(() => base.close())

it('walks what is deleted in the order of an index, from page to page', async () => {
  const plans: string[] = []
  const select = base.db.select.bind(base.db)
  base.db.select = async (compilable) => {
    const { sql, parameters } = 'compile' in compilable ? compilable.compile() : compilable
    const plan = base.db.raw.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[]
    plans.push(...plan.map(({ detail }) => detail))
    return select(compilable)
  }
  const after = { deleted_at: '2026-01-31T09:30:00.000Z', item_id: '01KG9P6JRMHKD6W0DXP9M28SSN' }
  for (const asked of [{}, { after }, { deleted_after: '2026-01-01' }]) await deletedRows(base.db, asked, 50)
  base.db.select = select
  expect(plans.filter((detail) => detail.includes('INDEX item_deleted_at'))).toHaveLength(3)
  expect(plans.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([])
})
