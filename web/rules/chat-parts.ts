/** A piece of an answer, in the order in which they came. */
export type ChatPart =
  | { type: 'text'; text: string }
  | {
      type: 'tool_call'
      id?: string
      name: string
      arguments: unknown
      status?: string
      result?: unknown
      /** Milliseconds that it took, where one was there. */
      took?: number
    }
  | { type: 'react_render'; id: string; title: string | null; js: string; css: string }

/** What of a stored message its parts are made of. */
interface Stored {
  content: string
  tool_calls: readonly { name: string; arguments: unknown }[] | null
  parts?: readonly ChatPart[] | null
}

/** Messages that are older than their parts list their calls first. */
export function partsOf({ content, tool_calls, parts }: Stored): readonly ChatPart[] {
  if (parts?.length) return parts
  const calls = (tool_calls ?? []).map((call) => ({ type: 'tool_call' as const, ...call }))
  return content ? [...calls, { type: 'text', text: content }] : calls
}

type ChatEvent =
  | { type: 'text_delta'; content: string }
  | { type: 'tool_call'; id: string; name: string; arguments: unknown; status: string; result: unknown }
  | { type: 'react_render'; id: string; title: string | null; js: string; css: string }

/** The parts with one more event; a call that came to its end and a component that was drawn again keep their place. */
export function withEvent(
  parts: readonly ChatPart[],
  event: ChatEvent,
  now: number,
  begun: Map<string, number>,
): ChatPart[] {
  if (event.type === 'text_delta') {
    const last = parts.at(-1)
    if (last?.type === 'text')
      return [...parts.slice(0, -1), { type: 'text', text: last.text + event.content }]
    return [...parts, { type: 'text', text: event.content }]
  }
  const at = parts.findIndex((part) => part.type === event.type && 'id' in part && part.id === event.id)
  if (event.type === 'react_render') return at < 0 ? [...parts, event] : parts.with(at, event)
  if (!begun.has(event.id)) begun.set(event.id, now)
  const call = { ...event, ...(event.status === 'completed' && { took: now - begun.get(event.id)! }) }
  return at < 0 ? [...parts, call] : parts.with(at, call)
}

interface TagForQuestions {
  name: string
  fields: Readonly<Record<string, unknown>>
}

/** Questions to begin with, made of the tags that there are. */
export function questionsFor(tags: readonly TagForQuestions[]): string[] {
  const found = tags.flatMap(({ name, fields }) =>
    Object.entries(fields).map(([field, schema]) => ({
      name,
      field,
      type: typeof schema === 'string' ? schema : String((schema as { type?: unknown }).type),
    })),
  )
  const one = (type: RegExp, ask: (name: string, field: string) => string) => {
    const hit = found.find((each) => type.test(each.type))
    return hit ? [ask(hit.name, hit.field)] : []
  }
  const first = tags[0]?.name
  return [
    ...one(/^Select$/, (name, field) => `Draw a chart of ${name} by ${field}`),
    ...one(/^Date/, (name, field) => `Which items of ${name} have “${field}” in the next 7 days?`),
    ...one(/Reference$/, (name, field) => `Which items of ${name} have no “${field}”?`),
    ...one(/^Number$/, (name, field) => `What is the sum of “${field}” of all items of ${name}?`),
    ...(first
      ? [`Which items of ${first} changed last, and how?`, `What could be duplicates in ${first}?`]
      : []),
    'What can I keep here, and how?',
    'Make me a tag for books, with three of them',
  ].slice(0, 4)
}
