import { parentPort, workerData } from 'node:worker_threads'
import { runWorker, threadPort } from '#src/run-worker.ts'

runWorker(threadPort(parentPort!), workerData)
