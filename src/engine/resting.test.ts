import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Resting } from '#src/engine/resting.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

it('what a thread holds is let go of ten seconds after the last call, each time', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const letGo = vi.fn()
  const resting = new Resting(letGo)
  resting.used()
  vi.advanceTimersByTime(7000)
  resting.used()
  vi.advanceTimersByTime(9000)
  expect(letGo).toHaveBeenCalledTimes(0)
  vi.advanceTimersByTime(100_000)
  expect(letGo).toHaveBeenCalledTimes(1)
  resting.used()
  vi.advanceTimersByTime(10_000)
  expect(letGo).toHaveBeenCalledTimes(2)
  resting.used()
  resting.close()
  vi.advanceTimersByTime(100_000)
  expect(letGo).toHaveBeenCalledTimes(2)
})

/** Bytes that the process has read, of files in the memory of the system too. */
const bytesRead = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))![1])

it.runIf(process.platform === 'linux')(
  'a connection that lets go of its pages reads them again, but in a transaction holds them',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-pages-'))
    const db = new SqliteConnection(join(folder, 'base.db'))
    onTestFinished(() => {
      db.close()
      db.dropPages() // too late, and no matter
      rmSync(folder, { recursive: true })
    })
    db.exec('create table t (text)')
    const size = 4_000_000
    db.statement(
      'insert into t with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) select hex(randomblob(1000)) from n',
    ).run()
    const scan = () => {
      const before = bytesRead()
      db.statement('select sum(length(text)) from t').get()
      return bytesRead() - before
    }
    scan()
    expect(scan()).toBeLessThan(size / 10)
    db.exec('BEGIN')
    db.dropPages()
    expect(scan()).toBeLessThan(size / 10)
    db.exec('ROLLBACK')
    db.dropPages()
    expect(scan()).toBeGreaterThan(size / 2)
  },
)
