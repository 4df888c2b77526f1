import { badRequest, type ServiceError } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { SqlContext } from '#src/operations/operation.ts'
import { matchingItems } from '#src/storage/search/matching-items.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

/** Items that are read and changed at once: memory stays bounded, and a statement serves many items. */
const CHUNK = 5000

/** The items that a bulk operation's filter selects, and what the operation says in the end. */
export class BulkTargets {
  /** Row ids, oldest first. */
  readonly items: readonly number[]
  private readonly warnings: readonly string[]
  private readonly affected: Ulid[] = []

  private constructor(items: readonly number[], warnings: readonly string[]) {
    this.items = items
    this.warnings = warnings
  }

  /**
   * @throws BadRequest with every fault of the filter; and, but for a dry run, where a tool's filter says what can never
   * match: an agent is easily wrong about what it means (additions §7)
   */
  static async select(context: SqlContext, filter: unknown, dry_run: boolean): Promise<BulkTargets> {
    const { plan, warnings } = await readFilter(filter, tagCatalog(context))
    if (warnings.length && !dry_run && context.caller.source !== 'rest') throw doubtful(warnings)
    return new BulkTargets(await matchingItems(context.db, plan), warnings)
  }

  *chunks(): Generator<number[]> {
    for (let at = 0; at < this.items.length; at += CHUNK) yield this.items.slice(at, at + CHUNK)
  }

  affect(items: readonly { item_id: Ulid }[]): void {
    for (const { item_id } of items) this.affected.push(item_id)
  }

  reply(dry_run: boolean, more: object = {}): Reply {
    const { warnings } = this
    return Reply.of(
      {
        matched_count: this.items.length,
        affected_count: this.affected.length,
        affected_ids: this.affected,
        dry_run,
        ...more,
        ...(warnings.length && { warnings: [...warnings] }),
      },
      warnings.length ? { warnings: [...warnings] } : undefined,
    )
  }
}

const doubtful = (warnings: readonly string[]): ServiceError =>
  badRequest(`The filter has warnings, so nothing was changed: ${warnings.join('. ')}`, {
    suggestion: 'Correct the filter, or look with dry_run at what it finds',
    details: { warnings: [...warnings] },
  })
