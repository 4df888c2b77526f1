import { accountNamed, type Who } from '#src/operations/account/operator/account-named.ts'
import { defineStep } from '#src/operations/step.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Ends somebody's sessions for an operator: all, or those begun before a time. */
export const endAllSessions = defineStep({
  name: 'endAllSessions',
  effect: 'write',
  async run(context, { who, created_before }: Who & { created_before?: string }) {
    const { db } = context
    const account = await accountNamed(db, who)
    await appendSecurityEvent(db, context, { event_type: 'session_ended', user_id: account.user_id })
    const ended = await deleteSessionsOf(db, account.user_id, { created_before })
    return { ...account, ended_sessions: ended.length }
  },
})
