import type { FieldValues } from '#src/domain/field-values.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { undeleteItems } from '#src/storage/items/deleted-items.ts'
import { tagsOfItems } from '#src/storage/items/item-tags.ts'
import type { ItemRow } from '#src/storage/items/items.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import { indexApplied, type AppliedValues } from '#src/storage/value-index/field-values.ts'

/** Brings deleted items back, into every search. A deleted tag has left deleted items too, so those that are left live. */
export async function reviveItems(
  { db, recorder }: Pick<SqlContext, 'db' | 'recorder'>,
  items: readonly Omit<ItemRow, 'item_id'>[],
): Promise<void> {
  const { whole, others } = await undeleteItems(db, items)
  recorder?.restOn(whole)
  const applied: AppliedValues[] = []
  const entries = others.length ? await tagsOfItems(db, others) : []
  for (const { item, tag, field_values } of entries)
    applied.push({
      item,
      tag: (await findTagByRow(db, tag))!,
      values: JSON.parse(field_values) as FieldValues,
    })
  await indexApplied(db, applied)
}
