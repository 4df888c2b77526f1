import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { setRoleProvider } from '#src/storage/accounts/accounts.ts'

/** An account at a provider. */
export interface IdentityKey {
  provider: string
  issuer: string
  subject: string
}

const ownerOf = query((p: IdentityKey, sql) =>
  sql
    .selectFrom('identity')
    .select('user_id')
    .where('provider', '=', p.provider)
    .where('issuer', '=', p.issuer)
    .where('subject', '=', p.subject),
)
const linksOf = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('identity').select(['provider', 'issuer']).distinct().where('user_id', '=', p.user_id),
)
const insertRow = query((p: IdentityKey & { user_id: Ulid; created_at: string }, sql) =>
  sql.insertInto('identity').values({
    provider: p.provider,
    issuer: p.issuer,
    subject: p.subject,
    user_id: p.user_id,
    created_at: p.created_at,
  }),
)
const deleteRows = query((p: { user_id: Ulid; provider: string }, sql) =>
  sql.deleteFrom('identity').where('user_id', '=', p.user_id).where('provider', '=', p.provider),
)
const deleteAll = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('identity').where('user_id', '=', p.user_id),
)

/** A provider that is no longer linked says no role, and its 24 hours end no session. */
const dropAnyRole = query((p: { user_id: Ulid }, sql) =>
  sql.updateTable('account').set({ role_provider: null }).where('user_id', '=', p.user_id),
)

/** The account that holds the identity. */
export async function findIdentityOwner(db: Db, key: IdentityKey): Promise<Ulid | undefined> {
  return (await db.get(ownerOf, key))?.user_id
}

/** Where the account has identities. */
export const linksTo = (db: Db, user_id: Ulid): Promise<Pick<IdentityKey, 'provider' | 'issuer'>[]> =>
  db.all(linksOf, { user_id })

export async function insertIdentity(db: Db, key: IdentityKey, user_id: Ulid, now: Date): Promise<void> {
  await db.enqueue(insertRow, { ...key, user_id, created_at: now.toISOString() })
}

/** False: the provider was not linked. */
export async function deleteIdentitiesOf(db: Db, user_id: Ulid, provider: string): Promise<boolean> {
  await setRoleProvider(db, user_id, { provider, gives: false })
  return (await db.run(deleteRows, { user_id, provider })).changes > 0
}

/** How many there were. */
export async function deleteAllIdentitiesOf(db: Db, user_id: Ulid): Promise<number> {
  await db.enqueue(dropAnyRole, { user_id })
  return (await db.run(deleteAll, { user_id })).changes
}
