import type { Caller } from '#src/domain/caller.ts'
import type { Runtime } from '#src/runtime/call.ts'

/** Work whose signal aborts when the caller's session, key or app ends, or with `signal`. */
export async function untilSessionEnds<T>(
  { services }: Pick<Runtime, 'services'>,
  { token_hash }: Pick<Caller, 'token_hash'>,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const end = () => controller.abort()
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  const unwatch = token_hash === null ? undefined : services.sessions.onEnd(token_hash, end)
  try {
    return await work(controller.signal)
  } finally {
    signal?.removeEventListener('abort', end)
    unwatch?.()
  }
}
