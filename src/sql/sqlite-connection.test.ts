import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'

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

it('statements that are asked once do not pile up, however long they are', async () => {
  const db = new SqliteConnection(':memory:')
  db.raw.exec('create table t (a integer primary key, b integer)')
  const before = process.memoryUsage.rss()
  for (let n = 0; n < 400; n++) {
    const conditions = Array.from(
      { length: 900 },
      (_, i) => `exists (select 1 from t v where v.b = ${i + n})`,
    )
    await db.select({ sql: `select a from t where ${nested(conditions)}`, parameters: [] })
    await new Promise((resume) => setImmediate(resume))
  }
  // Each takes about a megabyte; what the collector leaves for later differs.
  expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(300)
  db.raw.close()
})

/** Not deeper than an expression may be. */
const nested = (conditions: string[]): string =>
  conditions.length === 1
    ? conditions[0]!
    : `(${nested(conditions.slice(0, conditions.length >> 1))} or ${nested(conditions.slice(conditions.length >> 1))})`
