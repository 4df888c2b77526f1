import { open } from './call.ts'
import type { Connection } from './connection.ts'
import { boundTo } from './end.ts'
import { FacetError } from './errors.ts'
import { readEvents, type StreamEvent } from './read-events.ts'
import type { Route } from './route.ts'
import { pauseAfter, wait } from './wait.ts'

/** What is followed, and from where on. */
export interface Followed {
  /** Said in messages. */
  name: string
  route: Route
  input: object
  /** The last id that was told; what follows it comes. */
  last: string
  signal: AbortSignal
}

/** Milliseconds: the service sends a sign of life every 15 s, so a connection without one is dead. */
const LONGEST_SILENCE = 45_000
/** A connection that has lasted so long was none that failed. */
const LONG_ENOUGH = 10_000

/**
 * The events of a stream. A connection that is lost, and a service that starts again, are waited for: it goes on after
 * the last id.
 * @throws FacetError where the stream is refused for good, such as 401 when the key has been revoked
 */
export async function* follow(
  connection: Connection,
  followed: Followed,
): AsyncGenerator<StreamEvent, void, undefined> {
  let { last } = followed
  // Without it each connection would begin with what happens from then on.
  if (!last) throw new TypeError(`${followed.name}: 'after' is empty; leave it out to begin from now on`)
  let began = false
  for (let failures = 0; ; failures++) {
    const since = Date.now()
    let told = 0
    try {
      const events = connected(connection, { ...followed, last }, () => {
        began = true
      })
      for await (const event of events) {
        last = event.id ?? last
        yield event
      }
    } catch (error) {
      if (!began || !isPassing(error)) throw error
      told = (error.retry_after ?? 0) * 1000
    }
    if (Date.now() - since > LONG_ENOUGH) failures = 0
    await wait(Math.max(told, pauseAfter(failures)), followed.signal)
  }
}

/** The events of one connection, which ends where nothing comes for too long. */
async function* connected(
  connection: Connection,
  { name, route, input, last, signal }: Followed,
  onOpen: () => void,
): AsyncGenerator<StreamEvent, void, undefined> {
  let attempt = boundTo(signal)
  let timer: ReturnType<typeof setTimeout> | undefined
  const stopTimer = () => clearTimeout(timer)
  const onSign = () => {
    stopTimer()
    timer = setTimeout(() => attempt.controller.abort(new FacetError(0, silent(name))), LONGEST_SILENCE)
  }
  const onSend = () => {
    attempt.release()
    attempt = boundTo(signal)
    onSign()
    return attempt.controller.signal
  }
  try {
    const body = await open(connection, name, route, input, {
      headers: { 'last-event-id': last },
      signal,
      type: 'text/event-stream',
      // Between attempts it is not silent: it waits.
      onSend,
      onSettled: stopTimer,
    })
    onOpen()
    onSign()
    yield* readEvents(connection.url, body, { signal: attempt.controller.signal, onSign })
  } finally {
    stopTimer()
    attempt.release()
    attempt.controller.abort()
  }
}

const silent = (name: string) => ({
  error: 'Unreachable',
  message: `The stream of ${name} has fallen silent`,
})

const isPassing = (error: unknown): error is FacetError =>
  error instanceof FacetError && (error.status === 0 || error.status === 429 || error.status >= 500)
