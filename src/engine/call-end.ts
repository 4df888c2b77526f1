import { abandoned } from '#src/engine/ended.ts'

/** The end of one call before it is done: at its deadline, or when its client leaves. */
export class CallEnd {
  /** Why it has ended; undefined while it goes on. */
  fault: Error | undefined
  private readonly timer: NodeJS.Timeout | undefined
  private readonly signal: AbortSignal | undefined
  private readonly cancels = new Set<() => void>()

  /** `milliseconds` undefined: somebody else has the deadline. */
  constructor(
    milliseconds: number | undefined,
    tookTooLong: (milliseconds: number) => Error,
    signal?: AbortSignal,
  ) {
    if (milliseconds !== undefined)
      this.timer = setTimeout(() => this.end(tookTooLong(milliseconds)), milliseconds)
    this.signal = signal
    if (signal?.aborted) this.end(abandoned())
    else signal?.addEventListener('abort', this.onAbort, { once: true })
  }

  /** @throws where the call has ended */
  readonly throwIfEnded = (): void => {
    if (this.fault) throw this.fault
  }

  /** `cancel` is called when the call ends before `work` is done. */
  async during<T>(cancel: () => void, work: () => Promise<T>): Promise<T> {
    this.throwIfEnded()
    this.cancels.add(cancel)
    try {
      return await work()
    } catch (error) {
      throw this.fault ?? error
    } finally {
      this.cancels.delete(cancel)
    }
  }

  /** The call is done. */
  close(): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.onAbort)
  }

  private readonly onAbort = (): void => this.end(abandoned())

  private end(fault: Error): void {
    if (this.fault) return
    this.fault = fault
    this.close()
    for (const cancel of this.cancels) cancel()
  }
}
