import { type RawBuilder, sql } from 'kysely'
import type { CompiledSql, Db } from '#src/sql/query.ts'
import type { Rows } from '#src/storage/search/candidates.ts'

/** Lists that one statement is about: to ask for each by itself would cost more than to read it. */
const TOGETHER = 100
/** SQLite opens a thousand at most where something is recursive, and while items are leaving three for one. */
const MOST_TABLES = 250

/** How many rows each has, counted up to a limit. */
export async function countEach(db: Db, lists: readonly Rows[], limit: number): Promise<number[]> {
  const counts: number[] = []
  const counted = (rows: Rows) => sql`(select count(*) from (select 1 from (${rows}) r limit ${limit}) c)`
  for (const answers of await inChunks<number>(db, lists, counted)) counts.push(...answers)
  return counts
}

/** The row ids of each, up to a limit, one after the other. */
export async function listEach(
  db: Db,
  lists: readonly Rows[],
  limit: number,
  take: (at: number, items: number[]) => void,
): Promise<void> {
  const listed = (rows: Rows) =>
    db.dialect.filter.idsAsJson(sql`select r.item as item from (${rows}) r limit ${limit}`)
  let at = 0
  for (const answers of await inChunks<string>(db, lists, listed))
    for (const items of answers) take(at++, JSON.parse(items))
}

/** One row for a chunk, with a column for each list. */
async function inChunks<Answer>(
  db: Db,
  lists: readonly Rows[],
  columnOf: (rows: Rows) => RawBuilder<unknown>,
): Promise<Answer[][]> {
  const chunks: Answer[][] = []
  for (let from = 0; from < lists.length;) {
    let some = lists.slice(from, from + TOGETHER)
    let compiled = compile(db, some, columnOf)
    while (some.length > 1 && isTooWide(compiled.sql)) {
      some = some.slice(0, some.length >> 1)
      compiled = compile(db, some, columnOf)
    }
    const [answers] = await db.select<Record<string, Answer>>(compiled)
    chunks.push(Object.values(answers!))
    from += some.length
  }
  return chunks
}

function compile(db: Db, lists: readonly Rows[], columnOf: (rows: Rows) => RawBuilder<unknown>): CompiledSql {
  const columns = lists.map((rows, i) => sql`${columnOf(rows)} as ${sql.raw(`list_${i}`)}`)
  return sql`select ${sql.join(columns)}`.compile(db.dialect.builder)
}

const isTooWide = (text: string): boolean =>
  text.includes('with recursive') && [...text.matchAll(/\b(?:from|join)\b/g)].length > MOST_TABLES
