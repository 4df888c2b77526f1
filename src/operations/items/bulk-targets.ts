import { badRequest, type ServiceError } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { BulkAnswer } from '#src/operations/items/bulk-answer.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

/** Items that are read and changed at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000

/** The items that a bulk operation's filter selects, and its answer. */
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
    const { plan, warnings } = await readFilter(filter, tagCatalog(context))
    refuseDoubtful(context, warnings, dry_run)
    const items = await matchingItems(context.db, plan)
    return new BulkTargets(items, warnings, new BulkAnswer(context, dry_run))
  }

  *chunks(): Generator<number[]> {
    for (let at = 0; at < this.items.length; at += CHUNK) yield this.items.slice(at, at + CHUNK)
  }

  reply(more?: object): Promise<Reply> {
    return this.answer.reply(this.items.length, this.warnings, more)
  }
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
