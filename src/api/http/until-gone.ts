import type { FastifyReply, FastifyRequest } from 'fastify'
import { untilSessionEnds } from '#src/api/until-session-ends.ts'
import type { Facet } from '#src/operations/call.ts'

/** Work whose signal aborts when the client leaves before its answer, or when its session ends. */
export async function untilGone<T>(
  facet: Pick<Facet, 'services'>,
  { caller }: Pick<FastifyRequest, 'caller'>,
  { raw }: Pick<FastifyReply, 'raw'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  if (raw.destroyed) leave()
  raw.once('close', leave)
  try {
    return await untilSessionEnds(facet, caller, gone.signal, work)
  } finally {
    raw.off('close', leave)
  }
}
