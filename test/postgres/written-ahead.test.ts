import { tmpdir } from 'node:os'
import { sql as rawSql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import type { Engine, SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { command } from '#test/support/postgres-pair.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

/** Rows that changes write; `failed_at` counts how often. */
const write = query((p: { key: string }, sql) =>
  sql
    .updateTable('login_failure')
    .set({ failed_at: rawSql<string>`failed_at || 'x'` })
    .where('key', '=', p.key),
)
const add = query((p: { key: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.key, failed_at: '' }),
)
const rows = query((_: object, sql) =>
  sql.selectFrom('login_failure').select(['key', 'failed_at']).orderBy('id'),
)

/** What the change is in the middle of before its turn. */
interface Stage {
  /** How often it has begun to write ahead. */
  tries: number
  /** It has written, and goes on when this is resolved. */
  goOn: PromiseWithResolvers<void>
  hasWritten: PromiseWithResolvers<void>
  /** What its turn comes to. */
  turn: 'takes over' | 'takes nothing over' | 'is overtaken' | 'has failed before' | 'needs the log'
  /** Pids of the connections on which it was carried out. */
  pids: number[]
}
let stage: Stage

const run: SqlRunner = async (db, { name, input, ahead }) => {
  if (name === 'rows') return Reply.of(await db.all(rows, {}))
  const { key } = input as { key: string }
  if (name === 'large') return large(db, key, ahead === 'now')
  await db.run(name === 'add' ? add : write, { key })
  return Reply.of(name)
}

async function large(db: Db, key: string, isAhead: boolean): Promise<Reply> {
  if (isAhead) {
    stage.tries++
    const [row] = await db.select<{ pid: number }>({ sql: 'select pg_backend_pid() as pid', parameters: [] })
    stage.pids.push(row!.pid)
    await db.run(write, { key })
    if (stage.turn === 'has failed before') throw new Error('of what it has met before its turn')
    db.ahead!.parts.add(0)
    stage.hasWritten.resolve()
    // As one that has much to write: it looks at each statement whether it is to go on.
    const state = { waits: true }
    void stage.goOn.promise.then(() => (state.waits = false))
    while (state.waits) await db.select({ sql: 'select pg_sleep(0.005)', parameters: [] })
    return Reply.of(null)
  }
  const wasWritten = db.ahead?.parts.has(0) ?? false
  if (wasWritten && stage.turn === 'is overtaken') return rolledBack('overtaken')
  if (wasWritten && stage.turn === 'needs the log') return rolledBack('log_incomplete')
  if (wasWritten && stage.turn === 'takes nothing over') return Reply.of('nothing taken over')
  if (!db.ahead?.parts.delete(0)) await db.run(write, { key })
  await db.run(add, { key: 'large' })
  return Reply.of({ wasWritten })
}

let database: TestDatabase
let engine: Engine
const start = () => startPostgresEngine({ url: database.url, run, newestId, log: () => {} })
const call = (name: string, key = '', more: Partial<SqlCall> = {}): SqlCall => ({
  name,
  caller: SERVICE,
  input: { key },
  now: Date.now(),
  ...more,
})
const sendLarge = (on = engine, signal?: AbortSignal) =>
  on.write(call('large', 'of all', { ahead: 'may', alone: true }), { signal })
const stored = async (): Promise<{ key: string; failed_at: string }[]> =>
  JSON.parse((await engine.read(call('rows'))).json)

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  engine = await start()
})
afterAll(async () => {
  await engine.close()
  await database.drop()
})
beforeEach(async () => {
  stage = {
    tries: 0,
    goOn: Promise.withResolvers(),
    hasWritten: Promise.withResolvers(),
    turn: 'takes over',
    pids: [],
  }
  await engine.write(call('add', 'of all'))
})
afterEach(async () => {
  stage.goOn.resolve() // of one that failed
  await command(database.url, 'truncate login_failure')
})

