import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'

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

it('a statement is planned once, whatever is bound to it', async () => {
  const db = new SqliteConnection(':memory:')
  db.raw.exec('create table t (a integer, b integer, c integer, primary key (a, b)) without rowid')
  db.raw.exec('create index t_c on t (c, a)')
  // The more tables, the longer it is planned; that the first is empty is seen at once.
  const tables = sql.raw(Array.from({ length: 14 }, (_, i) => `t t${i}`).join(', '))
  const joined = sql.raw(Array.from({ length: 13 }, (_, i) => `t${i}.b = t${i + 1}.a`).join(' and '))
  const { sql: text } = sql`select t0.a from ${tables} where ${joined} and t0.a = ${0} limit ${1}`.compile(
    sqliteDialect.builder,
  )
  const median = async (work: (n: number) => unknown) => {
    const times = []
    for (let n = 1; n <= 50; n++) {
      const began = performance.now()
      await work(n)
      times.push(performance.now() - began)
    }
    return times.toSorted((one, other) => one - other)[25]!
  }
  const planned = await median(() => db.raw.prepare(text))
  expect(await median((n) => db.select({ sql: text, parameters: [n, n] }))).toBeLessThan(planned / 4)
  db.raw.close()
})

/** Not deeper than an expression may be. */
const nested = (conditions: string[]): string =>
  conditions.length === 1
    ? conditions[0]!
    : `(${nested(conditions.slice(0, conditions.length >> 1))} or ${nested(conditions.slice(conditions.length >> 1))})`
