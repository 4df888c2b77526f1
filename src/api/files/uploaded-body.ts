import type { FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { mayTakeLong } from '#src/api/http/client-error.ts'
import { BODY_PACE, LARGE_BODY, MeteredBody } from '#src/api/http/metered-body.ts'
import { badRequest, ServiceError } from '#src/domain/errors.ts'

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
    return await work(body, length)
  } catch (error) {
    if (!(error instanceof ServiceError) && !request.raw.complete) throw cutOff()
    // What is left of it is read, so that a client that sends first and reads then learns why.
    source.unpipe(body)
    source.resume()
    throw error
  } finally {
    end()
  }
}

const cutOff = () =>
  badRequest('The file did not come whole: nothing was kept', { suggestion: 'Send it again' })

async function* nothing(): AsyncIterable<Uint8Array> {}
