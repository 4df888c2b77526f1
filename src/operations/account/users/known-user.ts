import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { accountNamed } from '#src/operations/account/users/account-named.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { type ListedUser, listedUser } from '#src/storage/accounts/users.ts'

/** Who is meant by an id; at the command line, also by an e-mail address. @throws NotFound */
export async function knownUser({ db, caller }: SqlContext, who: string): Promise<ListedUser> {
  const user_id = caller.client?.kind === 'cli' ? (await accountNamed(db, who)).user_id : parseUlid(who)
  const user = user_id && (await listedUser(db, user_id))
  if (!user) throw notFound('user', who, { suggestion: 'List them with GET /api/users' })
  return user
}
