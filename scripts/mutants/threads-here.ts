import { EventEmitter } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import type { PostgresStart } from '#src/engine/postgres-messages.ts'
import type { StartThread } from '#src/engine/sqlite-thread-options.ts'
import { threadPort } from '#src/run-worker.ts'
import { runWorker } from '#src/run-worker.ts'

/** In the place of test/support/kept-threads.ts: a mutant is chosen in one thread, so the service's are this one. */
export const keptThreads = async (): Promise<StartThread> =>
  ((start: WorkerStart | PostgresStart) => {
    const { port1, port2 } = new MessageChannel()
    const events = new EventEmitter()
    port1.on('message', (message) => events.emit('message', message))
    port1.once('close', () => events.emit('exit', 0))
    // Threads of low priority would take all of this one along.
    const { priority: _, ...rest } = start
    setImmediate(() => {
      try {
        runWorker(threadPort(port2), rest)
      } catch (error) {
        events.emit('error', error)
        port1.close()
      }
    })
    return Object.assign(events, {
      postMessage: (message: unknown) => port1.postMessage(message),
      terminate: () => port1.close(),
    })
  }) as StartThread
