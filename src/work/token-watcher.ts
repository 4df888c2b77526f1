import { SERVICE } from '#src/domain/caller.ts'
import { findEndedTokens } from '#src/operations/account/session/session-steps.ts'
import { type Runtime, runOperation } from '#src/runtime/call.ts'

/** Milliseconds: what has ended, wherever and by whatever, ends its open streams within them. */
const INTERVAL = 1000
/** Tokens in one look. */
const AT_ONCE = 1000

/** Ends what is open for those of these tokens that live no more. */
export async function endWhatEnded(runtime: Runtime, token_hashes: readonly string[]): Promise<void> {
  const { json } = await runOperation(runtime, findEndedTokens, SERVICE, { token_hashes })
  runtime.services.sessions.endedElsewhere(JSON.parse(json) as string[])
}

/** Looks every second whether the tokens that hold something open still live. Nothing open costs nothing. */
export function watchTokens(
  runtime: Runtime,
  onError: (error: unknown) => void,
  interval = INTERVAL,
): { stop(): void } {
  const { sessions } = runtime.services
  let looking = false
  const look = async () => {
    const watched = sessions.watched()
    for (let i = 0; i < watched.length; i += AT_ONCE)
      await endWhatEnded(runtime, watched.slice(i, i + AT_ONCE))
  }
  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch(onError)
      .finally(() => (looking = false))
  }, interval)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
