import { findRings, tellRings } from '#src/operations/notifications/watch-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { DeliveryTurn } from '#src/work/delivery-turn.ts'

/** Milliseconds: what nobody told of (the time, a first watch, another process that has ended) is found within them. */
const LOOK = 1000
/** Milliseconds after a failure of the service's own, as of a full disk. */
const REST = 30_000

export interface WatcherLog {
  warn(details: object, message: string): void
}

/**
 * Tells those who watch views what happens in them, in one process of all. How far the log is looked at is in the
 * database, and moves with what is told (decision 140). Made by the start, which also stops it.
 */
export class ViewWatcher {
  private readonly runtime: Runtime
  private readonly log: WatcherLog
  private readonly turn: DeliveryTurn
  private readonly leave: () => void
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> | null = null
  private again = false
  private watched = true
  private restsUntil = -Infinity
  private stopping = false

  constructor(runtime: Runtime, log: WatcherLog) {
    this.runtime = runtime
    this.log = log
    this.turn = new DeliveryTurn(runtime, 'watches')
    this.leave = runtime.services.changes.onChange(() => this.watched && this.wake())
    this.wake()
  }

  async stop(): Promise<void> {
    this.leave()
    clearTimeout(this.timer)
    this.stopping = true
    await this.looking
    await this.turn
      .drop()
      .catch((err: unknown) => this.log.warn({ err }, 'the turn of watches was not given back'))
  }

  private wake(): void {
    if (this.stopping || performance.now() < this.restsUntil) return
    this.again = true
    this.looking ??= this.run().finally(() => {
      this.looking = null
      if (!this.stopping) this.timer = setTimeout(() => this.wake(), this.pause()).unref()
    })
  }

  private pause(): number {
    return Math.max(LOOK, this.restsUntil - performance.now())
  }

  private async run(): Promise<void> {
    clearTimeout(this.timer)
    while (this.again && !this.stopping) {
      this.again = false
      try {
        await this.look()
      } catch (err) {
        this.restsUntil = performance.now() + REST
        this.log.warn({ err }, 'watched views could not be looked at')
      }
    }
  }

  private async look(): Promise<void> {
    const { watched, rings } = await runStep(this.runtime, findRings, {})
    this.watched = watched
    if (!watched) await this.turn.drop()
    else if (rings && (await this.turn.take())) await runStep(this.runtime, tellRings, rings)
  }
}
