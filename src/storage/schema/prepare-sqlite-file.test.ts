import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUpSqliteFile } from '#src/sql/back-up-sqlite-file.ts'
import { lockSqliteFile } from '#src/sql/lock-sqlite-file.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { migrations, type Migration } from '#src/storage/migrations/index.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'
import { prepareSqliteFile } from '#src/storage/schema/prepare-sqlite-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'facet-prepare-'))
  file = join(folder, 'facet.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const addNote: Migration = {
  up: async (db) => void (await sql`create table note (text text not null)`.execute(db)),
}
const failHalfway: Migration = {
  async up(db) {
    await sql`create table half (done text)`.execute(db)
    await sql`insert into half values ('this')`.execute(db)
    await sql`update tag set name = no_such_column`.execute(db)
  },
}
/** No page more than there are: SQLite ends the transaction by itself, as on a full disk. */
const fillDisk: Migration = {
  async up(db) {
    await sql`pragma max_page_count = 1`.execute(db)
    await sql`create table large as select zeroblob(10000000) as bytes`.execute(db)
  },
}

function look<T>(text: string): T[] {
  const db = new SqliteConnection(file, { readonly: true })
  try {
    return db.raw.prepare(text).pluck().all() as T[]
  } finally {
    db.close()
  }
}
const tables = () => look<string>(`select name from sqlite_schema where type = 'table' order by name`)
const applied = () => look<string>('select name from schema_migration order by name')
const backups = () => readdirSync(folder).filter((name) => name.includes('.backup-'))
const isCopy = (name: string) => name.endsWith('Z')
const prepare = async (list?: Record<string, Migration>) =>
  (await prepareSqliteFile(file, list ? { list } : {})).release()

const SOME_TAG = `insert into tag (tag_id, name, fields, schema_version, folded_name, created_at, updated_at)
  values ('01JZZZZZZZZZZZZZZZZZZZZZZZ', 'Task', '{}', 1, 'task', '', '')`
function write(text: string): void {
  const db = new SqliteConnection(file)
  db.raw.exec(text)
  db.close()
}

