import type { Selectable } from 'kysely'
import type { Role, Scope } from '#src/domain/caller.ts'
import type { Limit } from '#src/domain/limit.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { scopeOf, storedScope } from '#src/storage/accounts/stored-scope.ts'
import { type Db, query } from '#src/sql/query.ts'
import { withLimit } from '#src/storage/accounts/limits.ts'
import type { ApiKeyTable } from '#src/sql/tables.ts'

export type NewApiKey = Omit<Selectable<ApiKeyTable>, 'id' | 'last_used_at' | 'scope' | 'proposes'> & {
  scope: Scope
}
export type ListedKey = Omit<NewApiKey, 'user_id' | 'key_hash' | 'limited_to'> & {
  last_used_at: string | null
  limit?: Limit
}

/** A key that has not been revoked. */
export interface LiveKey {
  key_id: Ulid
  user_id: Ulid
  name: string
  scope: Scope
  expires_at: string | null
  last_used_at: string | null
  /** Of its account. */
  role: Role
  /** It sees a part of the base. */
  limited: boolean
}

const insertRow = query((p: NewApiKey & ReturnType<typeof storedScope>, sql) =>
  sql.insertInto('api_key').values({
    key_id: p.key_id,
    user_id: p.user_id,
    name: p.name,
    scope: p.scope,
    proposes: p.proposes,
    prefix: p.prefix,
    key_hash: p.key_hash,
    created_at: p.created_at,
    expires_at: p.expires_at,
    limited_to: p.limited_to,
  }),
)
const rowsOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('api_key')
    .select([
      'key_id',
      'name',
      scopeOf('api_key').as('scope'),
      'prefix',
      'created_at',
      'expires_at',
      'last_used_at',
      'limited_to',
    ])
    .where('user_id', '=', p.user_id)
    .orderBy('id', 'desc'),
)
const countOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('api_key')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', p.user_id),
)
const liveRow = query((p: { key_hash: string }, sql) =>
  sql
    .selectFrom('api_key')
    .innerJoin('account', 'account.user_id', 'api_key.user_id')
    .select([
      'api_key.key_id',
      'api_key.user_id',
      'api_key.name',
      scopeOf('api_key').as('scope'),
      'api_key.expires_at',
      'api_key.last_used_at',
      'account.role',
      'api_key.limited_to',
    ])
    .where('api_key.key_hash', '=', p.key_hash)
    .where('account.disabled_at', 'is', null),
)
const touchRow = query((p: { key_hash: string; last_used_at: string }, sql) =>
  sql.updateTable('api_key').set({ last_used_at: p.last_used_at }).where('key_hash', '=', p.key_hash),
)
const deleteRow = query((p: { user_id: Ulid; key_id: Ulid }, sql) =>
  sql
    .deleteFrom('api_key')
    .where('user_id', '=', p.user_id)
    .where('key_id', '=', p.key_id)
    .returning(['key_hash', 'name', 'prefix']),
)
const deleteRows = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('api_key').where('user_id', '=', p.user_id).returning('key_hash'),
)

export async function insertKey(db: Db, key: NewApiKey): Promise<void> {
  await db.enqueue(insertRow, { ...key, ...storedScope(key.scope) })
}

/** Newest first, expired ones too. */
export const keysOf = async (db: Db, user_id: Ulid): Promise<ListedKey[]> =>
  (await db.all(rowsOf, { user_id })).map(withLimit)

export const countKeys = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(countOf, { user_id }))?.n ?? 0

/** An expired one too. */
export async function selectKey(db: Db, key_hash: string): Promise<LiveKey | undefined> {
  const row = await db.get(liveRow, { key_hash })
  if (!row) return undefined
  const { limited_to, ...key } = row
  return { ...key, limited: limited_to !== null }
}

export async function updateKeyUse(db: Db, key_hash: string, last_used_at: string): Promise<void> {
  await db.enqueue(touchRow, { key_hash, last_used_at })
}

export const deleteKey = (
  db: Db,
  user_id: Ulid,
  key_id: Ulid,
): Promise<{ key_hash: string; name: string; prefix: string } | undefined> =>
  db.get(deleteRow, { user_id, key_id })

/** Their hashes. */
export async function deleteKeysOf(db: Db, user_id: Ulid): Promise<string[]> {
  return (await db.all(deleteRows, { user_id })).map(({ key_hash }) => key_hash)
}
