import { Type } from 'typebox'
import { readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import { badRequest } from '#src/domain/errors.ts'
import { rolledBack } from '#src/domain/rolled-back.ts'
import { canonicalId } from '#src/domain/ulid.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import { writeBulkAhead } from '#src/operations/items/bulk-ahead.ts'
import { type BulkWork, foundNow, planBulk, QUICK_MS, readBulkPlan } from '#src/operations/items/bulk-plan.ts'
import {
  BulkTargets,
  changedSince,
  type PlannedParts,
  refuseDoubtful,
} from '#src/operations/items/bulk-targets.ts'
import { checkAllFound } from '#src/operations/items/check-all-found.ts'
import {
  type DeletedConditions,
  deletedConditions,
  readDeletedQuery,
} from '#src/operations/items/deleted-query.ts'
import { itemRestored } from '#src/operations/items/item-events.ts'
import { reviveItems } from '#src/operations/items/revive-items.ts'
import { valuesByTag } from '#src/operations/items/values-by-tag.ts'
import { defineOperation, type SqlContext } from '#src/runtime/operation.ts'
import { BulkResult } from '#src/operations/schemas/answers.ts'
import { bulkOptions, Ids, TimeZone } from '#src/operations/schemas/inputs.ts'
import { appendEvents } from '#src/storage/log/audit-log.ts'
import { outOfIndexes } from '#src/storage/large/returning-items.ts'
import { isWrittenAhead } from '#src/storage/large/write-ahead.ts'
import { deletedItems } from '#src/storage/items/deleted-items.ts'
import { itemRows } from '#src/storage/items/items.ts'
import { allDeleted } from '#src/storage/trash/find-deleted.ts'

export const bulkRestore = defineOperation({
  name: 'bulkRestore',
  summary: 'Restore deleted items, with the tags that they still have.',
  description:
    'Takes `item_ids`, or conditions (`filter` and the others), of which everything given must hold.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/restore',
  tool: 'bulk_restore_items',
  input: Type.Object(
    {
      item_ids: Type.Optional(Ids('These')),
      ...deletedConditions,
      ...bulkOptions,
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: BulkResult,
  errors: ['NotFound'],
  example: { input: { filter: { has_tag: 'Task' }, dry_run: true } },
  async plan(context, input) {
    const found = await foundNow(context.db, async () => (await chosenItems(context, input, false)).ids)
    // A caller who may change only a number of items is stopped by the first one too many.
    const missing = context.caller.may_change ? [] : await outOfIndexes(context.db, found.items)
    if (missing.length) return rolledBack('out_of_indexes', missing)
    return planBulk(context, found, async (answer) => restoration(answer, false))
  },
  // Those that are named are looked up in its turn, and it brings them back.
  ahead: async (context, input) =>
    input.item_ids
      ? undefined
      : writeBulkAhead(context, async () => (await readDeletedQuery(context, input)).plan),
  async run(context, { dry_run = false, ...input }) {
    const { planned, change } = context
    const chosen = planned
      ? await change.matching.soon(context.db, () => bringUpToDate(context, input, readBulkPlan(planned)))
      : { ...(await chosenItems(context, input, dry_run)), parts: undefined }
    if (!chosen) return rolledBack('overtaken')
    const { ids, warnings, parts } = chosen
    const targets = new BulkTargets(ids, warnings, new BulkAnswer(context, dry_run), parts)
    await targets.carryOut(context, restoration(targets.answer, dry_run))
    return targets.reply()
  },
})

const restoration = (answer: BulkAnswer, dry_run: boolean): BulkWork => ({
  restsOn: [],
  presence: true,
  recordable: true,
  async carryOut(context, chunk) {
    const { db } = context
    const items = await itemRows(db, chunk)
    answer.affect(items)
    await answer.differ(items, async (shown) => {
      const some = shown.map(({ id }) => id)
      const valuesOf = await valuesByTag(db, some)
      return some.map((item) => ({ item, before: null, after: valuesOf(item) }))
    })
    if (dry_run) return
    await reviveItems(context, items)
    await appendEvents(db, context, items.map(itemRestored))
  },
})

type Chosen = DeletedConditions & { item_ids?: readonly string[] }

/** Row ids, oldest first. @throws BadRequest, NotFound */
async function chosenItems(
  context: SqlContext,
  { item_ids, ...conditions }: Chosen,
  dry_run: boolean,
): Promise<{ ids: number[]; warnings: readonly string[] }> {
  const isByCondition = Object.keys(deletedConditions).some((name) => Object.hasOwn(conditions, name))
  if ((item_ids === undefined) !== isByCondition)
    throw badRequest('Give exactly one of item_ids and filter (or other conditions)', {
      suggestion: 'POST /api/items/deleted/search (list_deleted_items) shows what can be restored',
    })
  return item_ids
    ? { ids: await namedItems(context, item_ids), warnings: [] }
    : matchingItems(context, conditions, dry_run)
}

/** Row ids, oldest first. @throws NotFound */
async function namedItems({ db }: SqlContext, given: readonly string[]): Promise<number[]> {
  const wanted = new Set(given.map(canonicalId))
  const found = await deletedItems(db, [...wanted])
  checkAllFound([['item_ids', 'item', wanted, new Set(found.map(({ item_id }) => item_id))]], 'restored')
  return found.map(({ id }) => id).sort((a, b) => a - b)
}

async function matchingItems(context: SqlContext, conditions: DeletedConditions, dry_run: boolean) {
  const { plan, warnings, wanted } = await readDeletedQuery(context, conditions)
  refuseDoubtful(context, warnings, dry_run)
  const ids = await allDeleted(context.db, plan, wanted)
  return { ids: ids.sort((a, b) => a - b), warnings }
}

/** The items that are chosen now, from those of a moment before: those that have changed since are read again; undefined where that does not do. */
async function bringUpToDate(
  context: SqlContext,
  given: Chosen,
  planned: ReturnType<typeof readBulkPlan>,
): Promise<
  { ids: readonly number[]; warnings: readonly string[]; parts: PlannedParts | undefined } | undefined
> {
  const { db } = context
  const changed = await changedSince(db, planned.newest)
  if (given.item_ids) return { ...(await chosenItems(context, given, false)), parts: undefined }
  const parts = changed && { ...planned, moved: new Set(changed.values()) }
  const { plan, warnings, wanted } = await readDeletedQuery(context, given)
  if (!parts || (changed.size && !readsOwnItem(plan))) {
    if (planned.ms >= QUICK_MS || isWrittenAhead(db)) return undefined
    return { ...(await chosenItems(context, given, false)), parts }
  }
  const still = planned.items.filter((id) => !parts.moved.has(id))
  const again = changed.size ? await allDeleted(db, plan, wanted, [...changed.keys()]) : []
  return { ids: [...still, ...again].sort((a, b) => a - b), warnings, parts }
}
