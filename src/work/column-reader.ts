import { setTimeout as wait } from 'node:timers/promises'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import { readColumns } from '#src/operations/service/upkeep-steps.ts'

/** Between two looks whether there is something to read, in milliseconds. */
const LOOK_MS = 10_000
/** The quick readers of SQLite have columns each: of two calls at once each gets one. */
const AT_ONCE = 2

/**
 * Reads columns before somebody asks for them, a few milliseconds at a time (decision 26): after the start, and again
 * where a change of a tag has dropped them. Half of the time is others'.
 */
export class ColumnReader {
  private readonly runtime: Runtime
  private readonly stopped = new AbortController()
  private readonly ended: Promise<void>

  constructor(runtime: Runtime) {
    this.runtime = runtime
    this.ended = this.readOn()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.ended
  }

  private async readOn(): Promise<void> {
    const { signal } = this.stopped
    let more = false
    while (!signal.aborted) {
      const start = performance.now()
      // A small base has nothing to read, and its second reader need not start for a look.
      more = await this.readSome(more ? AT_ONCE : 1)
      const pause = more ? performance.now() - start : LOOK_MS
      await wait(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Whether there is more. Whatever fails here fails for anyone who asks for a column too, and is answered there. */
  private async readSome(calls: number): Promise<boolean> {
    const turns = Array.from({ length: calls }, () => runStep(this.runtime, readColumns, {}))
    const answers = await Promise.all(turns.map((each) => each.catch(() => ({ more: false }))))
    return answers.some(({ more }) => more)
  }
}
