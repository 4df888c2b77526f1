import { setTimeout as wait } from 'node:timers/promises'
import { enterTexts, findWaitingTexts } from '#src/operations/service/upkeep-steps.ts'
import { Reading } from '#src/metrics/instruments.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { Poller } from '#src/work/poller.ts'
import type { WorkLog } from '#src/work/work-log.ts'

/** Between two looks whether there is something to do, in milliseconds. */
const LOOK_MS = 1000

/**
 * Enters texts into the trigram index that changes have left to be entered (decision 52), a little at a time: half of
 * the time is others'. It goes on where the process before was ended.
 */
export class TextEnterer {
  private readonly runtime: Runtime
  private readonly stopped = new AbortController()
  private readonly loop: Poller

  constructor(runtime: Runtime, log: WorkLog) {
    this.runtime = runtime
    this.loop = new Poller({
      poll: () => this.enterAll(),
      onError: (err) => {
        // It stops in the middle where the service does.
        if (!this.stopped.signal.aborted) log.warn({ err }, 'texts could not be entered for search')
      },
      pause: () => LOOK_MS,
    })
    runtime.services.metrics.add(
      'facet_search_texts_entering',
      'Texts that the index of searches has still to be given; searches read these one by one.',
      new Reading('gauge', async () => {
        const found = await runStep(runtime, findWaitingTexts, {}).catch(() => null)
        return found && [{ value: found.waiting }]
      }),
    )
    this.loop.wake()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.loop.stop()
  }

  private async enterAll(): Promise<void> {
    const { signal } = this.stopped
    const { waiting: found } = await runStep(this.runtime, findWaitingTexts, {})
    let goesOn = found > 0
    while (goesOn && !signal.aborted) {
      const began = performance.now()
      const { waiting, has_entered } = await runStep(this.runtime, enterTexts, {})
      goesOn = waiting > 0 && has_entered
      await wait(performance.now() - began, undefined, { signal }).catch(() => {})
    }
  }
}
