import { Type } from 'typebox'
import { Chat, ChatId, ChatTitle, READ_ONLY } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { chatView, renameChat } from '#src/storage/chats/chats.ts'

export const updateChat = defineOperation({
  name: 'updateChat',
  summary: 'Rename one of your chats.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'PUT /api/chats/{chat_id}',
  input: Type.Object({ chat_id: ChatId, title: Type.Optional(ChatTitle) }, { additionalProperties: false }),
  output: Chat,
  ignores: READ_ONLY,
  errors: ['NotFound'],
  example: { input: { title: 'Garden plans' } },
  async run({ db, caller, now }, { chat_id, title }) {
    const chat = await ownChat(db, caller, chat_id)
    if (title === undefined) return chatView(chat)
    const updated_at = title === chat.title ? chat.updated_at : now.toISOString()
    await renameChat(db, chat.id, title, updated_at)
    return chatView({ ...chat, title, updated_at })
  },
})
