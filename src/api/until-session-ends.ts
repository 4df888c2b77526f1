import type { Caller } from '#src/domain/caller.ts'
import type { Facet } from '#src/operations/call.ts'

/** Work whose signal aborts when the caller's session ends, or with `signal`. */
export async function untilSessionEnds<T>(
  { services }: Pick<Facet, 'services'>,
  { session }: Pick<Caller, 'session'>,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const unwatch = session ? services.sessions.onEnd(session.token_hash, end) : undefined
  try {
    return await work(controller.signal)
  } finally {
    signal?.removeEventListener('abort', end)
    unwatch?.()
  }
}
