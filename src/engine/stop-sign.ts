import { ended } from '#src/engine/ended.ts'

const RUNNING = 0
const STOPPED = 1
const THREAD = 2

/**
 * By which one thread ends what another one is in the middle of: memory that both see, with the number of the call
 * that runs and of the one that is to stop. SQLite cannot be interrupted through its driver, so the work looks here
 * itself: between statements, for each text that a pattern is matched with, and every few rows of a scan (decision 72).
 */
export class StopSign {
  readonly memory: SharedArrayBuffer
  private readonly cells: Int32Array
  private current = 0

  constructor(memory = new SharedArrayBuffer(12)) {
    this.memory = memory
    this.cells = new Int32Array(memory)
  }

  /** The number of the call that runs; 0 for none. */
  get running(): number {
    return Atomics.load(this.cells, RUNNING)
  }

  /** Where it runs it ends at its next look; one that has ended meanwhile is not met. */
  stop(seq: number): void {
    Atomics.store(this.cells, STOPPED, seq)
  }

  /** By which the system knows the thread that runs the calls; 0 where it does not say. */
  get thread(): number {
    return Atomics.load(this.cells, THREAD)
  }

  set thread(number: number) {
    Atomics.store(this.cells, THREAD, number)
  }

  begin(seq: number): void {
    this.current = seq
    Atomics.store(this.cells, RUNNING, seq)
  }

  end(): void {
    this.begin(0)
  }

  /** @throws ServiceUnavailable where the call that runs is to stop; who asked for that says why. */
  readonly throwIfEnded = (): void => {
    if (this.current && Atomics.load(this.cells, STOPPED) === this.current) throw ended()
  }
}
