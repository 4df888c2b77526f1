import { Type } from 'typebox'
import { refusePasswords } from '#src/auth/refuse-passwords.ts'
import { hashToken } from '#src/auth/session.ts'
import { checkResetLink, takeResetLink } from '#src/operations/account/reset/reset-steps.ts'
import { Message, NewPassword, ResetToken } from '#src/operations/schemas/account.ts'
import { defineOperation } from '#src/runtime/operation.ts'

export const setPasswordByLink = defineOperation({
  name: 'setPasswordByLink',
  summary: 'Set a new password by a link that an owner made.',
  description:
    'Uses the link up, ends all sessions of the account and signs nobody in. A link that is unknown, was used or has ended ' +
    'is 403; a password that is refused does not use it up.',
  access: 'none',
  effect: 'compose',
  rest: 'POST /api/auth/reset',
  input: Type.Object({ token: ResetToken, new_password: NewPassword }, { additionalProperties: false }),
  output: Message,
  errors: ['Forbidden', 'TooManyRequests'],
  example: {
    input: { token: 'the part of the link behind #', new_password: 'staple 9 correct' },
    output: { message: 'Password set' },
  },
  async run({ caller, call, services }, { token, new_password }) {
    refusePasswords(services.config)
    const token_hash = hashToken(token)
    await call(checkResetLink, { token_hash })
    const password_hash = await services.passwords.inTurn({ ...caller, device: null }, ({ hash }) =>
      hash(new_password),
    )
    const { ended } = await call(takeResetLink, { token_hash, password_hash })
    services.sessions.ended(ended)
    return { message: 'Password set' }
  },
})
