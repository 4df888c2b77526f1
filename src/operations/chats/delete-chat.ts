import { Type } from 'typebox'
import { Chat, ChatId } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { chatView, removeChat } from '#src/storage/chats/chats.ts'

export const deleteChat = defineOperation({
  name: 'deleteChat',
  summary: 'Delete one of your chats with its messages, for good.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'DELETE /api/chats/{chat_id}',
  input: Type.Object({ chat_id: ChatId }, { additionalProperties: false }),
  output: Chat,
  errors: ['NotFound'],
  async run({ db, caller }, { chat_id }) {
    const chat = await ownChat(db, caller, chat_id)
    await removeChat(db, chat.id)
    return chatView(chat)
  },
})
