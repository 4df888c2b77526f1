import { Type } from 'typebox'
import { unauthorized } from '#src/domain/errors.ts'
import { DisplayName, EXAMPLE_USER, UserInfo } from '#src/operations/schemas/account.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { findUser, setDisplayName } from '#src/storage/accounts/accounts.ts'

export const updateProfile = defineOperation({
  name: 'updateProfile',
  summary: 'Change the display name of the account that is signed in.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'PUT /api/auth/profile',
  input: Type.Object({ display_name: Type.Optional(DisplayName) }, { additionalProperties: false }),
  ignores: Object.keys(UserInfo.properties),
  output: UserInfo,
  example: { input: { display_name: 'Ada' }, output: EXAMPLE_USER },
  async run({ db, caller }, { display_name }) {
    if (display_name !== undefined) await setDisplayName(db, caller.user_id!, display_name)
    const user = await findUser(db, caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    return user
  },
})
