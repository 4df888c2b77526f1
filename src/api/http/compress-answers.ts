import type { FastifyReply, FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { acceptedCoding, compress, type ContentCoding } from '#src/api/http/content-coding.ts'

/** Bytes up to which compressing costs more than it saves. */
const SMALL = 1024

/**
 * What holds secrets next to text that somebody else may choose is never compressed: the size of an answer would show
 * of them (additions §7).
 */
const SECRET = [
  '/api/auth',
  '/api/files', // the URL of a file, next to its text
  '/api/keys',
  '/api/invitations',
  '/api/webhooks',
  '/oauth',
  '/authorize',
]

const isSecret = (url: string): boolean =>
  SECRET.some((prefix) => url.startsWith(prefix) && !/[\w-]/.test(url.charAt(prefix.length)))

const TEXT = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?!event-stream))/

/** The coding in which an answer of this type goes out; `Vary` says that it depends on what it accepts. */
export function codingOf(request: FastifyRequest, reply: FastifyReply): ContentCoding | undefined {
  if (isSecret(request.raw.url ?? '') || reply.hasHeader('content-encoding')) return undefined
  varyByCoding(reply)
  return acceptedCoding(request.headers['accept-encoding'])
}

function varyByCoding(reply: FastifyReply): void {
  const given = reply.getHeader('vary')
  if (!given) void reply.header('vary', 'Accept-Encoding')
  else if (!/accept-encoding/i.test(String(given)))
    void reply.header('vary', `${String(given)}, Accept-Encoding`)
}

/** A hook before an answer is sent: it goes out compressed where the client takes that, and it is long (decision 53). */
export function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  // What was not modified would have been said in the same way.
  if (reply.statusCode === 304) varyByCoding(reply)
  const isText = typeof payload === 'string'
  if ((!isText && !Buffer.isBuffer(payload)) || payload.length <= SMALL) return done(null, payload)
  if (!TEXT.test(String(reply.getHeader('content-type')))) return done(null, payload)
  const coding = codingOf(request, reply)
  if (!coding) return done(null, payload)
  const send = (error: Error | null, compressed?: Buffer) => {
    if (error) return done(error)
    void reply.header('content-encoding', coding).removeHeader('content-length')
    done(null, compressed)
  }
  const codings = isText ? undefined : lasting.get(payload)
  if (codings && !isText) onceOf(codings, coding, payload).then((compressed) => send(null, compressed), send)
  else compress(coding, payload, send)
}

/** Answers that stay the same, with what they are in the codings that were asked for. */
const lasting = new WeakMap<Buffer, Map<ContentCoding, Promise<Buffer>>>()

/** Marks an answer that is sent again and again: it is compressed once in each coding. */
export function compressedOnce(answer: Buffer): Buffer {
  lasting.set(answer, new Map())
  return answer
}

const compressing = promisify(compress)

function onceOf(
  codings: Map<ContentCoding, Promise<Buffer>>,
  coding: ContentCoding,
  answer: Buffer,
): Promise<Buffer> {
  const known = codings.get(coding)
  if (known) return known
  const made = compressing(coding, answer) as Promise<Buffer>
  codings.set(coding, made)
  made.catch(() => codings.delete(coding))
  return made
}
