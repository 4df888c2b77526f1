import { notifyOfDecision } from '#src/operations/notifications/notify-of-proposal.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { untouchedProposals, updateProposal } from '#src/storage/proposals/proposals.ts'

const DAY = 24 * 60 * 60 * 1000
/** Open ones that nobody has touched for this long are withdrawn. */
const LIFE = 90 * DAY
/** In one transaction. */
const AT_ONCE = 100

/** Withdraws some of what nobody has decided; whether there may be more. */
export const sweepProposals = defineStep<object, boolean>({
  name: 'sweepProposals',
  effect: 'write',
  async run(context) {
    const { db, now } = context
    const before = new Date(Number(now) - LIFE).toISOString()
    const rows = await untouchedProposals(db, before, AT_ONCE)
    const decided_at = now.toISOString()
    for (const row of rows) {
      await updateProposal(db, row, {
        ...row,
        state: 'withdrawn',
        reason: 'Nobody decided it for 90 days',
        decided_at,
        touched_at: decided_at,
      })
      await notifyOfDecision(context, row)
    }
    return rows.length === AT_ONCE
  },
})
