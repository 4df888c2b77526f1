import { type Caller, userOf } from '#src/domain/caller.ts'
import { notFound } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { type ChatRow, findChat } from '#src/storage/chats/chats.ts'

/** @throws NotFound for an absent, a malformed and another user's id alike. */
export async function ownChat(db: Db, caller: Caller, chat_id: string): Promise<ChatRow> {
  const id = parseUlid(chat_id)
  const chat = id && (await findChat(db, userOf(caller), id))
  if (!chat) throw notFound('Chat', chat_id)
  return chat
}
