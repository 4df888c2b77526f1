import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import type { Caller } from '#src/domain/caller.ts'
import { checkCaller, type Demand } from '#src/operations/may-call.ts'

/** A route's `onRequest`: finds the caller and turns away who may not call, before a body is read. */
export function identifyCaller({ sessions }: Pick<ServerParts, 'sessions'>, demand: Demand) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await sessions.find(request, reply)
    checkCaller(demand, request.caller)
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCaller`. */
    caller: Caller
  }
}
