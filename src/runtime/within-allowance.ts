import { type Allowance, tooManyChanges } from '#src/domain/allowance.ts'
import { Reply, toReply } from '#src/domain/reply.ts'

/**
 * Runs a write of somebody who may change only this many items. An item counts that a bulk call reached, and one whose
 * change was recorded in `changed`.
 * @throws BadRequest, which takes all of it back
 */
export async function withinAllowance(
  allowance: Allowance,
  run: (changed: Set<string>) => Promise<unknown>,
): Promise<Reply> {
  const recorded = new Set<string>()
  const reply = toReply(await run(recorded))
  const answer = JSON.parse(reply.json) as { affected_count?: number; dry_run?: boolean } | null
  const affected = answer?.dry_run ? 0 : (answer?.affected_count ?? 0)
  const changed = Math.max(recorded.size, affected)
  if (changed > allowance.left) throw tooManyChanges(allowance)
  return changed ? new Reply(reply.json, { ...reply.meta, changed }) : reply
}
