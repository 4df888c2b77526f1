import { Type } from 'typebox'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'

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
  async run({ db }, { who, created_before }) {
    const account = await accountNamed(db, who)
    const ended = await deleteSessionsOf(db, account.user_id, { created_before })
    return { ...account, ended_sessions: ended.length }
  },
})
