import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'

/** Bytes of texts, and of values, that are in memory at once. */
const AT_ONCE = 4 * 2 ** 20

type TextTable = 'item' | 'item_text'

/** Of an item in that table: its name and description there, and its values. */
export const textBytes = (table: TextTable): RawBuilder<number> =>
  sql`octet_length(${sql.ref(`${table}.name`)}) + coalesce(octet_length(${sql.ref(`${table}.description`)}), 0)
    + cast(coalesce((select sum(octet_length(e.field_values)) from item_tag e where e.item = ${sql.ref(`${table}.id`)}), 0) as integer)`

const sizesIn = (table: TextTable) =>
  query((p: { ids: string }, db, { integers }) =>
    db
      .selectFrom(table)
      .select(['id', textBytes(table).as('bytes')])
      .where('id', 'in', integers(p.ids)),
  )
const sizes = { item: sizesIn('item'), item_text: sizesIn('item_text') }

/**
 * Items (row ids) in pieces, in their order: as many as have no more than those bytes in texts and values, and at
 * least one, so that a page of the longest texts is not read whole. Either table has the texts: as they are, or folded.
 */
export async function textPieces(db: Db, table: TextTable, ids: readonly number[]): Promise<number[][]> {
  const rows = ids.length > 1 ? await db.all(sizes[table], { ids: JSON.stringify(ids) }) : []
  const bytes = new Map(rows.map((row) => [row.id, row.bytes]))
  const pieces: number[][] = []
  let room = 0
  for (const id of ids) {
    const own = bytes.get(id) ?? 0
    if (!pieces.length || own > room) {
      pieces.push([])
      room = AT_ONCE
    }
    pieces.at(-1)!.push(id)
    room -= own
  }
  return pieces
}
