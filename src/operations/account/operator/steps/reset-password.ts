import { Type } from 'typebox'
import { accountKey } from '#src/auth/login-failures.ts'
import { accountNamed } from '#src/operations/account/operator/account-named.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { clearAllFailures } from '#src/storage/accounts/login-failures.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const resetPassword = defineOperation({
  name: 'resetPassword',
  summary: "Sets somebody's password for an operator, ends the sessions and forgets the failures.",
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    /** E-mail address or user id. */
    who: Type.String(),
    password_hash: Type.String(),
  }),
  output: Type.Object({ user_id: Type.String(), email: Type.String(), ended_sessions: Type.Integer() }),
  async run(context, { who, password_hash }) {
    const { db } = context
    const account = await accountNamed(db, who)
    await appendSecurityEvent(db, context, { event_type: 'password_changed', user_id: account.user_id })
    await setPasswordHash(db, account.user_id, password_hash)
    await clearAllFailures(db, accountKey(account.email))
    return { ...account, ended_sessions: (await deleteSessionsOf(db, account.user_id)).length }
  },
})
