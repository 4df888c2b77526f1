import { Worker } from 'node:worker_threads'
import type {
  Answer,
  ImportTask,
  Question,
  RowsAnswer,
  RowsOf,
  SurveyAnswer,
} from '#src/imports/import-worker.ts'
import type { Look } from '#src/imports/look/look.ts'
import type { TableTarget } from '#src/imports/rows/targets.ts'
import { ImportFault } from '#src/imports/source.ts'

/** Of the heap of a thread, in MiB: what is read stays below, whatever the file is. */
const HEAP = 192
/** Of what is short-lived in it: more would save no time, and every import takes it. */
const YOUNG = 12

/** A thread that reads one file; questions are asked one after the other. */
export class ImportThread {
  private readonly worker: Worker
  private readonly name: string
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  /** Why it answers nothing any more. */
  private ended: Error | undefined

  constructor(task: ImportTask) {
    this.name = task.file.name
    this.worker = new Worker(new URL('./import-worker.ts', import.meta.url), {
      workerData: task,
      name: 'import',
      resourceLimits: { maxOldGenerationSizeMb: HEAP, maxYoungGenerationSizeMb: YOUNG },
    })
    this.worker.unref()
    this.worker.on('message', (answer: Answer) => this.waiting?.resolve(answer))
    this.worker.on('error', (error: NodeJS.ErrnoException) => this.end(error))
    this.worker.once('exit', () => this.end(closed()))
  }

  async look(): Promise<Look> {
    const answer = await this.ask({ ask: 'look' })
    return (answer as Extract<Answer, { look: Look }>).look
  }

  async survey(targets: TableTarget[]): Promise<SurveyAnswer> {
    const answer = await this.ask({ ask: 'survey', targets })
    return (answer as Extract<Answer, { survey: SurveyAnswer }>).survey
  }

  /** What `portions` gives: rows from a number on. `survey` comes first. */
  async begin(targets: TableTarget[], from: number, of: RowsOf): Promise<void> {
    await this.ask({ ask: 'begin', targets, from, of })
  }

  /** Portions of rows, of so many at most: while one is worked on the next is read. */
  async *portions(most: () => number): AsyncGenerator<RowsAnswer> {
    let given = await this.next(most())
    while (!given.isEnd) {
      const coming = this.next(most())
      coming.catch(() => {}) // told when it is its turn, if that comes
      yield given
      given = await coming
    }
    yield given
  }

  private async next(most: number): Promise<RowsAnswer> {
    const answer = await this.ask({ ask: 'rows', most })
    return (answer as Extract<Answer, { given: RowsAnswer }>).given
  }

  /** What it is asked, and what it is then, is rejected. */
  async close(): Promise<void> {
    this.end(closed())
    await this.worker.terminate()
  }

  /** @throws ImportFault */
  private async ask(question: Question): Promise<Answer> {
    if (this.ended) throw this.ended
    const answer = await new Promise<Answer>((resolve, reject) => {
      this.waiting = { resolve, reject }
      this.worker.postMessage(question)
    })
    if ('failure' in answer) throw Object.assign(new Error(answer.failure.message), answer.failure)
    if ('fault' in answer) throw ImportFault.told(answer.fault)
    return answer
  }

  private end(error: NodeJS.ErrnoException): void {
    const isTooMuch = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    this.ended ??= isTooMuch
      ? new ImportFault('reading it takes too much memory', { file: this.name })
      : error
    this.waiting?.reject(this.ended)
    this.waiting = undefined
  }
}

const closed = () => new Error('The thread of the import was ended')
