import { Type } from 'typebox'
import { ChatId } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { titleOf } from '#src/operations/chats/title-of.ts'
import { defineOperation } from '#src/operations/operation.ts'
import { Ulid } from '#src/operations/schemas.ts'
import { firstMessageOf, insertChatMessages } from '#src/storage/chats/chat-messages.ts'
import { renameChat, touchChat } from '#src/storage/chats/chats.ts'

/** Stores what the assistant said, or what it had said when it was cut short. */
export const finishTurn = defineOperation({
  name: 'finishTurn',
  summary: 'Store what the assistant said.',
  access: 'internal',
  effect: 'write',
  input: Type.Object({
    chat_id: ChatId,
    content: Type.String(),
    /** Entries `{name, arguments}`. */
    tool_calls: Type.Array(Type.Unsafe<unknown>({})),
    transcript: Type.Array(Type.Unsafe<unknown>({})),
    completed: Type.Boolean(),
  }),
  output: Type.Object({ message_id: Ulid }),
  async run({ db, caller, now, newId }, { chat_id, content, tool_calls, transcript, completed }) {
    const chat = await ownChat(db, caller, chat_id)
    const [message_id, created_at] = [newId(), now.toISOString()]
    await insertChatMessages(db, [
      {
        message_id,
        chat: chat.id,
        role: 'assistant',
        content,
        tool_calls: tool_calls.length ? JSON.stringify(tool_calls) : null,
        transcript: transcript.length ? JSON.stringify(transcript) : null,
        created_at,
      },
    ])
    const first = completed && chat.awaits_title ? await firstMessageOf(db, chat.id) : undefined
    if (first) await renameChat(db, chat.id, titleOf(first.content), created_at)
    else await touchChat(db, chat.id, created_at)
    return { message_id }
  },
})
