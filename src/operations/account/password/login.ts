import { Type } from 'typebox'
import { isKnown } from '#src/auth/login-failures.ts'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { hashToken, newToken } from '#src/auth/session.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import {
  EXAMPLE_USER,
  GivenEmail,
  GivenPassword,
  NeedsSecondFactor,
  UserInfo,
} from '#src/operations/schemas/account.ts'
import { beginLogin, findCredentials, recordFailure } from '#src/operations/account/password/login-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const login = defineOperation({
  name: 'login',
  summary: 'Sign in with e-mail and password.',
  description:
    'Sets the session cookie. With active TOTP the session is partial until POST /api/auth/2fa/totp/verify. ' +
    'After ten failures of one account from one address within 15 minutes, attempts from there get 429.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/login',
  input: Type.Object({ email: GivenEmail, password: GivenPassword }, { additionalProperties: false }),
  output: Type.Union([UserInfo, NeedsSecondFactor]),
  errors: ['Unauthorized', 'TooManyRequests'],
  example: {
    input: { email: 'ada@example.org', password: 'correct horse battery' },
    output: EXAMPLE_USER,
  },
  async run({ caller, call, services }, { email, password }) {
    refusePasswords(services.config)
    const found = await call(findCredentials, { email }) // refuses before anything waits
    const token = newToken()
    const device = isKnown({ user_id: found?.user_id ?? null, email }, caller.device) ? caller.device : null
    const begun = await services.passwords.inTurn({ ...caller, device }, async ({ verify }) => {
      const account = await call(findCredentials, { email }) // others may have failed while this one waited
      const password_hash = account?.password_hash ?? null
      const right = await verify(password, password_hash)
      if (account && password_hash !== null && right) {
        const { user_id } = account
        const begun = await call(beginLogin, { user_id, password_hash, token_hash: hashToken(token) })
        if (begun) return begun
      }
      await call(recordFailure, { email }, { ...caller, user_id: null, session: null })
      services.metrics.signInFailed('password')
      throw unauthorized('Wrong e-mail or password')
    })
    services.sessions.ended(begun.ended)
    return Reply.of(begun.answer, { session_change: { token } })
  },
})
