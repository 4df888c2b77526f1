import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withinTransaction } from '#src/engine/transaction.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { makeMissingIndex, rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { openBase } from '#test/support/base.ts'

/** Of which a large change is just a third. */
const ITEMS = 3 * MANY

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
  base.db.raw.exec(
    `insert into item (item_id, name, created_at, updated_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ITEMS})
     select format('%026d', i), 'item ' || i, '2026-01-01T00:00:00.000Z', format('2026-01-02T00:00:%02d.000Z', i % 60) from n`,
  )
})
afterAll(() => base.close())

const indexes = () =>
  base.db.raw
    .prepare(`select name, sql from sqlite_schema where type = 'index' and tbl_name = 'item' order by name`)
    .all() as { name: string; sql: string | null }[]
const touch = (items: number) =>
  base.db.raw.prepare(`update item set updated_at = '2026-03-01T00:00:00.000Z' where id <= ?`).run(items)

/** The indexes that are not there while the work is done. */
async function missingDuring(written: { times: number; presence: number }): Promise<string[]> {
  const before = indexes()
  let missing: string[] = []
  await withinTransaction(base.db, 'BEGIN IMMEDIATE', () =>
    rebuildingIndexes(base.db, written, async () => {
      touch(written.times)
      const there = new Set(indexes().map(({ name }) => name))
      missing = before.map(({ name }) => name).filter((name) => !there.has(name))
    }),
  )
  expect(indexes()).toEqual(before)
  expect(base.db.raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  return missing
}

describe('indexes of items', () => {
  it('are made anew by a change that moves a third of their entries', async () => {
    expect(await missingDuring({ times: MANY, presence: 0 })).toEqual(['item_rank', 'item_updated'])
    expect(await missingDuring({ times: MANY, presence: MANY })).toEqual([
      'item_created',
      'item_deleted',
      'item_deleted_at',
      'item_name',
      'item_rank',
      'item_updated',
    ])
  })

  it('stay where less is moved', async () => {
    expect(await missingDuring({ times: MANY - 1, presence: 0 })).toEqual([])
    base.db.raw.exec(
      `insert into item (item_id, name, created_at, updated_at) values ('one more', 'x', '2026-01-01', '2026-01-01')`,
    )
    expect(await missingDuring({ times: MANY, presence: MANY })).toEqual([])
    expect(await missingDuring({ times: MANY + 1, presence: 0 })).toEqual(['item_rank', 'item_updated'])
  })

  it('are back after a fault', async () => {
    const before = indexes()
    const failing = withinTransaction(base.db, 'BEGIN IMMEDIATE', () =>
      rebuildingIndexes(base.db, { times: ITEMS, presence: 0 }, async () => {
        touch(ITEMS)
        throw new Error('on the way')
      }),
    )
    await expect(failing).rejects.toThrow('on the way')
    expect(indexes()).toEqual(before)
    expect(base.db.raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  /** A transaction for which others wait; the indexes that it leaves out. */
  async function leftOut(presence: number): Promise<string[]> {
    const before = indexes().map(({ name }) => name)
    await withinTransaction(base.db, 'BEGIN IMMEDIATE', async () => {
      base.db.beginRoom()
      await rebuildingIndexes(base.db, { times: ITEMS, presence }, async () => void touch(ITEMS))
    })
    base.db.room.texts = Infinity
    const after = new Set(indexes().map(({ name }) => name))
    return before.filter((name) => !after.has(name))
  }

  it('by which lists are sorted come one by one after a change for which others wait', async () => {
    const before = indexes()
    for (const presence of [0, ITEMS]) {
      expect(await leftOut(presence)).toEqual(['item_rank', 'item_updated'])
      expect(await leftOut(presence)).toEqual([])
      for (const more of [true, true, false]) expect(await makeMissingIndex(base.db)).toBe(more)
      expect(indexes()).toEqual(before)
    }
    expect(base.db.raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  it('come with the next start where the process ended before', async () => {
    const copy = base.copy()
    try {
      const before = indexes()
      copy.db.raw.exec('drop index item_rank; drop index item_updated')
      copy.db.close()
      const { file, release } = await prepareSqliteFile(join(copy.folder, 'facet.db'))
      release()
      const started = new SqliteConnection(file, { readonly: true })
      expect(
        started.raw
          .prepare(
            `select name, sql from sqlite_schema where type = 'index' and tbl_name = 'item' order by name`,
          )
          .all(),
      ).toEqual(before)
      started.close()
    } finally {
      copy.close()
    }
  })
})
