import type { Ulid } from '#src/domain/ulid.ts'
import { findWaitingImports } from '#src/operations/imports/import-steps.ts'
import type { Runtime } from '#src/runtime/call.ts'
import { runStep } from '#src/runtime/run-step.ts'
import type { WaitingImport } from '#src/storage/imports/imports.ts'
import { DeliveryTurn } from '#src/work/delivery-turn.ts'
import { Poller } from '#src/work/poller.ts'
import { StoredImport } from '#src/work/stored-import.ts'
import type { WorkLog } from '#src/work/work-log.ts'

/** Imports under way at once: in all, and of one account. */
const IN_ALL = 4
const OF_ONE = 2
/** Milliseconds: what nobody reported is found within them, e.g. where another process has ended. */
const LOOK = 5000
/** Seconds for which an import is left alone after each failure of the service's own; the next ends it. */
const PAUSES = [5, 30, 120, 300, 600]

/** How often an import has failed, and until when it is left alone. */
interface Failures {
  tries: number
  at: number
  pause: number
}

/**
 * Runs imports, in one process of all. What is asked for and how far it is are in the database, so that another process,
 * or the next one, goes on (decision 132). Made by the start, which also stops it.
 */
export class Importer {
  private readonly runtime: Runtime
  private readonly log: WorkLog
  private readonly turn: DeliveryTurn
  private readonly under_way = new Map<Ulid, { user_id: Ulid | null; done: Promise<void> }>()
  private readonly failures = new Map<Ulid, Failures>()
  private readonly stopped = new AbortController()
  /** Ends with the turn: another process goes on with what is under way. */
  private ours = new AbortController()
  private readonly leave: () => void
  private readonly loop = new Poller({
    poll: () => this.poll(),
    onError: (err) => this.log.warn({ err }, 'imports could not be looked at'),
    pause: () => LOOK,
  })

  constructor(runtime: Runtime, log: WorkLog) {
    this.runtime = runtime
    this.log = log
    this.turn = new DeliveryTurn(runtime, 'imports')
    this.leave = runtime.services.imports.onChange(() => this.loop.wake())
    this.loop.wake()
  }

  /** A portion that is under way is written; the next process goes on behind it. */
  async stop(): Promise<void> {
    this.leave()
    this.stopped.abort()
    this.ours.abort()
    await this.loop.stop()
    await Promise.all([...this.under_way.values()].map(({ done }) => done))
    await this.turn
      .drop()
      .catch((err: unknown) => this.log.warn({ err }, 'the turn of imports was not given back'))
  }

  private async poll(): Promise<void> {
    const waiting = await runStep(this.runtime, findWaitingImports, {})
    // What somebody has stopped has all its tries again.
    const wanted = new Set(waiting.map(({ import_id }) => import_id))
    for (const import_id of this.failures.keys()) if (!wanted.has(import_id)) this.failures.delete(import_id)
    if (!waiting.length && !this.under_way.size) await this.turn.drop()
    else if (await this.turn.take()) for (const each of waiting) this.start(each)
    else if (this.under_way.size) {
      this.ours.abort()
      this.ours = new AbortController()
    }
  }

  private start({ import_id, user_id }: WaitingImport): void {
    if (this.under_way.has(import_id) || this.under_way.size >= IN_ALL || this.stopped.signal.aborted) return
    if (this.isResting(import_id)) return
    const own = [...this.under_way.values()].filter((each) => each.user_id === user_id)
    if (own.length >= OF_ONE) return
    const { signal } = this.ours
    const job = new StoredImport(this.runtime, import_id, signal)
    const done = job
      .carryOut()
      .then(() => void this.failures.delete(import_id))
      .catch((err: unknown) => this.failed(job, import_id, { err, wasStopped: signal.aborted }))
      .finally(() => {
        this.under_way.delete(import_id)
        this.loop.wake()
      })
    this.under_way.set(import_id, { user_id, done })
  }

  private isResting(import_id: Ulid): boolean {
    const failed = this.failures.get(import_id)
    if (!failed) return false
    // A clock that is set back keeps nobody waiting.
    const passed = this.runtime.clock() - failed.at
    return passed >= 0 && passed < failed.pause
  }

  private async failed(
    job: StoredImport,
    import_id: Ulid,
    { err, wasStopped }: { err: unknown; wasStopped: boolean },
  ): Promise<void> {
    if (wasStopped) return this.log.warn({ err, import_id }, 'an import was interrupted')
    const tries = (this.failures.get(import_id)?.tries ?? 0) + 1
    const pause = PAUSES[Math.min(tries, PAUSES.length) - 1]! * 1000
    this.failures.set(import_id, { tries, at: this.runtime.clock(), pause })
    if (tries <= PAUSES.length)
      return this.log.warn({ err, import_id, tries }, 'an import could not go on: it is tried again')
    this.log.warn({ err, import_id, tries }, 'an import could not go on: it is given up')
    await job
      .giveUp(err, tries)
      .then(() => void this.failures.delete(import_id))
      .catch((error: unknown) =>
        this.log.warn({ err: error, import_id }, 'the end of an import was not noted'),
      )
  }
}
