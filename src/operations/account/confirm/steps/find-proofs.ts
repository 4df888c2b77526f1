import { defineStep } from '#src/operations/step.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'

/** The ways in which the caller can prove who they are. */
export const findProofs = defineStep({
  name: 'findProofs',
  effect: 'read',
  inline: true,
  async run({ db, caller }): Promise<string[]> {
    const user = await findUser(db, caller.user_id!)
    return [
      ...(user?.has_password ? ['password'] : []),
      ...(user?.has_totp ? ['totp'] : []),
      ...(user?.has_passkey ? ['passkey'] : []),
    ]
  },
})
