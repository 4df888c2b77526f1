import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'

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

/** More than the line has. */
const LINE = Buffer.alloc(1024)

/**
 * The processor time of a thread of this process, by its number. To be closed: its file stays open, because to open it
 * each time costs four times as much as to read it, and the main thread asks fifty times a second of each that is busy.
 */
export class ThreadTime {
  readonly thread: number
  private file: number | undefined

  constructor(thread: number) {
    this.thread = thread
    try {
      if (thread) this.file = openSync(`/proc/self/task/${thread}/stat`, 'r')
    } catch {
      // The system does not say.
    }
  }

  /** Milliseconds that it has computed, exact to a tick; undefined where the system does not say, and once it has ended. */
  read(): number | undefined {
    if (this.file === undefined) return undefined
    try {
      const text = LINE.toString('latin1', 0, readSync(this.file, LINE, 0, LINE.length, 0))
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 13)
      return (Number(fields[11]) + Number(fields[12])) * TICK_MS
    } catch {
      return undefined
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file)
    this.file = undefined
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
