import { Type } from 'typebox'
import { noCursor } from '#src/operations/page-by-id.ts'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'
import { Reply } from '#src/domain/reply.ts'
import { ChatId, ChatMessage } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { STREAM_PAGE } from '#src/operations/paging.ts'
import { After, Limit } from '#src/operations/schemas/inputs.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { type ChatMessageRow, listMessagesOf, messageJson } from '#src/storage/chats/chat-messages.ts'
import { MAX_PAGE_TEXT } from '#src/storage/items/listed-items.ts'

export const listMessages = defineOperation({
  name: 'listMessages',
  summary: 'List the messages of one of your chats, oldest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/chats/{chat_id}/messages',
  paged: true,
  input: Type.Object(
    { chat_id: ChatId, limit: Type.Optional(Limit), after: Type.Optional(After) },
    { additionalProperties: false },
  ),
  output: Type.Array(ChatMessage),
  errors: ['NotFound'],
  async run({ db, caller, page_text = MAX_PAGE_TEXT }, { chat_id, limit = STREAM_PAGE, after = '0' }) {
    const chat = await ownChat(db, caller, chat_id)
    if (!/^\d{1,15}$/.test(after)) throw noCursor()
    const { texts, end } = await pageOfTexts<ChatMessageRow>({
      limit,
      max: page_text,
      read: (last, count) => listMessagesOf(db, chat.id, { after: last?.id ?? Number(after), limit: count }),
      textOf: (message) => messageJson(message, chat.chat_id),
    })
    return new Reply(`[${texts.join(',')}]`, end && { next: String(end.id) })
  },
})
