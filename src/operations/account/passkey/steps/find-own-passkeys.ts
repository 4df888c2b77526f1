import { Type } from 'typebox'
import { unauthorized } from '#src/domain/errors.ts'
import { UserInfo } from '#src/operations/account/account-schemas.ts'
import { KnownPasskeys } from '#src/operations/account/passkey/passkey-schemas.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'
import { passkeysOf } from '#src/storage/accounts/passkeys.ts'

export const findOwnPasskeys = defineOperation({
  name: 'findOwnPasskeys',
  summary: 'The caller and the passkeys that must not be registered again.',
  access: 'internal',
  effect: 'read',
  inline: true,
  input: Type.Object({}),
  output: Type.Object({ user: UserInfo, passkeys: KnownPasskeys }),
  async run({ db, caller }) {
    const user = await findUser(db, caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    return { user, passkeys: await passkeysOf(db, user.user_id) }
  },
})
