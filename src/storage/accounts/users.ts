import type { Kysely } from 'kysely'
import type { Role } from '#src/domain/caller.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { Tables } from '#src/sql/tables.ts'
import { factorCounts } from '#src/storage/accounts/accounts.ts'

/** An account as an owner sees it. */
export interface ListedUser {
  user_id: Ulid
  display_name: string | null
  disabled: boolean
  email: string
  role: Role
  has_totp: boolean
  has_passkey: boolean
  created_at: string
  last_used_at: string | null
}

const listed = (sql: Kysely<Tables>) =>
  sql
    .selectFrom('account')
    .select((eb) => [
      'user_id',
      'display_name',
      'disabled_at',
      'email',
      'role',
      'created_at',
      'last_used_at',
      ...factorCounts(eb),
    ])
const rowsAfter = query((p: { after: string; limit: number }, sql) =>
  listed(sql).where('user_id', '>', p.after).orderBy('user_id').limit(p.limit),
)
const oneRow = query((p: { user_id: Ulid }, sql) => listed(sql).where('user_id', '=', p.user_id))
const deletedAfter = query((p: { after: string; limit: number }, sql) =>
  sql
    .selectFrom('deleted_account')
    .select('user_id')
    .where('user_id', '>', p.after)
    .orderBy('user_id')
    .limit(p.limit),
)
const otherOwner = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('account')
    .select('user_id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('user_id', '<>', p.user_id)
    .limit(1),
)
const otherOwnerIds = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('account')
    .select('user_id')
    .where('role', '=', 'owner')
    .where('disabled_at', 'is', null)
    .where('user_id', '<>', p.user_id),
)
const updateRole = query((p: { user_id: Ulid; role: Role }, sql) =>
  sql.updateTable('account').set({ role: p.role }).where('user_id', '=', p.user_id),
)
const updateDisabled = query((p: { user_id: Ulid; disabled_at: string | null }, sql) =>
  sql.updateTable('account').set({ disabled_at: p.disabled_at }).where('user_id', '=', p.user_id),
)
const deleteRow = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('account').where('user_id', '=', p.user_id),
)
const insertDeleted = query((p: { user_id: Ulid; deleted_at: string }, sql) =>
  sql.insertInto('deleted_account').values({ user_id: p.user_id, deleted_at: p.deleted_at }),
)

interface ListedRow extends Omit<ListedUser, 'disabled' | 'has_totp' | 'has_passkey'> {
  disabled_at: string | null
  totps: number | null
  passkeys: number | null
}

const toUser = ({ disabled_at, totps, passkeys, ...row }: ListedRow): ListedUser => ({
  user_id: row.user_id,
  display_name: row.display_name,
  disabled: disabled_at !== null,
  email: row.email,
  role: row.role,
  has_totp: Number(totps) > 0,
  has_passkey: Number(passkeys) > 0,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
})

/** Of an account that is deleted the id is left. */
export type UserOrDeleted = ListedUser | { user_id: Ulid }

/** Some of both, oldest first, after one or from the first on. */
export async function usersAfter(db: Db, after: Ulid | undefined, limit: number): Promise<UserOrDeleted[]> {
  const page = { after: after ?? '', limit }
  const living: UserOrDeleted[] = (await db.all(rowsAfter, page)).map(toUser)
  return [...living, ...(await db.all(deletedAfter, page))]
    .sort((a, b) => (a.user_id < b.user_id ? -1 : 1))
    .slice(0, limit)
}

export async function listedUser(db: Db, user_id: Ulid): Promise<ListedUser | undefined> {
  const row = await db.get(oneRow, { user_id })
  return row && toUser(row)
}

/** Whether somebody else owns the base and is not disabled. */
export const hasOtherOwner = async (db: Db, user_id: Ulid): Promise<boolean> =>
  (await db.get(otherOwner, { user_id })) !== undefined

/** Ids of the others who own the base and are not disabled. */
export const otherOwners = async (db: Db, user_id: Ulid): Promise<Ulid[]> =>
  (await db.all(otherOwnerIds, { user_id })).map((row) => row.user_id)

export async function setRole(db: Db, user_id: Ulid, role: Role): Promise<void> {
  await db.enqueue(updateRole, { user_id, role })
}

/** null: it can sign in again. */
export async function setDisabled(db: Db, user_id: Ulid, disabled_at: string | null): Promise<void> {
  await db.enqueue(updateDisabled, { user_id, disabled_at })
}

/** With all that is its own; the id stays known. */
export async function removeAccount(db: Db, user_id: Ulid, now: Date): Promise<void> {
  await db.enqueue(deleteRow, { user_id })
  await db.enqueue(insertDeleted, { user_id, deleted_at: now.toISOString() })
}
