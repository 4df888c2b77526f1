import type { Selectable } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ChatTable } from '#src/sql/tables.ts'

export type ChatRow = Selectable<ChatTable>

const insertRows = rowInserter('chat', [
  'chat_id',
  'user_id',
  'title',
  'awaits_title',
  'created_at',
  'updated_at',
])
const rowById = query((p: { user_id: Ulid; chat_id: Ulid }, sql) =>
  sql.selectFrom('chat').selectAll().where('chat_id', '=', p.chat_id).where('user_id', '=', p.user_id),
)
const rowsOfUser = query((p: ChatPlace & { user_id: Ulid; limit: number }, sql) =>
  sql
    .selectFrom('chat')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('updated_at', 'id'), '<', tuple(p.updated_at, p.id)))
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)
const countOfUser = query((p: { user_id: Ulid }, sql) =>
  sql
    .selectFrom('chat')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.user_id),
)
const setTitle = query((p: { id: number; title: string; updated_at: string }, sql) =>
  sql
    .updateTable('chat')
    .set({ title: p.title, awaits_title: 0, updated_at: p.updated_at })
    .where('id', '=', p.id),
)
const touchRow = query((p: { id: number; updated_at: string }, sql) =>
  sql.updateTable('chat').set({ updated_at: p.updated_at }).where('id', '=', p.id),
)
const deleteRow = query((p: { id: number }, sql) => sql.deleteFrom('chat').where('id', '=', p.id))

/** @param awaits_title The first completed answer gives the chat its title. */
export async function insertChat(
  db: Db,
  chat: { chat_id: Ulid; user_id: Ulid; title: string; awaits_title: boolean; created_at: string },
): Promise<void> {
  const { chat_id, user_id, title, awaits_title, created_at } = chat
  await insertRows(db, [[chat_id, user_id, title, awaits_title ? 1 : 0, created_at, created_at]])
}

/** The user's own chat; another user's is as absent as one that never was. */
export function findChat(db: Db, user_id: Ulid, chat_id: Ulid): Promise<ChatRow | undefined> {
  return db.get(rowById, { user_id, chat_id })
}

export async function countChatsOf(db: Db, user_id: Ulid): Promise<number> {
  return (await db.get(countOfUser, { user_id }))!.count
}

/** Where a list of chats goes on. */
export type ChatPlace = Pick<ChatRow, 'updated_at' | 'id'>

/** After every time: chats of the future too are listed. */
const BEGINNING: ChatPlace = { updated_at: '~', id: 0 }

/** Last updated first. */
export function listChatsOf(
  db: Db,
  user_id: Ulid,
  { after: { updated_at, id } = BEGINNING, limit }: { after?: ChatPlace | undefined; limit: number },
): Promise<ChatRow[]> {
  return db.all(rowsOfUser, { user_id, updated_at, id, limit })
}

/** From now on the title is the user's: no answer changes it. */
export async function renameChat(db: Db, id: number, title: string, updated_at: string): Promise<void> {
  await db.enqueue(setTitle, { id, title, updated_at })
}

export async function touchChat(db: Db, id: number, updated_at: string): Promise<void> {
  await db.enqueue(touchRow, { id, updated_at })
}

/** Its messages go with it. */
export async function removeChat(db: Db, id: number): Promise<void> {
  await db.enqueue(deleteRow, { id })
}

export function chatView({ chat_id, title, created_at, updated_at }: ChatRow) {
  return { chat_id, title, created_at, updated_at }
}
