import { Type } from 'typebox'
import { emailKey } from '#src/auth/email.ts'
import { badRequest } from '#src/domain/errors.ts'
import { UserInfo } from '#src/operations/account/account-schemas.ts'
import { admit, settleAdmission, type Terms } from '#src/operations/account/invitation/admission.ts'
import { startSession } from '#src/operations/account/session/start-session.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { findUser, insertAccount } from '#src/storage/accounts/accounts.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'

export const createAccount = defineOperation({
  name: 'createAccount',
  summary: 'Makes an account with a password and signs it in.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    email: Type.String(),
    display_name: Type.Union([Type.String(), Type.Null()]),
    password_hash: Type.String(),
    token_hash: Type.String(),
    terms: Type.Unsafe<Terms>({}),
    /** Hash of the token of an invitation. */
    invitation_hash: Type.Union([Type.String(), Type.Null()]),
  }),
  output: Type.Object({ user: UserInfo, ended: Type.Array(Type.String()) }),
  async run(context, { email, display_name, password_hash, token_hash, terms, invitation_hash }) {
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
