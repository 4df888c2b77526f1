import { parentPort } from 'node:worker_threads'
import { findGiveBack } from '#src/process/free-memory.ts'

const giveBack = findGiveBack()
giveBack?.()
parentPort!.postMessage(giveBack !== undefined)
