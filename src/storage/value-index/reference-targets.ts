import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { seenAmong } from '#src/storage/sight/seen-items.ts'
import { sightOf } from '#src/storage/sight/sight.ts'

/** What an item's id stands for. A reference to an item that is deleted or purged dangles, but keeps its row id. */
interface ReferenceTarget {
  /** Row id. */
  id: number
  state: 'live' | 'deleted' | 'purged'
}

export type ReferenceTargets = ReadonlyMap<Ulid, ReferenceTarget>

const targets = query((p: { ids: string }, sql, dialect) =>
  sql.selectFrom('item').select(['item_id', 'id', 'deleted_at']).where('item_id', 'in', dialect.texts(p.ids)),
)

// A list of one makes SQLite build a table for it first, which costs several times the look itself.
const oneTarget = query((p: { id: Ulid }, sql) =>
  sql.selectFrom('item').select(['item_id', 'id', 'deleted_at']).where('item_id', '=', p.id),
)

const purgedTargets = query((p: { ids: string }, sql, dialect) =>
  sql.selectFrom('purged_item').select(['item_id', 'id']).where('item_id', 'in', dialect.texts(p.ids)),
)

/** The items, by id, that exist or once did; others are left out. What is not seen is as if it had been purged. */
export async function findTargets(db: Db, item_ids: Iterable<Ulid>): Promise<ReferenceTargets> {
  const wanted = new Set(item_ids)
  const found = new Map<Ulid, ReferenceTarget>()
  const [first] = wanted
  if (first === undefined) return found
  const rows =
    wanted.size === 1
      ? await db.all(oneTarget, { id: first })
      : await db.all(targets, { ids: JSON.stringify([...wanted]) })
  const seen =
    sightOf(db) &&
    (await seenAmong(
      db,
      rows.map(({ id }) => id),
    ))
  for (const { item_id, id, deleted_at } of rows)
    found.set(item_id, {
      id,
      state: seen?.has(id) === false ? 'purged' : deleted_at === null ? 'live' : 'deleted',
    })
  if (found.size === wanted.size) return found
  const missing = [...wanted].filter((item_id) => !found.has(item_id))
  for (const { item_id, id } of await db.all(purgedTargets, { ids: JSON.stringify(missing) }))
    found.set(item_id, { id, state: 'purged' })
  return found
}

// Without the row of the item: the index on ids has all of it.
const rowIds = query((p: { ids: string }, sql, dialect) =>
  sql.selectFrom('item').select(['item_id', 'id']).where('item_id', 'in', dialect.texts(p.ids)),
)

/** The row ids of items that exist or once did, by id. */
export async function findRowIds(db: Db, item_ids: readonly Ulid[]): Promise<Map<Ulid, number>> {
  const found = new Map<Ulid, number>()
  const wanted = JSON.stringify(item_ids)
  for (const { item_id, id } of await db.all(rowIds, { ids: wanted })) found.set(item_id, id)
  if (item_ids.every((item_id) => found.has(item_id))) return found
  for (const { item_id, id } of await db.all(purgedTargets, { ids: wanted })) found.set(item_id, id)
  return found
}

/** Those of the ids that are of items which are not deleted. */
export async function liveTargets(db: Db, item_ids: Iterable<Ulid>): Promise<ReadonlySet<Ulid>> {
  const targets = await findTargets(db, item_ids)
  return new Set([...targets].flatMap(([item_id, { state }]) => (state === 'live' ? [item_id] : [])))
}
