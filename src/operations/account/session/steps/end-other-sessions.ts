import { defineStep } from '#src/operations/step.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'

/** Ends all sessions of the caller but the one that asks. */
export const endOtherSessions = defineStep({
  name: 'endOtherSessions',
  effect: 'write',
  async run(context): Promise<{ ended: string[] }> {
    const { db, caller } = context
    const ended = await deleteSessionsOf(db, caller.user_id!, { except: caller.session?.token_hash })
    if (ended.length)
      await appendSecurityEvent(db, context, {
        event_type: 'session_ended',
        user_id: caller.user_id,
        details: { ended: ended.length },
      })
    return { ended }
  },
})
