import type { SqlCall } from '#src/engine/engine.ts'

/** How many of the changes that wait share a transaction: one that may be long has its own (decision 45). */
export function callsTogether(waiting: readonly Pick<SqlCall, 'alone'>[], most: number): number {
  const alone = waiting.findIndex((call) => call.alone)
  return alone < 0 ? most : Math.max(Math.min(alone, most), 1)
}
