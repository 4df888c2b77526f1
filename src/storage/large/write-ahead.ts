import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'

/** Rows that are locked by one statement. */
const AT_ONCE = 5000

const byRow = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select('id').where('id', 'in', integers(p.ids)).orderBy('id').forNoKeyUpdate(),
)
const byId = query((p: { ids: string }, db, { texts }) =>
  db.selectFrom('item').select('id').where('item_id', 'in', texts(p.ids)).orderBy('id').forNoKeyUpdate(),
)

/**
 * From now on nobody else changes these items: what the log has not by then of them is not to come (decision 110). Only
 * where the engine writes ahead.
 */
export async function lockItems(db: Db, ids: readonly number[] | readonly Ulid[]): Promise<void> {
  const lock = typeof ids[0] === 'number' ? byRow : byId
  for (let at = 0; at < ids.length; at += AT_ONCE)
    await db.enqueue(lock, { ids: JSON.stringify(ids.slice(at, at + AT_ONCE)) })
}

/** Characters of a plan: one of fewer is carried out in so little time that it takes its turn as others do. */
const LONG = 100_000

export const isLongPlan = (planned: string | undefined): boolean => (planned?.length ?? 0) > LONG

/** Whether rows of the change have been written already: then the base is not read as it was before it. */
export const isWrittenAhead = ({ ahead }: Db): boolean => Boolean(ahead?.parts.size)
