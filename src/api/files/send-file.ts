import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { fileHeaders } from '#src/api/files/file-headers.ts'
import { isKnown } from '#src/api/http/conditional-request.ts'
import type { SessionWatch } from '#src/auth/session-watch.ts'
import type { Caller } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { ByteRange } from '#src/files/file-store.ts'
import { startOfText } from '#src/files/text-encoding.ts'
import type { OpenFile } from '#src/operations/files/open-file.ts'

const ONE = /^bytes=\s*(\d*)-(\d*)\s*$/i

/**
 * The bytes that a request wants (RFC 9110 §14): null for all of them, also where it wants several ranges or another
 * state of the file; `none` where there are no such bytes.
 */
function wantedRange(headers: IncomingHttpHeaders, size: number, etag: string): ByteRange | null | 'none' {
  const { range, 'if-range': unchanged } = headers
  if (range === undefined || (unchanged !== undefined && unchanged !== etag)) return null
  const [, from, to] = ONE.exec(range) ?? []
  if (from === undefined || to === undefined || (!from && !to)) return null
  if (!from) {
    const length = Math.min(Number(to), size)
    return length ? { start: size - length, end: size - 1 } : 'none'
  }
  const start = Number(from)
  const end = to ? Math.min(Number(to), size - 1) : size - 1
  if (to && Number(to) < start) return null
  return start < size ? { start, end } : 'none'
}

/** Milliseconds; a client that takes nothing for this long is cut off. */
const STALL = 30_000

/** Answers with a file, or the part of it that was asked for. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OpenFile,
  headers: Record<string, string> = fileHeaders(file),
): Promise<FastifyReply> {
  const { size } = file
  void reply.headers(headers)
  if (headers.etag && isKnown(request.headers, headers.etag)) return reply.code(304).send()
  if (file.type === 'text/plain') {
    const { encoding } = await startOfText((start) => file.open(start), size)
    void reply.header('content-type', `text/plain; charset=${encoding}`)
  }
  const range = request.method === 'GET' ? wantedRange(request.headers, size, headers.etag ?? '') : null
  if (range === 'none') throw unsatisfiable(reply, size)
  const length = range ? range.end - range.start + 1 : size
  void reply.header('content-length', String(length))
  if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  if (request.method === 'HEAD' || !length) return reply.send()
  const content = await file.open(range ?? undefined)
  reply.raw.setTimeout(STALL, () => reply.raw.destroy())
  return reply.send(content)
}

/** A download ends with the session, key or app that asked for it. */
export function endWithSession(
  sessions: SessionWatch,
  { token_hash }: Pick<Caller, 'token_hash'>,
  reply: FastifyReply,
): void {
  if (token_hash === null) return
  whenClosed(
    reply.raw,
    sessions.onEnd(token_hash, () => reply.raw.destroy()),
  )
}

function unsatisfiable(reply: FastifyReply, size: number): ServiceError {
  for (const name of ['etag', 'content-disposition', 'accept-ranges']) void reply.removeHeader(name)
  void reply.header('content-range', `bytes */${size}`)
  return new ServiceError('RangeNotSatisfiable', `The file has ${size} bytes, none of which were asked for`, {
    details: { size },
  })
}
