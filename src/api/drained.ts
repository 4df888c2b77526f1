import type { ServerResponse } from 'node:http'
import type { Readable, Writable } from 'node:stream'

/**
 * Calls back once a response, or what is read, is over, however it ends: at once where it is over already, because its
 * client may have left while something else was waited for. Returns what takes that back. Nothing else listens to
 * `close` of these.
 */
export function whenClosed(stream: ServerResponse | Readable, done: () => void): () => void {
  if (stream.destroyed) {
    done()
    return () => undefined
  }
  stream.once('close', done)
  return () => void stream.off('close', done)
}

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
    if (response.destroyed) return resolve()
    const timer = stall === undefined ? undefined : setTimeout(() => response.destroy(), stall)
    const done = () => {
      clearTimeout(timer)
      out.off('drain', done)
      forget()
      resolve()
    }
    const forget = whenClosed(response, done)
    if (flush) flush(done)
    else out.once('drain', done)
  })
}
