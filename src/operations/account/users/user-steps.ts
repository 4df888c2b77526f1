import type { Role } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { changeAccount, deleteAccount } from '#src/operations/account/users/change-account.ts'
import { knownUser } from '#src/operations/account/users/known-user.ts'
import type { WaysIn } from '#src/operations/account/users/ways-in.ts'
import { defineStep } from '#src/runtime/operation.ts'
import { findUser } from '#src/storage/accounts/accounts.ts'
import { type ListedUser, listedUser, otherOwners } from '#src/storage/accounts/users.ts'

interface Change {
  /** User id; an operator may give an e-mail address. */
  who: string
  role?: Role
  disabled?: boolean
  ways: WaysIn
}

/** Changes what somebody may do. */
export const changeUser = defineStep({
  name: 'changeUser',
  effect: 'write',
  still: 'owner',
  async run(context, { who, ways, ...change }: Change): Promise<{ user: ListedUser; ended: string[] }> {
    const user = await knownUser(context, who)
    const ended = await changeAccount(context, user, change, ways)
    return { user: (await listedUser(context.db, user.user_id))!, ended }
  },
})

/** Deletes a disabled account. `who`: user id; an operator may give an e-mail address. */
export const removeUser = defineStep({
  name: 'removeUser',
  effect: 'write',
  still: 'owner',
  async run(context, { who }: { who: string }): Promise<{ user: ListedUser; ended: string[] }> {
    const user = await knownUser(context, who)
    if (!user.disabled)
      throw conflict('Only a disabled account can be deleted', { suggestion: 'Disable it first' })
    return { user, ended: await deleteAccount(context, user) }
  },
})

/** What an account may do now; null: there is none. Inline, so that no replica answers that lags behind. */
export const findRole = defineStep({
  name: 'findRole',
  effect: 'read',
  inline: true,
  async run({ db }, { user_id }: { user_id: Ulid }): Promise<Role | null> {
    return (await listedUser(db, user_id))?.role ?? null
  },
})

/** Whether somebody who owns the base can sign in with a passkey. */
export const ownerHasPasskey = defineStep({
  name: 'ownerHasPasskey',
  effect: 'read',
  async run({ db }): Promise<boolean> {
    for (const user_id of await otherOwners(db, ''))
      if ((await findUser(db, user_id))!.has_passkey) return true
    return false
  },
})
