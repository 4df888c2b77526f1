import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { Chat, ChatTitle, DEFAULT_TITLE } from '#src/operations/chats/chat-schemas.ts'
import { checkChats } from '#src/operations/chats/own-chat.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { insertChat } from '#src/storage/chats/chats.ts'

export const createChat = defineOperation({
  name: 'createChat',
  summary: 'Start a chat without a message.',
  access: 'user',
  needs: 'own',
  effect: 'write',
  rest: 'POST /api/chats',
  input: Type.Object({ title: Type.Optional(ChatTitle) }, { additionalProperties: false }),
  output: Chat,
  errors: ['Conflict'],
  example: { input: { title: 'Garden plans' } },
  async run({ db, caller, now, newId }, { title = DEFAULT_TITLE }) {
    const user_id = userOf(caller)
    await checkChats(db, user_id)
    const chat = { chat_id: newId(), title, created_at: now.toISOString() }
    await insertChat(db, { ...chat, user_id, awaits_title: false })
    return { ...chat, updated_at: chat.created_at }
  },
})
