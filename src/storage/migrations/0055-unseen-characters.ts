import { type Kysely, sql } from 'kysely'
import type { SchemaDialect } from '#src/sql/dialect.ts'
import type { Tables } from '#src/sql/tables.ts'

/** What is in a text and not shown (Default_Ignorable_Code_Point) but for U+034F, which no folded text has. */
const UNSEEN = [
  ['\u00ad', '\u00ad'],
  ['\u061c', '\u061c'],
  ['\u115f', '\u1160'],
  ['\u17b4', '\u17b5'],
  ['\u180b', '\u180f'],
  ['\u200b', '\u200f'],
  ['\u202a', '\u202e'],
  ['\u2060', '\u206f'],
  ['\u3164', '\u3164'],
  ['\ufe00', '\ufe0f'],
  ['\ufeff', '\ufeff'],
  ['\uffa0', '\uffa0'],
  ['\ufff0', '\ufff8'],
  ['\u{1bca0}', '\u{1bca3}'],
  ['\u{1d173}', '\u{1d17a}'],
  ['\u{e0000}', '\u{e0fff}'],
] as const
/** It was folded to a blank, so that the text as it was given has it alone. */
const NO_BLANK = [['\ufeff', '\ufeff']] as const

/**
 * Searches pass by what is not shown of a text (decision 23). Texts that have some of it are folded again while the
 * service runs, and the words of values that do are read anew.
 */
export async function up(db: Kysely<Tables>, dialect: SchemaDialect): Promise<void> {
  const holds = (column: string, ranges: Parameters<SchemaDialect['holdsOneOf']>[1] = UNSEEN) =>
    dialect.holdsOneOf(sql.ref(column), ranges)
  const waiting = sql`select done + 1 as id from text_folding union all select last from text_folding`
  const folded = sql`select t.id from item_text t where ${holds('t.name')} or ${holds('t.description')}`
  const given = sql`select i.id from item i where ${holds('i.name', NO_BLANK)} or ${holds('i.description', NO_BLANK)}`
  const { rows } = await sql<{
    first: number | null
    last: number
  }>`select min(id) as first, max(id) as last from (${waiting} union all ${folded} union all ${given}) c`.execute(
    db,
  )
  const { first, last } = rows[0]!
  if (first !== null) {
    await sql`delete from text_folding`.execute(db)
    await sql`insert into text_folding (done, last) values (${sql.lit(first - 1)}, ${sql.lit(last)})`.execute(
      db,
    )
  }
  await sql`insert into word_pending (item) select distinct e.item from item_tag e join item i on i.id = e.item where i.deleted_at is null and ${holds('e.field_values')}`.execute(
    db,
  )
}
