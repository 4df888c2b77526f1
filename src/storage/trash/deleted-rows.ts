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
  /** Exclusive. */
  deleted_before?: string | undefined
  /** The change that deleted it last. */
  change_id?: Ulid | undefined
  deleted_by?: Ulid | undefined
  /** Only what comes after this one. */
  after?: DeletedPosition | undefined
}

/** Where an item is in the order of deletion. */
export type DeletedPosition = Pick<DeletedRow, 'deleted_at' | 'item_id'>

/** Newest deletion first. */
export const deletedRows = (db: Db, wanted: DeletedQuery, limit: number): Promise<DeletedRow[]> =>
  db.select<DeletedRow>(rowsAfter(db, wanted).limit(limit))

/** Positions that are read at once. */
const POSITIONS = 10_000

/** Ids of all of them, page by page, without their texts. */
export async function* deletedPositions(db: Db, wanted: DeletedQuery): AsyncGenerator<Ulid[]> {
  for (let { after } = wanted; ;) {
    const rows = rowsAfter(db, { ...wanted, after })
      .clearSelect()
      .select(['deleted_at', 'item_id'])
    const page = await db.select<DeletedPosition>(rows.limit(POSITIONS))
    yield page.map(({ item_id }) => item_id)
    if (page.length < POSITIONS) return
    after = page.at(-1)
  }
}

function rowsAfter(db: Db, wanted: DeletedQuery) {
  const { after } = wanted
  let rows = wantedRows(db, wanted)
  if (after)
    // A second bound would be the one that the index is asked for: thousands are deleted at the same moment.
    rows = rows.where(sql<SqlBool>`(deleted_at, item_id) < (${after.deleted_at}, ${after.item_id})`)
  return rows.orderBy('deleted_at', 'desc').orderBy('item_id', 'desc')
}

const COLUMNS = ['id', 'item_id', 'name', 'description', 'deleted_at'] as const

function wantedRows(
  { dialect: { builder } }: Db,
  { tag, deleted_after, deleted_before }: DeletedQuery,
  items = builder.selectFrom('item'),
) {
  let rows = items.select(COLUMNS).where('deleted_at', 'is not', null).$narrowType<{ deleted_at: string }>()
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
  if (deleted_before !== undefined) rows = rows.where('deleted_at', '<', deleted_before)
  return rows
}

/**
 * Those of the items that are deleted and wanted, in no order. Each is looked up by its id first, which the limit says: a
 * server that has not counted what was just deleted would go through all of that for them.
 */
export function deletedAmong(db: Db, item_ids: readonly Ulid[], wanted: DeletedQuery): Promise<DeletedRow[]> {
  const { builder } = db.dialect
  const named = builder
    .selectFrom('item')
    .selectAll()
    .where('item_id', 'in', db.dialect.texts(JSON.stringify(item_ids)))
    .limit(item_ids.length)
  return db.select<DeletedRow>(wantedRows(db, wanted, builder.selectFrom(named.as('item'))))
}

const deletions = query((p: { item_ids: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(['item_id', 'user_id', 'change_id', 'event_id'])
    .where('item_id', 'in', dialect.texts(p.item_ids))
    // By item: a large change deletes more than a page's items have events.
    .where(dialect.filter.withoutIndex(sql.ref('event_type'), 'text'), '=', 'item_deleted')
    .orderBy('event_id'),
)

interface Deletion {
  user_id: Ulid | null
  change_id: Ulid
}

/** Who deleted each of the items last, and by which change; an event that is older than changes is one of its own. */
export async function deletionsOf(db: Db, item_ids: readonly Ulid[]): Promise<Map<Ulid, Deletion>> {
  await requireWholeLog(db)
  const rows = await db.all(deletions, { item_ids: JSON.stringify(item_ids) })
  return new Map(
    rows.map(({ item_id, user_id, change_id, event_id }) => [
      item_id!,
      { user_id, change_id: change_id ?? event_id },
    ]),
  )
}

const tagDeletions = query((p: { tag_ids: string }, db, dialect) =>
  db
    .selectFrom('audit_event')
    .select(['tag_id', 'user_id', 'change_id', 'event_id'])
    .where('tag_id', 'in', dialect.texts(p.tag_ids))
    .where(dialect.filter.withoutIndex(sql.ref('event_type'), 'text'), '=', 'tag_deleted')
    .orderBy('event_id'),
)

/** The same of tags. */
export async function tagDeletionsOf(db: Db, tag_ids: readonly Ulid[]): Promise<Map<Ulid, Deletion>> {
  await requireWholeLog(db)
  const rows = await db.all(tagDeletions, { tag_ids: JSON.stringify(tag_ids) })
  return new Map(
    rows.map(({ tag_id, user_id, change_id, event_id }) => [
      tag_id!,
      { user_id, change_id: change_id ?? event_id },
    ]),
  )
}

/** Whether a deletion is by the account and the change that are asked for. */
export const isBy = (deletion: Deletion | undefined, { deleted_by, change_id }: DeletedQuery): boolean =>
  (deleted_by === undefined || deletion?.user_id === deleted_by) &&
  (change_id === undefined || deletion?.change_id === change_id)
