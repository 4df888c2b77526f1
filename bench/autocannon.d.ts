/** What the bench uses of autocannon, which brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events'

  export interface Client {
    setRequests(
      requests: { method: string; path: string; body?: string; headers?: Record<string, string> }[],
    ): void
  }
  export interface Result {
    '2xx': number
    non2xx: number
    errors: number
    timeouts: number
    /** Seconds. */
    duration: number
  }
  export interface Options {
    url: string
    connections: number
    duration?: number
    amount?: number
    /** Milliseconds between two looks at whether time is up. */
    sampleInt?: number
    timeout?: number
    headers?: Record<string, string>
    setupClient?(client: Client): void
  }
  interface Run extends EventEmitter {
    on(
      event: 'response',
      listener: (client: Client, status: number, bytes: number, milliseconds: number) => void,
    ): this
  }
  export default function autocannon(
    options: Options,
    done: (error: Error | null, result: Result) => void,
  ): Run
}
