import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Reading } from '#src/metrics/instruments.ts'
import {
  clearWordIndex,
  enterWords,
  findWordWork,
  finishWords,
  planEntering,
} from '#src/operations/service/upkeep-steps.ts'
import type { Step } from '#src/runtime/operation.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { WorkLog } from '#src/work/work-log.ts'

/** Between two looks whether there is something to do, in milliseconds. */
const LOOK_MS = 5000
/** So many changes are taken in together: of fewer each would cost more. Searches read those that wait by themselves. */
const MANY = 2048
/** So many are, once no others come. */
const SOME = 256
/** Bytes of texts and values that are, however few changes: a search reads these in a quarter of a second. */
const LONG = 4 * 2 ** 20
/** So many more than at the last look come of a large change: its undo, or another, may follow. */
const LARGE = 5000
/** Looks for which it gives way to those: a minute. */
const MOST_GIVEN_WAY = 12

/** Decides, look after look, whether what waits is taken in now. */
export class Turns {
  private before = 0
  private given_way = 0

  /** @param bytes Of the texts and values that wait. */
  isDue(waiting: number, bytes = 0): boolean {
    const more = waiting - this.before
    this.before = waiting
    if (more >= LARGE && this.given_way < MOST_GIVEN_WAY) {
      this.given_way++
      return false
    }
    this.given_way = 0
    return waiting >= MANY || bytes >= LONG || (waiting >= SOME && more === 0)
  }
}

interface Entering {
  run: <I extends object, O>(step: Step<I, O>, input: I) => Promise<O>
  /** Milliseconds. */
  clock: () => number
  /** After each transaction. */
  giveWay?: () => Promise<unknown>
  /** Rows of words in one transaction. */
  rows?: number
}

/**
 * Takes some of what waits into the word index: what is entered is worked out by a reader, and written in transactions
 * each of which is short. How many changes that were; none too where somebody else was entering others.
 */
export async function takeInSome({ run, clock, giveWay, rows }: Entering): Promise<number> {
  const plan = await run(planEntering, { rows })
  if (!plan) return 0
  const { slices, changes, ...rest } = plan
  const id = randomUUID()
  let begins = true
  for (const slice of slices) {
    const { part, first, count } = rest
    if (!(await run(enterWords, { part, first, count, slice, turn: { id, now: clock(), begins } }))) return 0
    begins = false
    await giveWay?.()
  }
  const isEntered = await run(finishWords, { ...rest, turn: { id, now: clock(), begins } })
  await giveWay?.()
  return isEntered ? changes : 0
}

/**
 * Takes the words of changed items into the word index, many at a time, and out of it those of purged ones. Half of
 * the time is others', and large changes go first. What is waiting is reported in /metrics.
 */
export class WordIndexer {
  private readonly runtime: Runtime
  private readonly log: WorkLog
  private readonly stopped = new AbortController()
  private readonly ended: Promise<void>

  constructor(runtime: Runtime, log: WorkLog) {
    this.runtime = runtime
    this.log = log
    runtime.services.metrics.add(
      'facet_search_words_waiting',
      'Changes that the word index has still to take in; searches for any of some words read these one by one.',
      new Reading('gauge', async () => {
        const found = await runStep(runtime, findWordWork, {}).catch(() => null)
        return found && [{ value: found.waiting }]
      }),
    )
    this.ended = this.goOn()
  }

  async stop(): Promise<void> {
    this.stopped.abort()
    await this.ended
  }

  private takeIn(): Promise<number> {
    let since = performance.now()
    return takeInSome({
      run: (step, input) => {
        since = performance.now()
        return runStep(this.runtime, step, input)
      },
      clock: this.runtime.clock,
      giveWay: async () => {
        this.stopped.signal.throwIfAborted()
        await wait(performance.now() - since, undefined, { signal: this.stopped.signal })
      },
    })
  }

  private async goOn(): Promise<void> {
    const { signal } = this.stopped
    const turns = new Turns()
    while (!signal.aborted) {
      const start = performance.now()
      let pause = LOOK_MS
      try {
        const { waiting, bytes, clear } = await runStep(this.runtime, findWordWork, {})
        if (turns.isDue(waiting, bytes)) {
          pause = (await this.takeIn()) ? 0 : LOOK_MS
        } else if (clear) {
          await runStep(this.runtime, clearWordIndex, {})
          pause = performance.now() - start
        }
      } catch (err) {
        // It stops in the middle where the service does.
        if (!signal.aborted) this.log.warn({ err }, 'the word index could not be brought up to date')
      }
      await wait(pause, undefined, { signal }).catch(() => {})
    }
  }
}
