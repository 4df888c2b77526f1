import { describe, expect, it } from 'vitest'
import { readEvents, type StreamEvent } from '#client/read-events.ts'

const SENT =
  ': hello\n\nevent: audit\nid: 1\ndata: {"a":"ü\ndata: €"}\n\ndata:x\n\nid: 2\n\nevent: audit\ndata: cut'
const READ = [
  { event: 'audit', data: '{"a":"ü\n€"}', id: '1' },
  { event: 'message', data: 'x', id: undefined },
]
const { signal } = new AbortController()

async function read(bytes: Uint8Array, size: number): Promise<{ events: StreamEvent[]; signs: number }> {
  let at = 0
  let signs = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(Uint8Array.from(bytes.subarray(at, (at += size))))
    },
  })
  const events: StreamEvent[] = []
  for await (const event of readEvents('', body, { signal, onSign: () => (signs += 1) })) events.push(event)
  return { events, signs }
}

describe('a stream of events is read', () => {
  it.each(['\n', '\r\n', '\r'])(
    'whatever ends its lines (%j), and wherever it is cut into pieces',
    async (end) => {
      const bytes = new TextEncoder().encode(SENT.replaceAll('\n', end))
      for (const size of [1, 2, 3, 5, 7, 1000]) {
        const { events, signs } = await read(bytes, size)
        expect(events).toEqual(READ)
        expect(signs).toBe(Math.ceil(bytes.length / size))
      }
    },
  )

  it('until its connection is lost, which is an error of its own', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (it) => it.error(new TypeError('reset')),
    })
    await expect(readEvents('http://x', body, { signal }).next()).rejects.toMatchObject({
      status: 0,
      message: 'http://x does not answer',
    })
  })
})
