import type { Role } from '#src/domain/caller.ts'
import { ROLES } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { changeAccount } from '#src/operations/account/users/change-account.ts'
import { otherOwnerCanSignIn, type WaysIn } from '#src/operations/account/users/ways-in.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { setRoleProvider } from '#src/storage/accounts/accounts.ts'
import { listedUser } from '#src/storage/accounts/users.ts'

interface GivenRole {
  provider: string
  /** Undefined: the provider gives none. */
  role: Role | undefined
  ways: WaysIn
}

/**
 * Gives an account the role that its provider says at a sign-in; the last owner stays one. Answers the hashes of the
 * tokens whose open streams end.
 */
export async function takeProviderRole(
  context: SqlContext,
  user_id: Ulid,
  { provider, role, ways }: GivenRole,
): Promise<string[]> {
  const { db } = context
  await setRoleProvider(db, user_id, { provider, gives: role !== undefined })
  const user = (await listedUser(db, user_id))!
  if (role === undefined || role === user.role || user.disabled) return []
  const isLowered = ROLES.indexOf(role) > ROLES.indexOf(user.role)
  const isOwner = user.role === 'owner' && isLowered
  if (isOwner && !(await otherOwnerCanSignIn(db, user_id, ways))) return []
  return changeAccount(context, user, { role }, ways)
}
