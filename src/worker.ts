import { parentPort, workerData } from 'node:worker_threads'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { threadPort } from '#src/engine/thread-port.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

runSqliteWorker(threadPort(parentPort!), workerData, {
  run: sqlRunner([...sqlOperations, ...sqlSteps]),
  connect: (file, options) => new SqliteConnection(file, options),
  newestId,
})
