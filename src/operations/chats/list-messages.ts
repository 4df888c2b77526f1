import { Type } from 'typebox'
import { Reply } from '#src/domain/reply.ts'
import { ChatId, ChatMessage } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { listMessagesOf, messageJson } from '#src/storage/chats/chat-messages.ts'

export const listMessages = defineOperation({
  name: 'listMessages',
  summary: 'List the messages of one of your chats, oldest first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/chats/{chat_id}/messages',
  input: Type.Object({ chat_id: ChatId }, { additionalProperties: false }),
  output: Type.Array(ChatMessage),
  errors: ['NotFound'],
  async run({ db, caller }, { chat_id }) {
    const chat = await ownChat(db, caller, chat_id)
    const messages = await listMessagesOf(db, chat.id)
    return new Reply(`[${messages.map((message) => messageJson(message, chat.chat_id)).join(',')}]`)
  },
})
