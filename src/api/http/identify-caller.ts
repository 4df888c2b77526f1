import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { ServiceError } from '#src/domain/errors.ts'
import type { Caller } from '#src/domain/caller.ts'
import { countRequest } from '#src/api/http/count-request.ts'
import { checkCaller, type Demand } from '#src/operations/may-call.ts'

/** Whether nothing came that could say who calls, over http, where many clients keep a Secure cookie back. */
const cameWithout = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'http' && headers.cookie === undefined && headers.authorization === undefined

const cookieKeptBack = ({ code, message, suggestion }: ServiceError): ServiceError =>
  new ServiceError(code, message, {
    suggestion: `${suggestion}. No cookie came with this request: over http many clients keep it back, because it is Secure; send the header Cookie yourself, or use a key`,
  })

/** A route's `onRequest`: finds the caller and turns away who calls too often or may not call, before a body is read. */
export function identifyCaller({ sessions, facet }: Pick<ServerParts, 'sessions' | 'facet'>, demand: Demand) {
  const { rate_limit } = facet.services
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await sessions.find(request, reply)
    countRequest(rate_limit, request.caller, reply)
    try {
      checkCaller(demand, request.caller)
    } catch (error) {
      const lost = error instanceof ServiceError && error.code === 'Unauthorized' && cameWithout(request)
      throw lost ? cookieKeptBack(error) : error
    }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCaller`. */
    caller: Caller
  }
}
