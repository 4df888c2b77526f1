import { defineStep } from '#src/operations/step.ts'
import { deleteSession } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Ends one session. */
export const endSession = defineStep({
  name: 'endSession',
  effect: 'write',
  async run(context, { token_hash }: { token_hash: string }) {
    const { db, caller } = context
    const ended = await deleteSession(db, token_hash)
    if (ended.length)
      await appendSecurityEvent(db, context, { event_type: 'signed_out', user_id: caller.user_id })
    return { ended }
  },
})
