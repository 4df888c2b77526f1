import type { FieldValues } from '#src/domain/field-values.ts'
import { type Db, query } from '#src/sql/query.ts'
import { leavingAmong, noteLeaving, takeOutNow } from '#src/storage/large/leaving-items.ts'
import { MANY } from '#src/storage/log/audit-log.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import { insertTexts, type ItemRow, textRow } from '#src/storage/items/items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import { unfolded } from '#src/storage/text-folding/text-folding.ts'
import { indexApplied, type AppliedValues } from '#src/storage/value-index/field-values.ts'

/**
 * Which deleted items (row ids) have to be in the indexes before a change restores them: none, unless they are so many
 * that the change would hold up others' writes for seconds (decision 46). The change that is planned is then rolled
 * back with `out_of_indexes`, and `planReturning` brings them back.
 */
export async function outOfIndexes(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  // What an upgrade has still to fold is folded among the living alone.
  if (!db.dialect.leavesLater || ids.length < MANY || (await unfolded(db))) return []
  const whole = new Set((await leavingAmong(db, ids)).whole)
  const items = ids.filter((id) => !whole.has(id))
  return items.length >= MANY ? items : []
}

const deletedAmong = query((p: { ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'name', 'description'])
    .where('id', 'in', dialect.integers(p.ids))
    .where(dialect.isDeleted)
    .orderBy('id'),
)

/** Gives the indexes what they should have of deleted items (row ids), as if these were only about to leave them: nobody sees it. */
export async function bringBack(db: Db, ids: readonly number[]): Promise<void> {
  const { whole, others } = await leavingAmong(db, ids)
  await takeOutNow(db, others)
  const there = new Set(whole)
  const items = (await db.all(deletedAmong, { ids: JSON.stringify(ids) })).filter(({ id }) => !there.has(id))
  if (!items.length) return
  await indexAgain(db, items)
  await noteLeaving(
    db,
    items.map(({ id }) => id),
  )
}

/** Writes the index rows of items of which the indexes have nothing: their texts, and the values of the tags that they have. */
export async function indexAgain(db: Db, items: readonly Omit<ItemRow, 'item_id'>[]): Promise<void> {
  if (!items.length) return
  await insertTexts(db, items.map(textRow))
  const entries = await tagsOfItems(
    db,
    items.map(({ id }) => id),
  )
  const applied: AppliedValues[] = []
  for (const { item, tag, field_values } of entries)
    applied.push({
      item,
      tag: (await findTagByRow(db, tag))!,
      values: JSON.parse(field_values) as FieldValues,
    })
  // Their words are marked with their texts.
  await indexApplied(db, applied, undefined, { fresh: true })
}
