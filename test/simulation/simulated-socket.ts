import type { ServerResponse } from 'node:http'
import { Writable } from 'node:stream'
import type { SimulatedTime } from '#test/simulation/simulated-time.ts'

/** Bytes that wait for a client before more is not to be written. */
const HIGH_WATER = 400

export interface Delivered {
  event: string
  id: string | undefined
  data: string
}

/** The network between an answer and its client: what is written arrives later, in order, or not at all once it breaks. */
export class SimulatedSocket extends Writable {
  private readonly time: SimulatedTime
  private readonly pace: number
  private readonly arrived: (message: Delivered) => void

  /** `pace`: milliseconds that a write may be on its way. */
  constructor(time: SimulatedTime, pace: number, arrived: (message: Delivered) => void) {
    super({ highWaterMark: HIGH_WATER })
    this.time = time
    this.pace = pace
    this.arrived = arrived
  }

  /** What the service writes its answer to. */
  get response(): ServerResponse {
    return Object.assign(this, { writeHead() {}, flushHeaders() {} }) as unknown as ServerResponse
  }

  override _write(chunk: Buffer, _encoding: string, written: (error?: Error | null) => void): void {
    this.time.after(this.time.latency(this.pace), () => {
      if (this.destroyed) return
      const message = readMessage(chunk.toString())
      if (message) this.arrived(message)
      written()
    })
  }
}

/** Undefined for a comment. */
function readMessage(text: string): Delivered | undefined {
  const lines = new Map(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  const data = lines.get('data')
  return data === undefined ? undefined : { event: lines.get('event') ?? '', id: lines.get('id'), data }
}
