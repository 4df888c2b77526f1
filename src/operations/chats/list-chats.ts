import { Type } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { Chat } from '#src/operations/chats/chat-schemas.ts'
import { defineOperation } from '#src/runtime/operation.ts'
import { chatView, listChatsOf } from '#src/storage/chats/chats.ts'

export const listChats = defineOperation({
  name: 'listChats',
  summary: 'List your chats, last updated first.',
  access: 'user',
  needs: 'own',
  effect: 'read',
  rest: 'GET /api/chats',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Array(Chat),
  async run({ db, caller }) {
    return (await listChatsOf(db, userOf(caller))).map(chatView)
  },
})
