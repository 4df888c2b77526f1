import type { preParsingHookHandler } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { refuse } from '#src/api/http/client-error.ts'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { badRequest } from '#src/domain/errors.ts'

/** Bytes, and milliseconds in which they are to arrive: somebody who has not signed in cannot keep the service busy. */
export const MAX_PUBLIC_BODY = 64 * 1024
const PUBLIC_BODY_TIME = 30_000
/** Of all objects of such a body together: a browser's credential has some twenty. */
export const MAX_PUBLIC_KEYS = 100

/** What a route that needs no session says of its body. */
export const publicBody = ({ config }: Pick<ServerParts, 'config'>) => ({
  bodyLimit: Math.min(config.body_limit, MAX_PUBLIC_BODY),
  preParsing: bodyDeadline(PUBLIC_BODY_TIME),
  config: { isPublic: true },
})

/** Ends a request whose body has not arrived whole after this many milliseconds, with 400. */
export function bodyDeadline(milliseconds: number): preParsingHookHandler {
  return ({ raw }, reply, payload, done) => {
    const timer = setTimeout(() => {
      if (raw.complete || reply.raw.headersSent) return
      const fault = badRequest('The body did not arrive in time')
      // A library reads it, and answers by itself: it is not asked any more.
      if (reply.sent) {
        whenClosed(reply.raw, () => raw.destroy())
        return refuse(fault, raw, reply.raw)
      }
      // Refused before it was read: nobody listens any more.
      if (!payload.listenerCount('error')) return
      void reply.header('connection', 'close')
      payload.emit('error', fault)
    }, milliseconds)
    const arrived = () => clearTimeout(timer)
    payload.once('end', arrived)
    whenClosed(raw, arrived)
    whenClosed(reply.raw, arrived)
    done(null, payload)
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No session is needed. */
    isPublic?: boolean
  }
}
