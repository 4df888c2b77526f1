import type { Ulid } from '#src/domain/ulid.ts'
import { QUICK_MS } from '#src/operations/items/bulk-plan.ts'
import { changedSince } from '#src/operations/items/bulk-targets.ts'
import type { FoundBefore, SqlContext } from '#src/runtime/operation.ts'
import { type Db, query } from '#src/sql/query.ts'
import { newestEvent } from '#src/storage/changes/past-events.ts'

/** What the slow filters of a batch select, found where it was tried out. */
interface BatchPlan {
  /** The newest event of that moment. */
  newest: Ulid | null
  /** Row ids by the number of the part; those that it leaves out are found in the transaction. */
  found: Record<number, readonly number[]>
}

const lastItem = query((_: object, sql) => sql.selectFrom('item').select(({ fn }) => fn.max('id').as('last')))

/** Takes what the filters of a batch select while it is tried out. */
export class BatchPlanning {
  readonly plan: BatchPlan
  /** The last item that there was before: what the batch makes itself gets other row ids when it is carried out. */
  private readonly last: number

  private constructor(newest: Ulid | null, last: number) {
    this.plan = { newest, found: {} }
    this.last = last
  }

  static async begin(db: Db): Promise<BatchPlanning> {
    return new BatchPlanning(await newestEvent(db), (await db.get(lastItem, {}))?.last ?? 0)
  }

  /** Oldest come first, so the last one says whether any was made by the batch. */
  taker(part: number): NonNullable<SqlContext['onFound']> {
    return ({ items, ms }) => {
      if (ms >= QUICK_MS && (items.at(-1) ?? 0) <= this.last) this.plan.found[part] = items
    }
  }
}

/** What was found for a part, with what others have changed since; undefined where that is too much. */
export async function readBatchPlan(
  db: Db,
  planned: string,
): Promise<((part: number) => FoundBefore | undefined) | undefined> {
  const { newest, found } = JSON.parse(planned) as BatchPlan
  if (!Object.keys(found).length) return () => undefined
  const changed = await changedSince(db, newest)
  return changed && ((part) => found[part] && { items: found[part], changed })
}
