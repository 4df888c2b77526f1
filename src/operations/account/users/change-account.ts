import { type Role, ROLES } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { accountKeys } from '#src/auth/login-failures.ts'
import { endAccess } from '#src/operations/account/users/end-access.ts'
import { otherOwnerCanSignIn, type WaysIn } from '#src/operations/account/users/ways-in.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { clearAllFailures } from '#src/storage/accounts/login-failures.ts'
import { endResetLink } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { tokensOf } from '#src/storage/accounts/live-tokens.ts'
import { removeAccount, type ListedUser, setDisabled, setRole } from '#src/storage/accounts/users.ts'

export interface AccountChange {
  role?: Role | undefined
  disabled?: boolean | undefined
}

/**
 * Changes what an account may do. Answers the hashes of the tokens whose open streams end: what runs on goes by what
 * the account might do when it began.
 * @throws Conflict for the last owner
 */
export async function changeAccount(
  context: SqlContext,
  user: ListedUser,
  { role = user.role, disabled = user.disabled }: AccountChange,
  ways: WaysIn,
): Promise<string[]> {
  const { db } = context
  const owned = user.role === 'owner' && !user.disabled
  if (owned && (role !== 'owner' || disabled)) await refuseLastOwner(context, user.user_id, ways)
  const ended: string[] = []
  if (role !== user.role) {
    await setRole(db, user.user_id, role)
    await endResetLink(db, user.user_id)
    const details = { from: user.role, to: role }
    await appendSecurityEvent(db, context, { event_type: 'role_changed', user_id: user.user_id, details })
    const isLowered = ROLES.indexOf(role) > ROLES.indexOf(user.role)
    ended.push(
      ...(isLowered ? await endAccess(context, user.user_id, 'lowered') : await tokensOf(db, user.user_id)),
    )
  }
  if (disabled !== user.disabled) ended.push(...(await setAccess(context, user, disabled)))
  return [...new Set(ended)]
}

async function setAccess(context: SqlContext, { user_id }: ListedUser, disabled: boolean): Promise<string[]> {
  const { db, now } = context
  await setDisabled(db, user_id, disabled ? now.toISOString() : null)
  const event_type = disabled ? 'account_disabled' : 'account_enabled'
  await appendSecurityEvent(db, context, { event_type, user_id })
  return disabled ? endAccess(context, user_id, 'disabled') : []
}

/** @throws Conflict */
export async function refuseLastOwner({ db }: SqlContext, user_id: Ulid, ways: WaysIn): Promise<void> {
  if (!(await otherOwnerCanSignIn(db, user_id, ways)))
    throw conflict('This is the last owner who can sign in', {
      suggestion: 'Make somebody else an owner first',
    })
}

/** Deletes an account with what is its own. Answers the hashes of the tokens that ended. */
export async function deleteAccount(
  context: SqlContext,
  account: { user_id: Ulid; email: string },
): Promise<string[]> {
  const { db, now } = context
  const { user_id } = account
  const ended = await endAccess(context, user_id, 'deleted')
  await clearAllFailures(db, accountKeys(account))
  await appendSecurityEvent(db, context, { event_type: 'account_deleted', user_id })
  await removeAccount(db, user_id, now)
  return ended
}
