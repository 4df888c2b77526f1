import { emailKey } from '#src/auth/email.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import type { Db } from '#src/sql/query.ts'
import { findAccount, selectCredentials } from '#src/storage/accounts/accounts.ts'
import { type ListedUser, listedUser } from '#src/storage/accounts/users.ts'

/** The account that is meant by an id; at the command line, also by an e-mail address. @throws NotFound */
export async function knownUser({ db, caller }: SqlContext, who: string): Promise<ListedUser> {
  const user_id = caller.client?.kind === 'cli' ? (await accountNamed(db, who)).user_id : parseUlid(who)
  const user = user_id && (await listedUser(db, user_id))
  if (!user) throw notFound('user', who, { suggestion: 'List them with GET /api/users' })
  return user
}

export interface Who {
  /** E-mail address or user id. */
  who: string
}

/** The account of an e-mail address or a user id. @throws NotFound */
export async function accountNamed(db: Db, who: string): Promise<{ user_id: string; email: string }> {
  const user_id = parseUlid(who) ?? (await selectCredentials(db, emailKey(who)))?.user_id
  const account = user_id && (await findAccount(db, user_id))
  if (!account)
    throw notFound('user', who, {
      suggestion: 'Give an e-mail address or a user id; list them all with `user list`',
    })
  return { user_id: account.user_id, email: account.email }
}
