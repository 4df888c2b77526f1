import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyDatabase, type OpenFile } from '#src/sql/copy-database.ts'
import { onScratchCopy } from '#src/sql/scratch-copy.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

let folder: string
let file: string
let writer: SqliteConnection
let reader: SqliteConnection
let base: OpenFile

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-scratch-'))
  const prepared = await prepareSqliteFile(join(folder, 'facet.db'))
  prepared.release()
  file = prepared.file
  writer = new SqliteConnection(file)
  reader = new SqliteConnection(file, { readonly: true })
  base = { file, descriptor: openSync(file, 'r') }
})
afterEach(() => {
  reader.close()
  writer.close()
  closeSync(base.descriptor)
  rmSync(folder, { recursive: true, force: true })
})

const add = (db: SqliteConnection, key: string) =>
  db.raw.prepare(`insert into login_failure (key, failed_at) values (?, '')`).run(key)
const keys = (db: SqliteConnection) =>
  db.raw.prepare('select key from login_failure order by id').pluck().all()
const scratches = () => readdirSync(folder).filter((name) => name.includes('.scratch-'))
const connect = (copy: string) => new SqliteConnection(copy)

describe('a copy on which something is tried out', () => {
  it('has what is committed, keeps nothing, and is in nobody’s way', async () => {
    add(writer, 'in the log')
    await onScratchCopy(reader, base, connect, async (scratch) => {
      expect(scratches()).toEqual([])
      add(scratch, 'tried out')
      add(writer, 'beside') // at once, though a transaction writes there
      writer.raw.pragma('wal_checkpoint(TRUNCATE)')
      expect(keys(scratch)).toEqual(['in the log', 'tried out'])
    })
    expect(keys(reader)).toEqual(['in the log', 'beside'])
    expect(writer.raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(readdirSync(folder).filter((name) => name !== 'facet.db.lock')).toEqual([
      'facet.db',
      'facet.db-shm',
      'facet.db-wal',
    ])
  })

  it('is gone also where what is tried out fails', async () => {
    const failing = onScratchCopy(reader, base, connect, async (scratch) => {
      add(scratch, 'tried out')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([keys(reader), scratches()]).toEqual([[], []])
  })

  it.runIf(process.platform === 'linux')('leaves the locks of this process as they are', async () => {
    const before = locks()
    await onScratchCopy(reader, base, connect, async () => {})
    expect(before).toHaveLength(1)
    expect(locks()).toEqual(before)
  })

  it('ends between two pieces where the call is ended', async () => {
    let ended = false
    reader.throwIfEnded = () => {
      if (ended) throw new Error('ended')
      ended = true
    }
    const before = add(writer, 'something')
    await expect(onScratchCopy(reader, base, connect, async () => {})).rejects.toThrow('ended')
    expect([before.changes, scratches()]).toEqual([1, []])
  })

  it('is removed by the next start where a process was killed while it was made', async () => {
    mkdirSync(`${file}.scratch-Xy12Zz`)
    writeFileSync(`${file}.scratch-Xy12Zz/facet.db`, 'half')
    const prepared = await prepareSqliteFile(file)
    prepared.release()
    expect(scratches()).toEqual([])
  })
})

describe('a copy of the log', () => {
  const large = 'x'.repeat(3_000_000)
  const copied = (goesOn: () => void = () => {}) => {
    const target = mkdtempSync(join(folder, 'copy-'))
    copyDatabase(base, target, goesOn)
    return join(target, 'facet.db')
  }

  it('has no frames of a log before it', () => {
    add(writer, large)
    writer.raw.pragma('wal_checkpoint(RESTART)')
    add(writer, 'first of the log')
    const copy = copied()
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(large.length)
    expect(statSync(`${copy}-wal`).size).toBeLessThan(100_000)
    expect(readFileSync(`${file}-wal`).indexOf(readFileSync(`${copy}-wal`))).toBe(0)
    expect(keysOf(copy)).toEqual([large, 'first of the log'])
  })

  it('is made again where the log is started afresh meanwhile', () => {
    add(writer, large)
    add(writer, large.replaceAll('x', 'y'))
    writer.raw.pragma('wal_checkpoint(PASSIVE)')
    const first = Math.ceil(statSync(file).size / 2 ** 20) // pieces of the file itself
    let pieces = 0
    const copy = copied(() => {
      if (++pieces === first + 2) for (const key of ['a', 'b', 'c']) add(writer, key.repeat(50_000))
    })
    expect(pieces).toBeGreaterThan(first + 3)
    expect(keysOf(copy)).toHaveLength(5)
  })

  function keysOf(copy: string): unknown[] {
    const db = new SqliteConnection(copy)
    try {
      expect(db.raw.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
      return keys(db)
    } finally {
      db.close()
    }
  }
})

/** Which ranges of the file are locked. */
const locks = () =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${statSync(file).ino} `))
    .map((line) => line.replace(/^\d+: /, ''))
