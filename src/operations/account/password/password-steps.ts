import { emailKey } from '#src/auth/email.ts'
import { failureKey } from '#src/auth/login-failures.ts'
import { unauthorized } from '#src/domain/errors.ts'
import {
  admit,
  countAsked,
  settleAdmission,
  type Terms,
} from '#src/operations/account/invitation/admission.ts'
import { refuseAfterFailures } from '#src/operations/account/password/count-failures.ts'
import { countTaken, refuseAfterTaken } from '#src/operations/account/password/taken-addresses.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { proves, unprovenAt } from '#src/runtime/fresh-proof.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { findAccount, findUser, insertAccount, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'

/** Counts an account that somebody asks for. @throws TooManyRequests where their address has asked for too many */
export const countRegistration = defineStep({
  name: 'countRegistration',
  effect: 'write',
  async run(context): Promise<null> {
    await countAsked(context)
    return null
  },
})

interface NewAccount {
  email: string
  display_name: string | null
  password_hash: string
  token_hash: string
  terms: Terms
  /** Hash of the token of an invitation. */
  invitation_hash: string | null
}

/** Makes an account with a password and signs it in; null: the address is taken. */
export const createAccount = defineStep({
  name: 'createAccount',
  effect: 'write',
  async run(context, { email, display_name, password_hash, token_hash, terms, invitation_hash }: NewAccount) {
    const { db, now, newId } = context
    const admission = await admit(context, terms, { email, invitation_hash, counted: true })
    if (invitation_hash !== null) await refuseAfterTaken(context)
    const user_id = newId()
    const made = await insertAccount(db, {
      user_id,
      email,
      email_key: emailKey(email),
      display_name,
      password_hash,
      email_proven_at: null,
      created_at: now.toISOString(),
      role: admission.role,
    })
    if (!made) {
      if (invitation_hash !== null) await countTaken(context)
      return null
    }
    await settleAdmission(context, admission, user_id)
    await appendSecurityEvent(db, context, {
      event_type: 'registered',
      user_id,
      actor_id: user_id,
      details: { by: 'password', role: admission.role },
    })
    const ended = await startSession(context, { user_id, token_hash, state: 'full' })
    return { user: (await findUser(db, user_id))!, ended }
  },
})

/** The caller's own password hash, and whether it proves who they are; refused where the caller has failed too often. */
export const findPassword = defineStep({
  name: 'findPassword',
  effect: 'read',
  inline: true,
  async run({ db, caller, now }) {
    const account = await findAccount(db, caller.user_id!)
    if (!account) throw unauthorized('This account is gone')
    await refuseAfterFailures(db, failureKey(account, caller), now)
    const { email, password_hash, password_unproven_at } = account
    return { email, password_hash, proves: password_hash === null || proves(caller, password_unproven_at) }
  },
})

interface NewPassword {
  /** What the current password was checked against. */
  expected_hash: string | null
  password_hash: string
}

/** Sets the caller's password and ends the account's other sessions. */
export const replacePassword = defineStep({
  name: 'replacePassword',
  effect: 'write',
  still: 'own',
  async run(context, { expected_hash, password_hash }: NewPassword) {
    const { db, caller } = context
    const user_id = caller.user_id!
    const account = await findAccount(db, user_id)
    if (!account || account.password_hash !== expected_hash) return null
    // A password that proves who somebody is, proves it of the one that follows.
    const known = expected_hash !== null && proves(caller, account.password_unproven_at)
    const unproven_at = known ? null : unprovenAt(context)
    await setPasswordHash(db, user_id, password_hash, unproven_at)
    await appendSecurityEvent(db, context, {
      event_type: 'password_changed',
      user_id,
      details: unproven_at === null ? {} : { unproven: true },
    })
    return { ended: await deleteSessionsOf(db, user_id, { except: caller.session?.token_hash }) }
  },
})
