import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'

interface DrainOptions {
  /** What was written to, where it is not the response itself. */
  out?: Writable
  /** Calls back when what was written has left `out`; without it, `drain` says so. */
  flush?: (done: () => void) => void
  /** Milliseconds after which a client that does not read is cut off; without it, it has as long as it likes. */
  stall?: number
}

/** Resolves when the client has read on, so that more may be written, or has gone. */
export function drained(
  response: ServerResponse,
  { out = response, flush, stall }: DrainOptions = {},
): Promise<void> {
  return new Promise((resolve) => {
    const timer = stall === undefined ? undefined : setTimeout(() => response.destroy(), stall)
    const done = () => {
      clearTimeout(timer)
      out.off('drain', done)
      response.off('close', done)
      resolve()
    }
    if (flush) flush(done)
    else out.once('drain', done)
    response.once('close', done)
  })
}
