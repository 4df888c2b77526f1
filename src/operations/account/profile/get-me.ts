import { Type } from 'typebox'
import { unauthorized } from '#src/domain/errors.ts'
import { EXAMPLE_USER, UserInfo } from '#src/operations/schemas/account.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'

export const getMe = defineOperation({
  name: 'getMe',
  summary: 'The account that is signed in.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  inline: true,
  rest: 'GET /api/auth/me',
  input: Type.Object({}, { additionalProperties: false }),
  output: UserInfo,
  example: { output: EXAMPLE_USER },
  async run({ db, caller }) {
    const user = await findUser(db, caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    return user
  },
})