describe('preparing a database file', () => {
  it('makes folder, file and schema, and no backup of nothing', async () => {
    file = join(folder, 'deep', 'down', 'facet.db')
    await prepare()
    expect(readdirSync(join(folder, 'deep', 'down')).toSorted()).toEqual(['facet.db', 'facet.db.lock'])
    expect(applied()).toEqual(Object.keys(migrations))
  })

  it('changes nothing the second time', async () => {
    await prepare()
    await prepare()
    expect(applied()).toEqual(Object.keys(migrations))
    expect(backups()).toEqual([])
  })

  it('backs the file up before it changes the schema', async () => {
    await prepare()
    write(SOME_TAG)
    await prepare({ ...migrations, '9001-note': addNote })
    expect(tables()).toContain('note')
    expect(backups()).toEqual([expect.stringMatching(/Z$/)])
    file = join(folder, backups()[0]!)
    expect(tables()).not.toContain('note')
    expect(look('select name from tag')).toEqual(['Task'])
    expect(look('pragma integrity_check')).toEqual(['ok'])
  })

  it('keeps the three newest backups', async () => {
    const list: Record<string, Migration> = { ...migrations }
    await prepare(list)
    for (const name of ['9001-a', '9002-b', '9003-c', '9004-d', '9005-e']) {
      list[name] = { up: async () => {} }
      await prepare(list)
      // As a program leaves that has read the copy.
      for (const end of ['-wal', '-shm'])
        writeFileSync(join(folder, `${backups().findLast(isCopy)!}${end}`), '')
    }
    expect(backups().filter(isCopy)).toHaveLength(3)
    expect(backups()).toHaveLength(9)
  })

  it('takes away what an interrupted copy has left before it makes another, for want of whose room it may fail', async () => {
    writeFileSync(file, 'no database'.repeat(1000))
    writeFileSync(`${file}.backup-2026-01-01T00-00-00.000Z.unfinished`, 'half')
    await expect(backUpSqliteFile(file, new Date())).rejects.toThrow('No backup of')
    expect(backups()).toEqual([])
  })

  it('goes back to the program of before by the copy that it made: in the place of the file', async () => {
    await prepare()
    write(SOME_TAG)
    await prepare({ ...migrations, '9001-note': addNote })
    write("update tag set name = 'Later'")
    await expect(prepare()).rejects.toThrow('of a newer version')
    const [copy] = backups()
    for (const end of ['', '-wal', '-shm'])
      if (existsSync(file + end)) renameSync(file + end, join(folder, `new${end}`))
    renameSync(join(folder, copy!), file)
    await prepare()
    expect(look('select name from tag')).toEqual(['Task'])
    expect(applied()).toEqual(Object.keys(migrations))
  })

  it('is left untouched by a migration that fails', async () => {
    await prepare()
    const before = tables()
    await expect(prepare({ ...migrations, '9001-note': addNote, '9002-half': failHalfway })).rejects.toThrow(
      /^The migration 9002-half failed and nothing was changed: .*no_such_column/,
    )
    expect(tables()).toEqual(before)
    expect(applied()).toEqual(Object.keys(migrations))
    await prepare({ ...migrations, '9001-note': addNote })
    expect(tables()).toContain('note')
  })

  it('says that the disk is full, where a migration finds no room', async () => {
    await prepare()
    await expect(prepare({ ...migrations, '9001-large': fillDisk })).rejects.toThrow(
      `The database ${file} cannot be written: the disk is full (SQLITE_FULL)`,
    )
    expect(applied()).toEqual(Object.keys(migrations))
  })

  it('stays empty when the very first migration fails', async () => {
    await expect(prepare({ '0001-half': failHalfway })).rejects.toThrow('0001-half failed')
    expect(tables()).toEqual([])
  })

  it('refuses a database of a newer version', async () => {
    await prepare({ ...migrations, '9001-note': addNote })
    await expect(prepare()).rejects.toThrow(
      'The database is of a newer version: this one does not know its migration 9001-note',
    )
  })

  it('refuses a database whose migrations differ', async () => {
    const [first = '', ...others] = Object.entries(migrations)
    await prepare({ ...migrations })
    const renamed = Object.fromEntries([['0001-other', first[1]], ...others]) as Record<string, Migration>
    await expect(prepare(renamed)).rejects.toThrow(
      `it has the migration ${first[0]} where this one has 0001-other`,
    )
  })

  it('survives kill -9 in the middle of a migration', async () => {
    await prepare()
    write(SOME_TAG)
    const before = tables()
    const child = spawn(process.execPath, ['test/support/stuck-migration.ts', file])
    const [line] = await once(child.stdout, 'data')
    expect(String(line)).toContain('half done')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await prepare({ ...migrations, '9001-note': addNote })
    expect(tables()).toEqual([...before, 'note'].toSorted())
    expect(look('select name from tag')).toEqual(['Task'])
    expect(look('pragma integrity_check')).toEqual(['ok'])
  })

  it('tells the newest id of all tables', async () => {
    await prepare()
    write(SOME_TAG)
    const db = new SqliteConnection(file, { readonly: true })
    expect(await newestId(db)).toBe('01JZZZZZZZZZZZZZZZZZZZZZZZ')
    db.close()
  })
})

describe('the claim on a database file', () => {
  it('keeps another process out, and ends with the process', async () => {
    const child = spawn(process.execPath, ['test/support/stuck-migration.ts', file])
    await once(child.stdout, 'data')
    await expect(prepare()).rejects.toThrow(/is in use by another Facet process/)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await prepare()
    expect(applied()).toEqual(Object.keys(migrations))
  })

  it('is free again after release', () => {
    lockSqliteFile(file).release()
    expect(() => lockSqliteFile(file).release()).not.toThrow()
  })
})
