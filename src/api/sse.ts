import type { ServerResponse } from 'node:http'
import { drained, whenClosed } from '#src/api/drained.ts'

/** Bytes that may wait for a slow reader; a client that has not read this many is cut off when more comes. */
const MAX_WAITING = 4 * 1024 * 1024
/** Milliseconds. */
const HEARTBEAT = 15_000
const STALL = 30_000

export interface EventStreamOptions {
  /** Headers besides those of an event stream. */
  headers?: Record<string, number | string | string[] | undefined>
  /** Milliseconds between the comment lines that keep proxies awake. */
  heartbeat?: number | undefined
  /** Called at every heartbeat. */
  onHeartbeat?(this: void): void
}

const eventStreams = new WeakSet<ServerResponse>()

/** Whether an answer is, or was, a stream of events. */
export const isEventStream = (response: ServerResponse): boolean => eventStreams.has(response)

/** Server-sent events over one HTTP response: bounded in memory, with a heartbeat, closed with its client. */
export class EventStream {
  private readonly response: ServerResponse
  private readonly gone = new AbortController()

  constructor(
    response: ServerResponse,
    { headers, heartbeat = HEARTBEAT, onHeartbeat }: EventStreamOptions = {},
  ) {
    this.response = response
    response.on('error', () => response.destroy())
    // Its client has left while the request was worked on: no event will report it any more.
    eventStreams.add(response)
    if (response.destroyed || response.socket?.destroyed) {
      this.gone.abort()
      return
    }
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    response.flushHeaders()
    const timer = setInterval(() => {
      this.write(':\n\n')
      onHeartbeat?.()
    }, heartbeat)
    timer.unref()
    whenClosed(response, () => {
      clearInterval(timer)
      this.gone.abort()
    })
  }

  /** Aborted when the client has gone, was too slow, or the stream was closed. */
  get closed(): AbortSignal {
    return this.gone.signal
  }

  /** Calls `done` when the stream has ended; at once where it has ended already. */
  onClosed(done: () => void): void {
    if (this.gone.signal.aborted) done()
    else this.gone.signal.addEventListener('abort', done, { once: true })
  }

  /** Sends without waiting; a client that does not read loses the stream once too much waits for it. */
  send(data: string, event?: string, id?: string): void {
    const head = `${event ? `event: ${event}\n` : ''}${id ? `id: ${id}\n` : ''}`
    this.write(`${head}data: ${data}\n\n`)
  }

  /** The client reads slower than we write. */
  get full(): boolean {
    return this.response.writableNeedDrain
  }

  /** Waits, however long, until the client has read what was sent, or has gone. */
  async drained(): Promise<void> {
    if (this.full && !this.gone.signal.aborted) await drained(this.response)
  }

  /** Sends, and waits while the client reads slower than we write. */
  async deliver(data: string): Promise<void> {
    this.send(data)
    if (this.full && !this.gone.signal.aborted) await drained(this.response, { stall: STALL })
  }

  close(): void {
    if (!this.gone.signal.aborted) this.response.end()
  }

  private write(text: string): void {
    if (this.gone.signal.aborted) return
    if (this.response.writableEnded || this.response.destroyed) return
    if (this.response.writableLength > MAX_WAITING) this.response.destroy()
    else this.response.write(text)
  }
}
