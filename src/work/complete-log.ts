import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import { rollbackReason } from '#src/domain/rolled-back.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/audit-steps.ts'

/** A replica may be behind: between two looks. */
const PAUSE_MS = 20
/** Before events are entered once more, where that failed: longer each time. */
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 10_000

/**
 * The engine, whose callers find the log whole: what a large change has recorded is entered into it step by step, with
 * others' writes in between, and readers of the log wait meanwhile until that is done (decision 45).
 */
export function withCompleteLog(engine: Engine): Engine {
  const drafts = new DraftedEvents(engine)
  void drafts.enterInBackground() // what was left when the process before this one ended
  return {
    ...engine,
    read: (call, limits) => drafts.entered(() => engine.read(call, limits), limits?.signal),
    readInline: (call) => drafts.entered(() => engine.readInline(call)),
    async write(call, limits) {
      const reply = await drafts.entered(() => engine.write(call, limits), limits?.signal)
      if (!reply.meta?.drafted) return reply
      void drafts.enterInBackground()
      const { drafted: _, ...meta } = reply.meta
      return new Reply(reply.json, meta)
    },
    async close() {
      await drafts.close() // commands read the log without the service
      await engine.close()
    },
  }
}

/** What large changes have recorded and the log does not have yet. */
class DraftedEvents {
  private readonly engine: Engine
  private entering: Promise<void> | undefined
  /** How often it was asked for: a caller that asks while the last step is under way may have recorded something after it. */
  private asked = 0
  private readonly closing = new AbortController()

  constructor(engine: Engine) {
    this.engine = engine
  }

  /** Runs a call, again when they are entered where it needs the log whole. */
  async entered(run: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
    for (let again = false; ; again = true) {
      const reply = await run()
      if (rollbackReason(reply) !== 'log_incomplete' || signal?.aborted) return reply
      if (again) await sleep(PAUSE_MS)
      await this.enter()
    }
  }

  /** Nobody waits for it: where it fails, it is tried again. */
  async enterInBackground(): Promise<void> {
    const { signal } = this.closing
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS))
      try {
        return await this.enter()
      } catch {
        if (signal.aborted) return
        await sleep(pause, undefined, { signal, ref: false }).catch(() => {})
        if (signal.aborted) return
      }
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.entering?.catch(() => {})
  }

  private enter(): Promise<void> {
    this.asked++
    return (this.entering ??= this.enterAll())
  }

  private async enterAll(): Promise<void> {
    try {
      for (;;) {
        const before = this.asked
        const call: SqlCall = { name: enterDraftedEvents.name, caller: SERVICE, input: {}, now: Date.now() }
        const { left } = JSON.parse((await this.engine.write(call)).json) as { left: boolean }
        if (!left && this.asked === before) return
      }
    } finally {
      this.entering = undefined // in the same tick as the last look at what was asked: nothing comes between
    }
  }
}
