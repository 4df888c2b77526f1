import { unavailable } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { wholeOf } from '#src/storage/sight/sight.ts'

/**
 * Milliseconds for which one change may look whether its items satisfy filters that accounts gave, while others wait for
 * it: a limit's, a view's.
 */
const MOST_MS = 300
/** How long some items are to take, before the clock is looked at. */
const SOME_MS = 50
const MOST_ITEMS = 1000

const tookTooLong = () =>
  unavailable(
    `To look whether the items satisfy a filter takes longer than ${MOST_MS / 1000} s, for which everybody else would wait: nothing was changed`,
    {
      suggestion:
        'Change fewer items at once, or give the limit of the key or app, or the view, a filter without patterns over long texts',
    },
  )

/** What a change has of that time. */
export class MatchingTime {
  private spent = 0

  /** Those of the items (row ids) that `look` finds among some of them. @throws ServiceUnavailable when the time is over */
  async among(
    db: Db,
    items: readonly number[],
    look: (some: readonly number[]) => Promise<Iterable<number>>,
  ): Promise<Set<number>> {
    const found = new Set<number>()
    for (let at = 0, size = 1; at < items.length;) {
      const some = items.slice(at, (at += size))
      const began = performance.now()
      for (const id of await endingAfter(db, MOST_MS - this.spent, () => look(some))) found.add(id)
      const took = performance.now() - began
      this.spent += took
      size = Math.min(Math.max(1, Math.floor((size * SOME_MS) / took)), 10 * size, MOST_ITEMS)
    }
    return found
  }
}

/** On SQLite a statement looks at the clock itself; on PostgreSQL it is looked at before each. */
async function endingAfter<Result>(db: Db, ms: number, work: () => Promise<Result>): Promise<Result> {
  const connection = wholeOf(db) as Db & { look?: () => void }
  const { look = () => {} } = connection
  const end = performance.now() + ms
  connection.look = () => {
    look()
    if (performance.now() > end) throw tookTooLong()
  }
  try {
    connection.look()
    return await work()
  } finally {
    connection.look = look
  }
}
