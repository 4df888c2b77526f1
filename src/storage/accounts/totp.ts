import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

export interface Totp {
  /** Sealed (`auth/secret-box.ts`). */
  secret: string
  state: 'pending' | 'active'
  /** When a session activated it, or began to, that had not proved itself; null: it proves who somebody is. */
  unproven_at: string | null
}

const rowOf = query((p: { user_id: Ulid }, sql) =>
  sql.selectFrom('totp').select(['secret', 'state', 'unproven_at']).where('user_id', '=', p.user_id),
)
interface PendingTotp {
  user_id: Ulid
  secret: string
  created_at: string
  unproven_at: string | null
}

const insertPending = query((p: PendingTotp, sql) =>
  sql.insertInto('totp').values({
    user_id: p.user_id,
    secret: p.secret,
    state: 'pending',
    created_at: p.created_at,
    unproven_at: p.unproven_at,
  }),
)
const activate = query((p: { user_id: Ulid; secret: string; unproven_at: string | null }, sql) =>
  sql
    .updateTable('totp')
    .set({ state: 'active', unproven_at: p.unproven_at })
    .where('user_id', '=', p.user_id)
    .where('secret', '=', p.secret)
    .where('state', '=', 'pending'),
)
const proveRow = query((p: { user_id: Ulid }, sql) =>
  sql.updateTable('totp').set({ unproven_at: null }).where('user_id', '=', p.user_id),
)
const deleteRow = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('totp').where('user_id', '=', p.user_id),
)
const deletePending = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('totp').where('user_id', '=', p.user_id).where('state', '=', 'pending'),
)
const insertStep = query((p: { user_id: Ulid; step: number }, sql) =>
  sql
    .insertInto('totp_used_step')
    .values({ user_id: p.user_id, step: p.step })
    .onConflict((conflict) => conflict.doNothing()),
)

export const findTotp = (db: Db, user_id: Ulid): Promise<Totp | undefined> => db.get(rowOf, { user_id })

/** In place of an earlier pending one; an active one must not be there. */
export async function insertPendingTotp(db: Db, pending: PendingTotp): Promise<void> {
  await deletePendingTotp(db, pending.user_id)
  await db.enqueue(insertPending, pending)
}

/** False: that secret is not pending (any more). */
export async function markTotpActive(
  db: Db,
  user_id: Ulid,
  secret: string,
  unproven_at: string | null,
): Promise<boolean> {
  return (await db.run(activate, { user_id, secret, unproven_at })).changes > 0
}

/** Somebody has signed in with a code of it: from now on it proves who they are. */
export async function setTotpProven(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(proveRow, { user_id })
}

/** With its used steps. False: there was none. */
export async function deleteTotp(db: Db, user_id: Ulid): Promise<boolean> {
  return (await db.run(deleteRow, { user_id })).changes > 0
}

export async function deletePendingTotp(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(deletePending, { user_id })
}

/** False: a code of that step has been used before. */
export async function useTotpStep(db: Db, user_id: Ulid, step: number): Promise<boolean> {
  return (await db.run(insertStep, { user_id, step })).changes > 0
}
