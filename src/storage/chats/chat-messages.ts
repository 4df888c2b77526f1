import type { Selectable } from 'kysely'
import type { Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import type { ChatMessageTable } from '#src/sql/tables.ts'

export type ChatMessageRow = Selectable<ChatMessageTable>

const COLUMNS = [
  'message_id',
  'chat',
  'role',
  'content',
  'tool_calls',
  'transcript',
  'parts',
  'created_at',
] as const

const insertRows = rowInserter('chat_message', COLUMNS)
const rowsOfChat = query((p: { chat: number; after: number; limit: number }, sql) =>
  sql
    .selectFrom('chat_message')
    .selectAll()
    .where('chat', '=', p.chat)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
)
const countOfChat = query((p: { chat: number }, sql) =>
  sql
    .selectFrom('chat_message')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('chat', '=', p.chat),
)
const answerOfUser = query((p: { user_id: Ulid; message_id: Ulid }, sql) =>
  sql
    .selectFrom('chat_message')
    .innerJoin('chat', 'chat.id', 'chat_message.chat')
    .select(['chat_message.id', 'chat_message.chat', 'chat.chat_id'])
    .where('chat_message.message_id', '=', p.message_id)
    .where('chat_message.role', '=', 'assistant')
    .where('chat.user_id', '=', p.user_id),
)
const firstRow = query((p: { chat: number }, sql) =>
  sql.selectFrom('chat_message').select('content').where('chat', '=', p.chat).orderBy('id').limit(1),
)
const newestUpTo = query((p: { chat: number; upTo: number; limit: number }, sql) =>
  sql
    .selectFrom('chat_message')
    .selectAll()
    .where('chat', '=', p.chat)
    .where('id', '<=', p.upTo)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** In the order given. */
export async function insertChatMessages(
  db: Db,
  messages: readonly Omit<ChatMessageRow, 'id'>[],
): Promise<void> {
  await insertRows(
    db,
    messages.map((message) => COLUMNS.map((column) => message[column])),
  )
}

/** Oldest first, after the one of that row id. */
export function listMessagesOf(
  db: Db,
  chat: number,
  { after, limit }: { after: number; limit: number },
): Promise<ChatMessageRow[]> {
  return db.all(rowsOfChat, { chat, after, limit })
}

export async function countMessagesOf(db: Db, chat: number): Promise<number> {
  return (await db.get(countOfChat, { chat }))!.count
}

/** An assistant's message of the user's own chats: what `previous_response_id` names. */
export function findAnswer(
  db: Db,
  user_id: Ulid,
  message_id: Ulid,
): Promise<{ id: number; chat: number; chat_id: Ulid } | undefined> {
  return db.get(answerOfUser, { user_id, message_id })
}

/** What the chat began with. */
export function firstMessageOf(db: Db, chat: number): Promise<{ content: string } | undefined> {
  return db.get(firstRow, { chat })
}

/** The newest `limit` messages up to one (all when `upTo` is undefined), oldest first. */
export async function historyOf(
  db: Db,
  chat: number,
  { upTo = Number.MAX_SAFE_INTEGER, limit }: { upTo?: number | undefined; limit: number },
): Promise<ChatMessageRow[]> {
  return (await db.all(newestUpTo, { chat, upTo, limit })).toReversed()
}

/** The message as it leaves; tool calls and parts are pasted as they are stored. */
export function messageJson(message: ChatMessageRow, chat_id: Ulid): string {
  const { message_id, role, content, tool_calls, parts, created_at } = message
  const head = JSON.stringify({ message_id, chat_id, role, content }).slice(0, -1)
  return `${head},"tool_calls":${tool_calls ?? 'null'},"parts":${parts ?? partsWithout(message)},"created_at":"${created_at}"}`
}

/** Of messages that came without: the calls of an older answer, whose results it does not have, then the text. */
function partsWithout({ content, tool_calls }: ChatMessageRow): string {
  const calls = tool_calls ? (JSON.parse(tool_calls) as { name: string; arguments: unknown }[]) : []
  return JSON.stringify([
    ...calls.map((call) => ({ type: 'tool_call', ...call, status: 'completed', result: null })),
    ...(content ? [{ type: 'text', text: content }] : []),
  ])
}
