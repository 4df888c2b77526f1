import { Type } from 'typebox'
import { trimEmail } from '#src/auth/email.ts'
import { Code, Email, EXAMPLE_USER, GivenPassword, UserInfo } from '#src/operations/schemas/account.ts'
import { emailTaken } from '#src/operations/account/password/taken-addresses.ts'
import { proveOrBeFresh } from '#src/operations/account/session/prove.ts'
import { replaceEmail } from '#src/operations/account/profile/profile-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const changeEmail = defineOperation({
  name: 'changeEmail',
  summary: "Change the account's e-mail address; its other sessions end.",
  description:
    'With the current password or a TOTP code; an account that has neither signs in again first. ' +
    'The new address is unproven: no provider finds the account by it. ' +
    'The same address in other upper and lower case only takes the new spelling: it stays proven, and no session ends.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'PUT /api/auth/email',
  input: Type.Object(
    { email: Email, current_password: Type.Optional(GivenPassword), code: Type.Optional(Code) },
    { additionalProperties: false },
  ),
  output: UserInfo,
  errors: ['TooManyRequests'],
  example: {
    input: { email: 'ada@example.org', current_password: 'correct horse battery' },
    output: EXAMPLE_USER,
  },
  async run(context, { email, ...proof }) {
    const { call, services } = context
    const proven = await proveOrBeFresh(context, proof)
    const changed = await call(replaceEmail, { email: trimEmail(email), proven })
    if (!changed) throw emailTaken()
    services.sessions.ended(changed.ended)
    return changed.user
  },
})
