import { type Db, query } from '#src/sql/query.ts'

/** Which process delivers, and what it last said that it lives. */
export interface Lease {
  holder: string
  beat: string
}

const ID = 1
const find = query((_: object, sql) =>
  sql.selectFrom('webhook_lease').select(['holder', 'beat']).where('id', '=', ID),
)
const put = query((p: Lease, sql) =>
  sql
    .insertInto('webhook_lease')
    .values({ id: ID, holder: p.holder, beat: p.beat })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ holder: p.holder, beat: p.beat })),
)
const drop = query((p: { holder: string }, sql) =>
  sql.deleteFrom('webhook_lease').where('holder', '=', p.holder),
)

export const selectLease = async (db: Db): Promise<Lease | null> => (await db.get(find, {})) ?? null

/** Takes it where nobody has it, or the one that had it says no more than what is `expired`; goes on with it where it is the holder's. */
export async function claimLease(
  db: Db,
  holder: string,
  beat: string,
  expired: Lease | null,
): Promise<boolean> {
  const found = await selectLease(db)
  const isFree =
    !found ||
    found.holder === holder ||
    (expired !== null && found.holder === expired.holder && found.beat === expired.beat)
  if (isFree) await db.enqueue(put, { holder, beat })
  return isFree
}

export async function deleteLease(db: Db, holder: string): Promise<void> {
  await db.enqueue(drop, { holder })
}
