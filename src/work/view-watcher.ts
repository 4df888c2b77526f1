import { findRings, tellRings } from '#src/operations/notifications/notification-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { DeliveryTurn } from '#src/work/delivery-turn.ts'
import { Poller } from '#src/work/poller.ts'
import type { WorkLog } from '#src/work/work-log.ts'

/** Milliseconds: what nobody reported (the time, another process that has ended) is found within them. */
const LOOK = 1000
/** Milliseconds after a failure of the service's own, as of a full disk. */
const REST = 30_000

/**
 * Tells those who watch views what happens in them, in one process of all. How far the log is looked at is in the
 * database, and moves with what is reported (decision 140). Made by the start, which also stops it.
 */
export class ViewWatcher {
  private readonly runtime: Runtime
  private readonly log: WorkLog
  private readonly turn: DeliveryTurn
  private readonly leave: () => void
  private readonly loop = new Poller({
    poll: () => this.poll(),
    onError: (err) => this.rest(err),
    pause: () => Math.max(LOOK, this.restsUntil - performance.now()),
  })
  private watched = true
  private restsUntil = -Infinity

  constructor(runtime: Runtime, log: WorkLog) {
    this.runtime = runtime
    this.log = log
    this.turn = new DeliveryTurn(runtime, 'watches')
    const { changes, notifications } = runtime.services
    const leaves = [
      changes.onChange(() => this.watched && this.hear()),
      notifications.onChange(() => this.watched || this.hear()),
    ]
    this.leave = () => leaves.forEach((leave) => leave())
    this.loop.wake()
  }

  async stop(): Promise<void> {
    this.leave()
    await this.loop.stop()
    await this.turn
      .drop()
      .catch((err: unknown) => this.log.warn({ err }, 'the turn of watches was not given back'))
  }

  private hear(): void {
    if (performance.now() >= this.restsUntil) this.loop.wake()
  }

  private rest(err: unknown): void {
    this.restsUntil = performance.now() + REST
    this.log.warn({ err }, 'watched views could not be looked at')
  }

  private async poll(): Promise<void> {
    const { watched, rings } = await runStep(this.runtime, findRings, {})
    this.watched = watched
    if (!watched) await this.turn.drop()
    else if (rings && (await this.turn.take())) await runStep(this.runtime, tellRings, rings)
  }
}
