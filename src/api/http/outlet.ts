import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { compressor, type ContentCoding } from '#src/api/http/content-coding.ts'
import { drained, whenClosed } from '#src/api/drained.ts'
import { freeBytes } from '#src/process/free-memory.ts'

/** Bytes that go to the socket at once; a client that takes longer than STALL for them is cut off. */
const CHUNK = 64 * 1024
/** Milliseconds. */
const STALL = 30_000

export interface OutletOptions {
  stall?: number
  /** Nobody else has the memory of the pieces. */
  owned?: boolean
  coding?: ContentCoding | undefined
}

/**
 * Sends what comes, piece by piece, each when the client has taken the one before. A failure destroys the socket, so
 * that nobody takes a part for the whole.
 */
export async function streamOut(
  reply: FastifyReply,
  type: string,
  pieces: AsyncIterable<Buffer>,
  { stall = STALL, owned = false, coding }: OutletOptions = {},
): Promise<void> {
  const { raw } = reply.hijack()
  try {
    raw.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': type,
      ...(coding && { 'content-encoding': coding }),
    } as Record<string, string>)
    // What GET would say of it is all that is wanted: nothing more is read for it.
    if (reply.request.method === 'HEAD') return void raw.end()
    const out = new Outlet(raw, stall, coding)
    for await (const piece of pieces) {
      if (raw.destroyed) return
      await out.write(piece, owned ? () => freeBytes(piece) : undefined)
    }
    out.end()
  } catch (error) {
    if (!raw.destroyed) reply.log.error({ err: error }, 'a streamed answer failed')
    raw.destroy()
  }
}

/** The way to the client, through a compressor or not. */
class Outlet {
  private readonly raw: ServerResponse
  private readonly stall: number
  private readonly coder: ReturnType<typeof compressor> | undefined

  constructor(raw: ServerResponse, stall: number, coding: ContentCoding | undefined) {
    this.raw = raw
    this.stall = stall
    this.coder = coding && compressor(coding)
    if (!this.coder) return
    const { coder } = this
    coder.on('error', () => raw.destroy())
    whenClosed(raw, () => coder.destroy())
    coder.pipe(raw)
  }

  /** @param sent Called when the bytes, or what is left of them, are not needed any more. */
  async write(bytes: Buffer, sent?: () => void): Promise<void> {
    const { raw, coder, stall } = this
    const out: Writable = coder ?? raw
    const { length } = bytes
    for (let at = 0; at < length && !raw.destroyed; at += CHUNK) {
      const isLast = at + CHUNK >= length
      if (!out.write(bytes.subarray(at, at + CHUNK), isLast ? sent : undefined))
        await drained(raw, { out, stall })
    }
    if (!coder) return
    // What the compressor still holds goes out, and it is known that the client has taken what was before.
    if (!raw.destroyed) await drained(raw, { out, stall, flush: (done) => coder.flush(done) })
    if (raw.writableNeedDrain && !raw.destroyed) await drained(raw, { stall })
  }

  end(): void {
    void (this.coder ?? this.raw).end()
  }
}

/** Frees the memory of an answer once it has gone out; nobody else has it. */
export function freeWhenSent(raw: ServerResponse, answer: Buffer): void {
  raw.once('finish', () => freeBytes(answer))
}
