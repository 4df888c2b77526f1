import { CODES, codeKey, failureKeys } from '#src/auth/login-failures.ts'
import { expiryOf, MAX_WRONG_CODES } from '#src/auth/session.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { countFailure, countFailures } from '#src/operations/account/password/steps/record-failure.ts'
import { defineStep } from '#src/operations/step.ts'
import { findAccount, findUser } from '#src/storage/accounts/accounts.ts'
import { useRecoveryCode } from '#src/storage/accounts/recovery-codes.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import { countWrongCode, deleteSession, upgradeSession } from '#src/storage/accounts/sessions.ts'
import { findTotp, useTotpStep } from '#src/storage/accounts/totp.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  /** The secret that the code was checked against. */
  secret: string
  /** The time step of the code; null: it was wrong. */
  step: number | null
  /** Of a recovery code in its place. */
  recovery_hash: string | null
}

/** Makes a partial session full by a code, or counts a wrong one. */
export const finishLogin = defineStep({
  name: 'finishLogin',
  effect: 'write',
  async run(context, { secret, step, recovery_hash }: Input) {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    const token_hash = caller.session!.token_hash
    const account = await findAccount(db, user_id)
    const totp = await findTotp(db, user_id)
    if (!account || totp?.state !== 'active' || totp.secret !== secret) throw signInAgain()
    // A used-up code is a wrong code (RFC 6238 §5.2).
    const right =
      recovery_hash === null
        ? step !== null && (await useTotpStep(db, user_id, step))
        : await useRecoveryCode(db, user_id, recovery_hash)
    if (!right) {
      await countFailures(db, account.email, caller, now)
      await countFailure(db, codeKey(account.email, 'verify'), now, CODES)
      await appendSecurityEvent(db, context, {
        event_type: 'sign_in_failed',
        user_id,
        details: { by: 'totp' },
      })
      const last = (await countWrongCode(db, token_hash)) >= MAX_WRONG_CODES
      return { user: null, ended: last ? await deleteSession(db, token_hash) : [] }
    }
    if (!(await upgradeSession(db, token_hash, { expires_at: expiryOf('full', now), now })))
      throw signInAgain()
    await clearFailures(db, failureKeys(account.email, caller))
    if (recovery_hash !== null)
      await appendSecurityEvent(db, context, { event_type: 'recovery_code_used', user_id })
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      details: { by: 'password', second_factor: recovery_hash === null ? 'totp' : 'recovery_code' },
    })
    return { user: (await findUser(db, user_id))!, ended: [] }
  },
})

export const signInAgain = () =>
  unauthorized('There is no sign-in to complete', { suggestion: 'Begin with POST /api/auth/login' })
