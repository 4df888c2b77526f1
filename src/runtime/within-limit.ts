import { forbidden, ServiceError } from '#src/domain/errors.ts'
import { type Reply, toReply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Db } from '#src/sql/query.ts'
import { seenAmong } from '#src/storage/sight/seen-items.ts'
import { wholeOf } from '#src/storage/sight/sight.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'

/** Items that a refusal names. */
const MAX_NAMED = 20

/**
 * Runs a write of somebody who sees a part: what lives after it, and was changed by it, has to be in that part.
 * @throws Forbidden, which takes all of it back
 */
export async function withinLimit(db: Db, run: (changed: Set<string>) => Promise<unknown>): Promise<Reply> {
  const changed = new Set<string>()
  try {
    const reply = toReply(await run(changed))
    if (rollbackReason(reply)) return reply
    await checkSeen(db, changed)
    return reply
  } catch (error) {
    // What it could not answer, because it had put it out of sight itself.
    if (error instanceof ServiceError && error.code === 'NotFound') await checkSeen(db, changed)
    throw error
  }
}

async function checkSeen(db: Db, changed: ReadonlySet<string>): Promise<void> {
  const targets = await findTargets(wholeOf(db), changed)
  const living = [...targets].filter(([, { state }]) => state === 'live')
  const seen = await seenAmong(
    db,
    living.map(([, { id }]) => id),
  )
  const lost = living.flatMap(([item_id, { id }]) => (seen.has(id) ? [] : [item_id]))
  if (!lost.length) return
  throw forbidden(
    `${lost.length === 1 ? 'An item' : `${lost.length} items`} would be out of sight of this key or app; nothing was changed`,
    {
      suggestion: 'Give it the tags and values that belong to its limit, or use a key without one',
      details: { item_ids: lost.slice(0, MAX_NAMED) },
    },
  )
}
