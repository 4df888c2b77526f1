import { parentPort, workerData } from 'node:worker_threads'
import { formatIn } from '#src/imports/format-in.ts'
import { Looker, type Look, shownText } from '#src/imports/look/look.ts'
import { keptRecords } from '#src/imports/kept-text.ts'
import { readerOf } from '#src/imports/readers.ts'
import { RowReader } from '#src/imports/rows/import-rows.ts'
import { Survey } from '#src/imports/rows/survey.ts'
import type { ImportRow, TableTarget } from '#src/imports/rows/targets.ts'
import {
  type FaultPlace,
  type ImportFile,
  ImportFault,
  type ImportFormat,
  type SourceRecord,
  type SourceRow,
} from '#src/imports/source.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'

export interface ImportTask {
  file: ImportFile
  format: ImportFormat
  /** The name of the file said the format, nobody else. */
  is_guessed?: boolean
  header_row?: number | undefined
  time_zone: string
}

export type Question =
  | { ask: 'look' }
  | { ask: 'survey'; targets: TableTarget[] }
  | { ask: 'begin'; targets: TableTarget[]; from: number; of: RowsOf }
  | { ask: 'rows'; most: number }

/**
 * Of all rows, those that make items or meet some; those that mean others, or say more of their items, which are there
 * by then; all; or all with what their cells say.
 */
export type RowsOf = 'first' | 'second' | 'all' | 'shown'

export interface SurveyAnswer {
  /** Rows may say something of each other's items. */
  has_ids: boolean
  /** By table and column, where they were asked for. */
  variants: { t: number; column: string; variants: string[] }[]
}

export interface RowsAnswer {
  /** JSON of a list of `ImportRow`: it goes on to the thread of the database as it is. */
  rows: string
  count: number
  /** Whether some have files of the archive, or descriptions that lead to some. */
  withFiles: boolean
  /** The number of the row that comes next. */
  next: number
  isEnd: boolean
}

export type Answer =
  | { look: Look }
  | { survey: SurveyAnswer }
  | { begun: true }
  | { given: RowsAnswer }
  | { fault: { message: string; suggestion: string | undefined; place: FaultPlace } }
  | { failure: Failure }

/** An error as it crosses to another thread; of a file it says which one, and what the system refused. */
export interface Failure {
  message: string
  code?: string | undefined
  path?: string | undefined
}

/** Formats whose rows mean each other by ids. */
const READ_BY_IDS: ReadonlySet<ImportFormat> = new Set(['markdown', 'notion'])
/** Characters of rows that are given at once. */
const MOST_CHARS = 4 * 1024 * 1024

/** Rows of which none can be taken say nothing of columns: what is wrong with the first is wrong with the file. */
class NothingButFaults {
  private first: SourceRow | undefined
  private hasColumns = false

  take(records: readonly SourceRecord[]): void {
    for (const each of records)
      if (each.is === 'table') this.hasColumns ||= each.columns.length > 0
      else if (each.is === 'row' && each.fault) this.first ??= each
  }

  /** @throws ImportFault */
  refuse(file: string): void {
    if (this.hasColumns || !this.first) return
    const { line, fault } = this.first
    throw new ImportFault(fault!.message, { file, line }, fault!.suggestion)
  }
}

/** Reads the file of an import, as often as it is asked to. */
class FileReader {
  private readonly task: ImportTask
  private readonly signal = new AbortController().signal
  private survey: Survey | undefined
  private rows: AsyncGenerator<ImportRow | number> | undefined
  private pending: ImportRow | undefined
  private isWritten = false

  constructor(task: ImportTask) {
    this.task = task
  }

  async answer(question: Question): Promise<Answer> {
    switch (question.ask) {
      case 'look':
        return { look: await this.look() }
      case 'survey':
        return { survey: await this.takeSurvey(question.targets) }
      case 'begin':
        this.rows = this.read(question)
        this.isWritten = question.of === 'first' || question.of === 'second'
        this.pending = undefined
        return { begun: true }
      case 'rows':
        return { given: await this.next(question.most) }
    }
  }

  private async records(): Promise<AsyncIterable<readonly SourceRecord[]>> {
    const { file, format, header_row } = this.task
    const reader = await readerOf(format)
    if (!reader) throw new ImportFault(`files of the format ${format} cannot be read`, { file: file.name })
    return keptRecords(reader.read(file, { signal: this.signal, header_row }), file.name)
  }

