import { ServiceError } from '#src/domain/errors.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { tagOfCall } from '#src/operations/tags/tag-answer.ts'
import { findItemTag, type AppliedTag } from '#src/storage/items/item-tags.ts'
import { liveItem, type ItemRow } from '#src/storage/items/items.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

export interface TagOnItem {
  item: ItemRow
  tag: StoredTag
  applied: AppliedTag
}

/**
 * A tag and what an item has for it, both as a call names them.
 * @throws NotFound where one of them is absent or the tag is not applied
 */
export async function tagOnItem(context: SqlContext, item_id: string, tag_id: string): Promise<TagOnItem> {
  const { db } = context
  const item = await liveItem(db, item_id)
  const tag = await tagOfCall(context, tag_id)
  const applied = await findItemTag(db, item.id, tag.id)
  if (!applied)
    throw new ServiceError('NotFound', `Tag '${tag.name}' is not applied to item '${item.item_id}'`, {
      suggestion: `Apply it first: POST /api/items/${item.item_id}/tags (apply_tag_to_item)`,
    })
  return { item, tag, applied }
}
