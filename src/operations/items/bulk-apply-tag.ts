import { Type } from 'typebox'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { invalid, type Problem } from '#src/domain/errors.ts'
import type { FlatFields } from '#src/domain/field-schema.ts'
import type { FieldValues } from '#src/domain/field-values.ts'
import { type AcceptedValues, acceptValues } from '#src/operations/items/accept-values.ts'
import { writeBulkAhead } from '#src/operations/items/bulk-ahead.ts'
import type { BulkWork } from '#src/operations/items/bulk-plan.ts'
import { BulkTargets, targetPlan } from '#src/operations/items/bulk-targets.ts'
import { tagApplied } from '#src/operations/items/item-events.ts'
import { readTagRef, schemaOf, storedTag } from '#src/operations/items/resolve-tag-ref.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { BulkApplyResult } from '#src/operations/schemas/answers.ts'
import { bulkOptions, ItemFilter, type TagRef, TagToApply, TimeZone } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { fieldRowsWith, type IndexedTag } from '#src/storage/value-index/fields.ts'
import { indexAppliedToMany } from '#src/storage/value-index/field-values.ts'
import { applyTagToMany, itemsWithoutTag } from '#src/storage/items/item-tags.ts'
import { itemHeads, touchItems } from '#src/storage/items/items.ts'
import { type ReservedTag, reserveTag } from '#src/storage/tags/insert-tag.ts'
import type { StoredTag } from '#src/storage/tags/tags.ts'

export const bulkApplyTag = defineOperation({
  name: 'bulkApplyTag',
  summary: 'Apply a tag, existing or new, to all items that satisfy a filter and lack it.',
  description: 'Items that have the tag already are matched but not affected: their values stay.',
  access: 'user',
  in_part: true,
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-apply-tag',
  tool: 'bulk_apply_tag',
  input: Type.Object(
    {
      filter: ItemFilter,
      tag: TagToApply,
      ...bulkOptions,
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
  async plan(context, { filter, tag: { tag_ref, field_values = {} } }) {
    return BulkTargets.plan(context, filter, async (targets) => {
      const { referred, accepted } = await readGiven(context, tag_ref, field_values)
      if ('tag' in referred) return application(targets, accepted, referred.tag, false)
      const schema = schemaOf(referred)
      const makes = await reserveTag(context.db, schema, context.now)
      const tag = makes ? appliedTag(referred.toAdd.name, schema, makes) : null
      return { ...application(targets, accepted, tag, tag === null), makes, recordable: tag !== null }
    })
  },
  ahead: (context, { filter }) => writeBulkAhead(context, () => targetPlan(context, filter)),
  async run(context, { filter, tag: { tag_ref, field_values = {} }, dry_run = false }) {
    const targets = await BulkTargets.select(context, filter, dry_run)
    if (targets === 'overtaken') return rolledBack(targets)
    const { referred, accepted } = await readGiven(context, tag_ref, field_values)
    const known = 'tag' in referred ? referred.tag : null
    const tag = dry_run ? known : await storedTag(context, referred, targets.makes)
    await targets.carryOut(context, application(targets, accepted, tag, dry_run))
    return targets.reply({ tag_id: tag?.tag_id ?? null })
  },
})

/** @throws BadRequest, NotFound, Conflict with what is wrong with the tag or its values */
async function readGiven(context: SqlContext, tag_ref: TagRef, field_values: FieldValues) {
  const problems: Problem[] = []
  const referred = await readTagRef(context, tag_ref, 'tag.tag_ref', problems)
  if (!referred) throw invalid(problems)
  const accepted = await acceptValues(context, [
    {
      tag: 'tag' in referred ? referred.tag : { schema: schemaOf(referred) },
      given: field_values,
      path: 'tag.field_values',
    },
  ])
  return { referred, accepted }
}

/** What is applied of a tag. */
type AppliedTag = IndexedTag & Pick<StoredTag, 'tag_id' | 'name' | 'schema_version'>

/** The tag that is still to be made with these ids. */
const appliedTag = (name: string, schema: FlatFields, { id, tag_id, fields }: ReservedTag): AppliedTag => ({
  id,
  tag_id,
  name,
  schema_version: 1,
  rows: fieldRowsWith(schema, fields),
})

/** `tag`: null where there is none yet. */
function application(
  { answer }: BulkTargets,
  accepted: AcceptedValues,
  tag: AppliedTag | null,
  dry_run: boolean,
): BulkWork {
  const values = accepted.values[0]!
  const text = JSON.stringify(values)
  return {
    restsOn: [...accepted.targets.keys()],
    recordable: true,
    async carryOut(context, chunk) {
      const { db, now } = context
      const items = await (tag ? itemsWithoutTag(db, tag.id, chunk) : itemHeads(db, chunk))
      answer.affect(items)
      await answer.differ(items, (shown) => shown.map(({ id }) => ({ item: id, before: null, after: text })))
      if (dry_run || !tag || !items.length) return
      const ids = items.map(({ id }) => id)
      await applyTagToMany(db, { tag: tag.id, schema_version: tag.schema_version, field_values: text }, ids)
      await indexAppliedToMany(db, tag, values, ids, accepted.targets)
      await touchItems(db, ids, now)
      const events = items.map(({ item_id }) => tagApplied(item_id, tag, text))
      await appendEvents(db, context, events)
    },
  }
}
