import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ResetLinkTable } from '#src/sql/tables.ts'

const insertRow = query((p: ResetLinkTable, sql) =>
  sql.insertInto('reset_link').values({
    user_id: p.user_id,
    token_hash: p.token_hash,
    created_by: p.created_by,
    expires_at: p.expires_at,
  }),
)
const byHash = query((p: { token_hash: string; now: string }, sql) =>
  sql
    .selectFrom('reset_link')
    .select('user_id')
    .where('token_hash', '=', p.token_hash)
    .where('expires_at', '>', p.now),
)
const deleteOf = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('reset_link').where('user_id', '=', p.user_id),
)
const deleteBy = query((p: { created_by: Ulid }, sql) =>
  sql.deleteFrom('reset_link').where('created_by', '=', p.created_by),
)
const deleteExpired = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('reset_link')
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('reset_link').select('user_id').where('expires_at', '<=', p.now).limit(p.limit),
    ),
)

/** In place of the one that the account had. */
export async function putResetLink(db: Db, link: ResetLinkTable): Promise<void> {
  await endResetLink(db, link.user_id)
  await db.enqueue(insertRow, link)
}

/** Whose password a token may set; undefined: nobody's. */
export const findResetLink = async (db: Db, token_hash: string, now: Date): Promise<Ulid | undefined> =>
  (await db.get(byHash, { token_hash, now: now.toISOString() }))?.user_id

/** The one that leads into an account. */
export async function endResetLink(db: Db, user_id: Ulid): Promise<void> {
  await db.enqueue(deleteOf, { user_id })
}

/** Those that somebody made. */
export async function endResetLinksBy(db: Db, created_by: Ulid): Promise<void> {
  await db.enqueue(deleteBy, { created_by })
}

/** How many there were. */
export async function sweepResetLinks(db: Db, now: string, limit: number): Promise<number> {
  return (await db.run(deleteExpired, { now, limit })).changes
}
