import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/steps/enter-drafted-events.ts'
import { isNotWhole } from '#src/storage/audit-drafts.ts'

/** A replica may be behind: between two looks. */
const PAUSE_MS = 20
/** Before events are entered once more, where that failed: longer each time. */
const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 10_000

/**
 * The engine, whose callers find the log whole: what a large change has recorded is entered into it step by step, with
 * others' writes in between, and who reads the log meanwhile waits until that is done (decision 45).
 */
export function wholeLog(engine: Engine): Engine {
  let entering: Promise<void> | undefined
  /** How often it was asked for: who asks while the last step is under way may have recorded something after it. */
  let asked = 0
  const closing = new AbortController()

  async function enterAll(): Promise<void> {
    try {
      for (;;) {
        const before = asked
        const call: SqlCall = { name: enterDraftedEvents.name, caller: SERVICE, input: {}, now: Date.now() }
        const { left } = JSON.parse((await engine.write(call)).json) as { left: boolean }
        if (!left && asked === before) return
      }
    } finally {
      entering = undefined // in the same breath as the last look at what was asked
    }
  }
  function enter(): Promise<void> {
    asked++
    return (entering ??= enterAll())
  }
  /** Nobody waits for it: where it fails, it is tried again. */
  async function enterBeside(): Promise<void> {
    for (let pause = FIRST_RETRY_MS; ; pause = Math.min(2 * pause, LAST_RETRY_MS))
      try {
        return await enter()
      } catch {
        if (closing.signal.aborted) return
        await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {})
        if (closing.signal.aborted) return
      }
  }

  async function withWholeLog(run: () => Promise<Reply>, signal?: AbortSignal): Promise<Reply> {
    for (let again = false; ; again = true) {
      try {
        return await run()
      } catch (error) {
        if (!isNotWhole(error) || signal?.aborted) throw error
      }
      if (again) await new Promise((resume) => setTimeout(resume, PAUSE_MS))
      await enter()
    }
  }

  void enterBeside() // what was left when the process before this one ended
  return {
    ...engine,
    read: (call, limits) => withWholeLog(() => engine.read(call, limits), limits?.signal),
    readInline: (call) => withWholeLog(() => engine.readInline(call)),
    async write(call, limits) {
      const reply = await withWholeLog(() => engine.write(call, limits), limits?.signal)
      if (!reply.meta?.drafted) return reply
      void enterBeside()
      const { drafted: _, ...meta } = reply.meta
      return new Reply(reply.json, meta)
    },
    async close() {
      closing.abort()
      await entering?.catch(() => {}) // commands read the log without the service
      await engine.close()
    },
  }
}
