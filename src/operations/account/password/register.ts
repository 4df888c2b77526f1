import { Type } from 'typebox'
import { trimEmail } from '#src/auth/email.ts'
import { refuseRegistration } from '#src/auth/registration.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { Reply } from '#src/domain/reply.ts'
import {
  DisplayName,
  Email,
  EXAMPLE_USER,
  NewPassword,
  UserInfo,
} from '#src/operations/account/account-schemas.ts'
import { createAccount } from '#src/operations/account/password/steps/create-account.ts'
import { defineOperation } from '#src/operations/operation.ts'

export const register = defineOperation({
  name: 'register',
  summary: 'Make an account and sign in.',
  description: 'Sets the session cookie. The configuration (REGISTRATION) decides who may.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/register',
  input: Type.Object(
    { email: Email, password: NewPassword, display_name: Type.Optional(DisplayName) },
    { additionalProperties: false },
  ),
  output: UserInfo,
  errors: ['Forbidden', 'TooManyRequests'],
  example: {
    input: { email: 'ada@example.org', password: 'correct horse battery', display_name: 'Ada' },
    output: EXAMPLE_USER,
  },
  async run({ caller, call, services }, { email: given, password, display_name = null }) {
    const email = trimEmail(given)
    refuseRegistration(services.config.registration, email)
    const password_hash = await services.passwords.inTurn(caller.address, ({ hash }) => hash(password))
    const token = newToken()
    const account = { email, display_name, password_hash, token_hash: hashToken(token) }
    const { user, ended } = await call(createAccount, account)
    services.sessions.ended(ended)
    return Reply.of(user, { session: { token } })
  },
})
