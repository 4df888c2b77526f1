import { PROVIDERS } from '#src/auth/identity-provider.ts'
import type { Config } from '#src/config/config.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findUser, type User } from '#src/storage/accounts/accounts.ts'
import { hasOtherOwner, otherOwners } from '#src/storage/accounts/users.ts'

/** What lets somebody in besides passkeys, as it crosses to the threads. */
export interface WaysIn {
  passwords: boolean
  /** Those that are configured: a link to another one lets nobody in. */
  providers: readonly string[]
}

export const waysInOf = (config: Config): WaysIn => ({
  passwords: config.passwords,
  providers: PROVIDERS.filter((name) => config[name]),
})

export const hasWayIn = (
  {
    has_password,
    has_passkey,
    oauth_providers,
  }: Pick<User, 'has_password' | 'has_passkey' | 'oauth_providers'>,
  { passwords, providers }: WaysIn,
): boolean =>
  (passwords && has_password) || has_passkey || oauth_providers.some((each) => providers.includes(each))

/** Whether somebody else who owns the base can sign in. Where passwords are on, an operator can give each owner one. */
export async function otherOwnerCanSignIn(db: Db, user_id: Ulid, ways: WaysIn): Promise<boolean> {
  if (ways.passwords) return hasOtherOwner(db, user_id)
  for (const other of await otherOwners(db, user_id))
    if (hasWayIn((await findUser(db, other))!, ways)) return true
  return false
}
