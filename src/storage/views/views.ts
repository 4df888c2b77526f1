import { type Selectable, sql as rawSql, type SqlBool } from 'kysely'
import { notFound, type ServiceError } from '#src/domain/errors.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ViewTable } from '#src/sql/tables.ts'
import { NO_WATCH, type Watch } from '#src/storage/notifications/watches.ts'

/** `filter` and `settings` are JSON text. */
export type ViewRow = Omit<Selectable<ViewTable>, 'id'>

/** Of an absent view and of another user's own alike. */
export const viewNotFound = (view_id: string): ServiceError =>
  notFound('View', view_id, { suggestion: 'GET /api/views (list_views) lists yours' })

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
  'shared',
  'position',
] as const

const insertRows = rowInserter('view', VIEW_COLUMNS)
const rowById = query((p: { view_id: Ulid }, sql) =>
  sql.selectFrom('view').select(VIEW_COLUMNS).where('view_id', '=', p.view_id),
)
interface Page {
  user_id: Ulid
  after: Ulid
  limit: number
}
const rowsOfUser = query((p: Page, sql) =>
  sql
    .selectFrom('view')
    .select(VIEW_COLUMNS)
    .where('user_id', '=', p.user_id)
    .where('view_id', '>', p.after)
    .orderBy('view_id')
    .limit(p.limit),
)
const rowsSeenBy = query((p: Page, sql) =>
  sql
    .selectFrom('view')
    .select(VIEW_COLUMNS)
    .where((e) => e.or([e('user_id', '=', p.user_id), e('shared', '=', 1)]))
    .where('view_id', '>', p.after)
    .orderBy('view_id')
    .limit(p.limit),
)
const LACKS = rawSql<number>`case when position is null then 1 else 0 end`
/** `lacks` is 1 for a place after which only views without a position come. */
const rowsByPosition = query((p: Page & { shared: number; lacks: number; position: number }, sql) =>
  sql
    .selectFrom('view')
    .select(VIEW_COLUMNS)
    .where((e) => e.or([e('user_id', '=', p.user_id), e('shared', '=', p.shared)]))
    .where(
      rawSql<SqlBool>`(${LACKS}, coalesce(position, 0), view_id) > (${p.lacks}, ${p.position}, ${p.after})`,
    )
    .orderBy(LACKS)
    .orderBy('position')
    .orderBy('view_id')
    .limit(p.limit),
)
const updateRow = query((p: ViewRow, sql) =>
  sql
    .updateTable('view')
    .set({
      name: p.name,
      icon: p.icon,
      filter: p.filter,
      settings: p.settings,
      updated_at: p.updated_at,
      shared: p.shared,
      position: p.position,
    })
    .where('view_id', '=', p.view_id),
)
const roomOfUser = query((p: { user_id: Ulid; except: Ulid }, db) =>
  db
    .selectFrom('view')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      rawSql<number>`coalesce(sum(octet_length(filter)), 0)`.as('bytes'),
    ])
    .where('user_id', '=', p.user_id)
    .where('view_id', '<>', p.except),
)
const deleteRow = query((p: { view_id: Ulid }, sql) =>
  sql.deleteFrom('view').where('view_id', '=', p.view_id),
)

export async function insertView(db: Db, view: ViewRow): Promise<void> {
  await insertRows(db, [VIEW_COLUMNS.map((column) => view[column])])
}

/** How many views the account has, but for that one, and the bytes of their filters. */
export async function viewsOf(
  db: Db,
  { user_id, view_id }: Pick<ViewRow, 'user_id' | 'view_id'>,
): Promise<{ count: number; bytes: number }> {
  return (await db.get(roomOfUser, { user_id, except: view_id }))!
}

/** Anybody's; who may see it is the caller's to decide. */
export function findView(db: Db, view_id: Ulid): Promise<ViewRow | undefined> {
  return db.get(rowById, { view_id })
}

const rowsById = query((p: { view_ids: string }, sql, dialect) =>
  sql.selectFrom('view').select(VIEW_COLUMNS).where('view_id', 'in', dialect.texts(p.view_ids)),
)

/** Those of them that there are. */
export const findViews = (db: Db, view_ids: readonly Ulid[]): Promise<ViewRow[]> =>
  db.all(rowsById, { view_ids: JSON.stringify(view_ids) })

/** Where a list goes on: after a view, whose position counts where that is the order. */
export interface ViewPlace {
  view_id: Ulid
  position: number | null
}

interface ViewPage {
  /** Also those that others share. */
  shared?: boolean
  /** Oldest first without it. */
  sort?: 'position' | undefined
  after?: ViewPlace | undefined
  limit: number
}

export function listViewsOf(
  db: Db,
  user_id: Ulid,
  { shared = false, sort, after, limit }: ViewPage,
): Promise<ViewRow[]> {
  const page = { user_id, after: after?.view_id ?? '', limit }
  if (sort === undefined) return db.all(shared ? rowsSeenBy : rowsOfUser, page)
  const lacks = after ? Number(after.position === null) : -1
  // No view has `shared` 2: then only the user's own are left.
  return db.all(rowsByPosition, { ...page, shared: shared ? 1 : 2, lacks, position: after?.position ?? 0 })
}

/** All that a change may touch. */
export async function updateViewRow(db: Db, view: ViewRow): Promise<void> {
  await db.enqueue(updateRow, view)
}

export async function removeView(db: Db, view_id: Ulid): Promise<void> {
  await db.enqueue(deleteRow, { view_id })
}

/** The view as it leaves (decisions §2); filter and settings are pasted as they are stored. */
export function viewJson(view: ViewRow, watch: Watch = NO_WATCH): string {
  const { view_id, user_id, name, icon, filter, view_type, settings, created_at, updated_at } = view
  const { shared, position } = view
  const head = JSON.stringify({ view_id, id: view_id, user_id, name, icon }).slice(0, -1)
  return (
    `${head},"filter":${filter},"view_type":${JSON.stringify(view_type)},"settings":${settings},` +
    `"shared":${shared === 1},"position":${position},"watch":${JSON.stringify(watch)},"created_at":"${created_at}","updated_at":"${updated_at}"}`
  )
}
