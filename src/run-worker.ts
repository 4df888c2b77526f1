import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import type { PostgresStart } from '#src/engine/postgres-messages.ts'
import { type PostgresPort, runPostgresWorker } from '#src/engine/postgres-worker.ts'
import type { WorkerStart } from '#src/engine/sqlite-messages.ts'
import { runSqliteWorker, type WorkerPort } from '#src/engine/sqlite-worker.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { logMemory } from '#src/storage/log/log-memory.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

/** Carries out the calls of one thread of the database, whichever that is. */
export function runWorker(port: ThreadPort, start: WorkerStart | PostgresStart): void {
  const run = sqlRunner([...sqlOperations, ...sqlSteps])
  if ('engine' in start) return runPostgresWorker(port, start, { run, newestId, remember: logMemory })
  runSqliteWorker(port, start, {
    run,
    connect: (file, options) => new SqliteConnection(file, options),
    newestId,
  })
}

type ThreadPort = WorkerPort & PostgresPort

/** The channel of a real worker thread. */
export const threadPort = (channel: MessagePort): ThreadPort => ({
  on: (event, listener) => channel.on(event, listener),
  postMessage: (message: unknown, moved: ArrayBuffer[] = []) => channel.postMessage(message, moved),
  receive: () => receiveMessageOnPort(channel),
  close: () => channel.close(),
})
