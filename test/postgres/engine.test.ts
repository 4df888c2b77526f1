import { tmpdir } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SERVICE } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import { toReply } from '#src/domain/reply.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import type { Engine, SqlRunner } from '#src/engine/engine.ts'
import { startPostgresEngine } from '#src/engine/postgres-engine.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { startTcpProxy, type TcpProxy } from '#test/support/tcp-proxy.ts'
import { type TestDatabase, testDatabase } from '#test/support/test-database.ts'

const insertNote = query((p: { note: string }, sql) =>
  sql.insertInto('login_failure').values({ key: p.note, failed_at: '' }),
)
/** Of an item that is not there. */
const insertNothing = query((_: object, sql) =>
  sql.insertInto('item_tag').values({ item: -1, tag: -1, schema_version: 1, field_values: '{}' }),
)
const allNotes = query((_: object, sql) => sql.selectFrom('login_failure').select('key').orderBy('id'))
const notesOf = async (db: Db) => (await db.all(allNotes, {})).map(({ key }) => key)
const changeTags = { sql: `update tag_version set version = version + 1 where version > 0`, parameters: [] }

/** Operations that bring the engine into every situation that its tests want. */
const operations: Record<string, (db: Db, input: { note: string; seconds: number }) => Promise<unknown>> = {
  note: (db, { note }) => db.run(insertNote, { note }),
  async noteAndFail(db, { note }) {
    await db.run(insertNote, { note })
    db.cache.set('note', note)
    throw conflict('changed its mind')
  },
  async noteAndGoBack(db, { note }) {
    await db.run(insertNote, { note })
    await db.enqueue(insertNote, { note })
    db.cache.set('note', note)
    return rolledBack('overtaken')
  },
  async post(db, { note }) {
    for (let i = 0; i < 100; i++) await db.enqueue(insertNote, { note: `${note} ${i}` })
    return (await notesOf(db)).length
  },
  async postAndFail(db, { note }) {
    await db.enqueue(insertNote, { note })
    await db.enqueue(insertNothing, {})
    await db.enqueue(insertNote, { note })
  },
  async postFailAndAsk(db, { note }) {
    await db.enqueue(insertNothing, {})
    await db.run(insertNote, { note })
  },
  notes: notesOf,
  sleep: (db, { seconds }) => db.select({ sql: 'select pg_sleep($1)', parameters: [seconds] }),
  async twice(db) {
    const before = await notesOf(db)
    await db.select({ sql: 'select pg_sleep(0.3)', parameters: [] })
    return [before, await notesOf(db)]
  },
  cached: async (db) => db.cache.get('note') ?? null,
  remember: async (db, { note }) => void db.cache.set('note', note),
  changeTags: (db) => db.select(changeTags),
  workers: (db) =>
    db.select({ sql: `select current_setting('max_parallel_workers_per_gather') as most`, parameters: [] }),
}
let runs = 0
const run: SqlRunner = async (db, { name, input }) => {
  runs++
  return toReply(await operations[name]!(db, input as never))
}

let database: TestDatabase
let proxy: TcpProxy
let engine: Engine
const remarks: unknown[] = []

const call = (name: string, input = {}) => ({ name, caller: SERVICE, input, now: Date.now() })
const read = async (name: string, input = {}) => JSON.parse((await engine.read(call(name, input))).json)
const write = async (name: string, input = {}) => JSON.parse((await engine.write(call(name, input))).json)
const notes = (): Promise<string[]> => read('notes')

beforeAll(async () => {
  database = await testDatabase(tmpdir())
  proxy = await startTcpProxy(database.url)
  engine = await startPostgresEngine({
    url: proxy.through(database.url),
    run,
    newestId,
    log: (_, message, details) => remarks.push({ message, ...details }),
    timeouts: { read: 500, change: 60_000 },
  })
})
afterEach(() => {
  proxy.judge = () => 'pass'
})
afterAll(async () => {
  await engine.close()
  await proxy.close()
  await database.drop()
})

/** Of the next chunk that holds the text; the others pass. */
function once(text: string, verdict: 'cut' | 'pass then cut'): void {
  proxy.judge = (chunk) => {
    if (!chunk.includes(text)) return 'pass'
    proxy.judge = () => 'pass'
    return verdict
  }
}

