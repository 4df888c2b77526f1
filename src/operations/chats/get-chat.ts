import { Type } from 'typebox'
import { Chat, ChatId } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { chatView } from '#src/storage/chats/chats.ts'

export const getChat = defineOperation({
  name: 'getChat',
  summary: 'Read one of your chats, without its messages.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  inline: true,
  rest: 'GET /api/chats/{chat_id}',
  input: Type.Object({ chat_id: ChatId }, { additionalProperties: false }),
  output: Chat,
  errors: ['NotFound'],
  async run({ db, caller }, { chat_id }) {
    return chatView(await ownChat(db, caller, chat_id))
  },
})
