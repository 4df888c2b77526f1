import { type ServiceError, unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { abandoned, changeTookTooLong, isEnded } from '#src/engine/ended.ts'
import type { SqlCall } from '#src/engine/engine.ts'
import type { Job, ThreadOptions } from '#src/engine/sqlite-thread-options.ts'
import type { SqliteThread } from '#src/engine/sqlite-thread.ts'

/** Milliseconds between two checks of the call under way. */
const LOOK_MS = 50
/** A writer whose oldest call is older than this keeps others waiting for too long. */
const STUCK_MS = 10_000

interface Write extends Job {
  readonly timeout: number
  readonly signal: AbortSignal | undefined
}

/** The one thread that writes. A change that is under way ends at its deadline and when its client leaves. */
export class SqliteWriter {
  readonly thread: SqliteThread
  private timer: NodeJS.Timeout | undefined
  private lastFault: Error | null = null

  private readonly timeout: number

  constructor(
    thread: (options: Partial<ThreadOptions>) => SqliteThread,
    {
      timeout,
      ...told
    }: { timeout: number } & Pick<ThreadOptions, 'onAnswers' | 'onTimes' | 'onCommit' | 'onHeld'>,
  ) {
    this.timeout = timeout
    this.thread = thread({ ...told, onOutside: (error) => (this.lastFault = error) })
  }

  write(call: SqlCall, signal?: AbortSignal): Promise<Reply> {
    const { timeout } = this
    return new Promise((resolve, reject) => {
      const write: Write = {
        call,
        since: performance.now(),
        timeout,
        signal,
        resolve: (reply) => {
          if (!reply.meta?.rolled_back) this.lastFault = null
          resolve(reply)
        },
        // Told by the thread once it is taken back: what has been committed is answered, however late.
        reject: (error) => reject(isEnded(error) ? (reasonOf(write) ?? error) : error),
      }
      this.thread.add(write)
      this.timer ??= setInterval(() => this.stopLate(), LOOK_MS).unref()
    })
  }

  /** What keeps it from writing: the disk, another program's lock, or a call that does not end. */
  get fault(): Error | null {
    if (performance.now() - (this.thread.since ?? Infinity) > STUCK_MS)
      return unavailable('A change has kept all others waiting for more than 10 s', {
        suggestion: 'Try again in a moment',
      })
    return this.lastFault
  }

  async close(): Promise<void> {
    await this.thread.close()
    clearInterval(this.timer)
  }

  private stopLate(): void {
    const running = this.thread.running as Write | undefined
    if (running && reasonOf(running)) this.thread.stop(running)
    if (this.thread.load) return
    clearInterval(this.timer)
    this.timer = undefined
  }
}

function reasonOf({ since, timeout, signal }: Write): ServiceError | undefined {
  if (signal?.aborted) return abandoned()
  return performance.now() - since > timeout ? changeTookTooLong(timeout) : undefined
}
