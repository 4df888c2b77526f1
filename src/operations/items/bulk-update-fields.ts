import { Type } from 'typebox'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { type FieldValues as Values, valueOf } from '#src/domain/field-values.ts'
import { bulkPreconditionFailed, stateAt } from '#src/domain/precondition.ts'
import { canonicalId } from '#src/domain/ulid.ts'
import type { Difference } from '#src/operations/items/bulk-answer.ts'
import { writeBulkAhead } from '#src/operations/items/bulk-ahead.ts'
import type { BulkWork } from '#src/operations/items/bulk-plan.ts'
import { BulkTargets, targetPlan } from '#src/operations/items/bulk-targets.ts'
import { BulkValues, type PlannedValues } from '#src/operations/items/bulk-values.ts'
import { tagValuesUpdated } from '#src/operations/items/item-events.ts'
import { BulkResult } from '#src/operations/schemas/answers.ts'
import {
  bulkOptions,
  FieldValues,
  IfUpdatedAtOfMany,
  ItemFilter,
  Merge,
  TagIdOrName,
  TimeZone,
} from '#src/operations/schemas/inputs.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { itemJson } from '#src/storage/items/item-json.ts'
import {
  itemsWithTag,
  type ItemWithTag,
  replaceItemTags,
  updateTagOfMany,
} from '#src/storage/items/item-tags.ts'
import { statesOf, touchItems } from '#src/storage/items/items.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { liveTag, type StoredTag } from '#src/storage/tags/tags.ts'
import { reindexFieldOfMany, reindexValuesOfMany } from '#src/storage/value-index/field-values.ts'

/** Items that a refusal shows as they are now. */
const MAX_SHOWN = 100

/**
 * Refuses a change of many items that was meant for other states than they have: by item id, their `updated_at`.
 * @throws PreconditionFailed with the items that differ
 */
async function checkStates(db: Db, wanted: Readonly<Record<string, string>>): Promise<void> {
  const given = Object.entries(wanted).map(([id, time]) => ({
    item_id: canonicalId(id),
    state: stateAt(time),
  }))
  const states = await statesOf(
    db,
    given.map(({ item_id }) => item_id),
  )
  const differing = given.filter(({ item_id, state }) => states.get(item_id) !== state)
  if (!differing.length) return
  const current: Record<string, unknown> = {}
  for (const { item_id } of differing.slice(0, MAX_SHOWN))
    current[item_id] = states.has(item_id) ? JSON.parse(await itemJson(db, item_id)) : null
  throw bulkPreconditionFailed(differing.length, current)
}

export const bulkUpdateFields = defineOperation({
  name: 'bulkUpdateFields',
  summary: 'Change the values for a tag on all items that satisfy a filter and have the tag.',
  description:
    'Without `merge` the values are replaced whole: fields left out are cleared. All or nothing: where one item does ' +
    'not take the values, none is changed and the error names it. A value may be taken from elsewhere, item by item: ' +
    '{"from": "Task.project->Project.team"}, or from the first of several paths that leads to a value, ' +
    '{"from": [...], "else": ..., "as": "number" | "text" | "date"}: `else` where none does, `as` converts ' +
    '("16 GB" is 16, a moment its day in `time_zone`). Deleted items are no value.',
  tool_description:
    'All or nothing. A value may be {"from": "Task.project->Project.team"} (or [paths]: the first that leads to a value), with "else" and "as": "number" ("16 GB" → 16), "text" or "date".',
  access: 'user',
  in_part: true,
  effect: 'write',
  long: true,
  rest: 'POST /api/items/bulk-update-fields',
  tool: 'bulk_update_field_values',
  hints: { destructive: true },
  input: Type.Object(
    {
      filter: ItemFilter,
      tag_id: TagIdOrName,
      field_values: FieldValues,
      merge: Type.Optional(Merge),
      if_updated_at: Type.Optional(IfUpdatedAtOfMany),
      ...bulkOptions,
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
  async plan(context, { filter, tag_id, field_values, merge = false, if_updated_at = {} }) {
    await checkStates(context.db, if_updated_at)
    return BulkTargets.plan(context, filter, async (targets) => {
      const { tag, given } = await readGiven(context, targets, { tag_id, field_values, merge })
      return update(targets, tag, given, false)
    })
  },
  // States that a change is meant for are read in its turn, and it gives them others.
  ahead: async (context, { filter, if_updated_at = {} }) =>
    Object.keys(if_updated_at).length
      ? undefined
      : writeBulkAhead(context, () => targetPlan(context, filter)),
  async run(context, { filter, tag_id, field_values, merge = false, if_updated_at = {}, dry_run = false }) {
    await checkStates(context.db, if_updated_at)
    const targets = await BulkTargets.select(context, filter, dry_run)
    if (targets === 'overtaken') return rolledBack(targets)
    const { tag, given } = await readGiven(context, targets, { tag_id, field_values, merge })
    await targets.carryOut(context, update(targets, tag, given, dry_run))
    return targets.reply()
  },
})

interface Given {
  tag_id: string
  field_values: Values
  merge: boolean
}

/** @throws NotFound, and as `BulkValues.check` */
async function readGiven(
  context: SqlContext,
  { items }: BulkTargets,
  { tag_id, field_values, merge }: Given,
): Promise<{ tag: StoredTag; given: BulkValues }> {
  const tag = await liveTag(context.db, tag_id)
  const given = await BulkValues.check(context, items, { tag, given: field_values, merge })
  return { tag, given }
}

const update = ({ answer }: BulkTargets, tag: StoredTag, given: BulkValues, dry_run: boolean): BulkWork => ({
  restsOn: [...given.targets.keys()],
  recordable: given.standAlone,
  async carryOut(context, chunk) {
    const items = await itemsWithTag(context.db, tag.id, chunk)
    answer.affect(items)
    const planned = (await given.planAll(context.db, items)).filter(({ changed }) => changed)
    await answer.differ(planned, (shown) => shown.map(difference))
    if (!dry_run && !given.failed) await store(context, tag, planned, given)
  },
  passed: (items) => given.pass(items),
  finish: () => given.finish(),
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
  const single: (ItemWithTag & { old_schema_version: number })[] = []
  for (const [field_values, same] of Map.groupBy(planned, ({ after }) => JSON.stringify(after))) {
    const stays = same.every(({ item }) => item.schema_version === schema_version)
    if (same.length > 1)
      await updateTagOfMany(db, { tag, schema_version, field_values, stays }, same.map(rowId))
    else {
      const [{ item }] = same as [PlannedValues]
      single.push({ ...item, schema_version, old_schema_version: item.schema_version, field_values })
    }
  }
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
    const had = changed.filter(({ old_values }) => valueOf(old_values, field) !== null).map(rowId)
    const gets = changed.filter(({ new_values }) => valueOf(new_values, field) !== null)
    const value = gets[0] && valueOf(gets[0].new_values, field)
    await reindexFieldOfMany(db, tag, [field, value], { had, gets: gets.map(rowId) }, targets)
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
