import { type Db, query } from '#src/sql/query.ts'

/** What one process of several does: delivering to webhooks, running imports, telling who watches views. */
export type Turn = 'webhooks' | 'imports' | 'watches'
const IDS: Readonly<Record<Turn, number>> = { webhooks: 1, imports: 2, watches: 3 }

/** Which process does it, and what it last said that it lives. */
export interface Lease {
  holder: string
  beat: string
}

const find = query((p: { id: number }, sql) =>
  sql.selectFrom('webhook_lease').select(['holder', 'beat']).where('id', '=', p.id),
)
const put = query((p: Lease & { id: number }, sql) =>
  sql
    .insertInto('webhook_lease')
    .values({ id: p.id, holder: p.holder, beat: p.beat })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ holder: p.holder, beat: p.beat })),
)
const drop = query((p: { holder: string }, sql) =>
  sql.deleteFrom('webhook_lease').where('holder', '=', p.holder),
)

export const selectLease = async (db: Db, turn: Turn): Promise<Lease | null> =>
  (await db.get(find, { id: IDS[turn] })) ?? null

/** Takes it where nobody has it, or the one that had it says no more than what is `expired`; goes on with it where it is the holder's. */
export async function claimLease(
  db: Db,
  turn: Turn,
  holder: string,
  beat: string,
  expired: Lease | null,
): Promise<boolean> {
  const found = await selectLease(db, turn)
  const isFree =
    !found ||
    found.holder === holder ||
    (expired !== null && found.holder === expired.holder && found.beat === expired.beat)
  if (isFree) await db.enqueue(put, { id: IDS[turn], holder, beat })
  return isFree
}

export async function deleteLease(db: Db, holder: string): Promise<void> {
  await db.enqueue(drop, { holder })
}
