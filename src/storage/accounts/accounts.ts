import type { ExpressionBuilder } from 'kysely'
import type { Role } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'
import { endResetLink } from '#src/storage/accounts/reset-links.ts'

export interface NewAccount {
  user_id: Ulid
  email: string
  email_key: string
  display_name: string | null
  password_hash: string | null
  email_proven_at: string | null
  created_at: string
  role: Role
}

/** What a sign-in needs to know of an account. */
export interface Credentials {
  user_id: Ulid
  password_hash: string | null
  disabled_at: string | null
}

/** An account as its owner sees it (specification, User: both forms). */
export interface User {
  user_id: Ulid
  email: string
  display_name: string | null
  has_totp: boolean
  has_passkey: boolean
  linked_idp_a: boolean
  linked_idp_b: boolean
  created_at: string
  oauth_providers: string[]
  has_password: boolean
  role: Role
}

const insertRow = query((p: NewAccount, sql) =>
  sql
    .insertInto('account')
    .values({
      user_id: p.user_id,
      email: p.email,
      email_key: p.email_key,
      display_name: p.display_name,
      password_hash: p.password_hash,
      email_proven_at: p.email_proven_at,
      created_at: p.created_at,
      role: p.role,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing()),
)
const byEmail = query((p: { email_key: string }, sql) =>
  sql
    .selectFrom('account')
    .select(['user_id', 'password_hash', 'disabled_at'])
    .where('email_key', '=', p.email_key),
)
const byId = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('account')
    .select([
      'user_id',
      'email',
      'email_key',
      'password_hash',
      'email_proven_at',
      'disabled_at',
      'email_changed_at',
      'password_unproven_at',
    ])
    .where('user_id', '=', p.user_id),
)
const userRow = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('account')
    .select((eb) => [
      'user_id',
      'email',
      'display_name',
      'password_hash',
      'created_at',
      'role',
      ...factorCounts(eb),
    ])
    .where('user_id', '=', p.user_id),
)
const providersOf = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('identity')
    .select('provider')
    .distinct()
    .where('user_id', '=', p.user_id)
    .orderBy('provider'),
)
const updateName = query((p: { user_id: Ulid; display_name: string | null }, sql) =>
  sql.updateTable('account').set({ display_name: p.display_name }).where('user_id', '=', p.user_id),
)
const updatePassword = query(
  (p: { user_id: Ulid; password_hash: string | null; unproven_at: string | null }, sql) =>
    sql
      .updateTable('account')
      .set({ password_hash: p.password_hash, password_unproven_at: p.unproven_at })
      .where('user_id', '=', p.user_id),
)
const provePassword = query((p: { user_id: Ulid }, sql) =>
  sql.updateTable('account').set({ password_unproven_at: null }).where('user_id', '=', p.user_id),
)
const updateProven = query((p: { user_id: Ulid; email_proven_at: string }, sql) =>
  sql
    .updateTable('account')
    .set({ email_proven_at: p.email_proven_at, email_changed_at: null })
    .where('user_id', '=', p.user_id),
)
interface NewEmail {
  email: string
  email_key: string
  changed_at: string
}
const updateEmail = query((p: NewEmail & { user_id: Ulid }, sql) =>
  sql
    .updateTable('account')
    .set({
      email: p.email,
      email_key: p.email_key,
      email_proven_at: null,
      email_changed_at: p.changed_at,
    })
    .where('user_id', '=', p.user_id),
)
const updateSpelling = query((p: { user_id: Ulid; email: string }, sql) =>
  sql.updateTable('account').set({ email: p.email }).where('user_id', '=', p.user_id),
)
const giveRole = query((p: { user_id: Ulid; provider: string }, sql) =>
  sql.updateTable('account').set({ role_provider: p.provider }).where('user_id', '=', p.user_id),
)
const dropRole = query((p: { user_id: Ulid; provider: string }, sql) =>
  sql
    .updateTable('account')
    .set({ role_provider: null })
    .where('user_id', '=', p.user_id)
    .where('role_provider', '=', p.provider),
)
const preferencesRow = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('account').select('preferences').where('user_id', '=', p.user_id),
)
const updatePreferences = query((p: { user_id: Ulid; preferences: string }, sql) =>
  sql.updateTable('account').set({ preferences: p.preferences }).where('user_id', '=', p.user_id),
)

/** False: the address is taken. */
export async function insertAccount(db: Db, account: NewAccount): Promise<boolean> {
  return (await db.run(insertRow, account)).changes > 0
}

export const selectCredentials = (db: Db, email_key: string): Promise<Credentials | undefined> =>
  db.get(byEmail, { email_key })

