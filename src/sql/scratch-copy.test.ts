import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { onScratchCopy } from '#src/sql/scratch-copy.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

let folder: string
let file: string
let writer: SqliteConnection
let reader: SqliteConnection

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'facet-scratch-'))
  const prepared = await prepareSqliteFile(join(folder, 'facet.db'))
  prepared.release()
  file = prepared.file
  writer = new SqliteConnection(file)
  reader = new SqliteConnection(file, { readonly: true })
})
afterEach(() => {
  reader.close()
  writer.close()
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
    await onScratchCopy(reader, file, connect, async (scratch) => {
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
    const failing = onScratchCopy(reader, file, connect, async (scratch) => {
      add(scratch, 'tried out')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([keys(reader), scratches()]).toEqual([[], []])
  })

  it('is removed by the next start where a process was killed while it was made', async () => {
    mkdirSync(`${file}.scratch-Xy12Zz`)
    writeFileSync(`${file}.scratch-Xy12Zz/facet.db`, 'half')
    const prepared = await prepareSqliteFile(file)
    prepared.release()
    expect(scratches()).toEqual([])
  })
})
