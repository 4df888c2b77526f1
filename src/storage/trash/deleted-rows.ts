import { sql, type SqlBool } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { type Db, query } from '#src/sql/query.ts'
import { requireWholeLog } from '#src/storage/large/audit-drafts.ts'

/** A deleted item. */
export interface DeletedRow {
  /** Row id. */
  id: number
  item_id: Ulid
  name: string
  description: string | null
  deleted_at: string
}

/** Which deleted items; everything given must hold. */
export interface DeletedQuery {
  /** Row id of a tag that it had when it was deleted. */
  tag?: number | undefined
  /** Exclusive. */
  deleted_after?: string | undefined
  deleted_by?: Ulid | undefined
  /** Only what comes after this one. */
  after?: DeletedPosition | undefined
}

/** Where an item is in the order of deletion. */
export type DeletedPosition = Pick<DeletedRow, 'deleted_at' | 'item_id'>

/** Newest deletion first. */
export async function deletedRows(
  db: Db,
  { tag, deleted_after, after }: DeletedQuery,
  limit: number,
): Promise<DeletedRow[]> {
  const { builder } = db.dialect
  let rows = builder
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .$narrowType<{ deleted_at: string }>()
  if (tag !== undefined)
    rows = rows.where((e) =>
      e.exists(
        builder
          .selectFrom('item_tag')
          .select('item_tag.item')
          .where('item_tag.item', '=', e.ref('item.id'))
          .where('item_tag.tag', '=', tag),
      ),
    )
  if (deleted_after !== undefined) rows = rows.where('deleted_at', '>', deleted_after)
  if (after)
    rows = rows
      .where('deleted_at', '<=', after.deleted_at)
      .where(sql<SqlBool>`(deleted_at, item_id) < (${after.deleted_at}, ${after.item_id})`)
  return db.select<DeletedRow>(rows.orderBy('deleted_at', 'desc').orderBy('item_id', 'desc').limit(limit))
}

const oldest = query((p: { after: Ulid; limit: number }, db) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .where('item_id', '>', p.after)
    .orderBy('item_id')
    .limit(p.limit)
    .$narrowType<{ deleted_at: string }>(),
)

/** In the order of their ids, which an index has; from the beginning, `after` is ''. */
export const oldestDeleted = (db: Db, after: string, limit: number): Promise<DeletedRow[]> =>
  db.all(oldest, { after, limit })

const among = query((p: { item_ids: string }, db, dialect) =>
  db
    .selectFrom('item')
    .select(['id', 'item_id', 'name', 'description', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .$narrowType<{ deleted_at: string }>(),
)

/** Those of the items that are deleted. */
export const deletedAmong = (db: Db, item_ids: readonly Ulid[]): Promise<DeletedRow[]> =>
  db.all(among, { item_ids: JSON.stringify(item_ids) })

const deletions = query((p: { item_ids: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(['item_id', 'user_id'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    .where('event_type', '=', 'item_deleted')
    .orderBy('event_id'),
)

/** Who deleted each of the items last. */
export async function deletersOf(db: Db, item_ids: readonly Ulid[]): Promise<Map<Ulid, Ulid | null>> {
  await requireWholeLog(db)
  const rows = await db.all(deletions, { item_ids: JSON.stringify(item_ids) })
  return new Map(rows.map(({ item_id, user_id }) => [item_id!, user_id]))
}

const tagDeletions = query((p: { tag_ids: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(['tag_id', 'user_id'])
    .where('tag_id', 'in', dialect.texts(p.tag_ids))
    .where('event_type', '=', 'tag_deleted')
    .orderBy('event_id'),
)

/** The same of tags. */
export async function tagDeletersOf(db: Db, tag_ids: readonly Ulid[]): Promise<Map<Ulid, Ulid | null>> {
  await requireWholeLog(db)
  const rows = await db.all(tagDeletions, { tag_ids: JSON.stringify(tag_ids) })
  return new Map(rows.map(({ tag_id, user_id }) => [tag_id!, user_id]))
}
