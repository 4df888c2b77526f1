import { parentPort, workerData } from 'node:worker_threads'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { sqlRunner } from '#src/operations/sql-runner.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { newestId } from '#src/storage/schema/newest-id.ts'

await runSqliteWorker(parentPort!, workerData, { run: sqlRunner([...sqlOperations, ...sqlSteps]), newestId })
