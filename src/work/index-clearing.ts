import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE } from '#src/domain/caller.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { enterDraftedEvents } from '#src/operations/audit/audit-steps.ts'
import { readUndoPlan } from '#src/operations/changes/undo-steps.ts'
import {
  clearIndexes,
  clearWordIndex,
  enterTexts,
  enterWords,
  findLeaving,
  finishWords,
  makeIndex,
} from '#src/operations/service/upkeep-steps.ts'
import { readAcceptance } from '#src/operations/proposals/proposal-steps.ts'
import type { Step } from '#src/runtime/operation.ts'
import { planReturning } from '#src/work/index-returning.ts'

/** It begins when no change of many items has been planned or written for this long: an undo finds everything there. */
const QUIET_MS = 5000
/** So long after they were deleted it begins in any case. */
const MOST_MS = 60_000
const NAMES: readonly string[] = [enterDraftedEvents.name, readUndoPlan.name, readAcceptance.name]
/** They are alone in their transactions so that nobody's answer waits for their end, and nobody asks for them. */
const OF_WORDS: readonly string[] = [enterWords, finishWords, clearWordIndex, enterTexts].map(
  ({ name }) => name,
)
const isLarge = ({ alone, plan, name }: SqlCall) =>
  plan || NAMES.includes(name) || (alone && !OF_WORDS.includes(name))

/** Where it fails. */
const RETRY_MS = 5000

/**
 * The engine, which takes what large deletions leave in the indexes out of them, a little at a time: half of the time is
 * others' (decision 46). What the process before this one has left comes first.
 */
export function withIndexClearing(engine: Engine, quiet = QUIET_MS): Engine {
  const clearing = new Clearing(engine, quiet)
  return {
    ...engine,
    read: (call, limits) =>
      isLarge(call)
        ? clearing.keepOff(() => planReturning(engine, call, limits, () => clearing.putOff()))
        : engine.read(call, limits),
    async write(call, limits) {
      const mayBeLarge = isLarge(call)
      const reply = await (mayBeLarge
        ? clearing.keepOff(() => engine.write(call, limits))
        : engine.write(call, limits))
      if (reply.meta?.drafted) clearing.ask()
      // A rename moves the times of many items, and records one event.
      if (mayBeLarge && call.alone) await clearing.makeIndexes()
      return reply
    },
    async close() {
      await clearing.stop()
      await engine.close()
    },
  }
}

/** Clears when it is asked to and no change of many items is under way. */
class Clearing {
  private readonly engine: Engine
  private readonly quiet: number
  private readonly closing = new AbortController()
  private readonly begun: Promise<void>
  private underWay = 0
  private lastLarge = performance.now()
  private clearing: Promise<void> | undefined
  /** How often it was asked for: what is left after the last step was asked for may be left behind it. */
  private asked = 0
  private done = 0
  /** When it begins in any case. */
  private latest = 0

  constructor(engine: Engine, quiet: number) {
    this.engine = engine
    this.quiet = quiet
    this.begun = this.goOn()
  }

  ask(): void {
    this.asked++
    this.clearing ??= this.clearAll()
  }

  /** A change brings back what it restores, and is to find it there; what it leaves behind is cleared all the same. */
  putOff(): void {
    this.latest = performance.now() + MOST_MS
    this.ask()
  }

  /** Nothing is cleared while this work goes on, nor soon after it. */
  async keepOff<T>(work: () => Promise<T>): Promise<T> {
    this.underWay++
    try {
      return await work()
    } finally {
      this.underWay--
      this.lastLarge = performance.now()
    }
  }

  /** What a change has left out of it to keep others waiting for less, before it is answered. */
  async makeIndexes(): Promise<void> {
    try {
      while (await this.isLeft(makeIndex, 'write', true));
    } catch {
      this.ask() // it comes with what is cleared
    }
  }

  async stop(): Promise<void> {
    this.closing.abort()
    await this.begun
    await this.clearing
  }

  /** What the process before has left. */
  private async goOn(): Promise<void> {
    while (!this.closing.signal.aborted)
      try {
        if (await this.isLeft(findLeaving, 'read')) this.ask()
        return
      } catch {
        await this.pause(RETRY_MS)
      }
  }

  private async clearAll(): Promise<void> {
    this.latest = performance.now() + MOST_MS
    try {
      while (this.done < this.asked && !this.closing.signal.aborted) {
        const rest = this.underWay ? this.quiet : this.lastLarge + this.quiet - performance.now()
        if (rest > 0 && performance.now() < this.latest) await this.pause(rest)
        else await this.clearSome()
      }
    } finally {
      this.clearing = undefined // in the same tick as the last look at what was asked: nothing comes between
    }
  }

  private async clearSome(): Promise<void> {
    const began = performance.now()
    try {
      const before = this.asked
      if (!(await this.isLeft(clearIndexes, 'write'))) this.done = before
      await this.pause(performance.now() - began)
    } catch {
      await this.pause(RETRY_MS)
    }
  }

  private async isLeft(
    step: Step<object, { left: boolean }>,
    how: 'read' | 'write',
    alone?: true,
  ): Promise<boolean> {
    const call = { name: step.name, caller: SERVICE, input: {}, now: Date.now(), alone }
    return (JSON.parse((await this.engine[how](call)).json) as { left: boolean }).left
  }

  private pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal: this.closing.signal, ref: false }).catch(() => {})
  }
}
