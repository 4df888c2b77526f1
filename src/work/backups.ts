import { basename } from 'node:path'
import type { Cron } from 'croner'
import type { FastifyBaseLogger } from 'fastify'
import { backupPlan } from '#src/backup/backup-plan.ts'
import { backUpInThread, type RunningBackup } from '#src/backup/backup-thread.ts'
import type { Step } from '#src/runtime/operation.ts'
import type { Config } from '#src/config/config.ts'
import type { Runtime } from '#src/runtime/call.ts'
import type { BackupService } from '#src/runtime/services.ts'
import { runStep } from '#src/runtime/run-step.ts'
import {
  findBackupState,
  findBaseId,
  madeBackup,
  recordBackup,
} from '#src/operations/service/backup-steps.ts'
import { isCopyDue } from '#src/storage/schema/backup-state.ts'

/** Milliseconds between two looks at the clock, which may be set meanwhile. */
const LOOK = 15_000
/** Milliseconds after which a copy that failed is tried again. */
const REST = 15 * 60_000

type Log = Pick<FastifyBaseLogger, 'info' | 'error'>

/** Makes copies when it is time, or when an owner asks. Made by the start, which also stops it. */
export class Backups implements BackupService {
  private readonly config: Config
  private readonly clock: () => number
  private readonly cron: Cron
  private runtime: Runtime | undefined
  private log: Log | undefined
  private timer: NodeJS.Timeout | undefined
  private running: RunningBackup | null = null
  private turn: Promise<void> = Promise.resolve()
  private restUntil = -Infinity
  private stopping = false

  constructor(config: Config, clock: () => number) {
    this.config = config
    this.clock = clock
    this.cron = backupPlan(config)
  }

  /** Makes a missed one, and from now on each when it is due. */
  start(runtime: Runtime, log: Log): this {
    this.runtime = runtime
    this.log = log
    if (this.config.backup.to !== null) this.poll()
    return this
  }

  get isRunning(): boolean {
    return this.running !== null
  }

  /** When the next one is due by the plan. */
  nextAt(): Date | null {
    return this.config.backup.to === null ? null : this.cron.nextRun(new Date(this.clock()))
  }

  /** Makes one now, alongside whatever else is done; false: one is being made. */
  begin(): boolean {
    if (this.running || this.stopping || !this.runtime) return false
    void this.make()
    return true
  }

  async stop(): Promise<void> {
    this.stopping = true
    clearTimeout(this.timer)
    await this.running?.stop()
    await this.turn
  }

  private poll(): void {
    void this.makeIfDue()
      .catch((err: unknown) => this.log?.error({ err }, 'it was not found out whether a backup is due'))
      .finally(() => {
        const wait = Math.max((this.nextAt()?.getTime() ?? Infinity) - this.clock(), 0) + 1
        if (!this.stopping) this.timer = setTimeout(() => this.poll(), Math.min(wait, LOOK)).unref()
      })
  }

  /** A time has come since the newest copy; where there was never one, that is now. */
  private async makeIfDue(): Promise<void> {
    const now = this.clock()
    if (this.running || this.stopping || performance.now() < this.restUntil) return
    const [last] = this.cron.previousRuns(1, new Date(now + 1))
    const { made } = await this.call(findBackupState, {})
    const since = last?.toISOString() ?? ''
    if (!isCopyDue(made, since, now)) return
    if (!this.running && !this.stopping) await this.make(since)
  }

  private make(unless_since?: string): Promise<void> {
    this.turn = this.copy(unless_since)
      .catch(async (error: unknown) => {
        if (this.stopping) return
        this.restUntil = performance.now() + REST
        const reason = error instanceof Error ? error.message : String(error)
        this.log?.error({ reason }, 'no backup could be made')
        await this.call(recordBackup, { reason })
      })
      .catch((err: unknown) => this.log?.error({ err }, 'what became of a backup was not recorded'))
      .finally(() => (this.running = null))
    return this.turn
  }

  private async copy(unless_since: string | undefined): Promise<void> {
    const { database, secret_keys, files, s3, backup, time_zone } = this.config
    // At once, so that nobody else begins.
    const running = { done: Promise.resolve(null), stop: async () => {} }
    this.running = running
    const { base_id } = await this.call(findBaseId, {})
    if (this.stopping) return
    const at = this.clock()
    const task = { database, secret_keys, files, s3, backup, time_zone, base_id, at, unless_since }
    this.running = backUpInThread(task, (copy) =>
      this.call(recordBackup, madeBackup(copy, at, this.runtime!.services.files.place)),
    )
    const copy = await this.running.done
    if (!copy) return
    this.log?.info({ name: basename(copy.file), bytes: copy.bytes }, 'a backup was made')
    const [missing_files, damaged_files] = [copy.missing_files.length, copy.damaged_files.length]
    if (missing_files + damaged_files)
      this.log?.error({ missing_files, damaged_files }, 'a backup lacks files')
  }

  private call<I extends object, O>(step: Step<I, O>, input: NoInfer<I>): Promise<O> {
    return runStep(this.runtime!, step, input)
  }
}
