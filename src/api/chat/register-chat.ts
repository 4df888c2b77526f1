import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify'
import { describedRoutes } from '#src/api/http/openapi/route-descriptions.ts'
import { registerRoutes } from '#src/api/http/register-routes.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { AnswerParts } from '#src/api/chat/answer-parts.ts'
import { ChatsAnswering } from '#src/api/chat/chats-answering.ts'
import { type ChatEvent, ChatFault, eventText } from '#src/api/chat/chat-event.ts'
import { boundedFetch } from '#src/api/chat/bounded-fetch.ts'
import { languageModel } from '#src/api/chat/language-model.ts'
import { runTurn, type Said, type TurnParts } from '#src/api/chat/run-turn.ts'
import { callsToStore, toStore, type HistoryMessage } from '#src/api/chat/transcript.ts'
import { whenClosed } from '#src/api/drained.ts'
import { OpenStreams } from '#src/api/open-streams.ts'
import { EventStream, type EventStreamOptions } from '#src/api/sse.ts'
import { toolsOf } from '#src/api/tools.ts'
import { type Caller, SERVICE } from '#src/domain/caller.ts'
import { ServiceError, unauthorized } from '#src/domain/errors.ts'
import { parseUlid } from '#src/domain/ulid.ts'
import { abandoned, shuttingDown } from '#src/engine/ended.ts'
import { endWhatEnded } from '#src/work/token-watcher.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'
import { findRole } from '#src/operations/account/users/user-steps.ts'
import { TurnInput } from '#src/operations/chats/chat-schemas.ts'
import { getChat } from '#src/operations/chats/get-chat.ts'
import { finishTurn, startTurn } from '#src/operations/chats/turn-steps.ts'
import { validateInput } from '#src/runtime/validate-input.ts'

const MAX_STREAMS = 5
/** Milliseconds. */
const TIMEOUTS = { first: 300_000, next: 120_000 }
/** Milliseconds that answers under way get when the service stops. */
const GRACE = 8000

/** POST /api/chat. */
export function registerChat(app: FastifyInstance, parts: ServerParts): void {
  const { runtime, operations } = parts
  const tools = toolsOf(operations)
  const open = new OpenStreams(runtime, { kind: 'chat', max: MAX_STREAMS, what: 'answers of the assistant' })
  const answering = new ChatsAnswering(runtime.engine.relay)
  const running = new Set<Promise<void>>()
  const onError = (err: unknown) => app.log.error({ err }, 'unexpected error in a chat')
  const warn = (message: string) => app.log.warn(message)
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
    answering.close()
    const timer = setTimeout(() => open.endAll(), GRACE)
    await Promise.all(running)
    clearTimeout(timer)
  })

  const handler: RouteHandlerMethod = async (request, reply) => {
    const caller: Caller = { ...request.caller, source: 'chat' }
    const input = (await validateInput({ input: TurnInput }, request.body ?? {})) as TurnInput
    const stop = new AbortController()
    const own = open.open(caller, () => stop.abort(stopping ? shuttingDown() : sessionEnded()))
    whenClosed(reply.raw, () => stop.abort(abandoned()))
    const checkSession = async () => {
      await endWhatEnded(runtime, [caller.token_hash!])
      stop.signal.throwIfAborted()
    }
    const asking = { runtime, caller, input, left: stop.signal, checkSession }
    const { turn, over } = await beginAlone(answering, asking).catch((error: unknown) => {
      own.release()
      throw error
    })
    const stream = openStream(reply, { heartbeat: parts.heartbeat })
    const { chat_id } = turn
    const checkGoesOn = async () => {
      await checkSession()
      await checkRole(runtime, caller)
      await runOperation(runtime, getChat, caller, { chat_id })
    }
    const acting: Caller = turn.asks_first ? { ...caller, scope: 'propose' } : caller
    const turnParts = { runtime, caller: acting, tools, timeouts: TIMEOUTS, checkGoesOn, onError, warn }
    const done = answer(turnParts, { ...turn, message: input.message }, stream, stop.signal)
      .catch(onError)
      .finally(() => {
        stream.close()
        own.release()
        over()
        running.delete(done)
      })
    running.add(done)
  }
  registerRoutes(app, parts, describedRoutes.chat, { 'POST /api/chat': handler })
}

const sessionEnded = () =>
  unauthorized('Your session, or your key, ended before the answer did', {
    suggestion: 'Sign in, and send the message again',
  })

