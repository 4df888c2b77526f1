import { Type } from 'typebox'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readsOwnItem } from '#src/filter/meaning/reads-own-item.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import type { FoundTargets } from '#src/operations/items/bulk-plan.ts'
import { refuseDoubtful } from '#src/operations/items/bulk-targets.ts'
import { checkAllFound } from '#src/operations/items/check-all-found.ts'
import { DeletedFilter, deletedPlan } from '#src/operations/items/deleted-query.ts'
import { itemRestored } from '#src/operations/items/item-events.ts'
import { reviveItems } from '#src/operations/items/revive-items.ts'
import { valuesByTag } from '#src/operations/items/values-by-tag.ts'
import { defineOperation, type SqlContext } from '#src/operations/operation.ts'
import { outOfDate } from '#src/operations/run-planned.ts'
import { BulkResult, DryRun, Ids, TimeZone } from '#src/operations/schemas.ts'
import type { Db } from '#src/sql/query.ts'
import { appendEvents } from '#src/storage/audit-log.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { deletedItems } from '#src/storage/items/deleted-items.ts'
import { itemRows } from '#src/storage/items/items.ts'
import { findDeleted } from '#src/storage/trash/find-deleted.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'

/** What was found in less time than this is found again rather than on the reader. */
const QUICK_MS = 100
/** More events than these since then, and it is found again. */
const MAX_SINCE = 10_000
/** Items that come back at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000

export const bulkRestore = defineOperation({
  name: 'bulkRestore',
  summary: 'Restore deleted items, with the tags that they still have.',
  description: 'Takes exactly one of `item_ids` and `filter`.',
  access: 'user',
  effect: 'write',
  long: true,
  rest: 'POST /api/items/restore',
  tool: 'bulk_restore_items',
  input: Type.Object(
    {
      item_ids: Type.Optional(Ids('These')),
      filter: Type.Optional(DeletedFilter),
      dry_run: Type.Optional(DryRun),
      time_zone: Type.Optional(TimeZone),
    },
    { additionalProperties: false },
  ),
  output: BulkResult,
  errors: ['NotFound'],
  example: { input: { filter: { has_tag: 'Task' }, dry_run: true } },
  plan: async (context, { filter }) =>
    Reply.of(filter === undefined ? {} : await findBeforehand(context, filter)),
  async run(context, { item_ids, filter, dry_run = false }) {
    const { db } = context
    if ((item_ids === undefined) === (filter === undefined))
      throw badRequest('Give exactly one of item_ids and filter', {
        suggestion: 'POST /api/items/deleted/search (list_deleted_items) shows what can be restored',
      })
    const { ids, warnings } = item_ids
      ? { ids: await namedItems(context, item_ids), warnings: [] }
      : await matchingItems(context, filter, dry_run)
    const answer = new BulkAnswer(context, dry_run)
    for (let at = 0; at < ids.length; at += CHUNK) {
      const items = await itemRows(db, ids.slice(at, at + CHUNK))
      answer.affect(items)
      await answer.differ(items, async (shown) => {
        const some = shown.map(({ id }) => id)
        const valuesOf = await valuesByTag(db, some)
        return some.map((item) => ({ item, before: null, after: valuesOf(item) }))
      })
      if (dry_run) continue
      await reviveItems(db, items)
      await appendEvents(db, context, items.map(itemRestored))
    }
    return answer.reply(ids.length, warnings)
  },
})

/** Row ids, oldest first. @throws NotFound */
async function namedItems({ db }: SqlContext, given: readonly string[]): Promise<number[]> {
  const wanted = new Set(given.map((id) => parseUlid(id) ?? id))
  const found = await deletedItems(db, [...wanted])
  checkAllFound([['item_ids', 'item', wanted, new Set(found.map(({ item_id }) => item_id))]], 'restored')
  return found.map(({ id }) => id).sort((a, b) => a - b)
}

/** Read before the writer has its turn: a filter goes through every deleted item. */
async function findBeforehand(context: SqlContext, filter: unknown): Promise<FoundTargets> {
  const { plan, warnings } = await deletedPlan(context, filter)
  refuseDoubtful(context, warnings, false)
  const newest = await newestEvent(context.db)
  const began = performance.now()
  const items = await allDeleted(context.db, plan)
  return { newest, items, ms: performance.now() - began }
}

/** @throws outOfDate where what was found beforehand does not hold any more, and took long */
async function matchingItems(context: SqlContext, filter: unknown, dry_run: boolean) {
  const { plan, warnings } = await deletedPlan(context, filter)
  refuseDoubtful(context, warnings, dry_run)
  const { db, planned } = context
  const found = planned === undefined ? undefined : (JSON.parse(planned) as FoundTargets)
  const ids = found && (await stillMatching(db, plan, found))
  if (found && !ids && found.ms >= QUICK_MS) throw outOfDate()
  return { ids: ids ?? (await allDeleted(db, plan)), warnings }
}

/** undefined where an item that has changed since may have come to match. */
async function stillMatching(
  db: Db,
  plan: FilterPlan,
  { newest, items }: FoundTargets,
): Promise<readonly number[] | undefined> {
  if ((await newestEvent(db)) === newest) return items
  const changed = readsOwnItem(plan) ? await idsChangedSince(db, newest, MAX_SINCE) : undefined
  if (!changed || (await deletedItems(db, [...changed])).length) return undefined
  const rows = new Set((await findRowIds(db, [...changed])).values())
  return items.filter((id) => !rows.has(id))
}

async function allDeleted(db: Db, plan: FilterPlan): Promise<number[]> {
  const ids: number[] = []
  for await (const page of findDeleted(db, plan, {})) for (const { id } of page) ids.push(id)
  return ids.sort((a, b) => a - b)
}