  private async look(): Promise<Look> {
    const looker = new Looker()
    const { file, format, is_guessed, header_row } = this.task
    if (is_guessed) this.task.format = await formatIn(file, format, this.signal)
    const faults = new NothingButFaults()
    for await (const records of await this.records()) {
      looker.take(records)
      faults.take(records)
    }
    faults.refuse(file.name)
    return {
      ...looker.end(),
      ...(this.task.format !== format && { format: this.task.format }),
      ...(header_row !== undefined && { header_row }),
    }
  }

  private async takeSurvey(targets: readonly TableTarget[]): Promise<SurveyAnswer> {
    const survey = new Survey(targets)
    const isWhole = survey.isNeeded || READ_BY_IDS.has(this.task.format)
    for await (const records of await this.records()) {
      survey.take(records)
      if (!isWhole && survey.hasRows && !survey.hasIds) break
    }
    this.survey = survey
    const variants = targets.flatMap(({ columns }, t) =>
      columns.flatMap(({ column, to }) =>
        typeof to === 'object' && survey.variants(t, column)
          ? [{ t, column, variants: survey.partedVariants(t, column, to.type) }]
          : [],
      ),
    )
    return { variants, has_ids: survey.hasIds }
  }

  /** Rows, and in place of those that are passed over the number of the next one. */
  private async *read({
    targets,
    from,
    of,
  }: Extract<Question, { ask: 'begin' }>): AsyncGenerator<ImportRow | number> {
    const reader = new RowReader(targets, this.survey!, this.task)
    let n = 0
    for await (const records of await this.records())
      for (const record of records) {
        if (record.is !== 'row') continue
        const row = n >= from ? reader.read(record, n) : undefined
        n++
        if (row && of === 'shown') Object.assign(row, { cells: shownCells(record) })
        yield row && isTaken(row, of) ? row : n
      }
  }

  private async next(most: number): Promise<RowsAnswer> {
    const rows: string[] = []
    let [chars, next] = [0, 0]
    let withFiles = false
    let table: number | undefined
    const given = (isEnd: boolean): RowsAnswer => ({
      rows: `[${rows.join()}]`,
      count: rows.length,
      withFiles,
      next,
      isEnd,
    })
    while (rows.length < most && chars < MOST_CHARS) {
      const { value } = this.pending === undefined ? await this.rows!.next() : { value: this.pending }
      this.pending = undefined
      if (value === undefined) return given(true)
      if (typeof value === 'number') {
        next = value
        continue
      }
      // What is written is of one table at once: rows of another may change the same items.
      if (this.isWritten && table !== undefined && table !== value.t) {
        this.pending = value
        break
      }
      table = value.t
      next = value.n + 1
      withFiles ||= Boolean(value.files ?? value.linked)
      const text = JSON.stringify(value)
      rows.push(text)
      chars += text.length
    }
    return given(false)
  }
}

/** What says more of another row's item comes when that is there; a fault is known before. */
function isTaken(row: ImportRow, of: RowsOf): boolean {
  if (of === 'second') return !row.fault && !row.overtaken && (row.same !== undefined || speaksOfRows(row))
  return of !== 'first' || row.same === undefined || row.fault !== undefined
}

/** What is only meant by others has all that it says already. */
const speaksOfRows = ({ linked, refs }: ImportRow): boolean =>
  linked !== undefined ||
  Object.values(refs).some((all) => all.some(({ n, rows }) => n !== undefined || rows))

const shownCells = ({ cells }: SourceRow): Record<string, string> =>
  Object.fromEntries([...cells].map(([column, cell]) => [column, shownText(cell)]))

function failureOf(error: unknown): Failure {
  const { code, path } = error as Partial<NodeJS.ErrnoException>
  return { message: String(error), code, path }
}

yieldToOthers(PRIORITY.behind)
const reader = new FileReader(workerData as ImportTask)
parentPort!.on('message', (question: Question) => {
  const say = (answer: Answer) => parentPort!.postMessage(answer)
  reader.answer(question).then(say, (error: unknown) => {
    if (!(error instanceof ImportFault)) return say({ failure: failureOf(error) })
    const { message, suggestion, place } = error
    say({ fault: { message, suggestion, place } })
  })
})
