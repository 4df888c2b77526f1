import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#src/domain/caller.ts'
import type { ReplyMeta } from '#src/domain/reply.ts'

/** How HTTP learns who calls, and hands a session out. */
export interface SessionLookup {
  /** The caller by the request's cookie; sends the cookie again when the session's timer was written. */
  find(request: FastifyRequest, reply: FastifyReply): Promise<Caller>
  /** Sets or clears the cookie as an operation's notes say, before its answer leaves. */
  apply(reply: FastifyReply, meta: ReplyMeta): void
}
