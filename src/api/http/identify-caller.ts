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

/** Milliseconds after which a body came late: who sends it may have lost since what its head was let in by. */
const LATE_BODY_MS = 100

/**
 * A route's hooks: the caller is found, and whoever calls too often or may not call is turned away, before a body is
 * read; after a body that came late the caller is looked up again.
 */
export function identifyCaller(
  { sessions, runtime }: Pick<ServerParts, 'sessions' | 'runtime'>,
  demand: Demand,
) {
  const { rate_limit } = runtime.services
  const find = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await sessions.find(request, reply)
  }
  return {
    async onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await find(request, reply)
      countRequest(rate_limit, request.caller, reply)
      check(demand, request)
    },
    async preValidation(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (request.body === undefined || reply.elapsedTime < LATE_BODY_MS) return
      await find(request, reply)
      check(demand, request)
    },
  }
}

/** @throws Unauthorized, Forbidden */
function check(demand: Demand, request: FastifyRequest): void {
  try {
    checkCaller(demand, request.caller)
  } catch (error) {
    const lost = error instanceof ServiceError && error.code === 'Unauthorized' && cameWithout(request)
    throw lost ? cookieKeptBack(error) : error
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `identifyCaller`. */
    caller: Caller
  }
}
