import { sql as rawSql, type SqlBool } from 'kysely'
import { filesInJson, filesInText } from '#src/domain/mentioned-files.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { holdsOfFile } from '#src/storage/files/file-uses.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

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

const referredAfter = query((p: { after: number; limit: number }, sql) =>
  sql
    .selectFrom('file')
    .select(['id', 'file_id', 'name', 'size'])
    .where('id', '>', p.after)
    .where('removed_at', 'is', null)
    .where('unused_since', 'is', null)
    .where((e) => e.not(e.exists(holdsOfFile(sql))))
    .orderBy('id')
    .limit(p.limit),
)
const itemsOf = query((p: { file: number }, sql) =>
  sql.selectFrom('file_use').select('item_id').where('file', '=', p.file).orderBy('item_id'),
)
const lastMention = query((p: { item_ids: string; file_id: Ulid }, sql, { texts }) =>
  sql
    .selectFrom('audit_event')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('item_id', 'in', texts(p.item_ids))
    .where(rawSql<SqlBool>`details like '%' || cast(${p.file_id} as text) || '%'`),
)
const removeAll = query((p: { ids: string; now: string }, sql, { integers }) =>
  sql.updateTable('file').set({ removed_at: p.now }).where('id', 'in', integers(p.ids)),
)

export interface RemovedFile {
  id: number
  file_id: Ulid
  name: string
  size: number
}

/**
 * Removes, of a page of files behind `after`, those that no item has and that the log has not named since `before`. `next`
 * is the last one that was looked at; null: there are no more.
 */
export async function removeLogOnly(
  db: Db,
  { after, limit, before, now }: { after: number; limit: number; before: string; now: string },
): Promise<{ removed: RemovedFile[]; next: number | null }> {
  await requireWholeLog(db)
  const files = await db.all(referredAfter, { after, limit })
  const removed: RemovedFile[] = []
  for (const file of files) {
    const items = (await db.all(itemsOf, { file: file.id })).map(({ item_id }) => item_id)
    if ((await presentFiles(db, items)).has(file.file_id)) continue
    const mention = await db.get(lastMention, { item_ids: JSON.stringify(items), file_id: file.file_id })
    if (mention?.at == null || mention.at < before) removed.push(file)
  }
  if (removed.length) await db.enqueue(removeAll, { ids: JSON.stringify(removed.map(({ id }) => id)), now })
  return { removed, next: files.length < limit ? null : files.at(-1)!.id }
}
