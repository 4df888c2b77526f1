import type { preParsingHookHandler } from 'fastify'
import type { ServerParts } from '#src/api/http/server-parts.ts'
import { badRequest } from '#src/domain/errors.ts'

/** Bytes, and milliseconds in which they are to arrive: somebody who has not signed in cannot keep the service busy. */
export const MAX_PUBLIC_BODY = 64 * 1024
const PUBLIC_BODY_TIME = 30_000

/** What a route that needs no session says of its body. */
export const publicBody = ({ config }: Pick<ServerParts, 'config'>) => ({
  bodyLimit: Math.min(config.body_limit, MAX_PUBLIC_BODY),
  preParsing: bodyDeadline(PUBLIC_BODY_TIME),
})

/** Ends a request whose body has not arrived whole after this many milliseconds, with 400. */
export function bodyDeadline(milliseconds: number): preParsingHookHandler {
  return ({ raw }, reply, payload, done) => {
    const timer = setTimeout(() => {
      // Answered without the body, or refused before it was read: nobody listens any more.
      if (reply.sent || !payload.listenerCount('error')) return
      void reply.header('connection', 'close')
      payload.emit('error', badRequest('The body did not arrive in time'))
    }, milliseconds)
    const arrived = () => clearTimeout(timer)
    payload.once('end', arrived)
    raw.once('close', arrived)
    reply.raw.once('close', arrived)
    done(null, payload)
  }
}
