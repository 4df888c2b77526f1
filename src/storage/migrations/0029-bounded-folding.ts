import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** Bytes: a text that has more may have more characters than count. */
const MAY_BE_LONG = 1_000_000
/** Combining marks that searches mind, with characters between them. Texts that have none of these are folded as before. */
const MARKS = [
  ['\u0483', '\u109d'],
  ['\u135d', '\u1dff'],
  ['\u20d0', '\u20f0'],
  ['\u2cef', '\u2dff'],
  ['\u302a', '\u309a'],
  ['\ua66f', '\uabed'],
  ['\ufb1e', '\ufb1e'],
  ['\ufe00', '\ufe2f'],
  ['\u{101fd}', '\u{1e94a}'],
  ['\u{e0100}', '\u{e01ef}'],
] as const

/**
 * Of a run of more than 30 combining marks searches mind the first 30, and of a text its first 1,000,000 characters
 * (additions §7). Texts that this may shorten are folded again while the service runs (decision 23).
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const [name, description] = [sql.ref('t.name'), sql.ref('t.description')]
  const waiting = sql`select done + 1 as id from text_folding union all select last from text_folding`
  const concerned = sql`select t.id from item_text t where octet_length(${description}) > ${sql.lit(MAY_BE_LONG)} or ${dialect.holdsOneOf(name, MARKS)} or ${dialect.holdsOneOf(description, MARKS)}`
  const { rows } = await sql<{
    first: number | null
    last: number
  }>`select min(id) as first, max(id) as last from (${waiting} union all ${concerned}) c`.execute(db)
  const { first, last } = rows[0]!
  if (first === null) return
  await sql`delete from text_folding`.execute(db)
  await sql`insert into text_folding (done, last) values (${sql.lit(first - 1)}, ${sql.lit(last)})`.execute(
    db,
  )
}
