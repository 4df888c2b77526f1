import { Worker } from 'node:worker_threads'
import { ServiceError, unavailable } from '#src/domain/errors.ts'
import { parseExactJson, type ExactJsonOptions } from '#src/json/exact-json.ts'
import { joinJson } from '#src/json/join.ts'
import { JsonSyntaxError } from '#src/json/json-scanner.ts'
import type { Answer, Question, QuestionOptions, Refusal } from '#src/json/json-worker.ts'
import { isOwn } from '#src/process/free-memory.ts'

/** Bytes; looking through this many takes the event loop some milliseconds. */
const LARGE = 256 * 1024
/** Milliseconds without work after which the thread gives its memory back. */
const IDLE = 30_000

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Looks through large JSON texts in a thread of its own, so that no body holds up the event loop. */
export class JsonThread {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, Waiting>()
  private seq = 0
  private idle: NodeJS.Timeout | undefined

  /**
   * As `parseExactJson`, which reads what is small.
   * @param isOwned Nobody reads the source any more: where it is large its memory goes to the thread, and it is empty.
   */
  async parse(source: Buffer, options: ExactJsonOptions = {}, isOwned = false): Promise<unknown> {
    if (source.length <= LARGE) return parseExactJson(source, options)
    return this.ask(source, { ...options, exactly: true }, isOwned)
  }

  /** Whatever a JSON text says; undefined where it is none. Only to find out what was meant. */
  async parseLoosely(source: Buffer): Promise<unknown> {
    try {
      return source.length <= LARGE
        ? JSON.parse(source.toString())
        : await this.ask(source, { exactly: false })
    } catch {
      return undefined
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle)
    await this.worker?.terminate()
  }

  private async ask(source: Buffer, options: QuestionOptions, isOwned = false): Promise<unknown> {
    clearTimeout(this.idle)
    const worker = (this.worker ??= this.start())
    const [, text, refusal] = await new Promise<Answer>((resolve, reject) => {
      const seq = this.seq++
      this.waiting.set(seq, { resolve, reject })
      const { buffer, byteLength } = source
      const moved = isOwned && isOwn(buffer, byteLength) ? [buffer as ArrayBuffer] : []
      worker.postMessage([seq, source, options] satisfies Question, moved)
    })
    if (refusal) throw errorOf(refusal)
    return typeof text === 'string' ? JSON.parse(text) : joinJson(text)
  }

  private rest(): void {
    void this.worker?.terminate()
    this.worker = undefined
  }

  private start(): Worker {
    const worker = new Worker(new URL('./json-worker.ts', import.meta.url), { name: 'json' })
    worker.unref()
    worker.on('message', (answer: Answer) => {
      const [seq] = answer
      this.waiting.get(seq)?.resolve(answer)
      this.waiting.delete(seq)
      if (!this.waiting.size) this.idle = setTimeout(() => this.rest(), IDLE).unref()
    })
    worker.on('error', () => {}) // `exit` follows
    worker.once('exit', () => {
      if (this.worker !== worker) return
      this.worker = undefined
      const lost = unavailable('The body could not be read', { suggestion: 'Send it in parts' })
      for (const { reject } of this.waiting.values()) reject(lost)
      this.waiting.clear()
    })
    return worker
  }
}

function errorOf({ code, message, suggestion, details, syntax }: Refusal): ServiceError {
  if (syntax) return new JsonSyntaxError(message, details as { line: number; column: number } | undefined)
  return new ServiceError(code, message, { ...(suggestion && { suggestion }), ...(details && { details }) })
}
