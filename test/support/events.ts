import type { Client } from '#test/support/client.ts'

export interface ServerEvent {
  event?: string
  id?: string
  data: string
}

/** The events of a response as they come; comments are left out. */
export async function* eventsOf(response: Response): AsyncGenerator<ServerEvent> {
  let rest = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const lines = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line)?.slice(1) ?? ['', ''])
      const of = (name: string) => lines.filter(([key]) => key === name).map(([, value]) => value)
      const [event] = of('event')
      const [id] = of('id')
      if (of('data').length) yield { ...(event && { event }), ...(id && { id }), data: of('data').join('\n') }
    }
  }
}

// eslint-disable-next-line typescript/no-explicit-any -- events are asserted on, not typed
export type ChatEvent = any

const JSON_TYPE = { 'content-type': 'application/json' }

/** POST /api/chat, answered while it goes on. */
export const openChat = (client: Client, body: object, init: RequestInit = {}): Promise<Response> =>
  client.fetch('/api/chat', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body), ...init })

/** POST /api/chat to its end. */
export async function chat(client: Client, body: object | string): Promise<ChatEvent[]> {
  const response = await openChat(client, typeof body === 'string' ? { message: body } : body)
  if (response.status !== 200) throw new Error(`chat answered ${response.status}: ${await response.text()}`)
  const events: ChatEvent[] = []
  for await (const { data } of eventsOf(response)) events.push(JSON.parse(data))
  return events
}

export const textOf = (events: ChatEvent[]): string =>
  events
    .filter(({ type }) => type === 'text_delta')
    .map(({ content }) => content)
    .join('')
