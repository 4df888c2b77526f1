import type { FastifyInstance } from 'fastify'
import { ServiceError, badRequest } from '#src/domain/errors.ts'

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

/**
 * Bodies are JSON, also where no Content-Type says so; an empty one is no body, whatever its Content-Type. Routes
 * that take something else add a parser in a scope of their own.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      done(null, parseBody(body as Buffer, request.headers['content-type']))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseBody(body: Buffer, contentType: string | undefined): unknown {
  if (!body.length) return undefined
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type && !JSON_TYPE.test(type))
    throw new ServiceError('UnsupportedMediaType', `Bodies of type '${type}' are not read here`, {
      suggestion: 'Send JSON with Content-Type: application/json',
    })
  try {
    return JSON.parse(body.toString())
  } catch (error) {
    throw badRequest(`The body is not valid JSON: ${(error as Error).message}`)
  }
}
