import type { Selectable } from 'kysely'
import type { Network } from '#src/auth/client-address.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { AppRecordTable } from '#src/sql/tables.ts'

export type AppRecord = Selectable<AppRecordTable>
/** When what another one has replaced was "used": a moment that is no use. */
export const REPLACED = new Date(0).toISOString()

interface Key {
  kind: string
  id_hash: string
}

/** The refresh tokens of an app that were given for one of the rotation before. */
export interface Rotation {
  kind: string
  app_id: string
  rotation: number
}

const upsertRow = query((p: AppRecord, sql) =>
  sql
    .insertInto('app_record')
    .values({
      kind: p.kind,
      id_hash: p.id_hash,
      app_id: p.app_id,
      payload: p.payload,
      rotation: p.rotation,
      expires_at: p.expires_at,
      address: p.address,
    })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id_hash']).doUpdateSet((eb) => ({
        payload: eb.ref('excluded.payload'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    ),
)
const rowOf = query((p: Key & { now: string }, sql) =>
  sql
    .selectFrom('app_record')
    .selectAll()
    .where('kind', '=', p.kind)
    .where('id_hash', '=', p.id_hash)
    .where('expires_at', '>', p.now),
)
const consumeRow = query((p: Key & { consumed_at: string }, sql) =>
  sql
    .updateTable('app_record')
    .set({ consumed_at: p.consumed_at })
    .where('kind', '=', p.kind)
    .where('id_hash', '=', p.id_hash)
    .where('consumed_at', 'is', null),
)
const useReplacedRow = query((p: Key & { consumed_at: string }, sql) =>
  sql
    .updateTable('app_record')
    .set({ consumed_at: p.consumed_at })
    .where('kind', '=', p.kind)
    .where('id_hash', '=', p.id_hash)
    .where('consumed_at', '=', REPLACED),
)
const replaceLater = query((p: Rotation, sql) =>
  sql
    .updateTable('app_record')
    .set({ consumed_at: REPLACED })
    .where('kind', '=', p.kind)
    .where('app_id', '=', p.app_id)
    .where('rotation', '>', p.rotation)
    .where('consumed_at', 'is', null),
)
const usedLater = query((p: Rotation, sql) =>
  sql
    .selectFrom('app_record')
    .select('id_hash')
    .where('kind', '=', p.kind)
    .where('app_id', '=', p.app_id)
    .where('rotation', '>', p.rotation)
    .where('consumed_at', '>', REPLACED)
    .limit(1),
)
const lastUseOf = query((p: Rotation, sql) =>
  sql
    .selectFrom('app_record')
    .select('consumed_at')
    .where('kind', '=', p.kind)
    .where('app_id', '=', p.app_id)
    .where('rotation', '=', p.rotation)
    .where('consumed_at', '>', REPLACED)
    .orderBy('consumed_at', 'desc')
    .limit(1),
)
const waiting = query((p: { kind: string; from: string; to: string; now: string }, sql) =>
  sql
    .selectFrom('app_record')
    .select(['address', 'expires_at'])
    .where('kind', '=', p.kind)
    .where('address', '>=', p.from)
    .where('address', '<', p.to)
    .where('expires_at', '>', p.now)
    .orderBy('expires_at', 'desc'),
)
const countKind = query((p: { kind: string }, sql) =>
  sql
    .selectFrom('app_record')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('kind', '=', p.kind),
)
const deleteOldest = query((p: { kind: string; count: number }, sql) =>
  sql
    .deleteFrom('app_record')
    .where('kind', '=', p.kind)
    .where('id_hash', 'in', (eb) =>
      eb
        .selectFrom('app_record')
        .select('id_hash')
        .where('kind', '=', p.kind)
        .orderBy('expires_at')
        .limit(p.count),
    ),
)
const deleteRow = query((p: Key, sql) =>
  sql.deleteFrom('app_record').where('kind', '=', p.kind).where('id_hash', '=', p.id_hash),
)
const expired = query((p: { now: string; limit: number }, sql) =>
  sql
    .deleteFrom('app_record')
    .where('id_hash', 'in', (eb) =>
      eb.selectFrom('app_record').select('id_hash').where('expires_at', '<=', p.now).limit(p.limit),
    )
    .where('expires_at', '<=', p.now),
)

/** A new one, or one that has changed. */
export async function keepRecord(db: Db, record: AppRecord): Promise<void> {
  await db.enqueue(upsertRow, record)
}

/** One that has not expired; used ones too. */
export const findRecord = (db: Db, key: Key, now: Date): Promise<AppRecord | undefined> =>
  db.get(rowOf, { ...key, now: now.toISOString() })

/** False: it was used before. */
export async function consumeRecord(db: Db, key: Key, now: Date): Promise<boolean> {
  return (await db.run(consumeRow, { ...key, consumed_at: now.toISOString() })).changes > 0
}

/** Whether one that was given in its place has been used in turn. */
export const successorIsUsed = async (db: Db, of: Rotation): Promise<boolean> =>
  (await db.get(usedLater, of)) !== undefined

/** Those of a later rotation that nobody has used are replaced. */
export async function replaceSuccessors(db: Db, of: Rotation): Promise<void> {
  await db.run(replaceLater, of)
}

/** Uses one that was replaced after all. */
export async function useReplaced(db: Db, key: Key, now: Date): Promise<void> {
  await db.run(useReplacedRow, { ...key, consumed_at: now.toISOString() })
}

/** When one of a rotation was last used; null: none was. */
export const lastUse = async (db: Db, of: Rotation): Promise<string | null> =>
  (await db.get(lastUseOf, of))?.consumed_at ?? null

export async function deleteRecord(db: Db, key: Key): Promise<void> {
  await db.enqueue(deleteRow, key)
}

/** When those of a kind from a network that have not expired do, last first. */
export async function recordsFrom(
  db: Db,
  kind: string,
  { from, to, includes }: Network,
  now: Date,
): Promise<string[]> {
  const rows = await db.all(waiting, { kind, from, to, now: now.toISOString() })
  return rows.flatMap(({ address, expires_at }) => (includes(address!) ? [expires_at] : []))
}

/** Leaves at most `max` of a kind: those that expire first go. */
export async function limitRecords(db: Db, kind: string, max: number): Promise<void> {
  const count = (await db.get(countKind, { kind }))?.n ?? 0
  if (count > max) await db.run(deleteOldest, { kind, count: count - max })
}

export async function deleteExpiredRecords(db: Db, now: string, limit: number): Promise<number> {
  return (await db.run(expired, { now, limit })).changes
}
