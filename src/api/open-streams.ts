import type { ServerResponse } from 'node:http'
import { whenClosed } from '#src/api/drained.ts'
import type { Caller } from '#src/domain/caller.ts'
import { type ServiceError, tooManyRequests, unauthorized, unavailable } from '#src/domain/errors.ts'
import { shuttingDown } from '#src/engine/ended.ts'
import type { ServiceMetrics, StreamKind } from '#src/metrics/service-metrics.ts'
import type { Runtime } from '#src/runtime/call.ts'

/** Seconds after which a refused client may try again. */
const RETRY_AFTER = 30

export interface OpenStreamsOptions {
  /** Their name in metrics. */
  kind: StreamKind
  /** For each user. */
  max: number
  /** For all users together. */
  all?: number
  /** What the streams are called in messages. */
  what: string
}

/** What users hold open of one kind: bounded for each user, ended with the session or the key. */
export class OpenStreams {
  private readonly runtime: Runtime
  private readonly options: OpenStreamsOptions
  private readonly counts = new Map<string, number>()
  private readonly ends = new Set<End>()
  private readonly metric: ReturnType<ServiceMetrics['streamsOf']>

  constructor(runtime: Runtime, options: OpenStreamsOptions) {
    this.runtime = runtime
    this.options = options
    this.metric = runtime.services.metrics.streamsOf(options.kind)
  }

  /**
   * Counts a stream until `release` is called. `end` is called when the session, or the key, ends, or the service stops,
   * with what that is where nothing has been answered yet.
   * @throws TooManyRequests where the user has as many open as are allowed.
   */
  open({ user_id, token_hash }: Caller, end: End): OpenStream {
    const user = user_id!
    const count = this.counts.get(user) ?? 0
    const { max, all = Infinity, what } = this.options
    if (count >= max)
      throw tooManyRequests(`You have ${max} ${what} open already: close one first`, RETRY_AFTER)
    if (this.ends.size >= all)
      throw unavailable(`${all} ${what} are open already`, { suggestion: 'Try again in a moment' })
    this.counts.set(user, count + 1)
    this.ends.add(end)
    this.metric.opened()
    const forget = this.runtime.services.sessions.onEnd(token_hash!, () => end(sessionEnded()))
    let released = false
    return {
      release: () => {
        if (released) return
        released = true
        forget()
        this.ends.delete(end)
        this.metric.closed()
        const left = this.counts.get(user)! - 1
        if (left) this.counts.set(user, left)
        else this.counts.delete(user)
      },
    }
  }

  /**
   * What is sent to a client ends with the session, or the key, that asked for it: of what has begun the connection is
   * cut. Where nothing has been sent the signal aborts, `send` ends by it, and the answer is 401 (503: the service stops).
   */
  async while(
    caller: Caller,
    response: ServerResponse,
    send: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const ended = new AbortController()
    const own = this.open(caller, (why) => (response.headersSent ? response.destroy() : ended.abort(why)))
    whenClosed(response, () => own.release())
    try {
      await send(ended.signal)
    } catch (error) {
      throw ended.signal.aborted ? ended.signal.reason : error
    } finally {
      own.release()
    }
  }

  /** The service stops. */
  endAll(): void {
    for (const end of this.ends) end(shuttingDown())
  }
}

/** `why`: what is answered where nothing has been yet. */
type End = (why: ServiceError) => void

const sessionEnded = () => unauthorized('Your session, or your key, ended before the answer began')

export interface OpenStream {
  release(): void
}
