import { EventEmitter } from 'node:events'
import { toFailure } from '#src/engine/failure.ts'
import type { FromWorker, Request, ToWorker, WorkerStart } from '#src/engine/sqlite-messages.ts'
import type { WorkerHandle } from '#src/engine/sqlite-thread-options.ts'
import { StopSign } from '#src/engine/stop-sign.ts'
import type { SimulatedTime } from '#test/simulation/simulated-time.ts'

/** Milliseconds that a message between threads takes at most, and that a read computes between two looks. */
const MESSAGE_MS = 1
const STEP_MS = 5

/** What a simulated read is to do. */
export interface ReadInput {
  id: string
  /** Milliseconds that it computes. */
  work: number
  /** It does so in one step, in which it does not look whether it is to end. */
  inOneStep: boolean
}

export interface ReaderFaults {
  /** How often a thread dies, by read. */
  dies: number
  /** How often it answers with what another asked for. */
  confuses: number
}

/** A reading thread of which nothing is real but its messages and its stop sign: what it reads takes its time. */
export class SimulatedReader implements WorkerHandle {
  private readonly time: SimulatedTime
  private readonly faults: ReaderFaults
  private readonly sign: StopSign
  private readonly events = new EventEmitter()
  private waiting: Request[] = []
  private last = ''
  private isAlive = true
  private isBusy = false
  private isClosing = false

  constructor(time: SimulatedTime, start: WorkerStart, faults: ReaderFaults) {
    this.time = time
    this.faults = faults
    this.sign = new StopSign(start.stop_sign)
    time.after(time.latency(50), () => this.tell('ready'))
  }

  on = (event: string, listener: (given: never) => void) =>
    this.events.on(event, listener as (given: unknown) => void)
  once = (event: string, listener: (given: never) => void) =>
    this.events.once(event, listener as (given: unknown) => void)

  postMessage(message: ToWorker): void {
    this.time.after(this.time.latency(MESSAGE_MS), () => {
      if (message === 'close') this.isClosing = true
      else if (Array.isArray(message)) this.waiting.push(...message)
      else this.waiting = this.waiting.filter(([seq]) => !message.drop.includes(seq))
      void this.work()
    })
  }

  /** It ends when it is back from the step that it is in. */
  terminate(): void {
    this.isClosing = true
    this.waiting = []
    if (!this.isBusy) this.end(1)
  }

  private tell(message: FromWorker): void {
    if (this.isAlive) this.events.emit('message', message)
  }

  private async work(): Promise<void> {
    if (this.isBusy || !this.isAlive) return
    this.isBusy = true
    for (let next; (next = this.waiting.shift()) && this.isAlive;) await this.carryOut(next)
    this.isBusy = false
    if (this.isClosing) this.end(0)
  }

  private async carryOut([seq, call]: Request): Promise<void> {
    const { time, sign, faults } = this
    const { id, work, inOneStep } = call.input as ReadInput
    sign.begin(seq)
    try {
      if (time.chance.is(faults.dies)) return this.end(1)
      if (inOneStep) await time.pause(work)
      else
        for (let left = work; left > 0; left -= STEP_MS) {
          sign.throwIfEnded()
          await time.pause(Math.min(left, STEP_MS))
        }
      const body = time.chance.is(faults.confuses) ? this.last : id
      this.last = id
      this.tell([[seq, true, JSON.stringify(body), undefined, [0, work]]])
    } catch (error) {
      this.tell([[seq, false, toFailure(error)]])
    } finally {
      sign.end()
    }
  }

  private end(code: number): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.time.after(0, () => this.events.emit('exit', code))
  }
}
