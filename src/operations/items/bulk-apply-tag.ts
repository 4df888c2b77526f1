import { Type } from 'typebox'
import { invalid, type Problem } from '#src/domain/errors.ts'
import { acceptValues } from '#src/operations/items/accept-values.ts'
import { BulkTargets } from '#src/operations/items/bulk-targets.ts'
import { tagApplied } from '#src/operations/items/item-events.ts'
import { readTagRef, schemaOf, storedTag } from '#src/operations/items/resolve-tag-ref.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { BulkApplyResult, DryRun, ItemFilter, TagToApply, TimeZone } from '#src/operations/schemas.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { indexAppliedToMany } from '#src/storage/value-index/field-values.ts'
import { applyTagToMany, itemsWithoutTag } from '#src/storage/items/item-tags.ts'
import { itemHeads, touchItems } from '#src/storage/items/items.ts'

export const bulkApplyTag = defineOperation({
  name: 'bulkApplyTag',
  summary: 'Apply a tag, existing or new, to all items that satisfy a filter and lack it.',
  description: 'Items that have the tag already are matched but not affected: their values stay.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-apply-tag',
  tool: 'bulk_apply_tag',
  input: Type.Object(
    {
      filter: ItemFilter,
      tag: TagToApply,
      dry_run: Type.Optional(DryRun),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: BulkApplyResult,
  errors: ['NotFound', 'Conflict'],
  example: {
    input: {
      filter: { name: { starts_with: 'Buy' } },
      tag: { tag_ref: { Existing: 'Task' }, field_values: { status: { variant: 'open' } } },
      dry_run: true,
    },
  },
  plan: (context, { filter }) => BulkTargets.find(context, filter),
  async run(context, { filter, tag: { tag_ref, field_values = {} }, dry_run = false }) {
    const { db, now } = context
    const targets = await BulkTargets.select(context, filter, dry_run)
    const problems: Problem[] = []
    const referred = await readTagRef(db, tag_ref, 'tag.tag_ref', problems)
    if (!referred) throw invalid(problems)
    const accepted = await acceptValues(db, [
      { schema: schemaOf(referred), given: field_values, path: 'tag.field_values' },
    ])
    const values = accepted.values[0]!
    const text = JSON.stringify(values)
    const gets = ({ id }: { id: number }) => ({ item: id, before: null, after: text })
    if (dry_run) {
      const known = 'tag' in referred ? referred.tag : null
      for (const chunk of targets.chunks()) {
        const items = await (known ? itemsWithoutTag(db, known.id, chunk) : itemHeads(db, chunk))
        targets.answer.affect(items)
        await targets.answer.differ(items, (shown) => shown.map(gets))
      }
      return targets.reply({ tag_id: known?.tag_id ?? null })
    }
    const tag = await storedTag(context, referred)
    for (const chunk of targets.chunks()) {
      const items = await itemsWithoutTag(db, tag.id, chunk)
      if (!items.length) continue
      targets.answer.affect(items)
      await targets.answer.differ(items, (shown) => shown.map(gets))
      const ids = items.map(({ id }) => id)
      await applyTagToMany(db, { tag: tag.id, schema_version: tag.schema_version, field_values: text }, ids)
      await indexAppliedToMany(db, tag, values, ids, accepted.targets)
      await touchItems(db, ids, now)
      await appendEvents(
        db,
        context,
        items.map(({ item_id }) => tagApplied(item_id, tag, text)),
      )
    }
    return targets.reply({ tag_id: tag.tag_id })
  },
})
