import { filesInJson, filesInText } from '#src/domain/mentioned-files.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

const descriptions = query((p: { item_ids: string }, sql, { texts }) =>
  sql.selectFrom('item').select('description').where('item_id', 'in', texts(p.item_ids)),
)
const values = query((p: { item_ids: string }, sql, { texts }) =>
  sql
    .selectFrom('item')
    .innerJoin('item_tag', 'item_tag.item', 'item.id')
    .select('field_values')
    .where('item_id', 'in', texts(p.item_ids)),
)

/** Files that items have now, deleted ones too, by value or description. */
export async function presentFiles(db: Db, item_ids: readonly Ulid[]): Promise<Set<Ulid>> {
  const ids = JSON.stringify(item_ids)
  const found = new Set<Ulid>()
  for (const { description } of await db.all(descriptions, { item_ids: ids }))
    if (description !== null) filesInText(description, found)
  for (const { field_values } of await db.all(values, { item_ids: ids }))
    for (const file_id of filesInJson(field_values)) found.add(file_id)
  return found
}
