import { parentPort, workerData } from 'node:worker_threads'
import { type BackUpTask, backUpTo } from '#src/backup/back-up-to.ts'
import type { WrittenCopy } from '#src/backup/write-copy.ts'
import { forOperator } from '#src/files/s3-fault.ts'
import { PRIORITY, yieldToOthers } from '#src/process/thread-priority.ts'

/** What the thread says: a copy is made and is to be recorded, or how it ended. */
export type Said =
  | { is: 'written'; copy: WrittenCopy }
  | { is: 'done'; copy: WrittenCopy | null }
  | { is: 'failed'; reason: string }

const say = (said: Said): void => parentPort!.postMessage(said)

yieldToOthers(PRIORITY.behind)
try {
  const copy = await backUpTo(workerData as BackUpTask, async (written) => {
    const recorded = new Promise((resolve) => parentPort!.once('message', resolve))
    say({ is: 'written', copy: written })
    await recorded
  })
  say({ is: 'done', copy })
} catch (error) {
  const { message, suggestion } = forOperator(error) as Error & { suggestion?: string }
  say({ is: 'failed', reason: [message, suggestion].filter(Boolean).join('. ') })
}
