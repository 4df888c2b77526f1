import type { FastifyBaseLogger } from 'fastify'
import { findSweepable, forgetBlobs, sweepFiles } from '#src/operations/files/file-steps.ts'
import {
  leftBlobs,
  ownerInWords,
  ownsStore,
  settleOwner,
  TAKE_OVER,
} from '#src/operations/files/store-owner.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { Step } from '#src/runtime/operation.ts'
import { runStep } from '#src/runtime/run-step.ts'

const INTERVAL = 60 * 1000
/** What an upload has begun and not gone on with for so long is left over. */
const DAY = 24 * 60 * INTERVAL
/** How often the store is looked through for what no file has. */
const LOOKED_THROUGH = DAY

/**
 * Takes away, at once and then every minute, what uploads have left: files that nothing has referred to for a day, bytes that
 * no file has any more, and what a crash has cut off.
 */
export class FileSweeper {
  private readonly runtime: Runtime
  private readonly log: FastifyBaseLogger
  private readonly stopped = new AbortController()
  private readonly timer: NodeJS.Timeout
  private lookedAt = -Infinity
  private under_way: Promise<void>

  constructor(runtime: Runtime, log: FastifyBaseLogger) {
    this.runtime = runtime
    this.log = log
    this.under_way = this.sweep()
    this.timer = setInterval(() => {
      this.under_way = this.under_way.then(() => this.sweep())
    }, INTERVAL)
    this.timer.unref()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    clearInterval(this.timer)
    await this.under_way
  }

  private async sweep(): Promise<void> {
    try {
      const now = this.runtime.clock()
      const isDue = Math.abs(now - this.lookedAt) >= LOOKED_THROUGH
      if (isDue) this.lookedAt = now
      const isOurs = isDue && (await this.settle(now))
      await sweepOnce(this.runtime, this.stopped.signal)
      if (isOurs) await sweepStore(this.runtime, this.stopped.signal)
    } catch (err) {
      if (!this.stopped.signal.aborted) this.log.warn({ err }, 'files could not be swept')
    }
  }

  /** Whether the store is this base's to sweep; where it is not, the log says so. */
  private async settle(now: number): Promise<boolean> {
    const { files } = this.runtime.services
    const owner = await settleOwner(calling(this.runtime), files, now)
    const doubt = ownerInWords(owner, files.place)
    if (doubt !== null) this.log.warn(`${doubt}. ${TAKE_OVER}`)
    return owner === 'ours'
  }
}

/** Files that nothing refers to, and bytes that no file has: of a store that is another's they stay. */
async function sweepOnce(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { files } = runtime.services
  let more = await runStep(runtime, findSweepable, {})
  while (more && !signal.aborted) {
    const swept = await runStep(runtime, sweepFiles, {})
    if (swept.dropped.length) {
      if (!(await ownsStore(calling(runtime), files))) return
      for (const { blob } of swept.dropped) await files.remove(blob)
      await runStep(runtime, forgetBlobs, { ids: swept.dropped.map(({ id }) => id) })
    }
    more = swept.more
  }
}

/** What is in the store and in no row: an upload ended between the two. */
async function sweepStore(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { files } = runtime.services
  const now = runtime.clock()
  await files.sweepHalves(new Date(now - DAY))
  for await (const blobs of leftBlobs(calling(runtime), files, now)) {
    if (signal.aborted || !(await ownsStore(calling(runtime), files))) return
    for (const blob of blobs) await files.remove(blob)
  }
}

const calling =
  (runtime: Runtime) =>
  <I extends object, O>(step: Step<I, O>, input: I): Promise<O> =>
    runStep(runtime, step, input)
