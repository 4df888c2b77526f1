import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE } from '#src/domain/caller.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/steps/enter-drafted-events.ts'
import { readUndoPlan } from '#src/operations/changes/steps/read-undo-plan.ts'
import { clearIndexes } from '#src/operations/service/steps/clear-indexes.ts'
import { findLeaving } from '#src/operations/service/steps/find-leaving.ts'
import type { Step } from '#src/operations/operation.ts'

/** It begins when no change of many items has been planned or written for so long: an undo finds everything there. */
const QUIET_MS = 5000
/** So long after they were deleted it begins in any case. */
const MOST_MS = 60_000
const NAMES: readonly string[] = [enterDraftedEvents.name, readUndoPlan.name]
const isLarge = ({ alone, plan, name }: SqlCall) => alone || plan || NAMES.includes(name)

/** Where it fails. */
const RETRY_MS = 5000

/**
 * The engine, which takes what large deletions leave in the indexes out of them, a little at a time: half of the time is
 * others' (decision 46). What the process before this one has left comes first.
 */
export function clearsIndexes(engine: Engine, quiet = QUIET_MS): Engine {
  const closing = new AbortController()
  const pause = (ms: number) => sleep(ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
  let underWay = 0
  let lastLarge = performance.now()
  let clearing: Promise<void> | undefined
  /** How often it was asked for: what is left after the last step was asked for may be left behind it. */
  let asked = 0
  let done = 0

  async function large<T>(work: () => Promise<T>): Promise<T> {
    underWay++
    try {
      return await work()
    } finally {
      underWay--
      lastLarge = performance.now()
    }
  }
  async function take(step: Step<object, { left: boolean }>, how: 'read' | 'write'): Promise<boolean> {
    const call = { name: step.name, caller: SERVICE, input: {}, now: Date.now() }
    return (JSON.parse((await engine[how](call)).json) as { left: boolean }).left
  }
  async function clearAll(): Promise<void> {
    const latest = performance.now() + MOST_MS
    try {
      while (done < asked && !closing.signal.aborted) {
        const now = performance.now()
        const rest = underWay ? quiet : lastLarge + quiet - now
        if (rest > 0 && now < latest) {
          await pause(rest)
          continue
        }
        const began = performance.now()
        try {
          const before = asked
          if (!(await take(clearIndexes, 'write'))) done = before
          await pause(performance.now() - began)
        } catch {
          await pause(RETRY_MS)
        }
      }
    } finally {
      clearing = undefined // in the same breath as the last look at what was asked
    }
  }
  function clear(): void {
    asked++
    clearing ??= clearAll()
  }
  async function goOn(): Promise<void> {
    while (!closing.signal.aborted)
      try {
        if (await take(findLeaving, 'read')) clear()
        return
      } catch {
        await pause(RETRY_MS)
      }
  }

  const begun = goOn()
  return {
    ...engine,
    read: (call, limits) =>
      isLarge(call) ? large(() => engine.read(call, limits)) : engine.read(call, limits),
    async write(call, limits) {
      const reply = await (isLarge(call)
        ? large(() => engine.write(call, limits))
        : engine.write(call, limits))
      if (reply.meta?.drafted) clear()
      return reply
    },
    async close() {
      closing.abort()
      await begun
      await clearing
      await engine.close()
    },
  }
}
