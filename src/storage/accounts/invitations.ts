import type { Insertable, Selectable } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { InvitationTable } from '#src/sql/tables.ts'

export type Invitation = Omit<Selectable<InvitationTable>, 'id' | 'token_hash' | 'used_by'>

const COLUMNS = [
  'invitation_id',
  'role',
  'email',
  'created_by',
  'created_at',
  'expires_at',
  'used_at',
] as const

const byHash = query((p: { token_hash: string }, sql) =>
  sql.selectFrom('invitation').select(COLUMNS).where('token_hash', '=', p.token_hash),
)
const byId = query((p: { invitation_id: Ulid }, sql) =>
  sql.selectFrom('invitation').select(COLUMNS).where('invitation_id', '=', p.invitation_id),
)
const insertRow = query((p: Insertable<InvitationTable>, sql) =>
  sql.insertInto('invitation').values({
    invitation_id: p.invitation_id,
    token_hash: p.token_hash,
    role: p.role,
    email: p.email,
    created_by: p.created_by,
    created_at: p.created_at,
    expires_at: p.expires_at,
  }),
)
const openRows = query((p: { now: string }, sql) =>
  sql
    .selectFrom('invitation')
    .select(COLUMNS)
    .where('created_by', 'is not', null)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .orderBy('id', 'desc'),
)
const useRow = query((p: { invitation_id: Ulid; used_by: Ulid; used_at: string }, sql) =>
  sql
    .updateTable('invitation')
    .set({ used_by: p.used_by, used_at: p.used_at })
    .where('invitation_id', '=', p.invitation_id)
    .where('used_at', 'is', null),
)
const deleteRow = query((p: { invitation_id: Ulid }, sql) =>
  sql.deleteFrom('invitation').where('invitation_id', '=', p.invitation_id),
)
const deleteOpen = query((p: { created_by: Ulid }, sql) =>
  sql
    .deleteFrom('invitation')
    .where('created_by', '=', p.created_by)
    .where('used_at', 'is', null)
    .returning('invitation_id'),
)
const deleteSetup = query((_: object, sql) => sql.deleteFrom('invitation').where('created_by', 'is', null))

/** Used and expired ones too. */
export const findInvitation = (db: Db, token_hash: string): Promise<Invitation | undefined> =>
  db.get(byHash, { token_hash })

export const invitationOfId = (db: Db, invitation_id: Ulid): Promise<Invitation | undefined> =>
  db.get(byId, { invitation_id })

export async function insertInvitation(
  db: Db,
  invitation: Omit<Insertable<InvitationTable>, 'id'>,
): Promise<void> {
  await db.enqueue(insertRow, invitation)
}

/** Those that can still be used, newest first. */
export const openInvitations = (db: Db, now: Date): Promise<Invitation[]> =>
  db.all(openRows, { now: now.toISOString() })

/** False: it was used before. */
export async function useInvitation(db: Db, invitation_id: Ulid, used_by: Ulid, now: Date): Promise<boolean> {
  return (await db.run(useRow, { invitation_id, used_by, used_at: now.toISOString() })).changes > 0
}

export async function removeInvitation(db: Db, invitation_id: Ulid): Promise<void> {
  await db.enqueue(deleteRow, { invitation_id })
}

/** Those that somebody made and nobody has used. Answers their ids. */
export async function removeOpenInvitations(db: Db, created_by: Ulid): Promise<Ulid[]> {
  return (await db.all(deleteOpen, { created_by })).map(({ invitation_id }) => invitation_id)
}

/** What the starts of the service have printed is of no use once there is an account. */
export async function deleteSetupInvitations(db: Db): Promise<void> {
  await db.enqueue(deleteSetup, {})
}
