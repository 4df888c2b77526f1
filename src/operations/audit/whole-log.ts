import { SERVICE } from '#src/domain/caller.ts'
import { Reply } from '#src/domain/reply.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/steps/enter-drafted-events.ts'
import { isNotWhole } from '#src/storage/audit-drafts.ts'

/** A replica may be behind: between two looks. */
const PAUSE_MS = 20

/**
 * The engine, whose callers find the log whole: what a large change has recorded is entered into it step by step, with
 * others' writes in between, and who reads the log meanwhile waits until that is done (decision 45).
 */
export function wholeLog(engine: Engine): Engine {
  let entering: Promise<void> | undefined

  async function enterAll(): Promise<void> {
    for (;;) {
      const call: SqlCall = { name: enterDraftedEvents.name, caller: SERVICE, input: {}, now: Date.now() }
      const { left } = JSON.parse((await engine.write(call)).json) as { left: boolean }
      if (!left) return
    }
  }
  const enter = (): Promise<void> => (entering ??= enterAll().finally(() => (entering = undefined)))
  /** Nobody waits for it: where it fails, who reads the log hears of it. */
  const enterBeside = (): void => void enter().catch(() => {})

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

  enterBeside() // what was left when the process before this one ended
  return {
    ...engine,
    read: (call, limits) => withWholeLog(() => engine.read(call, limits), limits?.signal),
    readInline: (call) => withWholeLog(() => engine.readInline(call)),
    async write(call, limits) {
      const reply = await withWholeLog(() => engine.write(call, limits), limits?.signal)
      if (!reply.meta?.drafted) return reply
      enterBeside()
      const { drafted: _, ...meta } = reply.meta
      return new Reply(reply.json, meta)
    },
    async close() {
      await entering?.catch(() => {}) // commands read the log without the service
      await engine.close()
    },
  }
}
