import { Worker } from 'node:worker_threads'

/** Megabytes that a thread needs which does nothing but ask the system. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

/**
 * As `findGiveBack`, in a thread of its own that ends with it: of an arena of the C library others wait for as long as it
 * is gone through, and of all of them the main thread waited for up to a third of a second where page faults are dear.
 * @returns whether this system, its C library and Node can
 */
export function giveBackBeside(): Promise<boolean> {
  const worker = new Worker(new URL('./give-back-worker.ts', import.meta.url), {
    name: 'memory',
    execArgv: [],
    // What NODE_OPTIONS loads into each thread may need more than this one has.
    env: {},
    resourceLimits: LIMITS,
  })
  worker.unref()
  return new Promise((resolve, reject) => {
    worker.on('message', resolve).on('error', reject)
    worker.on('exit', () => reject(new Error('the thread ended before it answered')))
  })
}
