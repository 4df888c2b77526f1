import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { NO_SUM, placeOfSum, putSum, sumOf } from '#src/backup/copy-sum.ts'
import { conflict } from '#src/domain/errors.ts'
import { VERSION } from '#src/domain/version.ts'
import type { Db } from '#src/sql/query.ts'
import { RECORD_KINDS } from '#src/storage/transfer/record-kinds.ts'

/** What a copy says of itself: by it one knows later that nothing of it is missing. */
export interface CopyFacts {
  format: 1
  made_at: string
  /** Of the program that made it. */
  version: string
  /** Rows of each table that an export would have. */
  counts: Record<string, number>
  /** The hash of the newest event of the log; null: there is none. */
  head: string | null
}

/** A table of the copy alone: the base does not have it. */
const TABLE = 'facet_copy'

/** Reads them inside one snapshot. */
export async function readFacts(db: Db, made_at: string): Promise<CopyFacts> {
  const counts: Record<string, number> = {}
  for (const { name } of RECORD_KINDS) {
    const counted = sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`
    counts[name] = (await db.select<{ n: number }>(counted.compile(db.dialect.builder)))[0]!.n
  }
  const newest = sql<{ hash: string }>`select hash from audit_event order by event_id desc limit 1`
  const [last] = await db.select<{ hash: string }>(newest.compile(db.dialect.builder))
  return { format: 1, made_at, version: VERSION, counts, head: last?.hash ?? null }
}

/** Puts the facts, and the key of the secrets where it is not SECRET_KEY, into a copy. */
export function writeFacts(copy: Database.Database, facts: CopyFacts, key: string | null): void {
  // The base may itself be a copy that was put in the place of its file.
  takeFactsOut(copy)
  copy.exec(`create table ${TABLE} (sum text not null, facts text not null, key text)`)
  copy.prepare(`insert into ${TABLE} values (?, ?, ?)`).run(NO_SUM, JSON.stringify(facts), key)
}

/** What makes a copy whole: the sum of all its bytes, once nothing else is written to it. */
export async function writeSum(file: string): Promise<void> {
  const copy = new Database(file, { readonly: true })
  const place = placeOfSum(copy, TABLE, NO_SUM)
  copy.close()
  await putSum(file, place)
}

/** @throws Conflict where a byte of the copy is another than was written; those of older versions have no sum */
export async function compareSum(file: string): Promise<void> {
  const copy = new Database(file, { readonly: true })
  const { sum } = copy.prepare(`select * from ${TABLE}`).get() as { sum?: string }
  const place = sum === undefined ? -1 : placeOfSum(copy, TABLE, sum)
  copy.close()
  if (sum !== undefined && (place < 0 || (await sumOf(file, place)) !== sum))
    throw unsound(file, 'its bytes are not those that were written')
}

/** What `writeFacts` has put there; null: it is a file of SQLite without them, as older versions copied. */
export function factsOf(copy: Database.Database): { facts: CopyFacts; key: string | null } | null {
  if (!copy.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`).get(TABLE)) return null
  const row = copy.prepare(`select facts, key from ${TABLE}`).get() as { facts: string; key: string | null }
  return { facts: JSON.parse(row.facts) as CopyFacts, key: row.key }
}

export const takeFactsOut = (base: Database.Database): void => void base.exec(`drop table if exists ${TABLE}`)

/** @throws Conflict where SQLite finds its pages or indexes damaged */
export function refuseDamaged(copy: Database.Database, file: string): void {
  const [first] = copy.pragma('integrity_check(1)') as { integrity_check: string }[]
  if (first?.integrity_check !== 'ok') throw unsound(file, `it is damaged (${first?.integrity_check})`)
}

/** @throws Conflict where the tables of the copy are not what it says of them */
export function compareFacts(copy: Database.Database, { counts, head }: CopyFacts, file: string): void {
  refuseDamaged(copy, file)
  for (const [name, count] of Object.entries(counts)) {
    const { n } = copy.prepare(`select count(*) as n from "${name.replaceAll('"', '')}"`).get() as {
      n: number
    }
    if (n !== count) throw unsound(file, `${name} has ${n} rows of ${count}`)
  }
  if (newestHash(copy) !== head) throw unsound(file, 'the log ends with another event than it did')
}

/** Of the log; null: there is none, as in a base that is older than the chain. */
export function newestHash(copy: Database.Database): string | null {
  if (!copy.prepare("select 1 from pragma_table_info('audit_event') where name = 'hash'").get()) return null
  const newest = copy.prepare('select hash from audit_event order by event_id desc limit 1').pluck()
  return (newest.get() as string | undefined) ?? null
}

const unsound = (file: string, what: string) =>
  conflict(`${file} is no sound copy: ${what}`, { suggestion: 'Take another copy' })
