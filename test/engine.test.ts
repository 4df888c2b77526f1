import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine, Limits, Timeouts } from '#src/engine/engine.ts'
import { startSqliteEngine } from '#src/engine/sqlite-engine.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'
import { runProbe } from '#test/support/engine-probe.ts'
import { migratedFile } from '#test/support/test-database.ts'
import { bundledThreads } from '../scripts/pack.js'
import { longestTurn } from '#test/support/longest-turn.ts'

let pack: string
let folder: string
let file: string
let engine: Engine
let logged: string[]
/** Names of the threads that were started. */
let threads: string[]

async function start(timeouts?: Timeouts): Promise<void> {
  const lock = await prepareSqliteFile(file)
  const worker = pathToFileURL(join(pack, 'engine-probe.js'))
  const log = (level: string, message: string) => void logged.push(`${level}: ${message}`)
  const started = await startSqliteEngine({
    file,
    startThread: (workerData, name) => {
      threads.push(name)
      return new Worker(worker, { workerData, name })
    },
    run: runProbe,
    log,
    ...(timeouts && { timeouts }),
  })
  engine = { ...started, close: () => started.close().finally(() => lock.release()) }
}

// The threads run from a pack, as under `npm start`.
beforeAll(async () => {
  const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  pack = mkdtempSync(join(cache, 'engine-probe-'))
  await build(bundledThreads([fileURLToPath(new URL('support/engine-probe.ts', import.meta.url))], pack))
})
afterAll(() => rmSync(pack, { recursive: true }))

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-engine-'))
  file = join(folder, 'facet.db')
  copyFileSync(await migratedFile(), file)
  logged = []
  threads = []
  await start()
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

it('closed once more, it leaves alone what others have opened since', async () => {
  await engine.close()
  // The smallest numbers that are free: that of the engine's own among them.
  const opened = Array.from({ length: 50 }, () => openSync(file, 'r'))
  await engine.close()
  expect(opened.map((descriptor) => fstatSync(descriptor).size)).toEqual(
    opened.map(() => statSync(file).size),
  )
  for (const descriptor of opened) closeSync(descriptor)
})

const call = (name: string, input: object = {}) => ({ name, caller: SERVICE, input, now: 1_000_000_000_000 })
const read = async (name: string, input?: object) => JSON.parse((await engine.read(call(name, input))).json)
const write = async (name: string, input?: object) => JSON.parse((await engine.write(call(name, input))).json)
const writeAll = (notes: string[]) => Promise.allSettled(notes.map((note) => write('note', { note })))

