import { type Static, Type } from 'typebox'
import { Id, MAX_ID, Name } from '#src/operations/schemas/inputs.ts'
import { Timestamp, Ulid } from '#src/operations/schemas/answers.ts'

export const DEFAULT_TITLE = 'New chat'

export const ChatId = Id('Id of the chat')
export const ChatTitle = Type.Unsafe<string>({ ...Name, description: 'Title of the chat; not blank' })

export const Chat = Type.Object(
  { chat_id: Ulid, title: Type.String(), created_at: Timestamp, updated_at: Timestamp },
  { title: 'Chat' },
)

const ToolCall = Type.Object({ name: Type.String(), arguments: Type.Unsafe<unknown>({}) })

const Truncated = Type.Optional(
  Type.Boolean({
    description: 'It was longer than 64 KiB: texts are cut, the code of a component is left out',
  }),
)
const ChatPart = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String(), truncated: Truncated }),
  Type.Object({
    type: Type.Literal('tool_call'),
    name: Type.String(),
    arguments: Type.Unsafe<unknown>({}),
    status: Type.Literal('completed'),
    result: Type.Unsafe<unknown>({ description: 'What the tool answered; null for older messages' }),
    change_id: Type.Optional(Ulid),
    truncated: Truncated,
  }),
  Type.Object({
    type: Type.Literal('react_render'),
    id: Type.String(),
    title: Type.Union([Type.String(), Type.Null()]),
    js: Type.String(),
    css: Type.String(),
    truncated: Truncated,
  }),
])

export const ChatMessage = Type.Object(
  {
    message_id: Ulid,
    chat_id: Ulid,
    role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
    content: Type.String(),
    tool_calls: Type.Union([Type.Array(ToolCall), Type.Null()], {
      description: 'The tools that the assistant called, in order',
    }),
    parts: Type.Array(ChatPart, { description: 'What it is made of, in the order in which it came' }),
    created_at: Timestamp,
  },
  { title: 'ChatMessage' },
)

/** What a client may send back of a chat that it has read. */
export const READ_ONLY = ['chat_id', 'created_at', 'updated_at'] as const

/** Characters. */
const MAX_MESSAGE = 100_000

/** Of POST /api/chat. */
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
export type TurnInput = Static<typeof TurnInput>
