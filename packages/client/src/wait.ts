/** Resolves after a time; rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const stop = () => {
      end()
      reject(signal!.reason as Error)
    }
    const end = after(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** What a timer takes at most, about 25 days; one of more milliseconds runs out at once. */
const LONGEST_TIMER = 2 ** 31 - 1

/** Does something after any time, `Infinity` too. @returns what prevents it */
export function after(ms: number, run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const goOn = (left: number): void => {
    const part = Math.min(left, LONGEST_TIMER)
    timer = setTimeout(() => (part < left ? goOn(left - part) : run()), part)
  }
  goOn(ms)
  return () => clearTimeout(timer)
}

/** Milliseconds. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 30_000

/** How long to wait after so many failures: twice as long each time, and not all clients at once. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures, 10)) * (0.5 + Math.random() / 2)
