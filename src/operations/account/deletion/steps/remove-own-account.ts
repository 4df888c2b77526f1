import { unauthorized } from '#src/domain/errors.ts'
import { deleteAccount, refuseLastOwner } from '#src/operations/account/users/change-account.ts'
import { defineStep } from '#src/operations/step.ts'
import { listedUser } from '#src/storage/accounts/users.ts'

/** Deletes the caller's account. */
export const removeOwnAccount = defineStep({
  name: 'removeOwnAccount',
  effect: 'write',
  async run(context): Promise<{ ended: string[] }> {
    const user = await listedUser(context.db, context.caller.user_id!)
    if (!user) throw unauthorized('This account is gone')
    if (user.role === 'owner') await refuseLastOwner(context, user.user_id)
    return { ended: await deleteAccount(context, user) }
  },
})
