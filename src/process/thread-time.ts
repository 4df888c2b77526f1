import { readFileSync, readlinkSync } from 'node:fs'

/** Of a tick of Linux, by which it counts the time of threads. */
const TICK_MS = 10

/** By which the system knows the thread that calls this; 0 where it does not say. */
export function threadNumber(): number {
  try {
    return Number(/\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0] ?? 0)
  } catch {
    return 0
  }
}

/** Milliseconds that a thread of this process has computed, exact to a tick; undefined where the system does not say. */
export function threadTime(thread: number): number | undefined {
  if (!thread) return undefined
  try {
    const text = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}

/** Milliseconds of a clock that all threads of the process share; `performance.now` counts from the start of each. */
export function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Milliseconds that this thread has computed; some systems count by ticks of 4 ms. */
export function computedHere(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Milliseconds for which a reading of what this thread has computed serves. */
const RECENT_MS = 2
let read = { at: -Infinity, computed: 0 }

/**
 * The same, exact to two milliseconds: as if it had computed ever since it was last read. To ask the system costs some
 * microseconds: three times a read, a sixteenth of what a quick one computes.
 * @param now By `monotonic`.
 */
export function computedAbout(now: number): number {
  if (now - read.at > RECENT_MS) read = { at: now, computed: computedHere() }
  return read.computed + now - read.at
}