const anyAccount = query((_: object, sql) => sql.selectFrom('account').select('user_id').limit(1))

/** Whether nobody has an account yet: the first one owns the base. */
export const isFirstAccount = async (db: Db): Promise<boolean> => !(await db.get(anyAccount, {}))

const setLastUsed = query((p: { user_id: Ulid; last_used_at: string }, sql) =>
  sql
    .updateTable('account')
    .set({ last_used_at: p.last_used_at })
    .where('user_id', '=', p.user_id)
    .where((e) => e.or([e('last_used_at', 'is', null), e('last_used_at', '<', p.last_used_at)])),
)

/** Notes in which minute the account was last used. */
export async function touchAccount(db: Db, user_id: Ulid, minute: string): Promise<void> {
  await db.enqueue(setLastUsed, { user_id, last_used_at: minute })
}

const oldestOwns = query((_: object, sql) =>
  sql
    .updateTable('account')
    .set({ role: 'owner' })
    .where('id', '=', (eb) => eb.selectFrom('account').select(eb.fn.min('id').as('id')))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('account as other').select('other.id').where('other.role', '=', 'owner'))),
    ),
)

/** Where no account is an owner, the oldest becomes one. */
export async function ensureOwner(db: Db): Promise<void> {
  await db.enqueue(oldestOwns, {})
}

export const findAccount = (db: Db, user_id: Ulid) => db.get(byId, { user_id })

export async function findUser(db: Db, user_id: Ulid): Promise<User | undefined> {
  const row = await db.get(userRow, { user_id })
  if (!row) return undefined
  const oauth_providers = (await db.all(providersOf, { user_id })).map(({ provider }) => provider)
  return {
    user_id: row.user_id,
    email: row.email,
    display_name: row.display_name,
    has_totp: Number(row.totps) > 0,
    has_passkey: Number(row.passkeys) > 0,
    linked_idp_a: oauth_providers.includes('idp_a'),
    linked_idp_b: oauth_providers.includes('idp_b'),
    created_at: row.created_at,
    oauth_providers,
    has_password: row.password_hash !== null,
    role: row.role,
  }
}

export async function setDisplayName(db: Db, user_id: Ulid, display_name: string | null): Promise<void> {
  await db.enqueue(updateName, { user_id, display_name })
}

/** null takes the password away. `unproven_at`: when, where a session sets it that has not proved itself. No link sets it again. */
export async function setPasswordHash(
  db: Db,
  user_id: Ulid,
  password_hash: string | null,
  unproven_at: string | null = null,
): Promise<void> {
  await db.enqueue(updatePassword, { user_id, password_hash, unproven_at })
  await endResetLink(db, user_id)
}

/** Somebody has signed in with the password: from now on it proves who they are. */
export async function setPasswordProven(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(provePassword, { user_id })
}

export async function setEmailProven(db: Db, user_id: Ulid, now: Date): Promise<void> {
  await db.enqueue(updateProven, { user_id, email_proven_at: now.toISOString() })
}

/** The new address is proven by nobody. */
export async function setEmail(db: Db, user_id: Ulid, email: NewEmail): Promise<void> {
  await db.enqueue(updateEmail, { user_id, ...email })
}

/** The same address in other upper and lower case: what was proven of it holds. */
export async function setEmailSpelling(db: Db, user_id: Ulid, email: string): Promise<void> {
  await db.enqueue(updateSpelling, { user_id, email })
}

/** Whether it is this provider that says the role of an account. */
export async function setRoleProvider(
  db: Db,
  user_id: Ulid,
  { provider, gives }: { provider: string; gives: boolean },
): Promise<void> {
  await db.enqueue(gives ? giveRole : dropRole, { user_id, provider })
}

/** JSON text; null: none were ever set. */
export const preferencesOf = async (db: Db, user_id: Ulid): Promise<string | null> =>
  (await db.get(preferencesRow, { user_id }))?.preferences ?? null

export async function setPreferences(db: Db, user_id: Ulid, preferences: string): Promise<void> {
  await db.enqueue(updatePreferences, { user_id, preferences })
}

/** How many active second factors and passkeys an account of the query has, as `totps` and `passkeys`. */
export const factorCounts = (eb: ExpressionBuilder<Tables, 'account'>) =>
  [
    eb
      .selectFrom('totp')
      .select(eb.fn.countAll<number>().as('n'))
      .whereRef('totp.user_id', '=', 'account.user_id')
      .where('totp.state', '=', 'active')
      .as('totps'),
    eb
      .selectFrom('passkey')
      .select(eb.fn.countAll<number>().as('n'))
      .whereRef('passkey.user_id', '=', 'account.user_id')
      .as('passkeys'),
  ] as const
