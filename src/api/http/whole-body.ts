import { errorCodes, type FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { freeBytes } from '#src/process/free-memory.ts'

/**
 * The bytes of a body, which nobody else has. Those of the pieces in which it came, and of one that does not come whole,
 * are freed at once: the collector counts them, and goes through all of the heap whenever some ten megabytes have come.
 * @throws Fastify's errors: the body has more than `bodyLimit` bytes, or not as many as its Content-Length says
 */
export function wholeBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'])
  if (announced > limit) return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    const take = (piece: Buffer) => {
      pieces.push(piece)
      length += piece.length
      if (length > limit) fail(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    }
    const end = () => {
      if (announced >= 0 && announced !== length)
        return fail(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      forget()
      resolve(joined(pieces, length))
    }
    const fail = (error: Error) => {
      forget()
      for (const each of pieces) freeBytes(each)
      reject(error)
    }
    // Its client has left, or what reads it gave up: nobody of ours is at fault.
    const cutOff = (error: Error) => fail(Object.assign(error, { statusCode: 400 }))
    const forget = () => payload.off('data', take).off('end', end).off('error', cutOff)
    payload.on('data', take).on('end', end).on('error', cutOff).resume()
  })
}

function joined(pieces: readonly Buffer[], length: number): Buffer {
  const [first] = pieces
  if (first && pieces.length === 1) return first
  const whole = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const each of pieces) {
    whole.set(each, at)
    at += each.length
    freeBytes(each)
  }
  return whole
}
