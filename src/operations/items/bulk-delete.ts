import { Type } from 'typebox'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { writeBulkAhead } from '#src/operations/items/bulk-ahead.ts'
import type { BulkWork } from '#src/operations/items/bulk-plan.ts'
import { BulkTargets, targetPlan } from '#src/operations/items/bulk-targets.ts'
import { itemDeleted } from '#src/operations/items/item-events.ts'
import { valuesByTag } from '#src/operations/items/values-by-tag.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { BulkResult } from '#src/operations/schemas/answers.ts'
import { bulkOptions, ItemFilter, TimeZone } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { itemHeads, softDeleteItems } from '#src/storage/items/items.ts'

export const bulkDelete = defineOperation({
  name: 'bulkDelete',
  summary: 'Delete all items that satisfy a filter; each can be restored until it is purged.',
  access: 'user',
  in_part: true,
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-delete',
  tool: 'bulk_delete_items',
  hints: { destructive: true },
  input: Type.Object(
    { filter: ItemFilter, ...bulkOptions, time_zone: Type.Optional(TimeZone) },
    { additionalProperties: false },
  ),
  output: BulkResult,
  example: { input: { filter: { has_tag: 'Task' }, dry_run: true } },
  plan: (context, { filter }) =>
    BulkTargets.plan(context, filter, async (targets) => deletion(targets, false)),
  ahead: (context, { filter }) => writeBulkAhead(context, () => targetPlan(context, filter)),
  async run(context, { filter, dry_run = false }) {
    const targets = await BulkTargets.select(context, filter, dry_run)
    if (targets === 'overtaken') return rolledBack(targets)
    await targets.carryOut(context, deletion(targets, dry_run))
    return targets.reply()
  },
})

const deletion = ({ answer }: BulkTargets, dry_run: boolean): BulkWork => ({
  restsOn: [],
  presence: true,
  recordable: true,
  async carryOut(context, chunk) {
    const { db, now, change, recorder } = context
    const items = await itemHeads(db, chunk)
    answer.affect(items)
    await answer.differ(items, async (shown) => {
      const ids = shown.map(({ id }) => id)
      const valuesOf = await valuesByTag(db, ids)
      return ids.map((item) => ({ item, before: valuesOf(item), after: null }))
    })
    if (dry_run) return
    await softDeleteItems(db, chunk, now, change.large || recorder !== undefined)
    await appendEvents(db, context, items.map(itemDeleted))
  },
})
