import { type Caller, userOf } from '#src/domain/caller.ts'
import { conflict, notFound } from '#src/domain/errors.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import type { Db } from '#src/sql/query.ts'
import { type ChatRow, countChatsOf, findChat } from '#src/storage/chats/chats.ts'

/** @throws NotFound for an absent, a malformed and another user's id alike. */
export async function ownChat(db: Db, caller: Caller, chat_id: string): Promise<ChatRow> {
  const id = parseUlid(chat_id)
  const chat = id && (await findChat(db, userOf(caller), id))
  if (!chat) throw notFound('Chat', chat_id, { suggestion: 'GET /api/chats lists yours' })
  return chat
}

/** An account has at most this many (additions §1). */
const MAX_CHATS = 10_000

/** @throws Conflict where the user has as many chats as an account may have */
export async function checkChats(db: Db, user_id: Ulid): Promise<void> {
  if ((await countChatsOf(db, user_id)) >= MAX_CHATS)
    throw conflict(`An account has at most ${MAX_CHATS} chats`, {
      suggestion: 'Delete one with DELETE /api/chats/{chat_id}',
    })
}
