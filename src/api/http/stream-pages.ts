import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { Reply } from '#src/domain/reply.ts'

/** Characters that go to the socket at once; a client that takes longer than STALL for them is cut off. */
const CHUNK = 64 * 1024
/** Milliseconds. */
const STALL = 30_000

/**
 * Sends a list page by page as one JSON array, each page when the client has taken the one before. A failure destroys
 * the socket and leaves the JSON open, so that nobody takes a part for the whole.
 */
export async function streamPages(
  reply: FastifyReply,
  first: Reply,
  rest: AsyncIterable<Reply>,
  stall = STALL,
): Promise<void> {
  const { raw } = reply.hijack()
  try {
    raw.writeHead(200, { ...reply.getHeaders(), 'content-type': 'application/json; charset=utf-8' } as Record<
      string,
      string
    >)
    await write(raw, first.json.slice(0, -1), stall)
    let empty = first.json === '[]'
    for await (const { json } of rest) {
      if (raw.destroyed) return
      if (json === '[]') continue
      await write(raw, `${empty ? '' : ','}${json.slice(1, -1)}`, stall)
      empty = false
    }
    raw.end(']')
  } catch (error) {
    if (!raw.destroyed) reply.log.error({ err: error }, 'a streamed answer failed')
    raw.destroy()
  }
}

async function write(raw: ServerResponse, text: string, stall: number): Promise<void> {
  for (let at = 0; at < text.length && !raw.destroyed;) {
    const end = at + CHUNK
    // A pair of surrogates is one character and must stay together.
    const next = text.slice(at, isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end)
    at += next.length
    if (!raw.write(next)) await drained(raw, stall)
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00

/** Resolves when the client has read on or has gone; cuts it off when it does neither. */
function drained(raw: ServerResponse, stall: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => raw.destroy(), stall)
    const done = () => {
      clearTimeout(timer)
      raw.off('drain', done)
      raw.off('close', done)
      resolve()
    }
    raw.once('drain', done)
    raw.once('close', done)
  })
}
