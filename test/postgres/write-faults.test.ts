import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine, SqlRunner } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { command } from '#test/support/postgres-pair.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const insertNote = query((p: { note: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.note, failed_at: '' }),
)
const insertNothing = query((_: object, sql) =>
  sql.insertInto('item_tag').values({ item: -1, tag: -1, schema_version: 1, field_values: '{}' }),
)
const allNotes = query((_: object, sql) => sql.selectFrom('login_failure').select('key').orderBy('id'))

const operations: Record<string, (db: Db, input: { note: string }) => Promise<unknown>> = {
  note: (db, { note }) => db.run(insertNote, { note }),
  notes: async (db) => (await db.all(allNotes, {})).map(({ key }) => key),
  /** As no operation may: a transaction that has failed stays so. */
  async noteAndHide(db, { note }) {
    await db.run(insertNote, { note })
    await db.run(insertNothing, {}).catch(() => {})
  },
  async countAndNote(db) {
    const { length } = await db.all(allNotes, {})
    await db.run(insertNote, { note: `${length}` })
  },
}
const run: SqlRunner = async (db, { name, input }) =>
  Reply.of((await operations[name]!(db, input as never)) ?? null)

let database: TestDatabase
let engine: Engine
const start = () => startPostgresEngine({ url: database.url, run, newestId, log: () => {} })
const call = (name: string, input = {}) => ({ name, caller: SERVICE, input, now: Date.now() })
const notes = async (): Promise<string[]> => JSON.parse((await engine.read(call('notes'))).json)

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  engine = await start()
})
afterAll(async () => {
  await engine.close()
  await database.drop()
})

it('answers no call whose change is not there, whatever an operation hides', async () => {
  const calls = ['note', 'noteAndHide', 'note'].map((name, i) =>
    engine.write(call(name, { note: `hidden ${i}` })),
  )
  const settled = await Promise.allSettled(calls)
  const found = await notes()
  for (const [i, { status }] of settled.entries())
    expect({ i, found: found.includes(`hidden ${i}`) }).toEqual({ i, found: status === 'fulfilled' })
})

it('says why a transaction could not end', async () => {
  await command(
    database.url,
    `create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
  )
  await command(
    database.url,
    `create trigger refuse before insert on write_batch for each row execute function refuse()`,
  )
  try {
    for (let i = 0; i < 10; i++)
      await expect(engine.write(call('note', { note: 'no room' }))).rejects.toMatchObject({
        code: 'ServiceUnavailable',
        message: 'The disk of the database is full: nothing was changed',
      })
  } finally {
    await command(database.url, 'drop trigger refuse on write_batch')
  }
  expect(await notes()).not.toContain('no room')
})

it('does not acknowledge what the server warns of at the COMMIT, in whatever language', async () => {
  // As a primary does whose standby has not confirmed: the transaction is committed, but a failover may lose it.
  await command(
    database.url,
    `create function warn() returns trigger language plpgsql as
      $$ begin raise warning 'storniere Warten auf synchrone Replikation' using errcode = '01000'; return null; end $$`,
  )
  await command(
    database.url,
    `create constraint trigger warn after insert on login_failure deferrable initially deferred
      for each row execute function warn()`,
  )
  try {
    await expect(engine.write(call('note', { note: 'unconfirmed' }))).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringContaining('whether it was made is unknown'),
    })
  } finally {
    await command(database.url, 'drop trigger warn on login_failure')
  }
  await engine.write(call('note', { note: 'confirmed' }))
  expect(await notes()).toEqual(expect.arrayContaining(['unconfirmed', 'confirmed']))
})

it('sees what others have written while it waited, whatever isolation the database has by default', async () => {
  const name = new URL(database.url).pathname.slice(1)
  await command(database.url, `alter database ${name} set default_transaction_isolation = 'repeatable read'`)
  const engines = await Promise.all([start(), start()])
  try {
    for (let i = 0; i < 10; i++) await Promise.all(engines.map((each) => each.write(call('countAndNote'))))
  } finally {
    await Promise.all(engines.map((each) => each.close()))
  }
  const counts = (await notes()).filter((note) => /^\d+$/.test(note))
  expect(new Set(counts).size).toBe(20)
})
