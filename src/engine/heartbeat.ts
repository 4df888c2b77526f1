import { monotonic } from '#src/process/thread-time.ts'

/** Milliseconds between two beats while there is work. */
const EVERY_MS = 5

/** Shared memory by which one thread sees for how long another one has not turned its event loop. */
export class Heartbeat {
  readonly memory: SharedArrayBuffer
  private readonly at: Float64Array
  private timer: NodeJS.Timeout | undefined

  constructor(memory = new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.at = new Float64Array(memory)
  }

  beat(): void {
    this.at[0] = monotonic()
  }

  /** In the thread that works: it beats from now on, until `rest`. */
  begin(): void {
    this.beat()
    this.timer ??= setInterval(() => this.beat(), EVERY_MS)
  }

  rest(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Milliseconds since the last beat. */
  get age(): number {
    return monotonic() - this.at[0]!
  }
}
