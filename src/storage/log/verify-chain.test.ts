import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBatch } from '#src/operations/changes/run-batch.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { sqliteExecutor } from '#src/sql/sqlite-executor.ts'
import { migrations } from '#src/storage/migrations/index.ts'
import { migrate } from '#src/storage/schema/migrate.ts'
import { verifyChain } from '#src/storage/log/verify-chain.ts'
import { openBase } from '#test/support/base.ts'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import { type StoredEvent, storedEvents, tamper, writeLog } from '#test/support/tamper.ts'

const TAMPERINGS = 1000
describe('verifyChain', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  let events: StoredEvent[]

  beforeAll(async () => {
    base = await openBase()
    await writeLog(base)
    base.db.exec('drop trigger audit_event_no_update')
    events = await storedEvents(base.db)
  })
  afterAll(() => base.close())

  it('finds nothing in a log as it was written', async () => {
    expect(await verifyChain(base.db)).toEqual({
      count: events.length,
      redacted: 0,
      event_id: events.at(-1)!.event_id,
      head: events.at(-1)!['hash'],
      changes_head: expect.stringMatching(/^[0-9a-f]{64}$/),
      unsealed: 0,
      continues: true,
      broken: null,
    })
  })

  it(`finds ${TAMPERINGS} random changes of one byte (TEST_SEED=${TEST_SEED})`, async () => {
    expect(await tamper(base.db, TAMPERINGS, new Chance(TEST_SEED))).toEqual([])
  })

  it('finds events that are missing, doubled, or in another order', async () => {
    base.db.exec('drop trigger audit_event_no_delete')
    const [id] = [events[9]!['id']]
    base.db.exec('begin')
    base.db.raw.prepare('delete from audit_event where id = ?').run(id)
    expect((await verifyChain(base.db)).broken).toMatchObject({
      event_id: events[10]!.event_id,
      position: 10,
    })
    base.db.exec('rollback')
    base.db.exec('begin')
    const swap = base.db.raw.prepare('update audit_event set event_id = ? where id = ?')
    swap.run('0', events[4]!['id'])
    swap.run(events[4]!.event_id, events[5]!['id'])
    swap.run(events[5]!.event_id, events[4]!['id'])
    expect((await verifyChain(base.db)).broken).toMatchObject({ position: 5 })
    base.db.exec('rollback')
  })

  it('sees by their change that the newest are missing, and by an earlier head alone that it is missing too', async () => {
    base.db.exec('begin')
    base.db.raw.prepare('delete from audit_event where id = ?').run(events.at(-1)!['id'])
    expect((await verifyChain(base.db)).broken).toMatchObject({
      event_id: events.at(-2)!.event_id,
      reason: expect.stringContaining('are missing at the end of the log'),
    })
    base.db.raw.prepare('delete from change where last_event = ?').run(events.at(-1)!.event_id)
    expect(await verifyChain(base.db)).toMatchObject({ broken: null, continues: true })
    expect(await verifyChain(base.db, events.at(-1)!['hash'] as string)).toMatchObject({ continues: false })
    expect(await verifyChain(base.db, events.at(-2)!['hash'] as string)).toMatchObject({ continues: true })
    base.db.exec('rollback')
  })

  it.each(["'{}'", 'null', `'{"schema_version":7}'`])('finds a state that is %s', async (state) => {
    const altered = events.filter((event) => (state === 'null') !== (event['state'] === null))
    expect(altered).not.toEqual([])
    for (const { event_id } of altered) {
      base.db.exec('begin')
      base.db.exec(`update audit_event set state = ${state} where event_id = '${event_id}'`)
      expect((await verifyChain(base.db)).broken).toMatchObject({
        event_id,
        reason: 'what undo keeps beside it is not what was recorded',
      })
      base.db.exec('rollback')
    }
  })

  it('finds that the beginning of the proof was moved', async () => {
    base.db.exec('begin')
    base.db.raw.prepare('update audit_seal set after = ?').run(events[20]!['hash'])
    expect((await verifyChain(base.db)).broken).toMatchObject({ position: 22 })
    base.db.exec('rollback')
  })

  it.each([
    ['operation', "'deleteTag'"],
    ['summary', "'Nothing'"],
    ['summary', 'null'],
    ['summary_salt', "'00'"],
    ['user_id', 'null'],
    ['source', "'chat'"],
    ['client', 'null'],
    ['counts', `'{"item_purged":1}'`],
    ['undoes', `'["01JJXZ5T7GQ3M8K4B9R2C6D0EF"]'`],
    ['last_event', "'01JJXZ5T7GQ3M8K4B9R2C6D0EF'"],
  ])('finds a change whose %s is %s', async (column, value) => {
    const changes = await base.db.select<{ change_id: string }>({
      sql: 'select change_id from change order by change_id',
      parameters: [],
    })
    expect(changes).not.toEqual([])
    for (const { change_id } of changes) {
      base.db.exec('begin')
      base.db.exec(`update change set ${column} = ${value} where change_id = '${change_id}'`)
      expect((await verifyChain(base.db)).broken?.reason).toContain(change_id)
      base.db.exec('rollback')
    }
  })

  it('takes no redaction of which the log says nothing', async () => {
    const at = events.findIndex(({ item_id }) => item_id !== null)
    base.db.exec('begin')
    base.db.raw
      .prepare(`update audit_event set details = '{}', details_salt = null, redacted = 1 where id = ?`)
      .run(events[at]!['id'])
    expect((await verifyChain(base.db)).broken).toEqual({
      event_id: events[at]!.event_id,
      position: at + 1,
      reason: 'its details are gone, and the log does not say that they were redacted',
    })
    base.db.exec('rollback')
  })
})

