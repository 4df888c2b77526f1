import { EventSourceParserStream } from 'eventsource-parser/stream'
import { fetchOf, inSession, jsonOf } from '#web/api/call.ts'
import { Fault, unreachable } from '#web/api/fault.ts'
import { asAccount } from '#web/api/session-state.ts'

/** What an answer of the assistant is streamed as (specification, Chat stream events). */
export type ChatEvent =
  | { type: 'chat_session'; chat_id: string }
  | { type: 'text_delta'; content: string }
  | {
      type: 'tool_call'
      id: string
      name: string
      arguments: unknown
      status: 'running' | 'completed'
      result: unknown
    }
  | { type: 'react_render'; id: string; title: string | null; js: string; css: string }
  | { type: 'done'; response_id: string }
  | { type: 'error'; message: string }

export interface ChatTurn {
  message: string
  chat_id?: string
  /** The answer up to which the conversation is taken up. */
  previous_response_id?: string
}

/**
 * Says something to the assistant and yields the answer as it comes; aborting ends the answer, and what was said stays.
 * @throws Fault
 */
export async function* chatEvents(turn: ChatTurn, signal: AbortSignal): AsyncGenerator<ChatEvent> {
  const send = () =>
    fetchOf('/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...asAccount() },
      body: JSON.stringify(turn),
      signal,
    })
  const response = await inSession(send, signal)
  if (!response.ok) await jsonOf(response)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (!isStream || !response.body) throw unreachable()
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
  const reader = events.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield JSON.parse(value.data) as ChatEvent
    }
  } catch (error) {
    if (signal.aborted || error instanceof Fault) throw error
    throw unreachable()
  } finally {
    reader.releaseLock()
  }
}
