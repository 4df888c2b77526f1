import { conflict } from '#src/domain/errors.ts'
import { isReference } from '#src/domain/field-schema.ts'
import { ImportThread } from '#src/imports/import-thread.ts'
import type { ImportTask, RowsAnswer, RowsOf, SurveyAnswer } from '#src/imports/import-worker.ts'
import type { ImportRow, TableTarget } from '#src/imports/rows/targets.ts'
import {
  type ImportReport,
  lookOf,
  noOutcome,
  type Outcome,
  placeOf,
  type Reached,
  reachedOf,
} from '#src/operations/imports/import-record.ts'
import type { ImportPlan, Mapping } from '#src/operations/imports/import-plan.ts'
import { refused } from '#src/operations/imports/import-requests.ts'
import {
  asImportError,
  type Checked,
  checkImportRows,
  endImportJob,
  findFileAlike,
  findNewestEvent,
  keepImportPlan,
  leaveSameTexts,
  noteImportProgress,
  referToTags,
  requireImportParts,
  settleImport,
} from '#src/operations/imports/import-steps.ts'
import { beginSecondPass, prepareImport, writeImportRows } from '#src/operations/imports/run-steps.ts'
import { findImportConflicts, undoImportChange } from '#src/operations/imports/undo-steps.ts'
import type { Step } from '#src/runtime/operation.ts'
import type { ImportRecord } from '#src/storage/imports/imports.ts'
import { EmbeddedFiles, findEmbedded } from '#src/work/embedded-files.ts'
import { LeftOutRows } from '#src/work/left-out-rows.ts'

/** Rows of a portion: at most, at first, and at least. */
const [MOST_ROWS, FIRST_ROWS, LEAST_ROWS] = [1000, 250, 25]
/** Milliseconds that a portion should take: others wait as long. */
const PORTION_MS = 300
/** Milliseconds between two notes of how far checking is. */
const NOTE_MS = 500
const MOST_CONFLICTS = 100
/** How often a file is checked at most: rows that lead to rows that are left out are found one after the other. */
const MOST_ROUNDS = 10
/** Formats whose descriptions are Markdown. */
const NOTES: ReadonlySet<string> = new Set(['markdown', 'notion'])

type Call = <I extends object, O>(step: Step<I, O>, input: NoInfer<I>) => Promise<O>

type WithFiles = (rows: ImportRow[]) => Promise<ImportRow[]>

export interface ImportWork {
  /** As whom the import writes. */
  call: Call
  /** The process stops: the next one goes on. */
  signal: AbortSignal
  record: ImportRecord
  /** Null where no file is needed. */
  task: ImportTask | null
  /** Rows whose embedded files are files of the service. */
  withFiles: WithFiles
  /** How far checking or writing has come. */
  onProgress?: (rows: number, total: number) => void
}

/** Does what is to be done with an import: looks at its file, checks, writes, takes back. */
export class ImportJob {
  private readonly work: ImportWork
  private readonly id: { import_id: string; turn: string }
  /** As far as it knows: where the import is at another place, another process has gone on with it. */
  reached: Reached
  /** Rows may say something of each other's items. */
  private hasIds = false

  constructor(work: ImportWork) {
    this.work = work
    const { import_id } = work.record
    this.id = { import_id, turn: placeOf(work.record).turn }
    this.reached = reachedOf(work.record)
  }

  async carryOut(): Promise<void> {
    const { record, task } = this.work
    if (record.job === 'undo') return this.undo()
    const thread = new ImportThread(task!)
    const stop = () => void thread.close()
    this.work.signal.addEventListener('abort', stop, { once: true })
    try {
      if (record.job === 'look') await this.look(thread)
      else if (record.job === 'check') await this.check(thread)
      else await this.run(thread)
    } finally {
      this.work.signal.removeEventListener('abort', stop)
      await thread.close()
    }
  }

  private get isOver(): boolean {
    return this.work.signal.aborted
  }

  private async look(thread: ImportThread): Promise<void> {
    const { format, ...looked } = await thread.look()
    const look = await this.work.call(referToTags, { look: looked })
    await this.end({ state: 'ready', look: JSON.stringify(look), ...(format && { format }) })
  }

  private async end(values: Partial<ImportRecord>): Promise<void> {
    await this.work.call(endImportJob, { ...this.id, reached: this.reached, values })
  }

