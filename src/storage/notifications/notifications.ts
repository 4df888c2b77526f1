import type { Selectable } from 'kysely'
import type { Role } from '#src/domain/caller.ts'
import { lastUlidAt, type Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { NotificationTable } from '#src/sql/tables.ts'

/** An account keeps so many: the newest. */
const MOST_STORED = 1000

/** What somebody is notified of. */
export interface News {
  kind: NotificationTable['kind']
  /** The id of the view, proposal, import or webhook. */
  about: Ulid
  item_id?: Ulid | null
  change_id?: Ulid | null
  done_by: Ulid | null
  count?: number | null
}

/** As it is listed: an item's name is the one that it has now. */
export interface NotificationAnswer extends Omit<Selectable<NotificationTable>, 'id' | 'user_id'> {
  name: string | null
}

const insert = rowInserter('notification', [
  'notification_id',
  'user_id',
  'kind',
  'about',
  'item_id',
  'change_id',
  'done_by',
  'count',
  'created_at',
])
const dropOldest = query((p: { user_id: Ulid }, sql) =>
  sql
    .deleteFrom('notification')
    .where('user_id', '=', p.user_id)
    .where('notification_id', '<=', (e) =>
      e
        .selectFrom('notification')
        .select('notification_id')
        .where('user_id', '=', p.user_id)
        .orderBy('notification_id', 'desc')
        .offset(MOST_STORED)
        .limit(1),
    ),
)

/** What telling needs of a call. */
interface Telling {
  db: Db
  now: Date
  newId: () => Ulid
  change: { rings: boolean; concerns: Set<Ulid> }
}

const accounts = query((p: { user_ids: string }, sql, { texts }) =>
  sql.selectFrom('account').select('user_id').where('user_id', 'in', texts(p.user_ids)),
)

/** Those that are not deleted: what somebody proposed is decided after they have gone. */
async function thoseThere(db: Db, user_ids: readonly Ulid[]): Promise<Set<Ulid>> {
  const rows = await db.all(accounts, { user_ids: JSON.stringify(user_ids) })
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Notifies accounts: in the transaction in which it happens, so that they hear of it once. */
export async function notifyAll(
  { db, now, newId, change }: Telling,
  asked: readonly { user_id: Ulid; news: News }[],
): Promise<void> {
  if (!asked.length) return
  const there = await thoseThere(
    db,
    asked.map(({ user_id }) => user_id),
  )
  const told = asked.filter(({ user_id }) => there.has(user_id))
  if (!told.length) return
  const rows = told.map(({ user_id, news }) => {
    const { kind, about, item_id = null, change_id = null, done_by, count = null } = news
    return [newId(), user_id, kind, about, item_id, change_id, done_by, count, now.toISOString()]
  })
  change.rings = true
  for (const { user_id } of told) change.concerns.add(user_id)
  await insert(db, rows)
  for (const user_id of there) await db.enqueue(dropOldest, { user_id })
}

/** Tells each of them the same. */
export const tell = (context: Telling, user_ids: readonly Ulid[], news: News): Promise<void> =>
  notifyAll(
    context,
    user_ids.map((user_id) => ({ user_id, news })),
  )

const withRole = query((p: { role: Role }, sql) =>
  sql.selectFrom('account').select('user_id').where('role', '=', p.role).orderBy('id'),
)

/** Accounts that have one of the roles. */
export async function usersWithRole(db: Db, roles: readonly Role[]): Promise<Ulid[]> {
  const found: Ulid[] = []
  for (const role of roles) for (const { user_id } of await db.all(withRole, { role })) found.push(user_id)
  return found
}

const before = query((p: { user_id: Ulid; before: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('notification as n')
    .leftJoin('item', 'item.item_id', 'n.item_id')
    .select([
      'n.notification_id',
      'n.kind',
      'n.about',
      'n.item_id',
      'n.change_id',
      'n.done_by',
      'n.count',
      'n.created_at',
      'n.is_read',
      'item.name',
    ])
    .where('n.user_id', '=', p.user_id)
    .where('n.notification_id', '<', p.before)
    .orderBy('n.notification_id', 'desc')
    .limit(p.limit),
)
const unread = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('notification')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.user_id)
    .where('is_read', '=', 0),
)

/** Newest first. */
export const notificationsBefore = (
  db: Db,
  user_id: Ulid,
  from: Ulid = lastUlidAt(2 ** 48 - 1),
  limit: number,
): Promise<NotificationAnswer[]> => db.all(before, { user_id, before: from, limit })

export const countUnread = async (db: Db, user_id: Ulid): Promise<number> =>
  (await db.get(unread, { user_id }))!.count

const unreadOfAll = query((p: { user_ids: string }, sql, { texts }) =>
  sql
    .selectFrom('notification')
    .select(({ fn }) => [
      'user_id',
      fn.countAll<number>().as('count'),
      fn.sum<number>('is_read').as('are_read'),
      fn.max('notification_id').as('newest'),
    ])
    .where('user_id', 'in', texts(p.user_ids))
    .groupBy('user_id'),
)

export interface Unread {
  user_id: Ulid
  unread_count: number
  /** The newest notification, read or not. */
  notification_id: Ulid | null
}

/** How many are unread of each of these accounts, in their order. */
export async function unreadOf(db: Db, user_ids: readonly Ulid[]): Promise<Unread[]> {
  const rows = await db.all(unreadOfAll, { user_ids: JSON.stringify(user_ids) })
  const byUser = new Map(rows.map((row) => [row.user_id, row]))
  return user_ids.map((user_id) => {
    const row = byUser.get(user_id)
    return {
      user_id,
      unread_count: row ? row.count - row.are_read : 0,
      notification_id: row?.newest ?? null,
    }
  })
}

const readSome = query((p: { user_id: Ulid; ids: string }, sql, { texts }) =>
  sql
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', p.user_id)
    .where('notification_id', 'in', texts(p.ids)),
)
const readAll = query((p: { user_id: Ulid }, sql) =>
  sql
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', p.user_id)
    .where('is_read', '=', 0),
)

/** Marks some of an account's, or all, as read; ids that are not its own do nothing. */
export async function markRead(
  { db, change }: Pick<Telling, 'db' | 'change'>,
  user_id: Ulid,
  ids: readonly Ulid[] | 'all',
): Promise<void> {
  change.rings = true
  if (ids === 'all') await db.run(readAll, { user_id })
  else if (ids.length) await db.run(readSome, { user_id, ids: JSON.stringify(ids) })
}

const readAbout = query((p: { user_id: Ulid; about: Ulid }, sql) =>
  sql
    .updateTable('notification')
    .set({ is_read: 1 })
    .where('user_id', '=', p.user_id)
    .where('about', '=', p.about)
    .where('is_read', '=', 0),
)

/** Marks what an account was notified of as read. */
export async function markReadAbout(
  { db, change }: Pick<Telling, 'db' | 'change'>,
  user_id: Ulid,
  about: Ulid,
): Promise<void> {
  const { changes } = await db.run(readAbout, { user_id, about })
  if (changes) change.rings = true
}

const dropBefore = query((p: { before: Ulid; limit: number }, sql) =>
  sql
    .deleteFrom('notification')
    .where('notification_id', 'in', (e) =>
      e
        .selectFrom('notification')
        .select('notification_id')
        .where('notification_id', '<', p.before)
        .orderBy('notification_id')
        .limit(p.limit),
    ),
)

/** Deletes some of those from before; how many. */
export const dropNotifications = async (db: Db, from: Ulid, limit: number): Promise<number> =>
  (await db.run(dropBefore, { before: from, limit })).changes
