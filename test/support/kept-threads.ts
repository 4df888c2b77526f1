import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import type { FromPostgresWorker, PostgresStart, ToPostgresWorker } from '#src/engine/postgres-messages.ts'
import type { FromWorker, ToWorker, WorkerStart } from '#src/engine/sqlite-messages.ts'
import type { StartThread, WorkerHandle } from '#src/engine/sqlite-thread-options.ts'
import { bundledThreads, packedModule } from '../../scripts/pack.js'

const SOURCE = fileURLToPath(new URL('./kept-thread.ts', import.meta.url))
/** By how far they yield to others. */
const idle = new Map<number, Worker[]>()

/**
 * Threads of the database for service after service: to start one takes a tenth of a second of computing, and most
 * tests want three. What a thread has loaded and compiled stays; what belongs to a base is its connection's and goes
 * with it. Threads that yield to others do so for ever, and go on among their equals.
 */
export async function keptThreads(): Promise<StartThread> {
  const module = await keptModule(fileURLToPath(await packedModule('worker')))
  return (start: WorkerStart | PostgresStart, name: string) => {
    const { priority = 0, ...equals } = start
    const kept = idle.get(priority)?.pop()
    return new KeptThread(kept ?? new Worker(module, { name }), kept ? equals : start, priority)
  }
}

/** Beside the pack, which is made again when a source has changed. */
async function keptModule(worker: string): Promise<string> {
  const { mtimeMs } = statSync(SOURCE)
  const module = join(dirname(worker), `kept-thread-${mtimeMs}.js`)
  if (existsSync(module)) return module
  const making = mkdtempSync(join(dirname(worker), 'making-'))
  await build(bundledThreads([SOURCE], making))
  renameSync(join(making, 'kept-thread.js'), module)
  rmSync(making, { recursive: true })
  return module
}

type Message = FromWorker & FromPostgresWorker

/** What the main thread holds of one service's thread. */
class KeptThread extends EventEmitter implements WorkerHandle<Message, ToWorker | ToPostgresWorker> {
  private readonly worker: Worker
  private readonly channel = new MessageChannel()
  private readonly priority: number

  constructor(worker: Worker, start: WorkerStart | PostgresStart, priority: number) {
    super()
    this.worker = worker
    this.priority = priority
    const { port1, port2 } = this.channel
    worker.ref()
    worker.postMessage({ channel: port2, start }, [port2])
    port1.on('message', (message: Message) => this.emit('message', message))
    worker.on('error', this.onError)
    worker.once('exit', this.onExit)
    // What it said last has come when its channel is closed.
    void Promise.all([once(worker, 'message'), once(port1, 'close')]).then(this.onFree, () => {})
  }

  postMessage(message: ToWorker | ToPostgresWorker): void {
    this.channel.port1.postMessage(message)
  }

  terminate(): void {
    void this.worker.terminate()
  }

  private readonly onError = (error: unknown): void => void this.emit('error', error)

  private readonly onExit = (code: number): void => {
    this.channel.port1.close()
    this.emit('exit', code)
  }

  private readonly onFree = (): void => {
    this.worker.off('error', this.onError)
    this.worker.off('exit', this.onExit)
    this.worker.unref()
    idle.set(this.priority, [...(idle.get(this.priority) ?? []), this.worker])
    this.emit('exit', 0)
  }
}