/** @throws ChatFault where an operator, or another process, has given the account another role meanwhile */
async function checkRole(runtime: Runtime, { user_id, role }: Caller): Promise<void> {
  const { json } = await runOperation(runtime, findRole, SERVICE, { user_id })
  if (JSON.parse(json) !== role)
    throw new ChatFault('The answer was ended: your role is another one now. Ask again')
}

interface StartedTurn {
  chat_id: string
  created: boolean
  /** What the assistant would change is only proposed. */
  asks_first: boolean
  history: HistoryMessage[]
}

/** A message before its turn. */
interface Asking {
  runtime: Runtime
  caller: Caller
  input: TurnInput
  left: AbortSignal
  /** @throws the reason of `left` where the session has ended, or the client has left */
  checkSession(this: void): Promise<void>
}

/** Begins a turn when no other of its chat is under way; `over` is to be called at its end. */
async function beginAlone(
  answering: ChatsAnswering,
  { runtime, caller, input, left, checkSession }: Asking,
): Promise<{ turn: StartedTurn; over: () => void }> {
  // By user: another's chat is not there, answering or not.
  const take = (chat_id: string) => answering.begin(`${caller.user_id} ${chat_id}`, left)
  const chat_id = input.chat_id === undefined ? null : parseUlid(input.chat_id)
  const over = chat_id === null ? undefined : await take(chat_id)
  try {
    // It may have waited: of one that is withdrawn meanwhile nothing is stored (decision 81).
    await checkSession()
    const turn = await begin(runtime, caller, input)
    return { turn, over: over ?? (await take(turn.chat_id)) }
  } catch (error) {
    over?.()
    throw error
  }
}

async function begin(runtime: Runtime, caller: Caller, input: TurnInput): Promise<StartedTurn> {
  const { json } = await runOperation(runtime, startTurn, caller, input)
  return JSON.parse(json) as StartedTurn
}

function openStream(reply: FastifyReply, options: EventStreamOptions): EventStream {
  reply.hijack()
  return new EventStream(reply.raw, { headers: reply.getHeaders(), ...options })
}

/** Streams one answer and stores it, also when it was cut short. */
async function answer(
  parts: TurnParts,
  { chat_id, created, history, message }: StartedTurn & { message: string },
  stream: EventStream,
  signal: AbortSignal,
): Promise<void> {
  const { runtime, caller } = parts
  const { llm } = runtime.services.config
  const send = (event: ChatEvent) => stream.deliver(eventText(event))
  const said: Said = { steps: [], parts: new AnswerParts() }
  if (created) await send({ type: 'chat_session', chat_id })
  let fault: unknown
  try {
    const model = await languageModel(llm, boundedFetch())
    await runTurn(parts, { model, message, history, signal, send }, said)
  } catch (error) {
    fault = error ?? new ChatFault('The answer was interrupted')
  }
  const response_id = await store(runtime, caller, chat_id, said, fault === undefined).catch((error) => {
    fault ??= notStored(error, parts)
    return ''
  })
  if (fault === undefined) await send({ type: 'done', response_id })
  else if (!stream.closed.aborted) await send({ type: 'error', message: await inWords(fault, parts) })
}

/** The chat has been deleted meanwhile; anything else is our fault, and in the log. */
function notStored(error: unknown, { onError }: TurnParts): Error {
  if (error instanceof ServiceError) return error
  onError(error)
  return new ChatFault('The answer could not be stored: something went wrong on our side. Ask again')
}

async function inWords(fault: unknown, { runtime, warn }: TurnParts): Promise<string> {
  if (fault instanceof ChatFault || fault instanceof ServiceError) return fault.message
  const { providerFault } = await import('#src/api/chat/provider-fault.ts')
  const { message } = providerFault(fault, runtime.services.config.llm)
  warn(message) // not the error itself: it holds the conversation
  return message
}

/** The id of the stored answer; empty where there was nothing to store. */
async function store(
  runtime: Runtime,
  caller: Caller,
  chat_id: string,
  { steps, parts }: Said,
  completed: boolean,
): Promise<string> {
  const content = steps.map(({ text }) => text).join('')
  const tool_calls = callsToStore(steps)
  if (!completed && !content && !tool_calls.length) return ''
  const { json } = await runOperation(runtime, finishTurn, caller, {
    chat_id,
    content,
    tool_calls,
    transcript: toStore(steps),
    parts: parts.toStore(),
    completed,
  })
  return (JSON.parse(json) as { message_id: string }).message_id
}
