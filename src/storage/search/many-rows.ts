import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#src/sql/query.ts'
import type { Rows } from '#src/storage/search/candidates.ts'

/** Lists that one statement is about: to ask for each by itself would cost more than to read it. */
const TOGETHER = 100

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
  for (let from = 0; from < lists.length; from += TOGETHER) {
    const columns = lists
      .slice(from, from + TOGETHER)
      .map((rows, i) => sql`${columnOf(rows)} as ${sql.raw(`list_${i}`)}`)
    const row = sql<Record<string, Answer>>`select ${sql.join(columns)}`
    const [answers] = await db.select<Record<string, Answer>>(row.compile(db.dialect.builder))
    chunks.push(Object.values(answers!))
  }
  return chunks
}
