import { badRequest, type ServiceError } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { matchingAmong, matchingItems } from '#src/storage/search/matching-items.ts'
import { itemsChangedSince } from '#src/storage/changes/changed-since.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'
import { outOfDate } from '#src/operations/run-planned.ts'
import { readsOwnItem } from '#src/filter/meaning/reads-own-item.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

/** Items that are read and changed at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000
/** What was found in less time than this is found again rather than mended. */
const QUICK_MS = 100
/** More events than these since then, and it is found again on the reader. */
const MAX_SINCE = 10_000

/** What a filter selected at one moment. */
interface FoundTargets {
  /** The newest event of that moment. */
  newest: Ulid | null
  items: readonly number[]
  /** How long it took. */
  ms: number
}

/** The items that a bulk operation's filter selects, and its answer (decision 42). */
export class BulkTargets {
  /** Row ids, oldest first. */
  readonly items: readonly number[]
  private readonly warnings: readonly string[]
  readonly answer: BulkAnswer

  private constructor(items: readonly number[], warnings: readonly string[], answer: BulkAnswer) {
    this.items = items
    this.answer = answer
    this.warnings = warnings
  }

  /**
   * @throws BadRequest with every fault of the filter, and as `refuseDoubtful`
   */
  static async select(context: SqlContext, filter: unknown, dry_run: boolean): Promise<BulkTargets> {
    const { plan, warnings } = await readTargets(context, filter, dry_run)
    const { planned, db } = context
    const items = planned
      ? await bringUpToDate(db, plan, JSON.parse(planned) as FoundTargets)
      : await matchingItems(db, plan)
    return new BulkTargets(items, warnings, new BulkAnswer(context, dry_run))
  }

  /** What `select` needs, read before the writer has its turn. */
  static async find(context: SqlContext, filter: unknown): Promise<FoundTargets> {
    const { plan } = await readTargets(context, filter, false)
    const newest = await newestEvent(context.db)
    const began = performance.now()
    const items = await matchingItems(context.db, plan)
    return { newest, items, ms: performance.now() - began }
  }

  *chunks(): Generator<number[]> {
    for (let at = 0; at < this.items.length; at += CHUNK) yield this.items.slice(at, at + CHUNK)
  }

  reply(more?: object): Promise<Reply> {
    return this.answer.reply(this.items.length, this.warnings, more)
  }
}

async function readTargets(context: SqlContext, filter: unknown, dry_run: boolean) {
  const read = await readFilter(filter, tagCatalog(context))
  refuseDoubtful(context, read.warnings, dry_run)
  return read
}

/**
 * The items that the plan selects now, from those of a moment before: looked at again are those that have changed
 * since. What is true of an item by way of others is found again, if that is quick.
 * @throws outOfDate
 */
async function bringUpToDate(
  db: Db,
  plan: FilterPlan,
  { newest, items, ms }: FoundTargets,
): Promise<readonly number[]> {
  if ((await newestEvent(db)) === newest) return items
  if (ms < QUICK_MS) return matchingItems(db, plan)
  const changed = readsOwnItem(plan) ? await itemsChangedSince(db, newest, MAX_SINCE) : undefined
  if (!changed) throw outOfDate()
  const again = new Set(changed)
  const matching = await matchingAmong(db, plan, changed)
  return [...items.filter((item) => !again.has(item)), ...matching].toSorted((a, b) => a - b)
}

/**
 * @throws BadRequest, but for a dry run, where a tool's filter says what can never match: an agent is easily wrong about
 * what it means (additions §7)
 */
export function refuseDoubtful({ caller }: SqlContext, warnings: readonly string[], dry_run: boolean): void {
  if (warnings.length && !dry_run && caller.source !== 'rest') throw doubtful(warnings)
}

const doubtful = (warnings: readonly string[]): ServiceError =>
  badRequest(`The filter has warnings, so nothing was changed: ${warnings.join('. ')}`, {
    suggestion: 'Correct the filter, or look with dry_run at what it finds',
    details: { warnings: [...warnings] },
  })
