import { type MessagePort, parentPort } from 'node:worker_threads'
import type { PostgresStart } from '#src/engine/postgres-messages.ts'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import { runWorker, threadPort } from '#src/run-worker.ts'

/** What src/worker.ts is, for one engine after the other: each has a channel and connections of its own. */
parentPort!.on(
  'message',
  ({ channel, start }: { channel: MessagePort; start: WorkerStart | PostgresStart }) => {
    const port = threadPort(channel)
    const close = () => {
      port.close()
      parentPort!.postMessage('free')
    }
    runWorker({ ...port, close }, start)
  },
)
