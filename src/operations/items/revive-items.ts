import type { FieldValues } from '#src/domain/field-values.ts'
import type { Db } from '#src/sql/query.ts'
import { undeleteItems } from '#src/storage/items/deleted-items.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import type { ItemRow } from '#src/storage/items/items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import { indexApplied, type AppliedValues } from '#src/storage/value-index/field-values.ts'

/** Brings deleted items back, into every search. A deleted tag has left deleted items too, so those that are left live. */
export async function reviveItems(db: Db, items: readonly Omit<ItemRow, 'item_id'>[]): Promise<void> {
  await undeleteItems(db, items)
  const applied: AppliedValues[] = []
  const entries = await tagsOfItems(
    db,
    items.map(({ id }) => id),
  )
  for (const { item, tag, field_values } of entries)
    applied.push({
      item,
      tag: (await findTagByRow(db, tag))!,
      values: JSON.parse(field_values) as FieldValues,
    })
  await indexApplied(db, applied)
}
