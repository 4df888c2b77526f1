import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

const deleteRows = query((p: { user_id: Ulid }, sql) =>
  sql.deleteFrom('recovery_code').where('user_id', '=', p.user_id),
)
const insertRow = query((p: { user_id: Ulid; code_hash: string }, sql) =>
  sql.insertInto('recovery_code').values({ user_id: p.user_id, code_hash: p.code_hash }),
)
const takeRow = query((p: { user_id: Ulid; code_hash: string }, sql) =>
  sql.deleteFrom('recovery_code').where('user_id', '=', p.user_id).where('code_hash', '=', p.code_hash),
)
const countRows = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('user_id', '=', p.user_id),
)

/** In place of earlier ones; they go with the TOTP secret. */
export async function replaceRecoveryCodes(
  db: Db,
  user_id: Ulid,
  code_hashes: readonly string[],
): Promise<void> {
  await db.enqueue(deleteRows, { user_id })
  for (const code_hash of code_hashes) await db.enqueue(insertRow, { user_id, code_hash })
}

/** False: the account has no such code (any more). */
export async function useRecoveryCode(db: Db, user_id: Ulid, code_hash: string): Promise<boolean> {
  return (await db.run(takeRow, { user_id, code_hash })).changes > 0
}

export const recoveryCodesLeft = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(countRows, { user_id }))?.n ?? 0
