import { badRequest, type ServiceError } from '#src/domain/errors.ts'
import { RolledBack } from '#src/domain/rolled-back.ts'
import type { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import {
  type BulkWork,
  type FoundTargets,
  foundNow,
  isLarge,
  planBulk,
  QUICK_MS,
  readBulkPlan,
  type RecordedPart,
} from '#src/operations/items/bulk-plan.ts'
import type { FoundBefore, SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { idsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { restsOnWhatIs, skipRecorded, writeRecorded } from '#src/storage/large/recorded-work.ts'
import { isWrittenAhead } from '#src/storage/large/write-ahead.ts'
import type { ReservedTag } from '#src/storage/tags/insert-tag.ts'
import { rebuildingIndexes } from '#src/storage/large/rebuild-indexes.ts'
import { matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import { withinSight } from '#src/storage/sight/sight.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'

/** Items that are read and changed at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000
/** More events than these since then, and it is found again on the reader. */
const MAX_SINCE = 10_000

/** What was worked out of a change before, and what has moved since. */
export interface PlannedParts {
  /** The items (row ids) of that moment, oldest first, of which each part has the next few. */
  items: readonly number[]
  parts: readonly RecordedPart[]
  makes?: ReservedTag | undefined
  /** What the parts write, in their order. */
  lines: Generator<string, void>
  /** Items whose parts do not hold any more. */
  moved: ReadonlySet<number>
}

/** The items that a bulk operation works on, and its answer (decision 42). */
export class BulkTargets {
  /** Row ids, oldest first. */
  readonly items: readonly number[]
  private readonly warnings: readonly string[]
  readonly answer: BulkAnswer
  private readonly parts: PlannedParts | undefined

  constructor(
    items: readonly number[],
    warnings: readonly string[],
    answer: BulkAnswer,
    parts?: PlannedParts,
  ) {
    this.items = items
    this.answer = answer
    this.warnings = warnings
    this.parts = parts
  }

  /**
   * Those that satisfy a filter; 'overtaken' where they are to be found on a reader again.
   * @throws BadRequest with every fault of the filter, and as `refuseDoubtful`
   */
  static async select(
    context: SqlContext,
    filter: unknown,
    dry_run: boolean,
  ): Promise<BulkTargets | 'overtaken'> {
    const { plan, warnings } = await readTargets(context, filter, dry_run)
    const known = context.planned
      ? await bringUpToDate(context, plan, readBulkPlan(context.planned))
      : await selectNow(context, plan)
    return known
      ? new BulkTargets(known.items, warnings, new BulkAnswer(context, dry_run), known.parts)
      : 'overtaken'
  }

  /** What `select` needs, and what `workOf` is to write, worked out before the writer has its turn. */
  static async plan(
    context: SqlContext,
    filter: unknown,
    workOf: (targets: BulkTargets) => Promise<BulkWork>,
  ): Promise<Reply> {
    const { plan, warnings } = await readTargets(context, filter, false)
    const found =
      (await planAgain(context, plan)) ?? (await foundNow(context.db, () => matchingItems(context.db, plan)))
    return planBulk(context, found, (answer) => workOf(new BulkTargets(found.items, warnings, answer)))
  }

  /** Ids of the tag that the work makes, where what was worked out before speaks of it. */
  get makes(): ReservedTag | undefined {
    return this.parts?.makes
  }

  /** Does the work on all items, with what has been worked out of it before: the result is the same. @throws as `work` does */
  async carryOut(context: SqlContext, work: BulkWork): Promise<void> {
    const { items, parts } = this
    context.change.large = isLarge(items.length)
    const written = this.answer.dry_run || context.scratch ? 0 : items.length
    const rows = { times: work.presence ? 0 : written, presence: work.presence ? written : 0 }
    await rebuildingIndexes(context.db, rows, async () => {
      const done = parts ? await this.carryOutPlanned(context, work, parts) : 0
      await this.workOn(context, work, done, items.length)
    })
    work.finish?.()
  }

  /** Writes the parts that still hold, and works out what is before each of them. @returns up to where that came */
  private async carryOutPlanned(
    context: SqlContext,
    work: BulkWork,
    { items: before, parts, lines, moved }: PlannedParts,
  ): Promise<number> {
    const { items, answer } = this
    let done = 0
    let from = 0
    for (const [place, part] of parts.entries()) {
      const of = before.slice(from, (from += part.items))
      const start = firstFrom(items, of[0]!, done)
      const holds = of.every((item, i) => items[start + i] === item && !moved.has(item))
      if (!holds || !(await restsOnWhatIs(context.db, part))) {
        if (context.db.ahead?.parts.has(place)) throw new RolledBack('overtaken')
        skipRecorded(part, lines)
        continue
      }
      await this.workOn(context, work, done, start)
      await writeRecorded(context.db, context, part, lines, place)
      answer.add(part)
      work.passed?.(part.items)
      done = start + part.items
    }
    return done
  }

  private async workOn(context: SqlContext, work: BulkWork, from: number, end: number): Promise<void> {
    for (let at = from; at < end; at += CHUNK)
      await work.carryOut(context, this.items.slice(at, Math.min(at + CHUNK, end)))
  }

  reply(more?: object): Promise<Reply> {
    return this.answer.reply(this.items.length, this.warnings, more)
  }
}

/** Where the items from that one on begin. */
function firstFrom(items: readonly number[], item: number, from: number): number {
  let low = from
  for (let high = items.length; low < high;) {
    const middle = (low + high) >> 1
    if (items[middle]! < item) low = middle + 1
    else high = middle
  }
  return low
}

/** The filter of a bulk operation as `select` reads it. */
export const targetPlan = async (context: SqlContext, filter: unknown): Promise<FilterPlan> =>
  (await readTargets(context, filter, false)).plan

async function readTargets(context: SqlContext, filter: unknown, dry_run: boolean) {
  const { plan, warnings } = await readFilter(filter, tagCatalog(context))
  refuseDoubtful(context, warnings, dry_run)
  return { plan: withinSight(context.db, plan), warnings }
}

interface Selected {
  items: readonly number[]
  parts?: PlannedParts | undefined
}

/** Without a plan of its own; of a part of a batch with what its filter selected where it was tried out. */
async function selectNow(context: SqlContext, filter: FilterPlan): Promise<Selected | undefined> {
  const { db, change, found, onFound, soon } = context
  const all = () => matchingItems(db, filter)
  if (soon) {
    const items = await change.matching.soon(db, () => (found ? foundAgain(db, filter, found) : all()))
    return items && { items }
  }
  const began = performance.now()
  const items = (found && (await foundAgain(db, filter, found))) ?? (await all())
  // What was slow once stays so, however little there was to find again.
  onFound?.({ items, ms: Math.max(performance.now() - began, found ? QUICK_MS : 0) })
  return { items }
}

/**
 * The items that the plan selects now, from those of a moment before: looked at again are those that have changed
 * since. What is true of an item by way of others is found again. Undefined where others would wait for that too long.
 */
async function bringUpToDate(
  { db, change }: SqlContext,
  filter: FilterPlan,
  planned: ReadPlan,
): Promise<Selected | undefined> {
  const { newest, items, ms } = planned
  if ((await newestEvent(db)) === newest) return { items, parts: { ...planned, moved: new Set() } }
  const isQuick = ms < QUICK_MS && !isWrittenAhead(db)
  const changed = isQuick && !planned.parts.length ? undefined : await changedSince(db, newest)
  const parts = changed && partsBeside(changed, planned)
  if (!isQuick && !changed) return undefined
  const find = () =>
    isQuick ? matchingItems(db, filter) : foundAgain(db, filter, { items, changed: changed! })
  const now = await change.matching.soon(db, find)
  return now && { items: now, parts }
}

/** What is to be planned once more, because it was overtaken: by way of what has changed since, beside the writer. */
async function planAgain({ db, planned }: SqlContext, filter: FilterPlan): Promise<FoundTargets | undefined> {
  if (!planned) return undefined
  const { newest, items, ms } = readBulkPlan(planned)
  const changed = ms < QUICK_MS ? undefined : await changedSince(db, newest)
  if (!changed) return undefined
  const again = await foundNow(db, () => foundAgain(db, filter, { items, changed }))
  return again.items && { ...again, items: again.items, ms: Math.max(ms, again.ms) }
}

/** What was selected before, and what others have changed since once more; undefined where that may decide of other items. */
async function foundAgain(
  db: Db,
  filter: FilterPlan,
  { items, changed }: FoundBefore,
): Promise<readonly number[] | undefined> {
  if (!changed.size) return items
  if (!readsOwnItem(filter)) return undefined
  const again = new Set(changed.values())
  const matching = await matchingAmong(db, filter, [...again])
  return [...items.filter((item) => !again.has(item)), ...matching].toSorted((a, b) => a - b)
}

type ReadPlan = ReturnType<typeof readBulkPlan>

const partsBeside = (changed: ReadonlyMap<Ulid, number>, planned: ReadPlan): PlannedParts | undefined =>
  planned.restsOn.some((id) => changed.has(id)) ? undefined : { ...planned, moved: new Set(changed.values()) }

/** Items that have changed since an event, by id, with their row ids; undefined where anything may be different. */
export async function changedSince(db: Db, newest: Ulid | null): Promise<Map<Ulid, number> | undefined> {
  const ids = await idsChangedSince(db, newest, MAX_SINCE)
  return ids && findRowIds(db, [...ids])
}

/**
 * @throws BadRequest, but for a dry run, where a tool's filter says what can never match: an agent is easily wrong about
 * what it means (additions §7)
 */
export function refuseDoubtful(
  { caller, allow_warnings = false }: SqlContext,
  warnings: readonly string[],
  dry_run: boolean,
): void {
  if (warnings.length && !dry_run && !allow_warnings && caller.source !== 'rest') throw doubtful(warnings)
}

const doubtful = (warnings: readonly string[]): ServiceError =>
  badRequest(`The filter has warnings, so nothing was changed: ${warnings.join('. ')}`, {
    suggestion:
      'Correct the filter, or look with dry_run at what it finds; where it means just that, give allow_warnings: true',
    details: { warnings: [...warnings] },
  })
