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
/** Milliseconds for which an import is left alone after a failure of the service's own, as of a full disk. */
const REST = 30_000

/**
 * Runs imports, in one process of all. What is asked for and how far it is are in the database, so that another process,
 * or the next one, goes on (decision 132). Made by the start, which also stops it.
 */
export class Importer {
  private readonly runtime: Runtime
  private readonly log: WorkLog
  private readonly turn: DeliveryTurn
  private readonly under_way = new Map<Ulid, { user_id: Ulid | null; done: Promise<void> }>()
  /** Until when, by the clock of the process, an import is left alone. */
  private readonly resting = new Map<Ulid, number>()
  private readonly stopped = new AbortController()
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
    await this.loop.stop()
    await Promise.all([...this.under_way.values()].map(({ done }) => done))
    await this.turn
      .drop()
      .catch((err: unknown) => this.log.warn({ err }, 'the turn of imports was not given back'))
  }

  private async poll(): Promise<void> {
    const waiting = await runStep(this.runtime, findWaitingImports, {})
    if (!waiting.length) await this.turn.drop()
    else if (await this.turn.take()) for (const each of waiting) this.start(each)
  }

  private start({ import_id, user_id }: WaitingImport): void {
    if (this.under_way.has(import_id) || this.under_way.size >= IN_ALL || this.stopped.signal.aborted) return
    if ((this.resting.get(import_id) ?? 0) > performance.now()) return
    const own = [...this.under_way.values()].filter((each) => each.user_id === user_id)
    if (own.length >= OF_ONE) return
    const done = new StoredImport(this.runtime, import_id, this.stopped.signal)
      .carryOut()
      .then(() => void this.resting.delete(import_id))
      .catch((err: unknown) => {
        this.resting.set(import_id, performance.now() + REST)
        this.log.warn({ err, import_id }, 'an import could not go on')
      })
      .finally(() => {
        this.under_way.delete(import_id)
        this.loop.wake()
      })
    this.under_way.set(import_id, { user_id, done })
  }
}
