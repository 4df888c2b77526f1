import type { SqlCall } from '#src/engine/engine.ts'
import type { Db } from '#src/sql/query.ts'

/** A connection whose transactions its owner begins and ends. */
export interface Transactional extends Db {
  /** Runs SQL text without parameters, e.g. COMMIT. */
  exec(text: string): void | Promise<void>
  rollback(): void | Promise<void>
}

/**
 * All of the work in one transaction, or nothing of it; `begin` is the engine's statement, or what begins one. What
 * `commits` refuses is rolled back.
 */
export async function withinTransaction<T>(
  db: Transactional,
  begin: string | (() => Promise<void>),
  work: () => Promise<T>,
  commits: (result: T) => boolean = () => true,
): Promise<T> {
  await (typeof begin === 'string' ? db.exec(begin) : begin())
  try {
    const result = await work()
    await (commits(result) ? db.exec('COMMIT') : db.rollback())
    return result
  } catch (error) {
    // Where the engine has rolled back by itself, or the connection is gone, there is nothing left to take back.
    await Promise.resolve()
      .then(() => db.rollback())
      .catch(() => {})
    throw error
  }
}

/** For a read, which makes none. */
export function noIds(): never {
  throw new Error('a read makes no ids')
}

/** How many of the changes that wait share a transaction: one that may be long has its own (decision 45). */
export function callsTogether(waiting: readonly Pick<SqlCall, 'alone'>[], most: number): number {
  const alone = waiting.findIndex((call) => call.alone)
  return alone < 0 ? most : Math.max(Math.min(alone, most), 1)
}
