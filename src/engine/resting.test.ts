import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Resting } from '#src/engine/resting.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

/** A thread that computes when it is told to, and how often it has let go. */
function restingThread() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const thread = { computed: 300, released: 0 }
  const resting = new Resting(
    () => thread.released++,
    () => thread.computed,
  )
  /** A call each second that takes so many milliseconds. */
  const work = (seconds: number, each: number) => {
    for (let i = 0; i < seconds; i++) {
      thread.computed += each
      resting.used()
      vi.advanceTimersByTime(1000)
    }
    return thread.released
  }
  return { resting, work, thread }
}

it('what a thread holds is let go of once it has had hardly any work for ten seconds, each time', () => {
  const { resting, work, thread } = restingThread()
  expect(work(25, 100)).toBe(0)
  vi.advanceTimersByTime(20_000)
  expect(thread.released).toBe(1)
  vi.advanceTimersByTime(100_000)
  expect(work(1, 100)).toBe(1)
  vi.advanceTimersByTime(20_000)
  expect(thread.released).toBe(2)
  work(1, 100)
  resting.close()
  vi.advanceTimersByTime(100_000)
  expect(thread.released).toBe(2)
})

it('what looks round by itself each second keeps no thread from letting go, and is no reason to', () => {
  const { work } = restingThread()
  expect(work(15, 100)).toBe(0)
  expect(work(20, 1)).toBe(1)
  expect(work(100, 1)).toBe(1)
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
      db.letGo() // too late, and no matter
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
    db.letGo()
    expect(scan()).toBeLessThan(size / 10)
    db.exec('ROLLBACK')
    db.letGo()
    expect(scan()).toBeGreaterThan(size / 2)
  },
)
