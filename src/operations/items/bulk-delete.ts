import { Type } from 'typebox'
import { BulkTargets } from '#src/operations/items/bulk-targets.ts'
import { itemDeleted } from '#src/operations/items/item-events.ts'
import { valuesByTag } from '#src/operations/items/values-by-tag.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { BulkResult, DryRun, ItemFilter, TimeZone } from '#src/operations/schemas.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { itemHeads, softDeleteItems } from '#src/storage/items/items.ts'

export const bulkDelete = defineOperation({
  name: 'bulkDelete',
  summary: 'Delete all items that satisfy a filter; each can be restored until it is purged.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-delete',
  tool: 'bulk_delete_items',
  hints: { destructive: true },
  input: Type.Object(
    { filter: ItemFilter, dry_run: Type.Optional(DryRun), time_zone: Type.Optional(TimeZone) },
    { additionalProperties: false },
  ),
  output: BulkResult,
  example: { input: { filter: { has_tag: 'Task' }, dry_run: true } },
  plan: (context, { filter }) => BulkTargets.find(context, filter),
  async run(context, { filter, dry_run = false }) {
    const { db, now } = context
    const targets = await BulkTargets.select(context, filter, dry_run)
    for (const chunk of targets.chunks()) {
      const items = await itemHeads(db, chunk)
      targets.answer.affect(items)
      await targets.answer.differ(items, async (shown) => {
        const ids = shown.map(({ id }) => id)
        const valuesOf = await valuesByTag(db, ids)
        return ids.map((item) => ({ item, before: valuesOf(item), after: null }))
      })
      if (dry_run) continue
      await softDeleteItems(db, chunk, now)
      await appendEvents(db, context, items.map(itemDeleted))
    }
    return targets.reply()
  },
})
