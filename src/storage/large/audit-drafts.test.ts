import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RolledBack } from '#src/domain/rolled-back.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import type { SqlOperation } from '#src/runtime/operation.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { enterDrafts, requireWholeLog } from '#src/storage/large/audit-drafts.ts'
import { auditHead } from '#src/storage/log/find-events.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { openBase } from '#test/support/base.ts'

const ITEMS = 6000

describe('events of a large change', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  beforeAll(async () => {
    base = await openBase()
    for (const part of [1, 2, 3])
      await base.run(bulkCreate, {
        items: Array.from({ length: ITEMS / 3 }, (_, i) => `Item ${part} ${i}`),
      })
  })
  afterAll(() => base.close())

  const written = async (db: SqliteConnection, operation: SqlOperation, input: Record<string, unknown>) => {
    const source = ulidSource(await newestId(db))
    const now = Date.parse('2026-02-01T00:00:00.000Z')
    const call = { db, caller: base.caller, now: new Date(now), time_zone: 'UTC', newId: () => source(now) }
    await withinTransaction(db, 'BEGIN IMMEDIATE', () => runSql(operation, call, input))
  }
  const isWhole = (db: SqliteConnection) =>
    requireWholeLog(db).then(
      () => true,
      (error: unknown) => {
        if (error instanceof RolledBack) return false
        throw error
      },
    )

  it('wait in the order in which they came, whoever writes after them, and outlive the process', async () => {
    const before = await auditHead(base.db)
    await written(base.db, bulkDelete, { filter: { name: { starts_with: 'Item' } } })
    expect(await isWhole(base.db)).toBe(false)
    await expect(auditHead(base.db)).rejects.toThrow('brought up to date')
    const newest = (await newestId(base.db))!
    await written(base.db, createItem, { name: 'After' })
    expect((await newestId(base.db))! > newest).toBe(true)

    // As the next process finds it.
    const db = new SqliteConnection(`${base.folder}/facet.db`)
    await written(db, createItem, { name: 'After all' })
    let turns = 1
    while (await withinTransaction(db, 'BEGIN IMMEDIATE', () => enterDrafts(db))) turns++
    expect(turns).toBeGreaterThan(3)
    expect(await isWhole(db)).toBe(true)
    const { count, event_id } = await auditHead(db)
    expect(count).toBe(before.count + ITEMS + 2)
    expect(await verifyChain(db, before.hash)).toMatchObject({
      count,
      event_id,
      broken: null,
      continues: true,
    })
    const last = db.raw
      .prepare('select event_type, details from audit_event order by event_id desc limit 3')
      .all() as { event_type: string; details: string }[]
    expect(last.map(({ event_type }) => event_type)).toEqual(['item_created', 'item_created', 'item_deleted'])
    expect(last.map(({ details }) => JSON.parse(details).name)).toEqual(['After all', 'After', 'Item 3 1999'])
    db.close()
  })
})
