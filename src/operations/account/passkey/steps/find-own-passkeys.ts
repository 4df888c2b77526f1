import { unauthorized } from '#src/domain/errors.ts'
import { defineStep } from '#src/operations/step.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'
import { passkeysOf } from '#src/storage/accounts/passkeys.ts'

/** The caller and the passkeys that must not be registered again. */
export const findOwnPasskeys = defineStep({
  name: 'findOwnPasskeys',
  effect: 'read',
  inline: true,
  async run({ db, caller }) {
    const user = await findUser(db, caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    return { user, passkeys: await passkeysOf(db, user.user_id) }
  },
})
