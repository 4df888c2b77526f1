import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite.ts'

it('what is deleted is gone from the file, too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'facet-sqlite-'))
  try {
    const file = join(folder, 'facet.db')
    const { raw } = new SqliteConnection(file)
    raw.exec('create table note (id integer primary key, text text)')
    for (let i = 0; i < 50; i++)
      raw.prepare('insert into note (text) values (?)').run(`secret-${'x'.repeat(i * 99)}`)
    raw.pragma('wal_checkpoint(truncate)')
    expect(readFileSync(file, 'latin1')).toContain('secret-')
    raw.exec('delete from note')
    raw.close()
    expect(readFileSync(file, 'latin1')).not.toContain('secret-')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
