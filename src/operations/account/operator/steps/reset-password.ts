import { accountKey } from '#src/auth/login-failures.ts'
import { accountNamed, type Who } from '#src/operations/account/operator/account-named.ts'
import { defineStep } from '#src/operations/step.ts'
import { setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { clearAllFailures } from '#src/storage/accounts/login-failures.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

/** Sets somebody's password for an operator, ends the sessions and forgets the failures. */
export const resetPassword = defineStep({
  name: 'resetPassword',
  effect: 'write',
  async run(context, { who, password_hash }: Who & { password_hash: string }) {
    const { db } = context
    const account = await accountNamed(db, who)
    await appendSecurityEvent(db, context, { event_type: 'password_changed', user_id: account.user_id })
    await setPasswordHash(db, account.user_id, password_hash)
    await clearAllFailures(db, accountKey(account.email))
    return { ...account, ended_sessions: (await deleteSessionsOf(db, account.user_id)).length }
  },
})
