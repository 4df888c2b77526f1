import type { Ulid } from '#src/domain/ulid.ts'
import { managedSince } from '#src/auth/session.ts'
import { type Db, query } from '#src/sql/query.ts'
import { findUser, type User } from '#src/storage/accounts/accounts.ts'
import { endsLater } from '#src/storage/accounts/sessions.ts'

const ids = query((p: { after: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('account')
    .select(['user_id', 'disabled_at'])
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
)
const sessionsOf = query((p: { user_id: Ulid; now: string; since: Ulid }, sql) =>
  sql
    .selectFrom('session')
    .innerJoin('account', 'account.user_id', 'session.user_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('session.user_id', '=', p.user_id)
    .where('session.state', '=', 'full')
    .where('session.expires_at', '>', p.now)
    .where(endsLater(p.since)),
)

/** An account as its operator sees it. */
export interface ListedAccount extends User {
  sessions: number
  disabled: boolean
}

/** Oldest first, after the one of that id. */
export async function listAccounts(
  db: Db,
  { after, limit, now }: { after: Ulid; limit: number; now: Date },
): Promise<ListedAccount[]> {
  const accounts: ListedAccount[] = []
  for (const { user_id, disabled_at } of await db.all(ids, { after, limit })) {
    const user = await findUser(db, user_id)
    const sessions = await db.get(sessionsOf, {
      user_id,
      now: now.toISOString(),
      since: managedSince(now.getTime()),
    })
    if (user) accounts.push({ ...user, sessions: sessions?.n ?? 0, disabled: disabled_at !== null })
  }
  return accounts
}
