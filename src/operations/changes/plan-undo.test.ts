import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ulidAfter } from '#src/domain/ulid.ts'
import { planUndo } from '#src/operations/changes/plan-undo.ts'
import { searchChanges } from '#src/operations/changes/search-changes.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { baseOn, openBase } from '#test/support/base.ts'

it('takes at most 100,000 events at once', async () => {
  const base = await openBase()
  try {
    const { change_id } = await base.meta(createItem, { name: 'One' })
    const { change_id: other } = await base.meta(createItem, { name: 'Another' })
    const count = base.db.raw.prepare('update change set counts = ? where change_id = ?')
    count.run('{"item_created":99999}', change_id)
    const change_ids = [change_id!, other!]
    expect(await planUndo(base.db, { change_ids })).toMatchObject({ undone_events: 2, conflicts: [] })
    count.run('{"item_created":100000}', change_id)
    await expect(planUndo(base.db, { change_ids })).rejects.toMatchObject({
      code: 'BadRequest',
      message: 'These changes have 100001 events; one undo takes at most 100000',
    })
  } finally {
    base.close()
  }
})

it('takes at most 128 Mi characters at once', async () => {
  const base = await openBase()
  try {
    const { raw } = base.db
    const { change_id } = await base.meta(createItem, { name: 'One' })
    const { change_id: other } = await base.meta(createItem, { name: 'Another' })
    const { id: _, ...event } = raw
      .prepare('select * from audit_event where change_id = ?')
      .get(other) as Record<string, string>
    const long = {
      ...event,
      event_id: ulidAfter(event['event_id']!, 1)!,
      details: JSON.stringify('x'.repeat(128 * 2 ** 20)),
    }
    const columns = Object.keys(long)
    raw
      .prepare(
        `insert into audit_event (${columns.join()}) values (${columns.map((name) => `@${name}`).join()})`,
      )
      .run(long)
    raw.prepare('update change set last_event = ? where change_id = ?').run(long.event_id, other)
    const message = 'What is to be undone is longer than 134217728 characters, the most that one undo takes'
    await expect(planUndo(base.db, { change_ids: [other!] })).rejects.toMatchObject({
      code: 'BadRequest',
      message,
      suggestion: 'Set the items back one by one, to what their history says',
    })
    await expect(planUndo(base.db, { change_ids: [change_id!, other!] })).rejects.toMatchObject({
      message,
      suggestion: 'Undo the newest changes first, then the others',
    })
    expect(await planUndo(base.db, { change_ids: [change_id!] })).toMatchObject({ undone_events: 1 })
  } finally {
    base.close()
  }
})

it('finds each event from before changes as a change of its own', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-changes-'))
  const db = new SqliteConnection(join(folder, 'facet.db'))
  try {
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0006'))
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema, { list: older })
    const ids = ['01JJXZ5T7GQ3M8K4B9R2C6D0EA', '01JJXZ5T7GQ3M8K4B9R2C6D0EB']
    const insert = db.raw
      .prepare(`insert into audit_event (event_id, event_type, entity_type, item_id, source,
      details, created_at) values (?, 'item_created', 'item', ?, 'rest', ?, '2026-01-01T00:00:00.000Z')`)
    for (const [i, id] of ids.entries())
      insert.run(id, id, `{"name":"Item ${i}","description":null,"tags":[]}`)
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
    expect(await baseOn(db).run(searchChanges, {})).toMatchObject(
      ids.toReversed().map((change_id) => ({ change_id, counts: { item_created: 1 }, undoes: [] })),
    )
  } finally {
    db.close()
    rmSync(folder, { recursive: true })
  }
})
