import { Worker } from 'node:worker_threads'
import type { BackUpTask } from '#src/backup/back-up-to.ts'
import type { Said } from '#src/backup/backup-worker.ts'
import type { WrittenCopy } from '#src/backup/write-copy.ts'

/** A copy that is being made in a thread of its own. */
export interface RunningBackup {
  /** Null: another process makes one, or just has. @throws Error whose message is a sentence */
  done: Promise<WrittenCopy | null>
  /** Gives it up. */
  stop(): Promise<unknown>
}

/** As `backUpTo`: copying and checking hold up nothing else. */
export function backUpInThread(
  task: BackUpTask,
  record: (copy: WrittenCopy) => Promise<unknown>,
): RunningBackup {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), {
    workerData: task,
    name: 'backup',
  })
  const done = new Promise<WrittenCopy | null>((resolve, reject) => {
    worker.on('message', (said: Said) => {
      if (said.is === 'written')
        void record(said.copy)
          .catch(reject)
          .finally(() => worker.postMessage('recorded'))
      else if (said.is === 'done') resolve(said.copy)
      else reject(new Error(said.reason))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The copy was given up')))
  })
  return { done, stop: () => worker.terminate() }
}
