import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { mayTakeLong } from '#src/api/http/client-error.ts'
import { BODY_PACE, LARGE_BODY, MeteredBody } from '#src/api/http/metered-body.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'
import { freeBytes } from '#src/process/free-memory.ts'

/** Bodies of these routes are bytes, whatever type they are said to have, also where that is no media type. */
export function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  // What is no media type would be refused before a parser is asked for.
  scope.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type']) request.headers['content-type'] = 'application/octet-stream'
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
    return await work(freed(body), length)
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

const cutOff = () =>
  badRequest('The file did not come whole: nothing was kept', { suggestion: 'Send it again' })

async function* nothing(): AsyncIterable<Uint8Array> {}
