import { emailKey } from '#src/auth/email.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { findAccount, selectCredentials } from '#src/storage/accounts/accounts.ts'

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
