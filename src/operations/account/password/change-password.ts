import { Type } from 'typebox'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { invalid, unauthorized } from '#src/domain/errors.ts'
import { GivenPassword, Message, NewPassword } from '#src/operations/schemas/account.ts'
import { checkFresh, findProofs } from '#src/runtime/fresh-proof.ts'
import { findPassword, replacePassword } from '#src/operations/account/password/password-steps.ts'
import { recordFailure } from '#src/operations/account/password/login-steps.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const changePassword = defineOperation({
  name: 'changePassword',
  summary: "Change or set the account's password; its other sessions end.",
  description:
    'An account that a provider made has no password; it sets its first one without `current_password`. ' +
    'Wrong current passwords count as failed attempts to sign in.',
  access: 'user',
  needs: 'own',
  effect: 'compose',
  rest: 'POST /api/auth/password',
  input: Type.Object(
    { current_password: Type.Optional(GivenPassword), new_password: NewPassword },
    { additionalProperties: false },
  ),
  output: Message,
  errors: ['TooManyRequests'],
  example: {
    input: { current_password: 'correct horse battery', new_password: 'staple 9 correct' },
    output: { message: 'Password changed' },
  },
  async run(context, { current_password, new_password }) {
    const { caller, call, services } = context
    refusePasswords(services.config)
    const before = await call(findPassword, {}) // refuses before anything waits
    if (before.password_hash === null && services.config.fresh_proof === 'all')
      checkFresh(context, await call(findProofs, { passwords: true }))
    if (before.password_hash !== null && current_password === undefined)
      throw invalid([{ path: 'current_password', message: 'is required' }])
    const { ended } = await services.passwords.inTurn(caller, async ({ hash, verify }) => {
      const { password_hash: expected_hash } = await call(findPassword, {})
      if (expected_hash === null || (await verify(current_password ?? '', expected_hash))) {
        const replaced = await call(replacePassword, {
          expected_hash,
          password_hash: await hash(new_password),
        })
        if (replaced) return replaced
      }
      await call(recordFailure, { email: before.email })
      throw unauthorized('The current password is wrong')
    })
    services.sessions.ended(ended)
    return { message: 'Password changed' }
  },
})
