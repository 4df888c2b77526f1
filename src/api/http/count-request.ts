import type { FastifyReply } from 'fastify'
import type { RateLimit } from '#src/auth/rate-limit.ts'
import type { Caller } from '#src/domain/caller.ts'
import { tooManyRequests } from '#src/domain/errors.ts'

/**
 * Counts a request of somebody who is signed in, or as many as came in one, and says in the headers of its answer what is left, as
 * draft-ietf-httpapi-ratelimit-headers has them (structured fields).
 * @throws TooManyRequests
 */
export function countRequest(rateLimit: RateLimit, caller: Caller, reply: FastifyReply, requests = 1): void {
  if (requests < 1) return
  const quota = rateLimit.take(caller, requests)
  if (!quota) return
  const { limit, window } = rateLimit
  const { left, seconds, exceeded } = quota
  void reply
    .header('ratelimit-policy', `"default";q=${limit};w=${window}`)
    .header('ratelimit', `"default";r=${left};t=${seconds}`)
  if (exceeded)
    throw tooManyRequests(
      `More than ${limit} requests within a minute${OF[caller.client?.kind ?? 'session']}`,
      seconds,
    )
}

const OF = { session: '', cli: '', key: ' by this key', app: ' by this app' }
