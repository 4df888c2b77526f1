import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { mayTakeLong } from '#src/api/http/client-error.ts'
import { BODY_PACE, LARGE_BODY, MeteredBody } from '#src/api/http/metered-body.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { freeBytes } from '#src/process/free-memory.ts'

const FORM = 'multipart/form-data'
const IS_FORM = /^\s*multipart\/form-data\b/i

/** Bodies of these routes are bytes, whatever type they are said to have, also where that is no media type. */
export function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  // What is no media type would be refused before a parser is asked for.
  scope.addHook('onRequest', (request, _reply, done) => {
    const { 'content-type': type } = request.headers
    if (type) request.headers['content-type'] = IS_FORM.test(type) ? FORM : 'application/octet-stream'
    done()
  })
}

/** The body of a request as a stream, which may take as long as it keeps coming. */
export async function withUploadedBody<T>(
  request: FastifyRequest,
  work: (content: AsyncIterable<Uint8Array>, length: number | undefined) => Promise<T>,
): Promise<T> {
  const source = request.body as Readable | undefined
  if (!source) return work(nothing(), 0)
  const { 'content-length': announced, 'content-encoding': coding } = request.headers
  if (coding && coding.toLowerCase() !== 'identity')
    throw new ServiceError('UnsupportedMediaType', `A body with Content-Encoding '${coding}' is not taken`, {
      suggestion: 'Send the file as it is',
    })
  const length = announced === undefined ? undefined : Number(announced)
  const body = new MeteredBody(source, {
    arrive: () => undefined,
    pace: BODY_PACE,
    isLarge: (length ?? 0) > LARGE_BODY,
  })
  const end = mayTakeLong(request.raw.socket)
  try {
    return await work(freed(request.headers['content-type'] === FORM ? unwrapped(body) : body), length)
  } catch (error) {
    if (!(error instanceof ServiceError) && body.wasCutOff) throw cutOff()
    // What is left of it is read, so that a client that sends first and reads then learns why.
    source.unpipe(body)
    body.destroy()
    source.resume()
    throw error
  } finally {
    end()
  }
}

/**
 * Each piece gives its memory back once the next is asked for. The collector counts it, but lets 64 MiB gather before it
 * looks, and more while it does.
 */
async function* freed(body: AsyncIterable<Buffer>): AsyncIterable<Uint8Array> {
  for await (const piece of body) {
    yield piece
    freeBytes(piece)
  }
}

/**
 * Refuses a file that comes in a form, as `curl -F` and `FormData` send it: the lines around it would be stored as a part
 * of it. What is only said to be one is bytes as any other (further §14).
 */
async function* unwrapped(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  let head = ''
  for await (const piece of body) {
    if (head.length < FORM_HEAD) {
      head += piece.toString('latin1', 0, FORM_HEAD - head.length)
      if (BEGINNING_OF_FORM.test(head))
        throw new ServiceError('UnsupportedMediaType', 'The file came in a form: nothing was kept', {
          suggestion: 'Send its bytes alone as the body; curl does with --data-binary @FILE',
        })
    }
    yield piece
  }
}

/** Bytes in which the headers of a form's first part are looked for; some clients name its type before it. */
const FORM_HEAD = 1024
const BEGINNING_OF_FORM = /^(?:\r\n)?--[^\r\n]+\r\n(?:[\w-]+:[^\r\n]*\r\n)*?content-disposition: *form-data/i

const cutOff = () =>
  badRequest('The file did not come whole: nothing was kept', { suggestion: 'Send it again' })

async function* nothing(): AsyncIterable<Uint8Array> {}
