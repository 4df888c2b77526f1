import type { Selectable } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ViewTable } from '#src/sql/tables.ts'

/** `filter` and `settings` are JSON text. */
export type ViewRow = Omit<Selectable<ViewTable>, 'id'>

export const VIEW_COLUMNS = [
  'view_id',
  'user_id',
  'name',
  'icon',
  'filter',
  'view_type',
  'settings',
  'created_at',
  'updated_at',
] as const

const insertRows = rowInserter('view', VIEW_COLUMNS)
const rowById = query((p: { user_id: Ulid; view_id: Ulid }, sql) =>
  sql
    .selectFrom('view')
    .select(VIEW_COLUMNS)
    .where('view_id', '=', p.view_id)
    .where('user_id', '=', p.user_id),
)
const rowsOfUser = query((p: { user_id: Ulid; after: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('view')
    .select(VIEW_COLUMNS)
    .where('user_id', '=', p.user_id)
    .where('view_id', '>', p.after)
    .orderBy('view_id')
    .limit(p.limit),
)
const updateRow = query((p: ViewRow, sql) =>
  sql
    .updateTable('view')
    .set({ name: p.name, icon: p.icon, filter: p.filter, settings: p.settings, updated_at: p.updated_at })
    .where('view_id', '=', p.view_id),
)
const deleteRow = query((p: { view_id: Ulid }, sql) =>
  sql.deleteFrom('view').where('view_id', '=', p.view_id),
)

export async function insertView(db: Db, view: ViewRow): Promise<void> {
  await insertRows(db, [VIEW_COLUMNS.map((column) => view[column])])
}

/** The user's own view; another user's is as absent as one that never was. */
export function findView(db: Db, user_id: Ulid, view_id: Ulid): Promise<ViewRow | undefined> {
  return db.get(rowById, { user_id, view_id })
}

/** Oldest first; `after` is the id of the last view of the page before. */
export function listViewsOf(
  db: Db,
  user_id: Ulid,
  { after, limit }: { after?: Ulid | undefined; limit?: number | undefined },
): Promise<ViewRow[]> {
  return db.all(rowsOfUser, { user_id, after: after ?? '', limit: limit ?? Number.MAX_SAFE_INTEGER })
}

/** Name, icon, filter, settings and `updated_at`. */
export async function updateViewRow(db: Db, view: ViewRow): Promise<void> {
  await db.post(updateRow, view)
}

export async function removeView(db: Db, view_id: Ulid): Promise<void> {
  await db.post(deleteRow, { view_id })
}

/** The view as it leaves (decisions §2); filter and settings are pasted as they are stored. */
export function viewJson(view: ViewRow): string {
  const { view_id, user_id, name, icon, filter, view_type, settings, created_at, updated_at } = view
  const head = JSON.stringify({ view_id, id: view_id, user_id, name, icon }).slice(0, -1)
  return (
    `${head},"filter":${filter},"view_type":${JSON.stringify(view_type)},"settings":${settings},` +
    `"created_at":"${created_at}","updated_at":"${updated_at}"}`
  )
}
