import { setTimeout as wait } from 'node:timers/promises'
import { Reading } from '#src/metrics/instruments.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { findUnfolded, foldTexts } from '#src/operations/service/upkeep-steps.ts'

/** Between two lines of the log, and before another attempt, in milliseconds. */
const [TELL_MS, RETRY_MS] = [10_000, 5000]

interface FoldingLog {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/**
 * Folds what an upgrade has left of the texts that searches compare (decision 23), a little at a time: half of the
 * time is others'. It goes on where the process before was ended, and is reported in the log and in /metrics.
 */
export class TextFolder {
  private readonly runtime: Runtime
  private readonly log: FoldingLog
  private readonly stopped = new AbortController()
  private readonly ended: Promise<void>

  constructor(runtime: Runtime, log: FoldingLog) {
    this.runtime = runtime
    this.log = log
    runtime.services.metrics.add(
      'facet_search_texts_waiting',
      'Items whose texts an upgrade has still to fold for search; searches read these one by one.',
      new Reading('gauge', async () => {
        const left = await this.left(findUnfolded).catch(() => null)
        return left === null ? null : [{ value: left }]
      }),
    )
    this.ended = this.foldAll()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.ended
  }

  private async left(step: typeof foldTexts): Promise<number> {
    return (await runStep(this.runtime, step, {})).left
  }

  private async foldAll(): Promise<void> {
    const { signal } = this.stopped
    let told = -Infinity
    let began = false
    for (let step = findUnfolded; !signal.aborted; step = foldTexts) {
      const start = performance.now()
      try {
        const left = await this.left(step)
        if (!left) {
          if (began) this.log.info({ left }, 'the texts for search are folded')
          return
        }
        began = true
        if (start - told >= TELL_MS) {
          this.log.info(
            { left },
            'texts for search are being folded; until then searches read those left one by one',
          )
          told = start
        }
        await wait(performance.now() - start, undefined, { signal }).catch(() => {})
      } catch (err) {
        if (signal.aborted) return
        this.log.warn({ err }, 'texts for search could not be folded')
        await wait(RETRY_MS, undefined, { signal }).catch(() => {})
      }
    }
  }
}
