import { Type } from 'typebox'
import type { FieldValues } from '#src/domain/field-values.ts'
import { Reply } from '#src/domain/reply.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Item, ItemId } from '#src/operations/schemas.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { indexApplied, type AppliedValues } from '#src/storage/value-index/field-values.ts'
import { deletedItem, undeleteItem } from '#src/storage/items/deleted-items.ts'
import { tagsOfItem } from '#src/storage/items/item-tags.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import { findTagByRow } from '#src/storage/tags/tags.ts'
import type { Db } from '#src/sql/query.ts'

export const restoreItem = defineOperation({
  name: 'restoreItem',
  summary: 'Bring a deleted item back with the tags that it still has.',
  access: 'user',
  effect: 'write',
  rest: 'POST /api/items/{item_id}/restore',
  input: Type.Object({ item_id: ItemId }, { additionalProperties: false }),
  output: Item,
  errors: ['NotFound'],
  async run(context, { item_id }) {
    const { db } = context
    const item = await deletedItem(db, item_id)
    await undeleteItem(db, item)
    await indexApplied(db, await appliedValues(db, item.id))
    await appendEvents(db, context, [
      {
        event_type: 'item_restored',
        entity_type: 'item',
        item_id: item.item_id,
        details: { name: item.name },
      },
    ])
    return new Reply(await itemJson(db, item_id))
  },
})

/** A deleted tag has left every item, deleted ones too; so those that are left live. */
async function appliedValues(db: Db, item: number): Promise<AppliedValues[]> {
  const applied: AppliedValues[] = []
  for (const { tag, field_values } of await tagsOfItem(db, item))
    applied.push({
      item,
      tag: (await findTagByRow(db, tag))!,
      values: JSON.parse(field_values) as FieldValues,
    })
  return applied
}
