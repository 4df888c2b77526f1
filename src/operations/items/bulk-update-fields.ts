import { Type } from 'typebox'
import type { Difference } from '#src/operations/items/bulk-answer.ts'
import { BulkTargets } from '#src/operations/items/bulk-targets.ts'
import { BulkValues, type PlannedValues } from '#src/operations/items/bulk-values.ts'
import { checkStates } from '#src/operations/items/check-states.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import type { FieldValues as Values } from '#src/domain/field-values.ts'
import { defineOperation, type SqlContext } from '#src/operations/operation.ts'
import {
  BulkResult,
  DryRun,
  FieldValues,
  IfUpdatedAtOfMany,
  ItemFilter,
  Merge,
  TagIdOrName,
  TimeZone,
} from '#src/operations/schemas.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { indexValuesOfMany, reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'
import { unindexFieldOfMany } from '#src/storage/value-index/unindex.ts'
import { itemsWithTag, replaceItemTags, updateTagOfMany } from '#src/storage/items/item-tags.ts'
import { touchItems } from '#src/storage/items/items.ts'
import { findTag, missingTag, type StoredTag } from '#src/storage/tags/tags.ts'

export const bulkUpdateFields = defineOperation({
  name: 'bulkUpdateFields',
  summary: 'Change the values for a tag on all items that satisfy a filter and have the tag.',
  description:
    'Without `merge` the values are replaced whole: fields left out are cleared. All or nothing: where one item does ' +
    'not take the values, none is changed and the error names it. A value may be taken from elsewhere, item by item: ' +
    '{"from": "Task.project->Project.team"}.',
  tool_description:
    'All or nothing. A value may be taken from elsewhere, item by item: {"from": "Task.project->Project.team"}.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-update-fields',
  tool: 'bulk_update_field_values',
  hints: { destructive: true, idempotent: true },
  input: Type.Object(
    {
      filter: ItemFilter,
      tag_id: TagIdOrName,
      field_values: FieldValues,
      merge: Type.Optional(Merge),
      if_updated_at: Type.Optional(IfUpdatedAtOfMany),
      dry_run: Type.Optional(DryRun),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: BulkResult,
  errors: ['NotFound', 'PreconditionFailed'],
  example: {
    input: {
      filter: { 'Task.due': { lt: '2026-02-01' } },
      tag_id: 'Task',
      field_values: { status: { variant: 'done' } },
      merge: true,
      dry_run: true,
    },
  },
  plan: (context, { filter }) => BulkTargets.find(context, filter),
  async run(context, { filter, tag_id, field_values, merge = false, if_updated_at = {}, dry_run = false }) {
    const { db } = context
    await checkStates(db, if_updated_at)
    const targets = await BulkTargets.select(context, filter, dry_run)
    const tag = await findTag(db, tag_id)
    if (!tag) throw await missingTag(db, tag_id)
    const given = await BulkValues.check(context, tag, field_values, merge)
    await given.prepare(db, targets.items)
    for (const chunk of targets.chunks()) {
      const items = await itemsWithTag(db, tag.id, chunk)
      targets.answer.affect(items)
      const planned = (await given.planAll(db, items)).filter(({ changed }) => changed)
      await targets.answer.differ(planned, (shown) => shown.map(difference))
      if (!dry_run && !given.failed) await store(context, tag, planned, given)
    }
    given.finish()
    return targets.reply()
  },
})

const difference = ({ item: { item, field_values }, after }: PlannedValues): Difference => ({
  item,
  before: field_values,
  after: JSON.stringify(after),
})

async function store(
  context: SqlContext,
  tag: StoredTag,
  planned: readonly PlannedValues[],
  given: BulkValues,
): Promise<void> {
  if (!planned.length) return
  const { db, now } = context
  await storeEntries(context, tag, planned)
  await reindex(context, tag, planned, given)
  await touchItems(db, planned.map(rowId), now)
  await appendEvents(
    db,
    context,
    planned.map(({ item, fields_changed, old_values, new_values }) =>
      tagValuesUpdated(item.item_id, tag, { fields_changed, old_values, new_values }, item.schema_version),
    ),
  )
}

async function storeEntries(
  { db }: SqlContext,
  { id: tag, schema_version }: StoredTag,
  planned: readonly PlannedValues[],
): Promise<void> {
  const single: { item: number; schema_version: number; field_values: string }[] = []
  for (const [field_values, same] of Map.groupBy(planned, ({ after }) => JSON.stringify(after)))
    if (same.length > 1) await updateTagOfMany(db, { tag, schema_version, field_values }, same.map(rowId))
    else single.push({ item: rowId(same[0]!), schema_version, field_values })
  await replaceItemTags(db, tag, single)
}

/** Field by field, where what a field gets is the same on every item that gets something. */
async function reindex(
  { db }: SqlContext,
  tag: StoredTag,
  planned: readonly PlannedValues[],
  { targets, varying }: BulkValues,
): Promise<void> {
  for (const field of new Set(planned.flatMap(({ fields_changed }) => fields_changed)).difference(varying)) {
    const changed = planned.filter(({ fields_changed }) => fields_changed.includes(field))
    const had = changed.filter(({ old_values }) => (old_values[field] ?? null) !== null)
    const gets = changed.filter(({ new_values }) => (new_values[field] ?? null) !== null)
    if (had.length) await unindexFieldOfMany(db, tag, field, had.map(rowId))
    if (gets.length)
      await indexValuesOfMany(db, tag, { [field]: gets[0]!.new_values[field] }, gets.map(rowId), targets)
  }
  if (!varying.size) return
  const only = (values: Values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => varying.has(name)))
  await reindexValuesOfMany(
    db,
    tag,
    planned.map((each) => ({
      item: rowId(each),
      before: only(each.old_values),
      after: only(each.new_values),
    })),
  )
}

const rowId = ({ item }: PlannedValues) => item.item
