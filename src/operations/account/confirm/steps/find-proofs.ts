import { Type } from 'typebox'
import { defineOperation } from '#src/operations/operation.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'

export const findProofs = defineOperation({
  name: 'findProofs',
  summary: 'The ways in which the caller can prove who he is.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Array(Type.String()),
  async run({ db, caller }) {
    const user = await findUser(db, caller.user_id!)
    return [
      ...(user?.has_password ? ['password'] : []),
      ...(user?.has_totp ? ['totp'] : []),
      ...(user?.has_passkey ? ['passkey'] : []),
    ]
  },
})
