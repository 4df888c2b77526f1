import { lost } from './connection.ts'

/** One event of a stream of them (text/event-stream). */
export interface StreamEvent {
  event: string
  data: string
  id: string | undefined
}

interface Reading {
  signal: AbortSignal
  /** Is called with whatever comes, comments too. */
  onSign?: () => void
}

/** The events of a body. Anyone who stops reading closes it. @throws FacetError where it is cut off */
export async function* readEvents(
  url: string,
  body: ReadableStream<Uint8Array>,
  reading: Reading,
): AsyncGenerator<StreamEvent, void, undefined> {
  let fields: { event?: string; id?: string; data: string[] } = { data: [] }
  for await (const line of readLines(url, body, reading)) {
    if (line === '') {
      const { event = 'message', data, id } = fields
      fields = { data: [] }
      if (data.length) yield { event, data: data.join('\n'), id }
      continue
    }
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'data') fields.data.push(value)
    else if (name === 'event' || name === 'id') fields[name] = value
  }
}

/** Lines end with CR, LF or both; what a connection that is cut off leaves unfinished is none. */
async function* readLines(
  url: string,
  body: ReadableStream<Uint8Array>,
  { signal, onSign }: Reading,
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const pieces: string[] = []
  let endedByReturn = false
  try {
    for (;;) {
      const { done, value } = await lost(url, signal, () => reader.read())
      if (done) return
      onSign?.()
      let text = decoder.decode(value, { stream: true })
      if (!text) continue
      if (endedByReturn && text.startsWith('\n')) text = text.slice(1)
      endedByReturn = text.endsWith('\r')
      const [first = '', ...others] = text.split(/\r\n|\n|\r/)
      pieces.push(first)
      for (const next of others) {
        yield pieces.splice(0).join('')
        pieces.push(next)
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
