import { failureKeys } from '#src/auth/login-failures.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount, findUser } from '#src/storage/accounts/accounts.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  user_id: string
  /** What the password was checked against. */
  password_hash: string
  token_hash: string
}

/** Starts the session of a right password: partial where a second factor is still to come. */
export const beginLogin = defineStep({
  name: 'beginLogin',
  effect: 'write',
  async run(context, { user_id, password_hash, token_hash }: Input) {
    const { db, caller } = context
    const account = await findAccount(db, user_id)
    const user = await findUser(db, user_id)
    if (!account || !user || account.disabled_at !== null || account.password_hash !== password_hash)
      return null
    const state = user.has_totp ? 'partial' : 'full'
    const ended = await startSession(context, { user_id, token_hash, state })
    if (state === 'partial') return { answer: { needs_2fa: true as const }, ended }
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      actor_id: user_id,
      details: { by: 'password' },
    })
    await clearFailures(db, failureKeys(account.email, caller))
    return { answer: user, ended }
  },
})