  private async check(thread: ImportThread): Promise<void> {
    const checked = await this.checkWhole(thread)
    if (checked) await this.end({ state: 'ready', ...checked.values })
  }

  /** Null where it is over before it is done. */
  private async checkWhole(
    thread: ImportThread,
  ): Promise<{ report: ImportReport; values: { plan: string; report: string } } | null> {
    const { call, record, task } = this.work
    const known = new EmbeddedFiles(
      task,
      findEmbedded((each) => call(findFileAlike, each)),
    )
    const look = lookOf(record)!
    const mapping = JSON.parse(record.mapping!) as Mapping
    const newest = await call(findNewestEvent, {})
    let plan = await call(settleImport, { look, mapping })
    const { variants } = await this.survey(thread, plan.targets)
    if (variants.length) plan = await call(settleImport, { look, mapping, found: variants })
    const left = new LeftOutRows()
    let outcome = await this.checkRows(thread, { plan, left, withFiles: known.withFiles })
    // What leads to a row that is left out is left out too, and then what leads to that one.
    for (let round = 1; outcome && round < MOST_ROUNDS && left.addTo(plan.targets); round++) {
      await this.survey(thread, plan.targets)
      outcome = await this.checkRows(thread, { plan, left, withFiles: known.withFiles })
    }
    if (!outcome) return null
    const report: ImportReport = { ...outcome, newest }
    return { report, values: { plan: JSON.stringify(plan), report: JSON.stringify(report) } }
  }

  /** Null where it is over before it is done. */
  private async checkRows(
    thread: ImportThread,
    { plan, left, withFiles }: { plan: ImportPlan; left: LeftOutRows; withFiles: WithFiles },
  ): Promise<Outcome | null> {
    const { call, record } = this.work
    const total = lookOf(record)!.rows
    await thread.begin(plan.targets, 0, 'all')
    let checked: Checked = { outcome: noOutcome(), unchanged: null }
    let noted = performance.now()
    // Rows without a key change no item, so that nobody has to know which files are there.
    const isKeyed = plan.targets.some(({ key }) => key !== undefined)
    for await (const given of thread.portions(() => MOST_ROWS)) {
      const { count, next } = given
      const rows = isKeyed ? await rowsOf(given, withFiles) : given.rows
      if (count) {
        const found = await call(checkImportRows, { plan, rows, checked })
        checked = found.checked
        left.take(found.named)
      }
      if (this.isOver) return null
      this.work.onProgress?.(next, total)
      if (performance.now() - noted < NOTE_MS) continue
      noted = performance.now()
      if (!(await call(noteImportProgress, { ...this.id, n: next }))) return null
    }
    return checked.outcome
  }

  private async run(thread: ImportThread): Promise<void> {
    const { call, record } = this.work
    const place = placeOf(record)
    let plan: ImportPlan
    if (place.pass === 0) {
      const prepared = await this.prepare(thread)
      if (!prepared) return
      plan = prepared
    } else {
      plan = JSON.parse(record.plan!) as ImportPlan
      await this.survey(thread, plan.targets)
    }
    if (place.pass < 2) {
      // How far checking had come is no place of writing.
      const from = place.pass === 0 ? 0 : place.n
      const end = await this.writeAll(thread, plan, { from, of: 'first' })
      if (end === null) return
      if (!this.needsSecondPass(plan)) return this.end({ state: 'done' })
      if (!(await call(beginSecondPass, { ...this.id, from: end }))) return
      this.reached = { pass: 2, n: 0 }
    }
    const from = place.pass === 2 ? place.n : 0
    if ((await this.writeAll(thread, plan, { from, of: 'second' })) === null) return
    await this.end({ state: 'done' })
  }

  /** Whether rows may speak of each other. */
  private needsSecondPass({ targets }: ImportPlan): boolean {
    if (this.hasIds) return true
    return targets.some(({ columns }) =>
      columns.some(({ to }) => typeof to === 'object' && isReference(to.type)),
    )
  }

  private async survey(thread: ImportThread, targets: TableTarget[]): Promise<SurveyAnswer> {
    const answer = await thread.survey(targets)
    this.hasIds = answer.has_ids
    return answer
  }

