import { type Db, query } from '#src/sql/query.ts'
import type { FileUrlTable } from '#src/sql/tables.ts'
import type { Ulid } from '#src/domain/ulid.ts'

const insertRow = query((p: FileUrlTable, sql) =>
  sql.insertInto('file_url').values({
    token_hash: p.token_hash,
    user_id: p.user_id,
    purpose: p.purpose,
    file_id: p.file_id,
    name: p.name,
    caller: p.caller,
    asked: p.asked,
    expires_at: p.expires_at,
    used_at: p.used_at,
  }),
)
const byHash = query((p: { token_hash: string; now: string }, sql) =>
  sql
    .selectFrom('file_url')
    .selectAll()
    .where('token_hash', '=', p.token_hash)
    .where('expires_at', '>', p.now)
    .where('used_at', 'is', null),
)
const counted = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('file_url')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.user_id),
)
const markUse = query((p: { token_hash: string; used_at: string | null }, sql) =>
  sql.updateTable('file_url').set({ used_at: p.used_at }).where('token_hash', '=', p.token_hash),
)
const deleteExpired = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('file_url')
    .where('token_hash', 'in', (eb) =>
      eb.selectFrom('file_url').select('token_hash').where('expires_at', '<=', p.now).limit(p.limit),
    ),
)

export async function insertFileUrl(db: Db, url: FileUrlTable): Promise<void> {
  await db.enqueue(insertRow, url)
}

/** One that is open still. */
export const findFileUrl = (db: Db, token_hash: string, now: Date): Promise<FileUrlTable | undefined> =>
  db.get(byHash, { token_hash, now: now.toISOString() })

export const countFileUrls = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(counted, { user_id }))!.count

/** Null: it may be used again. */
export async function markFileUrl(db: Db, token_hash: string, used_at: string | null): Promise<void> {
  await db.enqueue(markUse, { token_hash, used_at })
}

/** How many there were. */
export async function sweepFileUrls(db: Db, now: string, limit: number): Promise<number> {
  return (await db.run(deleteExpired, { now, limit })).changes
}
