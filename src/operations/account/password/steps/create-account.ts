import { emailKey } from '#src/auth/email.ts'
import { badRequest } from '#src/domain/errors.ts'
import { admit, settleAdmission, type Terms } from '#src/operations/account/invitation/admission.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { defineStep } from '#src/operations/step.ts'
import { findUser, insertAccount } from '#src/storage/accounts/accounts.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

interface Input {
  email: string
  display_name: string | null
  password_hash: string
  token_hash: string
  terms: Terms
  /** Hash of the token of an invitation. */
  invitation_hash: string | null
}

/** Makes an account with a password and signs it in. */
export const createAccount = defineStep({
  name: 'createAccount',
  effect: 'write',
  async run(context, { email, display_name, password_hash, token_hash, terms, invitation_hash }: Input) {
    const { db, now, newId } = context
    const admission = await admit(context, terms, { email, invitation_hash })
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
    if (!made) throw emailTaken()
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

const emailTaken = () =>
  badRequest('This e-mail address is already registered', {
    suggestion: 'Sign in with POST /api/auth/login',
    details: { errors: [{ path: 'email', message: 'is already registered' }] },
  })
