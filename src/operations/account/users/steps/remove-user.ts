import { conflict } from '#src/domain/errors.ts'
import { deleteAccount } from '#src/operations/account/users/change-account.ts'
import { knownUser } from '#src/operations/account/users/known-user.ts'
import { defineStep } from '#src/operations/step.ts'
import type { ListedUser } from '#src/storage/accounts/users.ts'

/** Deletes a disabled account. `who`: user id; an operator may give an e-mail address. */
export const removeUser = defineStep({
  name: 'removeUser',
  effect: 'write',
  async run(context, { who }: { who: string }): Promise<{ user: ListedUser; ended: string[] }> {
    const user = await knownUser(context, who)
    if (!user.disabled)
      throw conflict('Only a disabled account can be deleted', { suggestion: 'Disable it first' })
    return { user, ended: await deleteAccount(context, user) }
  },
})
