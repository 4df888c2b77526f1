import { parentPort, workerData } from 'node:worker_threads'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { sqlRunner } from '#src/operations/sql-runner.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'

runSqliteWorker(parentPort!, workerData, sqlRunner(sqlOperations))