describe('a change of nobody with events of an account', () => {
  /** As `template use` of an earlier version recorded. */
  const swapping = (operation: string) =>
    defineStep({
      name: operation,
      effect: 'write',
      async run({ caller, ...context }, { user_id }: { user_id: string }) {
        const operations = [{ operation: 'createItem', input: { name: 'One' } }]
        const input = { operations, dry_run: false, allow_warnings: false }
        await runBatch.run({ ...context, caller: { ...caller, user_id } }, input)
        context.change.operation = operation
        return null
      },
    })

  it.each([
    ['a batch by command holds', 'batch', 'cli', null],
    ['a batch by a browser does not', 'batch', 'session', 'is not what its events say'],
    ['anything else by command does not', 'createItem', 'cli', 'is not what its events say'],
  ] as const)('%s', async (_, operation, kind, reason) => {
    const base = await openBase()
    try {
      base.caller.client = { kind, id: null, name: null }
      await base.runStep(swapping(operation), { user_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' })
      const { broken, count } = await verifyChain(base.db)
      expect(broken && broken.reason).toEqual(reason && expect.stringContaining(reason))
      expect(count).toBe(1)
    } finally {
      base.close()
    }
  })
})

it('a base from before the chain gets one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-chain-'))
  const db = new SqliteConnection(join(folder, 'facet.db'))
  try {
    const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0016'))
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema, { list: older })
    const insert = db.raw
      .prepare(`insert into audit_event (event_id, event_type, entity_type, item_id, source,
      details, created_at, change_id, client) values (?, 'item_created', 'item', ?, 'rest', ?, '2026-01-01', ?, ?)`)
    for (let i = 0; i < 1201; i++) {
      const id = String(i).padStart(26, '0')
      const client = i % 2 ? null : '{"name":"A","kind":"key","id":"1"}'
      insert.run(id, id, `{"name":"Item ${i}","description":null,"tags":[]}`, i % 3 ? null : id, client)
    }
    db.exec(`insert into change (change_id, last_event, user_id, source, client, counts)
      select change_id, event_id, user_id, source, client, '{"item_created":1}' from audit_event where change_id is not null`)
    const count = db.raw.prepare('select count(*) from audit_event').pluck().get()
    await migrate(sqliteExecutor(db.raw), sqliteDialect.schema)
    expect(count).toBe(1201)
    expect(await verifyChain(db)).toMatchObject({ count: 1201, redacted: 0, broken: null })
    expect(() => db.exec("update audit_event set details = '{}'")).toThrow('audit_event is append-only')
  } finally {
    db.close()
    rmSync(folder, { recursive: true })
  }
})