describe('a large change that is written before its turn', () => {
  it('keeps nobody from writing, and nobody sees it until it is committed', async () => {
    const done = sendLarge()
    await Promise.race([stage.hasWritten.promise, done])
    for (const key of ['one', 'two']) await engine.write(call('add', key))
    expect(await stored()).toEqual(['of all', 'one', 'two'].map((key) => ({ key, failed_at: '' })))
    stage.goOn.resolve()
    expect(JSON.parse((await done).json)).toEqual({ wasWritten: true })
    expect(await stored()).toEqual([
      { key: 'of all', failed_at: 'x' },
      ...['one', 'two', 'large'].map((key) => ({ key, failed_at: '' })),
    ])
    expect(stage.tries).toBe(1)
  })

  it('steps back where somebody who holds the writer waits for it, and is made after that', async () => {
    const done = sendLarge()
    await Promise.race([stage.hasWritten.promise, done])
    await engine.write(call('write', 'of all'))
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'x' })
    stage.goOn.resolve()
    expect(JSON.parse((await done).json)).toEqual({ wasWritten: true })
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'xx' })
    expect(stage.tries).toBeGreaterThan(1)
  })

  it('steps back while it waits for its turn, too', async () => {
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    await other.query('begin')
    await other.query('select pg_advisory_xact_lock(112568789365879)')
    stage.goOn.resolve()
    const done = sendLarge()
    await Promise.race([stage.hasWritten.promise, done])
    await other.query(`update login_failure set failed_at = 'by another' where key = 'of all'`)
    await other.query('commit')
    await other.end()
    await done
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'by anotherx' })
    expect(stage.tries).toBeGreaterThan(1)
  })

  it('goes on where somebody waits for it who holds up nobody', async () => {
    const done = sendLarge()
    await Promise.race([stage.hasWritten.promise, done])
    const other = command(
      database.url,
      `update login_failure set failed_at = failed_at || 'y' where key = 'of all'`,
    )
    await engine.write(call('add', 'one'))
    await new Promise((resume) => setTimeout(resume, 200)) // some looks whether anybody waits
    stage.goOn.resolve()
    await Promise.all([done, other])
    expect(stage.tries).toBe(1)
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'xy' })
  })

  for (const turn of ['takes nothing over', 'is overtaken', 'has failed before'] as const)
    it(`is carried out whole in its turn where that ${turn}`, async () => {
      stage.turn = turn
      stage.goOn.resolve()
      expect(JSON.parse((await sendLarge()).json)).toEqual({ wasWritten: false })
      expect(await stored()).toEqual([
        { key: 'of all', failed_at: 'x' },
        { key: 'large', failed_at: '' },
      ])
    })

  it('is answered as any other where something else is to be done first', async () => {
    stage.turn = 'needs the log'
    stage.goOn.resolve()
    const { meta } = await sendLarge()
    expect(meta).toEqual({ rolled_back: { reason: 'log_incomplete' } })
    expect(await stored()).toEqual([{ key: 'of all', failed_at: '' }])
  })

  it('is carried out once where its connection is lost meanwhile', async () => {
    const done = sendLarge()
    await Promise.race([stage.hasWritten.promise, done])
    await command(database.url, `select pg_terminate_backend(${stage.pids[0]})`)
    stage.goOn.resolve()
    expect(JSON.parse((await done).json)).toEqual({ wasWritten: false })
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'x' })
  })

  it('ends when its client leaves', async () => {
    const leaving = new AbortController()
    const done = sendLarge(engine, leaving.signal)
    await Promise.race([stage.hasWritten.promise, done])
    leaving.abort()
    await expect(done).rejects.toMatchObject({ message: expect.stringContaining('nothing was changed') })
    expect(await stored()).toEqual([{ key: 'of all', failed_at: '' }])
  })

  it('waits for another one, of any process, before it writes', async () => {
    const second = await start()
    try {
      const first = sendLarge()
      await Promise.race([stage.hasWritten.promise, first])
      const next = sendLarge(second)
      await engine.write(call('add', 'one'))
      await second.write(call('add', 'two'))
      expect(stage.tries).toBe(1)
      stage.goOn.resolve()
      await Promise.all([first, next])
      expect(await stored()).toEqual([
        { key: 'of all', failed_at: 'xx' },
        ...['one', 'two', 'large', 'large'].map((key) => ({ key, failed_at: '' })),
      ])
    } finally {
      await second.close()
    }
  })

  it('is finished before the engine is closed', async () => {
    const second = await start()
    const done = sendLarge(second)
    await Promise.race([stage.hasWritten.promise, done])
    const closed = second.close()
    stage.goOn.resolve()
    await Promise.all([closed, done])
    expect((await stored())[0]).toEqual({ key: 'of all', failed_at: 'x' })
  })
})
