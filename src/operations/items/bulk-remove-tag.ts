import { Type } from 'typebox'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { writeBulkAhead } from '#src/operations/items/bulk-ahead.ts'
import type { BulkWork } from '#src/operations/items/bulk-plan.ts'
import { BulkTargets, targetPlan } from '#src/operations/items/bulk-targets.ts'
import { tagRemoved } from '#src/operations/items/item-events.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { BulkResult } from '#src/operations/schemas/answers.ts'
import { bulkOptions, ItemFilter, TagIdOrName, TimeZone } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { unindexTag } from '#src/storage/value-index/unindex.ts'
import { itemsWithTag, removeItemTags } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { liveTag, type StoredTag } from '#src/storage/tags/tags.ts'

export const bulkRemoveTag = defineOperation({
  name: 'bulkRemoveTag',
  summary: 'Take a tag off all items that satisfy a filter and have it; their values for it are dropped.',
  access: 'user',
  in_part: true,
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-remove-tag',
  tool: 'bulk_remove_tag',
  hints: { destructive: true },
  input: Type.Object(
    {
      filter: ItemFilter,
      tag_id: TagIdOrName,
      ...bulkOptions,
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: BulkResult,
  errors: ['NotFound'],
  example: {
    input: { filter: { 'Task.status': { eq: 'done' } }, tag_id: 'Task', dry_run: true },
  },
  plan: (context, { filter, tag_id }) =>
    BulkTargets.plan(context, filter, async (targets) =>
      removal(targets, await liveTag(context.db, tag_id), false),
    ),
  ahead: (context, { filter }) => writeBulkAhead(context, () => targetPlan(context, filter)),
  async run(context, { filter, tag_id, dry_run = false }) {
    const targets = await BulkTargets.select(context, filter, dry_run)
    if (targets === 'overtaken') return rolledBack(targets)
    await targets.carryOut(context, removal(targets, await liveTag(context.db, tag_id), dry_run))
    return targets.reply()
  },
})

const removal = ({ answer }: BulkTargets, tag: StoredTag, dry_run: boolean): BulkWork => ({
  restsOn: [],
  recordable: true,
  async carryOut(context, chunk) {
    const { db, now } = context
    const items = await itemsWithTag(db, tag.id, chunk)
    answer.affect(items)
    await answer.differ(items, (shown) =>
      shown.map(({ item, field_values }) => ({ item, before: field_values, after: null })),
    )
    if (dry_run || !items.length) return
    const ids = items.map(({ item }) => item)
    await unindexTag(db, tag, ids)
    await removeItemTags(db, tag.id, ids)
    await touchItems(db, ids, now)
    const events = items.map(({ item_id, field_values, schema_version }) =>
      tagRemoved(item_id, tag, field_values, { old_schema_version: schema_version }),
    )
    await appendEvents(db, context, events)
  },
})