describe('writing', () => {
  it('commits calls that wait together and keeps their order', async () => {
    const notes = Array.from({ length: 500 }, (_, i) => `note ${i}`)
    await writeAll(notes)
    expect(await read('notes')).toEqual(notes)
  })

  it('takes back a call that fails, and nothing else of its transaction', async () => {
    const results = await Promise.allSettled([
      write('note', { note: 'before' }),
      write('noteAndFail', { note: 'never' }),
      write('note', { note: 'after' }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(results[1]).toMatchObject({ reason: { code: 'Conflict', message: 'changed its mind' } })
    expect(await read('notes')).toEqual(['before', 'after'])
  })

  it('takes back a call whose result says so, alone and among others', async () => {
    const goBack = () => engine.write(call('noteAndGoBack', { note: 'never' }))
    await write('remember', { note: 'true' })
    expect((await goBack()).meta?.rolled_back).toEqual({ reason: 'overtaken' })
    expect(await write('cached')).toBeNull()
    const [, among] = await Promise.all([
      write('note', { note: 'before' }),
      goBack(),
      write('note', { note: 'after' }),
    ])
    expect(among.meta?.rolled_back).toEqual({ reason: 'overtaken' })
    expect(await read('notes')).toEqual(['before', 'after'])
  })

  it('forgets what a call that failed had remembered', async () => {
    await write('remember', { note: 'true' })
    await expect(write('noteAndFail', { note: 'untrue' })).rejects.toThrow('changed its mind')
    expect(await write('cached')).toBeNull()
  })

  it('is seen by every reader at once, whatever it had remembered', async () => {
    await Promise.all([read('remember', { note: 'old' }), read('remember', { note: 'old' })])
    await write('note', { note: 'new' })
    expect(await Promise.all([read('cached'), read('cached')])).toEqual([null, null])
    expect(await Promise.all([read('notes'), read('notes')])).toEqual([['new'], ['new']])
  })

  it('makes ids that go on after the newest in the file', async () => {
    const first = await write('id')
    const db = new SqliteConnection(file)
    db.raw.prepare(`insert into purged_item (id, item_id) values (1, '7ZZZZZZZZZ0000000000000000')`).run()
    db.close()
    await engine.close()
    await start()
    const second = await write('id')
    expect(first < second).toBe(true)
    expect(second).toBe('7ZZZZZZZZZ0000000000000001')
  })
})

describe('a thread that dies', () => {
  it('leaves the outcome of its writes unknown and its successor the rest', async () => {
    const dead = write('noteAndDie', { note: 'lost' })
    await expect(dead).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      message: expect.stringContaining('whether it was made is unknown'),
    })
    await write('note', { note: 'next' })
    expect(await read('notes')).toEqual(['next'])
    expect(logged).toEqual(['error: The writer thread died and is started again'])
  })

  it('does not take the other reader with it', async () => {
    await expect(read('die')).rejects.toMatchObject({ code: 'ServiceUnavailable', suggestion: 'Try again' })
    expect(await Promise.all([read('notes'), read('notes'), read('notes')])).toEqual([[], [], []])
  })

  it('comes back again and again', async () => {
    for (let i = 0; i < 3; i++) {
      await expect(write('die')).rejects.toThrow('unknown')
      await write('note', { note: `${i}` })
    }
    expect(await read('notes')).toEqual(['0', '1', '2'])
  })
})

describe('closing', () => {
  it('finishes what waits, then refuses', async () => {
    const notes = Array.from({ length: 300 }, (_, i) => `note ${i}`)
    const written = writeAll(notes)
    await engine.close()
    expect(new Set((await written).map(({ status }) => status))).toEqual(new Set(['fulfilled']))
    await expect(write('note', { note: 'late' })).rejects.toMatchObject({ code: 'ServiceUnavailable' })
    const db = new SqliteConnection(file, { readonly: true })
    expect(db.raw.prepare('select count(*) from login_failure').pluck().get()).toBe(300)
    db.close()
    await start()
  })

  it('waits for a thread that still starts', async () => {
    for (let i = 0; i < 5; i++) {
      await Promise.all([read('notes'), read('notes')]) // the second reader starts
      await engine.close()
      await start()
    }
    expect(await read('notes')).toEqual([])
    expect(logged).toEqual([])
  })

  it('writes the log back into the file', async () => {
    await write('note', { note: 'x' })
    await engine.close()
    expect(statSync(`${file}-wal`, { throwIfNoEntry: false })).toBeUndefined()
    await start()
  })
})

describe('overload', () => {
  it('turns away what it cannot take on, and serves the rest', async () => {
    const results = await writeAll(Array.from({ length: 10_050 }, (_, i) => `${i}`))
    const refused = results.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(50)
    expect(refused[0]).toMatchObject({
      reason: { code: 'ServiceUnavailable', suggestion: 'Try again in a moment' },
    })
    expect(await read('notes')).toHaveLength(10_000)
  })
})

describe('the disk', () => {
  it('when full, fails the call and recovers without a restart', async () => {
    const pages = await write('pragma', { text: 'page_count' })
    await write('pragma', { text: `max_page_count = ${pages + 4}` })
    const big = 'x'.repeat(100_000)
    const full = await writeAll([big, big, big])
    for (const each of full)
      expect(each).toMatchObject({
        reason: { code: 'ServiceUnavailable', message: 'The disk is full: nothing was changed' },
      })
    expect(await read('notes')).toEqual([])
    await write('pragma', { text: 'page_count' })
    const fault = { message: 'The disk is full: nothing was changed' }
    expect(engine.writeFault(), 'after a call that needed no room').toMatchObject(fault)
    engine.forgetWriteFault()
    expect(engine.writeFault()).toBeNull()
    await write('pragma', { text: 'max_page_count = 1000000' })
    await write('note', { note: big })
    expect(await read('notes')).toEqual([big])
  })

  it('is flushed before each answer: synchronous=FULL on every connection', async () => {
    expect(await write('pragma', { text: 'synchronous' })).toBe(2)
    expect(await write('pragma', { text: 'journal_mode' })).toBe('wal')
    expect(await write('pragma', { text: 'foreign_keys' })).toBe(1)
    for (const synchronous of await Promise.all([1, 2, 3].map(() => read('pragma', { text: 'synchronous' }))))
      expect(synchronous).toBe(2)
  })

  it('is not eaten up by the write-ahead log once a long read has ended', async () => {
    const other = new SqliteConnection(file, { readonly: true })
    other.exec('BEGIN')
    await other.select({ sql: 'select count(*) from tag', parameters: [] })
    const big = 'x'.repeat(2 ** 20)
    for (let i = 0; i < 70; i++) await write('note', { note: `${i} ${big}` })
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(64 * 2 ** 20)
    other.exec('COMMIT')
    for (let i = 0; i < 64; i++) await write('note', { note: 'small' })
    expect(statSync(`${file}-wal`).size).toBeLessThan(2 ** 20)
    other.close()
  })

  it('takes the pages of a large change out of the log when nobody waits, not within its COMMIT', async () => {
    const pages = async (more: { alone?: true }) =>
      JSON.parse((await engine.write({ ...call('pragma', { text: 'wal_autocheckpoint' }), ...more })).json)
    expect(await pages({ alone: true })).toBe(0)
    await expect.poll(() => pages({})).toBe(4000)
  })

  it('that damages the file ends writing, not reading', async () => {
    await writeAll(Array.from({ length: 2000 }, (_, i) => `note ${i} ${'x'.repeat(100)}`))
    await engine.close()
    spoil(file)
    const lock = await prepareSqliteFile(file)
    lock.release()
    await start()
    await expect(read('notes')).rejects.toMatchObject({ message: expect.stringContaining('is damaged') })
    await expect(write('note', { note: 'more' })).rejects.toMatchObject({
      code: 'ServiceUnavailable',
      suggestion: 'Stop the service and restore the file from a backup',
    })
    expect(await read('count', { limit: 10 })).toEqual([{ count: 10 }])
    expect(logged).toContain('fatal: The database file is damaged: writes are refused from now on')
  })
})

/** Overwrites the last pages of the file, where the newest rows are. */
function spoil(path: string): void {
  const { size } = statSync(path)
  const handle = openSync(path, 'r+')
  for (let page = 1; page <= 20; page++)
    writeSync(handle, Buffer.alloc(2048, 0xff), 0, 2048, size - page * 4096)
}

describe('the event loop', () => {
  it('goes on while readers and writer work', async () => {
    const long = { limit: 500_000 }
    const longest = await longestTurn(() =>
      Promise.all([read('count', long), read('count', long), read('count', long), write('count', long)]),
    )
    expect(longest).toBeLessThan(50)
  })

  it('serves quick reads during a slow one', async () => {
    const order: string[] = []
    const slow = read('count', { limit: 3_000_000 }).then(() => order.push('slow'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    await Promise.all(Array.from({ length: 50 }, () => read('notes')))
    order.push('quick')
    await slow
    expect(order).toEqual(['quick', 'slow'])
  })
})

describe('a plan of a change', () => {
  const slow = () => threads.filter((name) => name === 'sqlite-slow').length
  const plan = (account: string, limit: number) => readAs(of(account), 'count', { limit }, { long: true })

  it('that is soon made starts no thread for it', async () => {
    for (let i = 0; i < 5; i++) await plan('ada', 10)
    expect(slow()).toBe(0)
  })

  it('that is not goes on behind the reads of others, in a thread of its own, and the next ones begin there', async () => {
    await readAs(of('bob'), 'notes', {})
    const ended: string[] = []
    const made = plan('ada', 8_000_000).then(() => ended.push('plan'))
    while (!slow() && !ended.length) await readAs(of('bob'), 'notes', {})
    expect({ slow: slow(), ended }).toEqual({ slow: 2, ended: [] })
    await made
    await plan('ada', 10)
    expect(slow()).toBe(2)
  })
})

/** Some seconds in one step of SQLite, which looks at nothing meanwhile and is not to be interrupted. */
const STUCK = { limit: 12_000_000 }
const of = (user_id: string): Caller => ({ ...SERVICE, user_id })
const readAs = (caller: Caller, name: string, input: object, limits?: Limits) =>
  engine.read({ ...call(name, input), caller }, limits)

describe('a read that does not look whether it is to end', () => {
  const TIMEOUT = 400
  beforeEach(async () => {
    await engine.close()
    await start({ read: TIMEOUT, change: TIMEOUT })
  })

  for (const [what, limits] of [
    ['at its deadline', {}],
    ['at the deadline of a change that it plans', { long: true }],
  ] as const)
    it(`ends for who waits ${what}, with its thread, while others read`, async () => {
      const cameBack = join(folder, 'came-back')
      const stuck = [1, 2].map((i) =>
        readAs(of(`slow ${i}`), 'countAndTell', { ...STUCK, file: cameBack }, limits),
      )
      for (const { reason } of (await Promise.allSettled(stuck)) as PromiseRejectedResult[])
        expect(reason).toMatchObject({
          code: 'ServiceUnavailable',
          message: 'The query was ended after 0.4 s, the longest that it may take',
        })
      // Both threads are in their step yet, and end with it. New ones have their places.
      let answer: unknown
      for (let i = 0; i < 20 && !(answer instanceof Reply); i++)
        answer = await readAs(of('quick'), 'notes', {}, limits).catch((error: Error) => error.message)
      expect(answer).toMatchObject({ json: '[]' })
      expect(existsSync(cameBack)).toBe(false)
    })

  it('ends when its client leaves', async () => {
    await engine.close()
    await start()
    const left = new AbortController()
    const stuck = readAs(of('slow'), 'count', STUCK, { signal: left.signal })
    setTimeout(() => left.abort(), 100)
    await expect(stuck).rejects.toMatchObject({
      message: 'Ended because the client left, or its session ended: nothing was changed',
    })
    expect(await readAs(of('quick'), 'notes', {})).toMatchObject({ json: '[]' })
  })

  it('leaves the readers to others, however many there are', async () => {
    await engine.close()
    await start({ read: 8000, change: 8000 })
    const few = { limit: STUCK.limit / 4 } // three of them share two processors, and begin again elsewhere
    const stuck = Promise.allSettled([1, 2, 3].map((i) => readAs(of(`slow ${i}`), 'count', few)))
    await new Promise((resume) => setTimeout(resume, 300))
    for (let i = 0; i < 5; i++) {
      const began = performance.now()
      expect(await readAs(of('quick'), 'notes', {})).toMatchObject({ json: '[]' })
      expect(performance.now() - began).toBeLessThan(5000)
    }
    await stuck
  })
})
