import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import type { Caller } from '#src/domain/caller.ts'
import { countRequest } from '#src/api/http/count-request.ts'
import { checkCaller, type Demand } from '#src/operations/may-call.ts'

/** A route's `onRequest`: finds the caller and turns away who calls too often or may not call, before a body is read. */
export function identifyCaller({ sessions, facet }: Pick<ServerParts, 'sessions' | 'facet'>, demand: Demand) {
  const { rate_limit } = facet.services
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await sessions.find(request, reply)
    countRequest(rate_limit, request.caller, reply)
    checkCaller(demand, request.caller)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCaller`. */
    caller: Caller
  }
}