describe('writes', () => {
  it('may follow one another without a pause', async () => {
    const first = engine.write(call('note', { note: 'first' }))
    const next = first.then(() => engine.write(call('note', { note: 'next' })))
    await Promise.all([first, next])
    expect(await notes()).toEqual(expect.arrayContaining(['first', 'next']))
  })

  it('fail alone in a transaction that they share', async () => {
    const settled = await Promise.allSettled([
      write('note', { note: 'one' }),
      write('noteAndFail', { note: 'two' }),
      write('note', { note: 'three' }),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    const found = await notes()
    expect(found).toEqual(expect.arrayContaining(['one', 'three']))
    expect(found).not.toContain('two')
    expect(await write('cached')).toBeNull()
  })

  it('are taken back where their result says so, alone and among others', async () => {
    const goBack = () => engine.write(call('noteAndGoBack', { note: 'never' }))
    expect((await goBack()).meta?.rolled_back).toEqual({ reason: 'overtaken' })
    const [, among] = await Promise.all([
      write('note', { note: 'before' }),
      goBack(),
      write('note', { note: 'after' }),
    ])
    expect(among.meta?.rolled_back).toEqual({ reason: 'overtaken' })
    const found = await notes()
    expect(found).toEqual(expect.arrayContaining(['before', 'after']))
    expect(found).not.toContain('never')
    expect(await write('cached')).toBeNull()
  })

  it('see what they posted, in the order in which they did', async () => {
    const before = (await notes()).length
    expect(await write('post', { note: 'posted' })).toBe(before + 100)
    const posted = (await notes()).filter((note) => note.startsWith('posted'))
    expect(posted).toEqual(Array.from({ length: 100 }, (_, i) => `posted ${i}`))
  })

  it('fail with what failed first of what they posted, and no other fails with them', async () => {
    const calls = [
      write('note', { note: 'before' }),
      write('postAndFail', { note: 'failed' }),
      write('note', { note: 'between' }),
      write('postFailAndAsk', { note: 'failed' }),
      write('note', { note: 'behind' }),
    ]
    const settled = await Promise.allSettled(calls)
    for (const [i, each] of settled.entries())
      if (i % 2)
        expect(each).toMatchObject({ status: 'rejected', reason: { constraint: 'item_tag_item_fkey' } })
      else expect(each.status).toBe('fulfilled')
    const found = await notes()
    expect(found).toEqual(expect.arrayContaining(['before', 'between', 'behind']))
    expect(found).not.toContain('failed')
    await expect(write('postAndFail', { note: 'failed' })).rejects.toMatchObject({
      constraint: 'item_tag_item_fkey',
    })
  })

  it('leave nothing in the cache when one fails by itself', async () => {
    await expect(write('noteAndFail', { note: 'alone' })).rejects.toThrow('changed its mind')
    expect(await write('cached')).toBeNull()
  })

  it('are looked up where the answer to their COMMIT is lost, and are there once', async () => {
    once('commit\0', 'pass then cut')
    await write('note', { note: 'committed' })
    expect((await notes()).filter((note) => note === 'committed')).toHaveLength(1)
    expect(remarks).toContainEqual({ message: 'The answer to a COMMIT was lost', committed: true, calls: 1 })
  })

  it('are refused where the COMMIT itself was lost, and are not there', async () => {
    once('commit\0', 'cut')
    await expect(write('note', { note: 'not committed' })).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: 'The connection to the database was lost: nothing was changed',
    })
    expect(await notes()).not.toContain('not committed')
  })

  it('run once more where the connection was lost before the COMMIT, and are there once', async () => {
    once('insert into "login_failure"', 'cut')
    await write('note', { note: 'second try' })
    expect((await notes()).filter((note) => note === 'second try')).toHaveLength(1)
  })

  it('go on after every connection was lost while nothing happened', async () => {
    proxy.cutAll()
    await write('note', { note: 'after the cut' })
    expect(await notes()).toContain('after the cut')
  })
})

describe('reads', () => {
  it('take further processors of the server alone, and none beside others', async () => {
    const [alone] = await read('workers')
    expect(Number(alone.most)).toBeGreaterThan(0)
    const [, [beside]] = await Promise.all([read('sleep', { seconds: 0.2 }), read('workers')])
    expect(beside.most).toBe('0')
  })

  it('run once more where the connection was lost', async () => {
    runs = 0
    once('login_failure', 'cut')
    expect(await notes()).toContain('one')
    expect(runs).toBe(2)
    once('login_failure', 'pass then cut')
    expect(JSON.parse((await engine.readInline(call('notes'))).json)).toContain('one')
  })

  it('see one snapshot', async () => {
    const reading = read('twice')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await write('note', { note: 'in between' })
    const [before, after] = await reading
    expect(after).toEqual(before)
  })

  it('are ended when they take too long', async () => {
    await expect(read('sleep', { seconds: 5 })).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: 'The query was ended after 0.5 s, the longest that it may take',
    })
  })

  it('keep what they read of tags until a tag changes, in whatever process', async () => {
    await read('remember', { note: 'kept' })
    await write('note', { note: 'no tag' })
    expect(await read('cached')).toBe('kept')
    const other = await startPostgresEngine({ url: database.url, run, newestId, log: () => {} })
    await other.write(call('changeTags'))
    await other.close()
    expect(await read('cached')).toBeNull()
  })
})

it('answers 503 where the database is out of reach', async () => {
  proxy.judge = () => 'cut'
  proxy.cutAll()
  const unavailable = { code: 'ServiceUnavailable', message: 'The database is out of reach' }
  await expect(notes()).rejects.toMatchObject(unavailable)
  await expect(write('note', { note: 'lost' })).rejects.toMatchObject(unavailable)
  proxy.judge = () => 'pass'
  expect(await notes()).not.toContain('lost')
})
