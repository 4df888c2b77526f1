import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { wholeBody } from '#src/api/http/whole-body.ts'
import { ServiceError } from '#src/domain/errors.ts'

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/
const UTF_8 = /^utf-?8$/i
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/** Of requests whose Content-Type is no media type, what it is. */
const misnamed = new WeakMap<IncomingMessage, string>()

/**
 * Bodies are JSON, also where no Content-Type says so; an empty one is no body, whatever its Content-Type. Routes
 * that take something else add a parser in a scope of their own.
 * @param parse What becomes of a body that is no other type's and no empty one.
 */
export function readBodies(
  app: FastifyInstance,
  parse: (body: Buffer, request: FastifyRequest) => unknown,
): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    admitType(raw)
    done()
  })
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) =>
    readJson(await wholeBody(request, payload), request, parse),
  )
}

/** Fastify would refuse what is no media type without looking whether there is a body. */
function admitType(request: IncomingMessage): void {
  const { headers } = request
  const type = headers['content-type']
  if (type === undefined || MEDIA_TYPE.test(type)) return
  delete headers['content-type']
  if (!type) return
  misnamed.set(request, type)
  headers['content-type'] = 'application/octet-stream'
}

function readJson(
  body: Buffer,
  request: FastifyRequest,
  parse: (body: Buffer, request: FastifyRequest) => unknown,
): unknown {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers
  if (!body.length) return undefined
  if (type !== undefined && type !== 'application/json') checkType(misnamed.get(request.raw) ?? type)
  if (encoding && encoding.toLowerCase() !== 'identity')
    throw unsupported(
      `A body with Content-Encoding '${encoding}' cannot be read`,
      'Send it without compression',
    )
  return parse(body, request)
}

function checkType(header: string): void {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim())
  if (!JSON_TYPE.test(type.toLowerCase()))
    throw unsupported(
      `A body of type '${type}' cannot be read`,
      'Send JSON with Content-Type: application/json',
    )
  for (const parameter of parameters) {
    const [, charset] = /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter) ?? []
    if (charset !== undefined && !UTF_8.test(charset))
      throw unsupported(`A body in '${charset}' cannot be read`, 'Send it in UTF-8')
  }
}

const unsupported = (message: string, suggestion: string) =>
  new ServiceError('UnsupportedMediaType', message, { suggestion })
