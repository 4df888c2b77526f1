import { type MessagePort, parentPort } from 'node:worker_threads'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { threadPort } from '#src/engine/thread-port.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

/** What src/worker.ts is, for one engine after the other: each has a channel and a connection of its own. */
const run = sqlRunner([...sqlOperations, ...sqlSteps])

parentPort!.on('message', ({ channel, start }: { channel: MessagePort; start: WorkerStart }) => {
  const port = threadPort(channel)
  const close = () => {
    port.close()
    parentPort!.postMessage('free')
  }
  runSqliteWorker({ ...port, close }, start, {
    run,
    connect: (file, options) => new SqliteConnection(file, options),
    newestId,
  })
})
