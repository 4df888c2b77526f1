import { emailKey } from '#src/auth/email.ts'
import { failureKey, failureKeys } from '#src/auth/login-failures.ts'
import { expiryOf, MAX_WRONG_CODES } from '#src/auth/session.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { countFailures, refuseAfterFailures } from '#src/operations/account/password/count-failures.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { judgeCode } from '#src/operations/account/totp/judge-code.ts'
import { defineStep } from '#src/runtime/operation.ts'
import {
  findAccount,
  findUser,
  selectCredentials,
  setPasswordProven,
} from '#src/storage/accounts/accounts.ts'
import { clearFailures } from '#src/storage/accounts/login-failures.ts'
import { useRecoveryCode } from '#src/storage/accounts/recovery-codes.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { countWrongCode, deleteSession, upgradeSession } from '#src/storage/accounts/sessions.ts'
import { findTotp, setTotpProven, useTotpStep } from '#src/storage/accounts/totp.ts'

interface KnownPassword {
  user_id: string
  /** What the password was checked against. */
  password_hash: string
  token_hash: string
}

/** Starts the session of a right password: partial where a second factor is still to come. */
export const beginLogin = defineStep({
  name: 'beginLogin',
  effect: 'write',
  async run(context, { user_id, password_hash, token_hash }: KnownPassword) {
    const { db, caller } = context
    const account = await findAccount(db, user_id)
    const user = await findUser(db, user_id)
    if (!account || !user || account.disabled_at !== null || account.password_hash !== password_hash)
      return null
    const state = user.has_totp ? 'partial' : 'full'
    const ended = await startSession(context, { user_id, token_hash, state })
    if (state === 'partial') return { answer: { needs_2fa: true as const }, ended }
    await setPasswordProven(db, user_id)
    await appendSecurityEvent(db, context, {
      event_type: 'signed_in',
      user_id,
      actor_id: user_id,
      details: { by: 'password' },
    })
    await clearFailures(db, failureKeys(account, caller))
    return { answer: user, ended }
  },
})

/** What a password is checked against; refused where the caller has failed too often. */
export const findCredentials = defineStep({
  name: 'findCredentials',
  effect: 'read',
  inline: true,
  async run({ db, caller, now }, { email }: { email: string }) {
    const found = await selectCredentials(db, emailKey(email))
    await refuseAfterFailures(db, failureKey({ user_id: found?.user_id ?? null, email }, caller), now)
    // A disabled account looks like none.
    if (!found || found.disabled_at !== null) return null
    return { user_id: found.user_id, password_hash: found.password_hash }
  },
})

interface SecondFactor {
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
  async run(context, { secret, step, recovery_hash }: SecondFactor) {
    const { db, caller, now } = context
    const user_id = caller.user_id!
    const token_hash = caller.session!.token_hash
    const account = await findAccount(db, user_id)
    const totp = await findTotp(db, user_id)
    if (!account || totp?.state !== 'active' || totp.secret !== secret) throw signInAgain()
    // A used-up code is a wrong code (RFC 6238 §5.2).
    const right = await judgeCode(context, account, async () =>
      recovery_hash === null
        ? step !== null && useTotpStep(db, user_id, step)
        : useRecoveryCode(db, user_id, recovery_hash),
    )
    if (!right) {
      const last = (await countWrongCode(db, token_hash)) >= MAX_WRONG_CODES
      return { user: null, ended: last ? await deleteSession(db, token_hash) : [] }
    }
    if (!(await upgradeSession(db, token_hash, { expires_at: expiryOf('full', now), now })))
      throw signInAgain()
    await clearFailures(db, failureKeys(account, caller))
    await setPasswordProven(db, user_id)
    if (recovery_hash === null) await setTotpProven(db, user_id)
    else await appendSecurityEvent(db, context, { event_type: 'recovery_code_used', user_id })
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

/** Counts a wrong password, or a wrong answer of a passkey, of an account and address. */
export const recordFailure = defineStep({
  name: 'recordFailure',
  effect: 'write',
  async run(context, { email }: { email: string }) {
    const { db, caller, now } = context
    const user_id = (await selectCredentials(db, emailKey(email)))?.user_id ?? null
    await countFailures(db, { user_id, email }, caller, now)
    // A signed-in caller fails to prove themselves; what was typed in place of an address is not stored.
    const event_type =
      caller.session?.state === 'full' && caller.user_id ? 'confirm_failed' : 'sign_in_failed'
    await appendSecurityEvent(db, context, { event_type, user_id })
    return null
  },
})
