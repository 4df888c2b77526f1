import { FacetError } from './errors.ts'
import { pauseAfter, wait } from './wait.ts'

/** How often, and how long, a call is sent again. */
export interface Patience {
  /** At most so many times more; 0 for never. */
  retries: number
  /** Milliseconds that one call waits at most between them, altogether. */
  max_wait: number
}

/**
 * Whether the same request may be sent again. One that was refused for its number was not carried out, whatever it is.
 * Of any other failure that passes, only what can be carried out twice without harm is sent again.
 */
function isPassing({ status, retry_after }: FacetError, repeatable: boolean): boolean {
  if (status === 429) return true
  // Under its key the first one is still under way.
  const underWay = status === 409 && retry_after !== undefined
  return repeatable && (status === 0 || status === 502 || status === 503 || status === 504 || underWay)
}

/** Carries out `attempt` until it succeeds, fails for good, or patience is over; then with the last failure. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { retries, max_wait }: Patience,
  { repeatable, signal }: { repeatable: boolean; signal: AbortSignal | undefined },
): Promise<T> {
  let left = max_wait
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof FacetError) || failures >= retries || !isPassing(error, repeatable)) throw error
      const pause = error.retry_after === undefined ? pauseAfter(failures) : error.retry_after * 1000
      if (pause > left) throw error
      left -= pause
      await wait(pause, signal)
    }
  }
}
