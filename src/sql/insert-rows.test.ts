import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { openBase } from '#test/support/base.ts'

describe('rowInserter', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  const insert = rowInserter('purged_item', ['id', 'item_id'])
  const stored = () => base.db.raw.prepare('select id, item_id from purged_item order by id').raw().all()

  beforeAll(async () => {
    base = await openBase()
  })
  afterAll(() => base.close())

  for (const count of [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 200])
    it(`inserts ${count} rows, each once`, async () => {
      base.db.exec('delete from purged_item')
      const rows = Array.from({ length: count }, (_, i) => [i + 1, `id ${i}`])
      await insert(base.db, rows)
      expect(stored()).toEqual(rows)
    })
})
