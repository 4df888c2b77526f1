import { Type, type Static } from 'typebox'
import { userOf } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { ChatId, DEFAULT_TITLE } from '#src/operations/chats/chat-schemas.ts'
import { ownChat } from '#src/operations/chats/own-chat.ts'
import { defineOperation, type SqlContext } from '#src/operations/operation.ts'
import { MAX_ID } from '#src/operations/schemas.ts'
import { findAnswer, historyOf, insertChatMessages } from '#src/storage/chats/chat-messages.ts'
import { type ChatRow, findChat, insertChat, touchChat } from '#src/storage/chats/chats.ts'

/** Messages of a chat that the model is told again. */
const MAX_HISTORY = 200
/** Characters. */
const MAX_MESSAGE = 100_000

export const TurnInput = Type.Object(
  {
    message: Type.String({
      minLength: 1,
      maxLength: MAX_MESSAGE,
      pattern: '\\S',
      patternMessage: 'must not be blank',
      description: 'What you say to the assistant',
    }),
    chat_id: Type.Optional(ChatId),
    previous_response_id: Type.Optional(
      Type.String({
        maxLength: MAX_ID,
        description: 'The `response_id` up to which the conversation is taken up',
      }),
    ),
  },
  { additionalProperties: false },
)

const Told = Type.Object({
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
  content: Type.String(),
  /** JSON text. */
  transcript: Type.Union([Type.String(), Type.Null()]),
})

/** Opens a turn of a chat in one transaction: the session, the message, and what was said before. */
export const startTurn = defineOperation({
  name: 'startTurn',
  summary: 'Store what the user says and read what was said before.',
  access: 'internal',
  effect: 'write',
  input: TurnInput,
  output: Type.Object({ chat_id: ChatId, created: Type.Boolean(), history: Type.Array(Told) }),
  async run(context, { message, chat_id, previous_response_id }) {
    const { db, caller, now, newId } = context
    const before =
      previous_response_id === undefined ? undefined : await answer(context, previous_response_id)
    const chat = chat_id === undefined ? await newChat(context) : await ownChat(db, caller, chat_id)
    if (chat_id !== undefined && before && before.chat !== chat.id)
      throw badRequest('previous_response_id belongs to another chat', {
        suggestion: 'Give the response_id of an answer in this chat, or leave previous_response_id out',
      })
    const said = await historyOf(db, before?.chat ?? chat.id, { upTo: before?.id, limit: MAX_HISTORY })
    const created_at = now.toISOString()
    // A new chat that takes up an answer of another one gets what led to it, so that it stands on its own.
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
        created_at,
      },
    ])
    await touchChat(db, chat.id, created_at)
    return {
      chat_id: chat.chat_id,
      created: chat_id === undefined,
      history: said.map(({ role, content, transcript }) => ({ role, content, transcript })),
    }
  },
})
export type TurnInput = Static<typeof TurnInput>

async function newChat({ db, caller, now, newId }: SqlContext): Promise<ChatRow> {
  const [user_id, chat_id] = [userOf(caller), newId()]
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