  /** All faults are found before the first portion is written. Null where it is over. */
  private async prepare(thread: ImportThread): Promise<ImportPlan | null> {
    const { call, record } = this.work
    const { on_fault } = placeOf(record)
    const known = JSON.parse(record.report!) as ImportReport
    let plan = JSON.parse(record.plan!) as ImportPlan
    if (known.newest === (await call(findNewestEvent, {}))) await this.survey(thread, plan.targets)
    else {
      const settled = {
        import_id: record.import_id,
        plan,
        mapping: JSON.parse(record.mapping!) as Mapping,
        newest: known.newest,
      }
      await call(requireImportParts, settled)
      const checked = await this.checkWhole(thread)
      if (!checked) return null
      const now = JSON.parse(checked.values.plan) as ImportPlan
      await call(requireImportParts, { ...settled, now })
      const { fault_count, faults } = checked.report
      if (fault_count && on_fault === 'refuse') {
        const error = JSON.stringify(asImportError(refused(fault_count, faults)))
        await this.end({ state: 'ready', error, ...checked.values })
        return null
      }
      plan = now
      if (!(await call(keepImportPlan, { ...this.id, ...checked.values }))) return null
    }
    if (!(await call(prepareImport, this.id))) return null
    this.reached = { pass: 1, n: 0 }
    return plan
  }

  /** Portion by portion; the place behind the last, or null where it is over before, or another process has gone on. */
  private async writeAll(
    thread: ImportThread,
    plan: ImportPlan,
    { from, of }: { from: number; of: RowsOf },
  ): Promise<number | null> {
    const { call, withFiles, record, task } = this.work
    const { targets } = plan
    const compares = NOTES.has(task!.format) && targets.some(({ key }) => key !== undefined)
    const planning = { plan, import: record.id, isSecond: of === 'second' }
    const total = lookOf(record)!.rows
    const pass = of === 'second' ? 2 : 1
    await thread.begin(targets, from, of)
    let most = FIRST_ROWS
    let at = from
    for await (const given of thread.portions(() => most)) {
      if (this.isOver) return null
      const { next, isEnd } = given
      if (!given.count && isEnd) break
      const all = await rowsOf(given, withFiles)
      const rows = compares ? await call(leaveSameTexts, { ...planning, rows: all }) : all
      const began = performance.now()
      if (!(await call(writeImportRows, { ...this.id, rows, pass, from: at, next }))) return null
      this.reached = { pass, n: next }
      at = next
      this.work.onProgress?.(next, total)
      most = sizeAfter(most, performance.now() - began)
    }
    return at
  }

  private async undo(): Promise<void> {
    const { call, record } = this.work
    const { on_conflict, n, before = 'done' } = placeOf(record)
    if (on_conflict === 'refuse' && n === 0) {
      const conflicts = await this.conflicts()
      if (conflicts.length) {
        const [first] = conflicts as [{ path: string | null; reason: string }]
        const error = conflict(
          `Not all of it can be undone: ${first.path === null ? '' : `${first.path}: `}${first.reason}`,
          {
            suggestion: 'Undo the later changes too, or undo the rest with on_conflict: "skip"',
            details: { conflicts },
          },
        )
        return this.end({ state: before, error: JSON.stringify(asImportError(error)) })
      }
    }
    for (let left = 1; left > 0;) {
      if (this.isOver) return
      const undone = await call(undoImportChange, this.id)
      if (!undone) return
      this.reached = { pass: 0, n: null }
      left = undone.left
    }
    await this.end({ state: before })
  }

  /** What keeps it from being taken back as a whole; the first of very many. */
  private async conflicts(): Promise<object[]> {
    const { call } = this.work
    const { import_id } = this.id
    const all: object[] = []
    for (let n = 0; all.length < MOST_CONFLICTS && !this.isOver; n++) {
      const found = await call(findImportConflicts, { import_id, n })
      if (!found) break
      all.push(...found.conflicts)
    }
    return all.slice(0, MOST_CONFLICTS)
  }
}

async function rowsOf(given: RowsAnswer, withFiles: WithFiles): Promise<string> {
  return given.withFiles ? JSON.stringify(await withFiles(JSON.parse(given.rows) as ImportRow[])) : given.rows
}

/** More where others hardly wait, fewer where they do. */
function sizeAfter(rows: number, took: number): number {
  const next = Math.round(rows * Math.min(2, Math.max(0.25, PORTION_MS / took)))
  return Math.min(MOST_ROWS, Math.max(LEAST_ROWS, next))
}
