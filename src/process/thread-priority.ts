import { constants, getPriority, setPriority } from 'node:os'

/** Steps down. Of a processor that others want too, such a thread gets about a third, or a tenth, of what they get. */
export const PRIORITY = { beside: 5, behind: 10, last: 19 } as const

/**
 * From now on the thread that calls this yields to the others of the process, so that long work in it does not slow
 * down short work elsewhere. Only on Linux has each thread a priority of its own; it cannot be raised again.
 */
export function yieldToOthers(steps: number): void {
  lowerThread(0, steps)
}

/** The same for a thread by its number (`threadNumber`); 0 is the one that calls. */
export function lowerThread(thread: number, steps: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(thread, Math.min(getPriority(thread) + steps, constants.priority.PRIORITY_LOW))
  } catch {
    // It has ended, or the system does not let us: everything works without.
  }
}
