import { ownChat } from '#src/operations/chats/own-chat.ts'
import { titleOf } from '#src/operations/chats/title-of.ts'
import { defineStep } from '#src/operations/step.ts'
import { firstMessageOf, insertChatMessages } from '#src/storage/chats/chat-messages.ts'
import { renameChat, touchChat } from '#src/storage/chats/chats.ts'

export interface FinishedTurn {
  chat_id: string
  content: string
  tool_calls: readonly { name: string; arguments: unknown }[]
  transcript: readonly unknown[]
  parts: readonly unknown[]
  completed: boolean
}

/** Stores what the assistant said, or what it had said when it was cut short. */
export const finishTurn = defineStep({
  name: 'finishTurn',
  effect: 'write',
  async run({ db, caller, now, newId }, turn: FinishedTurn) {
    const { chat_id, content, tool_calls, transcript, parts, completed } = turn
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
        parts: JSON.stringify(parts),
        created_at,
      },
    ])
    const first = completed && chat.awaits_title ? await firstMessageOf(db, chat.id) : undefined
    if (first) await renameChat(db, chat.id, titleOf(first.content), created_at)
    else await touchChat(db, chat.id, created_at)
    return { message_id }
  },
})
