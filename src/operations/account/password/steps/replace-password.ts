import { defineStep } from '#src/operations/step.ts'
import { findAccount, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  /** What the current password was checked against. */
  expected_hash: string | null
  password_hash: string
}

/** Sets the caller's password and ends the account's other sessions. */
export const replacePassword = defineStep({
  name: 'replacePassword',
  effect: 'write',
  async run(context, { expected_hash, password_hash }: Input) {
    const { db, caller } = context
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    if (!account || account.password_hash !== expected_hash) return null
    await setPasswordHash(db, user_id, password_hash)
    await appendSecurityEvent(db, context, { event_type: 'password_changed', user_id })
    return { ended: await deleteSessionsOf(db, user_id, { except: caller.session?.token_hash }) }
  },
})
