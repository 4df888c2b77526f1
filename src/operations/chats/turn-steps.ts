import { userOf } from '#src/domain/caller.ts'
import { badRequest, conflict } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { DEFAULT_TITLE, type TurnInput } from '#src/operations/chats/chat-schemas.ts'
import { checkChats, ownChat } from '#src/operations/chats/own-chat.ts'
import { defineStep, type SqlContext } from '#src/runtime/operation.ts'
import { preferencesOf } from '#src/storage/accounts/accounts.ts'
import {
  countMessagesOf,
  findAnswer,
  firstMessageOf,
  historyOf,
  insertChatMessages,
} from '#src/storage/chats/chat-messages.ts'
import { type ChatRow, findChat, insertChat, renameChat, touchChat } from '#src/storage/chats/chats.ts'

/** Characters, as people count them. */
const MAX_TITLE = 60
/** Code units that are looked at. */
const MAX_LOOK = 2000
const characters = new Intl.Segmenter()

/** A chat's title out of its first message: its first words, on one line. */
function titleOf(message: string): string {
  const line = message.replaceAll(/\s+/gu, ' ').trim()
  const all = [...characters.segment(line.slice(0, MAX_LOOK))].map(({ segment }) => segment)
  if (all.length <= MAX_TITLE) return line
  const cut = all.slice(0, MAX_TITLE - 1).join('')
  const lastBlank = cut.lastIndexOf(' ')
  return `${(lastBlank > MAX_TITLE / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`
}

/** Messages of a chat that are sent to the model again. */
const MAX_HISTORY = 200
/** A message and its answer make two. */
const MAX_MESSAGES = 10_000

/** Opens a turn of a chat in one transaction: the session, the message, and what was said before. */
export const startTurn = defineStep({
  name: 'startTurn',
  effect: 'write',
  async run(context, { message, chat_id, previous_response_id }: TurnInput) {
    const { db, caller, now, newId } = context
    const before =
      previous_response_id === undefined ? undefined : await answer(context, previous_response_id)
    const chat = chat_id === undefined ? await newChat(context) : await ownChat(db, caller, chat_id)
    if (chat_id !== undefined && before && before.chat !== chat.id)
      throw badRequest('previous_response_id belongs to another chat', {
        suggestion: 'Give the response_id of an answer in this chat, or leave previous_response_id out',
      })
    if ((await countMessagesOf(db, chat.id)) >= MAX_MESSAGES)
      throw conflict(`A chat has at most ${MAX_MESSAGES} messages`, {
        suggestion: 'Leave chat_id out: with previous_response_id a new chat takes this one up',
      })
    const said = await historyOf(db, before?.chat ?? chat.id, { upTo: before?.id, limit: MAX_HISTORY })
    const created_at = now.toISOString()
    // A new chat that takes up an answer of another one gets what led to it, so that it is on its own.
    const taken =
      chat_id === undefined ? said.map((each) => ({ ...each, message_id: newId(), chat: chat.id })) : []
    await insertChatMessages(db, [
      ...taken,
      {
        message_id: newId(),
        chat: chat.id,
        role: 'user',
        content: message,
        tool_calls: null,
        transcript: null,
        parts: null,
        created_at,
      },
    ])
    await touchChat(db, chat.id, created_at)
    return {
      chat_id: chat.chat_id,
      created: chat_id === undefined,
      asks_first: asksFirst(await preferencesOf(db, userOf(caller))),
      history: said.map(({ role, content, transcript }) => ({ role, content, transcript })),
    }
  },
})

/** Whether the assistant is to propose what it would change (further §16). */
const asksFirst = (preferences: string | null): boolean =>
  preferences !== null && (JSON.parse(preferences) as { assistant?: unknown }).assistant === 'propose'

async function newChat({ db, caller, now, newId }: SqlContext): Promise<ChatRow> {
  const [user_id, chat_id] = [userOf(caller), newId()]
  await checkChats(db, user_id)
  await insertChat(db, {
    chat_id,
    user_id,
    title: DEFAULT_TITLE,
    awaits_title: true,
    created_at: now.toISOString(),
  })
  return (await findChat(db, user_id, chat_id))!
}

async function answer({ db, caller }: SqlContext, response_id: string) {
  const id = parseUlid(response_id)
  const found = id && (await findAnswer(db, userOf(caller), id))
  if (!found)
    throw badRequest(`previous_response_id '${response_id}' is no answer of yours`, {
      suggestion: 'Give the response_id of a done event, or leave previous_response_id out',
    })
  return found
}

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
