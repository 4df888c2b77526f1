import { unavailable } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { type TimeToLook, wholeOf } from '#src/storage/sight/sight.ts'

/**
 * Milliseconds for which one change may look whether its items satisfy filters that accounts gave, while others wait for
 * it: a limit's, a view's.
 */
const MOST_MS = 300
/** … and to find out what a limit shows, where that is looked up for each call. */
const MOST_FOR_SIGHT_MS = 1000
/** How long some items are to take, before the clock is looked at. */
const SOME_MS = 50
const MOST_ITEMS = 1000

const tookTooLong = () =>
  unavailable(
    'To look whether the items satisfy a filter takes so long that everybody else would have to wait: nothing was changed',
    {
      suggestion:
        'Change fewer items at once, or give the limit of the key or app, or the view, a filter without patterns over long texts',
    },
  )

/** A change may look for longer than that while it takes as long for the rest: a busy machine slows both down. */
const SHARE = 1 / 2

/** What a change has of that time; it begins when this is made. */
export class MatchingTime implements TimeToLook {
  private readonly since = performance.now()
  private spent = 0
  /** Made where it is thrown: an error writes down its stack, which costs more than all the rest of a short read here. */
  private fault: Error | undefined

  async among(
    db: Db,
    items: readonly number[],
    look: (some: readonly number[]) => Promise<Iterable<number>>,
  ): Promise<Set<number>> {
    const found = new Set<number>()
    for (let at = 0, size = 1; at < items.length;) {
      const some = items.slice(at, (at += size))
      await connectionOf(db).settled?.() // what was sent before is no part of the look
      const began = performance.now()
      for (const id of await this.within(db, began, () => look(some))) found.add(id)
      const took = performance.now() - began
      this.spent += took
      size = Math.min(Math.max(1, Math.floor((size * SOME_MS) / took)), 10 * size, MOST_ITEMS)
    }
    return found
  }

  /** What `work` finds out by such a look, in whichever way; undefined where there is not the time for it. */
  async soon<Result>(db: Db, work: () => Promise<Result>): Promise<Result | undefined> {
    const began = performance.now()
    const spent = this.spent
    try {
      return await this.within(db, began, work)
    } catch (error) {
      if (error === this.fault) return undefined
      throw error
    } finally {
      this.spent = spent + performance.now() - began
    }
  }

  private within<Result>(db: Db, began: number, work: () => Promise<Result>): Promise<Result> {
    const isOver = (now: number) => {
      const spent = this.spent + now - began
      return spent > MOST_MS && spent > (now - this.since) * SHARE
    }
    return endingWhere(db, work, { isOver, fault: () => (this.fault ??= tookTooLong()) })
  }
}

/** What a limit shows, while others wait. @throws ServiceUnavailable where it takes too long */
export function findingSight<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  const end = performance.now() + MOST_FOR_SIGHT_MS
  return endingWhere(db, work, { isOver: (now) => now > end, fault: tookTooLong })
}

/** As the engines have it. */
interface Connection extends Db {
  throwIfEnded?: () => void
  settled?(): Promise<void>
}
const connectionOf = (db: Db) => wholeOf(db) as Connection

/** Throws where the call that the connection works for has ended. */
export const throwIfEnded = (db: Db): void => connectionOf(db).throwIfEnded?.()

/** On SQLite a statement looks at the clock itself; on PostgreSQL it is looked at before each. */
export async function endingWhere<Result>(
  db: Db,
  work: () => Promise<Result>,
  { isOver, fault }: { isOver: (now: number) => boolean; fault: () => Error },
): Promise<Result> {
  const connection = connectionOf(db)
  const { throwIfEnded: endedBefore = () => {} } = connection
  connection.throwIfEnded = () => {
    endedBefore()
    if (isOver(performance.now())) throw fault()
  }
  try {
    connection.throwIfEnded()
    return await work()
  } finally {
    connection.throwIfEnded = endedBefore
  }
}
