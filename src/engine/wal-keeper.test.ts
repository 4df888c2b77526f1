import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WalKeeper } from '#src/engine/wal-keeper.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

let folder: string
let log: string
let db: SqliteConnection
let wal: WalKeeper
const remarks: string[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-wal-'))
  const file = join(folder, 'facet.db')
  log = `${file}-wal`
  db = new SqliteConnection(file)
  wal = new WalKeeper(db, file, (text) => remarks.push(text))
  db.exec('create table filled (text)')
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true })
})

/** Pages in the log that are not yet in the file. */
function waiting(): number {
  const [{ log, checkpointed }] = db.raw.pragma('wal_checkpoint(NOOP)') as [
    { log: number; checkpointed: number },
  ]
  return log - checkpointed
}
const write = (pages: number) =>
  db.raw
    .prepare('insert into filled select zeroblob(4000) from json_each(?)')
    .run(JSON.stringify(Array.from({ length: pages }, () => 0)))

it('what a large change wrote goes into the file when nobody waits, not within its COMMIT', () => {
  wal.beforeLarge()
  write(5000)
  expect(waiting()).toBeGreaterThan(5000)
  write(1)
  expect(waiting()).toBeGreaterThan(5000)
  wal.whenIdle()
  expect(waiting()).toBe(0)
  write(5000)
  expect(waiting()).toBe(0)
  expect(remarks).toEqual([])
})

it('a small change is left in the log', () => {
  wal.beforeLarge()
  write(10)
  wal.whenIdle()
  expect(waiting()).toBeGreaterThan(0)
})

it('a read that lasts is waited for once, not at each look', () => {
  const reader = new SqliteConnection(join(folder, 'facet.db'), { readonly: true })
  reader.exec('begin')
  reader.raw.prepare('select count(*) from filled').get()
  write(20_000)
  const first = looked()
  const looks = [looked(), looked(), looked()]
  reader.exec('rollback')
  reader.close()
  expect(first).toBeGreaterThan(90)
  expect(Math.max(...looks)).toBeLessThan(50)
  expect(statSync(log).size).toBeGreaterThan(64 * 2 ** 20)
  looked()
  expect(statSync(log).size).toBe(0)
})

/** Milliseconds until the commits are over after which the log is looked at once. */
function looked(): number {
  const began = performance.now()
  for (let i = 0; i < 64; i++) wal.afterCommit()
  return performance.now() - began
}
