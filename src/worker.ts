import { parentPort, workerData } from 'node:worker_threads'
import { threadPort } from '#src/engine/thread-port.ts'
import { runWorker } from '#src/run-worker.ts'

runWorker(threadPort(parentPort!), workerData)
