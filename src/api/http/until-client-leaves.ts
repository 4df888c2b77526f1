import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Runtime } from '#src/runtime/call.ts'

/** Work whose signal aborts when the client leaves before its answer, or when its session ends. */
export async function untilClientLeaves<T>(
  { services }: Pick<Runtime, 'services'>,
  { caller: { token_hash } }: Pick<FastifyRequest, 'caller'>,
  { raw }: Pick<FastifyReply, 'raw'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // One signal for both reasons: every request of the API comes through here.
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (raw.destroyed) leave()
  raw.once('close', leave)
  const unwatch = token_hash === null ? undefined : services.sessions.onEnd(token_hash, leave)
  try {
    return await work(gone.signal)
  } finally {
    raw.off('close', leave)
    unwatch?.()
  }
}
