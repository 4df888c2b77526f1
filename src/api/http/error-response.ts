import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, type ErrorDetails, ServiceError } from '#src/domain/errors.ts'

/** Complete by its type: a new code does not compile until it has a status. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  PreconditionFailed: 412,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  UnprocessableEntity: 422,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  InsufficientStorage: 507,
}

/** The body of every failure (specification, Errors). */
export interface ErrorBody {
  error: ErrorCode
  message: string
  path: string
  suggestion?: string
  details?: ErrorDetails
}

export function errorBody({ code, message, suggestion, details }: ServiceError, path: string): ErrorBody {
  return { error: code, message, path, ...(suggestion && { suggestion }), ...(details && { details }) }
}

/** As requested, without the query. */
export const pathOf = (url: string): string => url.replace(/[?#].*$/s, '')

/** Fastify's own errors by the status that it gives them; what is not here is a bug and leaves as a bland 500. */
const FRAMEWORK: Readonly<Record<number, ErrorCode>> = {
  400: 'BadRequest',
  404: 'NotFound',
  413: 'PayloadTooLarge',
  414: 'NotFound',
  415: 'UnsupportedMediaType',
  503: 'ServiceUnavailable',
}

/** `raisable`: whether BODY_LIMIT decides how large a body may be here. */
export function toServiceError(error: unknown, bodyLimit: number, raisable = true): ServiceError {
  if (error instanceof ServiceError) return error
  const { code, statusCode, message } = error as Partial<FastifyError>
  const known = code?.startsWith('FST_ERR') && FRAMEWORK[statusCode ?? 500]
  if (known === 'PayloadTooLarge')
    return new ServiceError(known, `The request body is larger than ${bodyLimit} bytes`, {
      suggestion: raisable
        ? 'Send it in several requests, or raise BODY_LIMIT'
        : 'This route, which needs no session, takes no larger ones',
      details: { limit: bodyLimit },
    })
  if (known) return new ServiceError(known, message ?? known)
  return new ServiceError('InternalServerError', 'Something went wrong on our side')
}

/** The one way out for every failure of a request. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { bodyLimit } = request.routeOptions
  const known = toServiceError(error, bodyLimit, bodyLimit === request.server.initialConfig.bodyLimit)
  if (known.code === 'InternalServerError') request.log.error({ err: error }, 'unexpected error')
  const retry_after = known.details?.retry_after
  if (typeof retry_after === 'number') void reply.header('retry-after', String(retry_after))
  if (known.replayed) void reply.header('idempotency-replayed', 'true')
  if (known.challenge) void reply.header('www-authenticate', known.challenge)
  const allowed = known.details?.allowed
  if (known.code === 'MethodNotAllowed' && Array.isArray(allowed))
    void reply.header('allow', allowed.join(', '))
  // What is left of the body is not read.
  if (known.code === 'RequestTimeout') void reply.header('connection', 'close')
  return reply
    .code(STATUS[known.code])
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(known, pathOf(request.raw.url ?? ''))))
}
