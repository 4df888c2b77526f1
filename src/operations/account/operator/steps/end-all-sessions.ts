import { Type } from 'typebox'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const endAllSessions = defineOperation({
  name: 'endAllSessions',
  summary: "Ends somebody's sessions for an operator: all, or those begun before a time.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** E-mail address or user id. */
    who: Type.String(),
    created_before: Type.Optional(Type.String({ description: 'A timestamp' })),
  }),
  output: Type.Object({ user_id: Type.String(), email: Type.String(), ended_sessions: Type.Integer() }),
  async run(context, { who, created_before }) {
    const { db } = context
    const account = await accountNamed(db, who)
    await appendSecurityEvent(db, context, { event_type: 'session_ended', user_id: account.user_id })
    const ended = await deleteSessionsOf(db, account.user_id, { created_before })
    return { ...account, ended_sessions: ended.length }
  },
})
