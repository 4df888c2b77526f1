import type { FastifyBaseLogger } from 'fastify'
import { ulidTime } from '#src/domain/ulid.ts'
import { findSweepable, findUnknownBlobs, forgetBlobs, sweepFiles } from '#src/operations/files/file-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'

const INTERVAL = 60 * 1000
/** An upload that still comes after so long is none. */
const DAY = 24 * 60 * INTERVAL
/** How often the store is looked through for what no file has. */
const LOOKED_THROUGH = DAY
/** Blobs that are asked for at once. */
const ASKED = 500

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
      await sweepOnce(this.runtime, this.stopped.signal)
      const now = this.runtime.clock()
      if (Math.abs(now - this.lookedAt) < LOOKED_THROUGH) return
      this.lookedAt = now
      await sweepStore(this.runtime, this.stopped.signal)
    } catch (err) {
      if (!this.stopped.signal.aborted) this.log.warn({ err }, 'files could not be swept')
    }
  }
}

/** Files that nothing refers to, and bytes that no file has. */
async function sweepOnce(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { files } = runtime.services
  let more = await runStep(runtime, findSweepable, {})
  while (more && !signal.aborted) {
    const swept = await runStep(runtime, sweepFiles, {})
    for (const { blob } of swept.dropped) await files.remove(blob)
    if (swept.dropped.length) await runStep(runtime, forgetBlobs, { ids: swept.dropped.map(({ id }) => id) })
    more = swept.more
  }
}

/** What is in the store and in no row: an upload ended between the two. */
async function sweepStore(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { files } = runtime.services
  const before = runtime.clock() - DAY
  await files.sweepHalves(new Date(before))
  let old: string[] = []
  const sweep = async () => {
    const unknown = old.length ? await runStep(runtime, findUnknownBlobs, { blobs: old }) : []
    for (const blob of unknown) await files.remove(blob)
    old = []
  }
  for await (const { blob } of files.list()) {
    if (signal.aborted) return
    if (ulidTime(blob) >= before) continue
    old.push(blob)
    if (old.length >= ASKED) await sweep()
  }
  await sweep()
}
