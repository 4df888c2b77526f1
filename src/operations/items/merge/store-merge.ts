import { fieldValueChanges } from '#src/domain/field-value-changes.ts'
import { itemDeleted, tagApplied, tagValuesUpdated } from '#src/operations/items/item-events.ts'
import type { MergePlan, PlannedEntry } from '#src/operations/items/merge/plan-merge.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { insertItemTags, updateItemTag } from '#src/storage/items/item-tags.ts'
import { softDeleteItems, touchItems, writeItem } from '#src/storage/items/items.ts'
import { indexApplied, reindexValues } from '#src/storage/value-index/field-values.ts'

/** Brings the item that stays to what was planned, and deletes the others. */
export async function storeMerge(context: SqlContext, plan: MergePlan): Promise<void> {
  const { db, now } = context
  const { kept, others, description } = plan
  context.change.beginPart()
  const changed = plan.entries.filter((entry) => entry.changed)
  for (const entry of changed) await storeEntry(context, plan, entry)
  if (description !== kept.description) await describe(context, plan)
  else if (changed.length) await touchItems(db, [kept.id], now)
  await softDeleteItems(
    db,
    others.map(({ id }) => id),
    now,
  )
  await appendEvents(
    db,
    context,
    others.map((other) => ({ ...itemDeleted(other), merged_into: kept.item_id })),
  )
}

async function storeEntry(context: SqlContext, { kept }: MergePlan, entry: PlannedEntry): Promise<void> {
  const { db } = context
  const { tag, before, schema_version, values } = entry
  const field_values = JSON.stringify(values)
  const named = { tag_id: tag.tag_id, name: tag.name, schema_version }
  const applied = { item: kept.id, tag, values }
  if (before) {
    await updateItemTag(db, { item: kept.id, tag: tag.id, schema_version, field_values })
    await reindexValues(db, applied, before.values)
    const changes = fieldValueChanges(before.values, values)
    await appendEvents(db, context, [tagValuesUpdated(kept.item_id, named, changes, before.schema_version)])
  } else {
    await insertItemTags(db, [[kept.id, tag.id, schema_version, field_values]])
    await indexApplied(db, [applied])
    await appendEvents(db, context, [tagApplied(kept.item_id, named, field_values)])
  }
}

async function describe(context: SqlContext, { kept, description }: MergePlan): Promise<void> {
  const { db, now, change } = context
  const { id, item_id, name } = kept
  await writeItem(db, { id, name, description }, now, change.growth)
  await appendEvents(db, context, [
    {
      event_type: 'item_updated',
      entity_type: 'item',
      item_id,
      name,
      details: {
        fields_changed: ['description'],
        old_values: { description: kept.description },
        new_values: { description },
      },
    },
  ])
}
