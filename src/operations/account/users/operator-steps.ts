import { emailKey } from '#src/auth/email.ts'
import { accountKeys } from '#src/auth/login-failures.ts'
import type { Role } from '#src/domain/caller.ts'
import { conflict } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { accountNamed, type Who } from '#src/operations/account/users/known-user.ts'
import { refuseLastOwner } from '#src/operations/account/users/change-account.ts'
import { endAccess } from '#src/operations/account/users/end-access.ts'
import { hasWayIn, type WaysIn } from '#src/operations/account/users/ways-in.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { findUser, insertAccount, isFirstAccount, setPasswordHash } from '#src/storage/accounts/accounts.ts'
import { deleteAllIdentitiesOf } from '#src/storage/accounts/identities.ts'
import { deleteSetupInvitations } from '#src/storage/accounts/invitations.ts'
import { listAccounts, type ListedAccount } from '#src/storage/accounts/list-accounts.ts'
import { clearAllFailures } from '#src/storage/accounts/login-failures.ts'
import { deletePasskeysOf } from '#src/storage/accounts/passkeys.ts'
import { endResetLink } from '#src/storage/accounts/reset-links.ts'
import { appendSecurityEvent } from '#src/storage/accounts/security-log.ts'
import { deleteSessionsOf } from '#src/storage/accounts/sessions.ts'
import { deleteTotp } from '#src/storage/accounts/totp.ts'
import { type ListedUser, listedUser } from '#src/storage/accounts/users.ts'
import { giveWaitingViews } from '#src/storage/views/waiting-views.ts'

interface NewAccount {
  email: string
  /** null: a provider of the address lets them in. */
  password_hash: string | null
  /** null: what it would get by registering. */
  role: Role | null
  default_role: Role
}

/** Makes an account for an operator. */
export const makeAccount = defineStep({
  name: 'makeAccount',
  effect: 'write',
  async run(context, { email, password_hash, role: given, default_role }: NewAccount): Promise<ListedUser> {
    const { db, now, newId } = context
    const first = await isFirstAccount(db)
    const role = given ?? (first ? 'owner' : default_role)
    if (first && role !== 'owner')
      throw conflict('The first account of a base is its owner', { suggestion: 'Make the owner first' })
    const user_id = newId()
    const made = await insertAccount(db, {
      user_id,
      email,
      email_key: emailKey(email),
      display_name: null,
      password_hash,
      email_proven_at: null,
      created_at: now.toISOString(),
      role,
    })
    if (!made) throw conflict(`${email} has an account already`)
    if (first) await deleteSetupInvitations(db)
    await appendSecurityEvent(db, context, { event_type: 'registered', user_id, details: { role } })
    return (await listedUser(db, user_id))!
  },
})

const MAX_PAGE = 500

/** All accounts, oldest first, a page at a time; `after`: id of the last user of the page before. */
export const listAccountsPage = defineStep({
  name: 'listAccountsPage',
  effect: 'read',
  run: ({ db, now }, { after }: { after: string }): Promise<ListedAccount[]> =>
    listAccounts(db, { after, limit: MAX_PAGE, now }),
})

/**
 * Ends somebody's sessions for an operator: all, or those begun before a time. `everything`: and all else that whoever
 * had one may have made to come back, or to let others in.
 */
export const endAllSessions = defineStep({
  name: 'endAllSessions',
  effect: 'write',
  async run(
    context,
    { who, created_before, everything = false }: Who & { created_before?: string; everything?: boolean },
  ) {
    const { db } = context
    const account = await accountNamed(db, who)
    const { user_id } = account
    await appendSecurityEvent(db, context, {
      event_type: 'session_ended',
      user_id,
      details: everything ? { everything: true } : {},
    })
    const ended = await deleteSessionsOf(db, user_id, { created_before })
    if (everything) await endAccess(context, user_id, 'locked out')
    return { ...account, ended_sessions: ended.length }
  },
})

/** Gives an account the views that were imported without their owner and wait for its address. */
export const giveViews = defineStep({
  name: 'giveViews',
  effect: 'write',
  async run({ db }, { who }: Who) {
    const account = await accountNamed(db, who)
    return { ...account, given_views: await giveWaitingViews(db, account.user_id, emailKey(account.email)) }
  },
})

const REMOVERS = {
  totp: async (db: Db, user_id: Ulid) => Number(await deleteTotp(db, user_id)),
  passkeys: deletePasskeysOf,
  providers: deleteAllIdentitiesOf,
}

const EVENTS = {
  totp: 'totp_disabled',
  passkeys: 'passkey_removed',
  providers: 'provider_unlinked',
} as const

interface SecondFactor extends Who {
  factor: 'totp' | 'passkeys' | 'providers'
  ways: WaysIn
}

/** Takes somebody's TOTP, passkeys or linked providers away for an operator and ends the sessions. */
export const removeSecondFactor = defineStep({
  name: 'removeSecondFactor',
  effect: 'write',
  async run(context, { who, factor, ways }: SecondFactor) {
    const { db } = context
    const account = await accountNamed(db, who)
    const { user_id } = account
    const removed = await REMOVERS[factor](db, user_id)
    if (removed && !ways.passwords) await refuseLockedOut(context, user_id, ways)
    if (removed) await appendSecurityEvent(db, context, { event_type: EVENTS[factor], user_id })
    return { ...account, removed, ended_sessions: (await deleteSessionsOf(db, user_id)).length }
  },
})

/** An operator can give a password where these are on. @throws Conflict where the last owner has no way in any more */
async function refuseLockedOut(context: SqlContext, user_id: Ulid, ways: WaysIn): Promise<void> {
  const user = await findUser(context.db, user_id)
  if (user?.role === 'owner' && !(await hasWayIn(context.db, user, ways)))
    await refuseLastOwner(context, user_id, ways)
}

/** Sets somebody's password for an operator, ends the sessions and a link to set another, and forgets the failures. */
export const resetPassword = defineStep({
  name: 'resetPassword',
  effect: 'write',
  async run(context, { who, password_hash }: Who & { password_hash: string }) {
    const { db } = context
    const account = await accountNamed(db, who)
    await appendSecurityEvent(db, context, { event_type: 'password_changed', user_id: account.user_id })
    await setPasswordHash(db, account.user_id, password_hash)
    await endResetLink(db, account.user_id)
    await clearAllFailures(db, accountKeys(account))
    return { ...account, ended_sessions: (await deleteSessionsOf(db, account.user_id)).length }
  },
})
