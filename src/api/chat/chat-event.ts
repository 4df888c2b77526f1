/** What the stream of POST /api/chat carries (specification, Chat stream events). */
export type ChatEvent =
  | { type: 'chat_session'; chat_id: string }
  | { type: 'text_delta'; content: string }
  | {
      type: 'tool_call'
      /** The same for both events of one call. */
      id: string
      name: string
      arguments: unknown
      status: 'running' | 'completed'
      /** JSON text, pasted. */
      result: string
    }
  | { type: 'react_render'; id: string; title: string | null; js: string; css: string }
  | { type: 'done'; response_id: string }
  | { type: 'error'; message: string }

/** The event as its `data` line. */
export function eventText(event: ChatEvent): string {
  if (event.type !== 'tool_call') return JSON.stringify(event)
  const { result, ...rest } = event
  return `${JSON.stringify(rest).slice(0, -1)},"result":${result}}`
}

/** What ends a turn: its message goes to the user as an `error` event. */
export class ChatFault extends Error {}
