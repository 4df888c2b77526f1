import { Type } from 'typebox'
import { trimEmail } from '#src/auth/email.ts'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { Reply } from '#src/domain/reply.ts'
import {
  DisplayName,
  Email,
  EXAMPLE_USER,
  InvitationToken,
  NewPassword,
  UserInfo,
} from '#src/operations/schemas/account.ts'
import { termsOf } from '#src/operations/account/invitation/admission.ts'
import { checkAdmission } from '#src/operations/account/invitation/invitation-steps.ts'
import { countRegistration, createAccount } from '#src/operations/account/password/password-steps.ts'
import { emailTaken } from '#src/operations/account/password/taken-addresses.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const register = defineOperation({
  name: 'register',
  summary: 'Make an account and sign in.',
  description:
    'Sets the session cookie. The configuration (REGISTRATION) decides who may; an invitation lets somebody in where it would not. ' +
    'The first account of a base is its owner; where others can reach the service it needs the token that the start prints, as `invitation`.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/register',
  input: Type.Object(
    {
      email: Email,
      password: NewPassword,
      display_name: Type.Optional(DisplayName),
      invitation: Type.Optional(InvitationToken),
    },
    { additionalProperties: false },
  ),
  output: UserInfo,
  errors: ['Forbidden', 'TooManyRequests'],
  example: {
    input: { email: 'ada@example.org', password: 'correct horse battery', display_name: 'Ada' },
    output: EXAMPLE_USER,
  },
  async run({ caller, call, services }, { email: given, password, display_name = null, invitation }) {
    refusePasswords(services.config)
    const email = trimEmail(given)
    const terms = termsOf(services.config)
    const invitation_hash = invitation === undefined ? null : hashToken(invitation)
    await call(checkAdmission, { terms, email, invitation_hash })
    if (invitation_hash === null) await call(countRegistration, {})
    const password_hash = await services.passwords.inTurn({ ...caller, device: null }, ({ hash }) =>
      hash(password),
    )
    const token = newToken()
    const created = await call(createAccount, {
      email,
      display_name,
      password_hash,
      token_hash: hashToken(token),
      terms,
      invitation_hash,
    })
    if (!created) throw emailTaken('Sign in with POST /api/auth/login')
    services.sessions.ended(created.ended)
    return Reply.of(created.user, { session_change: { token } })
  },
})
