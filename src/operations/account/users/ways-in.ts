import { isIssuer, PROVIDERS } from '#src/auth/identity-provider.ts'
import type { Config } from '#src/config/config.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findUser, type User } from '#src/storage/accounts/accounts.ts'
import { linksTo } from '#src/storage/accounts/identities.ts'
import { hasOtherOwner, otherOwners } from '#src/storage/accounts/users.ts'

/** What lets somebody in besides passkeys, as it crosses to the threads. */
export interface WaysIn {
  passwords: boolean
  /** Those that are configured: a link to another one, or to what once had its name, lets nobody in. */
  providers: readonly { provider: string; issuer: string }[]
}

export const waysInOf = (config: Config): WaysIn => ({
  passwords: config.passwords,
  providers: PROVIDERS.flatMap((provider) => {
    const { issuer } = config[provider] ?? {}
    return issuer === undefined ? [] : [{ provider, issuer }]
  }),
})

/** Whether somebody can sign in; `without`: a provider that is about to be unlinked. */
export async function hasWayIn(
  db: Db,
  { user_id, has_password, has_passkey }: Pick<User, 'user_id' | 'has_password' | 'has_passkey'>,
  { passwords, providers }: WaysIn,
  without?: string,
): Promise<boolean> {
  if ((passwords && has_password) || has_passkey) return true
  const links = await linksTo(db, user_id)
  return links.some(
    (link) =>
      link.provider !== without &&
      providers.some((each) => each.provider === link.provider && isIssuer(each.issuer, link.issuer)),
  )
}

/** Whether somebody else who owns the base can sign in. Where passwords are on, an operator can give each owner one. */
export async function otherOwnerCanSignIn(db: Db, user_id: Ulid, ways: WaysIn): Promise<boolean> {
  if (ways.passwords) return hasOtherOwner(db, user_id)
  for (const other of await otherOwners(db, user_id))
    if (await hasWayIn(db, (await findUser(db, other))!, ways)) return true
  return false
}
