import { failureKeys } from '#src/auth/login-failures.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount, findUser } from '#src/storage/accounts/accounts.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import { movePasskeyCounter } from '#src/storage/accounts/passkeys.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  user_id: string
  credential_id: string
  /** Of the passkey before and after. */
  counter: { from: number; to: number }
  user_verified: boolean
  token_hash: string
}

/** Signs in by an assertion that holds. */
export const finishAssertion = defineStep({
  name: 'finishAssertion',
  effect: 'write',
  async run(context, { user_id, credential_id, counter, user_verified, token_hash }: Input) {
    const { db, caller } = context
    const user = await findUser(db, user_id)
    const account = await findAccount(db, user_id)
    if (!user || !account || account.disabled_at !== null) return null
    // The passkey stands for both factors where TOTP is active: it must have verified its user.
    if (user.has_totp && !user_verified) return null
    if (!(await movePasskeyCounter(db, credential_id, counter.from, counter.to))) return null
    const ended = await startSession(context, { user_id, token_hash, state: 'full' })
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      actor_id: user_id,
      details: { by: 'passkey' },
    })
    await clearFailures(db, failureKeys(user.email, caller))
    return { user, ended }
  },
})
