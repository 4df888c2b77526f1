import type { FastifyReply, FastifyRequest } from 'fastify'
import { whenClosed } from '#src/api/drained.ts'
import { unauthorized } from '#src/domain/errors.ts'
import { isAbandoned } from '#src/engine/ended.ts'
import type { Runtime } from '#src/runtime/call.ts'

/**
 * Work whose signal aborts when the client leaves before its answer, or when its session ends.
 * @throws Unauthorized where it was given up because the session ended: the client is there and reads why
 */
export async function untilClientLeaves<T>(
  { services }: Pick<Runtime, 'services'>,
  { caller: { token_hash } }: Pick<FastifyRequest, 'caller'>,
  { raw }: Pick<FastifyReply, 'raw'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // One signal for both reasons: every request of the API comes through here.
  const gone = new AbortController()
  let sessionEnded = false
  const leave = () => gone.abort()
  const end = () => {
    sessionEnded = true
    leave()
  }
  const forget = whenClosed(raw, leave)
  const unwatch = token_hash === null ? undefined : services.sessions.onEnd(token_hash, end)
  try {
    return await work(gone.signal)
  } catch (error) {
    if (sessionEnded && isAbandoned(error))
      throw unauthorized('Your session, or your key, ended before the answer: nothing was changed')
    throw error
  } finally {
    forget()
    unwatch?.()
  }
}
