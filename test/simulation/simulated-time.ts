import { syncBuiltinESMExports } from 'node:module'
import promised, { setImmediate as turn } from 'node:timers/promises'
import { Chance } from '#test/support/chance.ts'

/** Simulated time that passes while nothing happens is skipped; a run that needs more steps than these hangs. */
const MAX_STEPS = 200_000

interface Timer {
  at: number
  /** Among those of one moment, chance decides. */
  rank: number
  run: () => void
  every: number | undefined
  /** It does not keep the simulation going. */
  unref: boolean
}

/** A handle as Node's timers have it. */
class Handle {
  readonly timer: Timer
  constructor(timer: Timer) {
    this.timer = timer
  }
  unref(): this {
    this.timer.unref = true
    return this
  }
  ref(): this {
    this.timer.unref = false
    return this
  }
}

const GLOBALS = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
] as const

/**
 * Time of its own: while a simulation runs, timers and clocks of the whole process are these, and nothing happens but
 * what a timer brings about. Events of one moment come in an order that the seed decides.
 */
export class SimulatedTime {
  readonly chance: Chance
  private now = 0
  private readonly start = Date.parse('2026-01-31T09:30:00.000Z')
  private readonly timers = new Set<Timer>()

  constructor(seed: number) {
    this.chance = new Chance(seed)
  }

  /** Runs `world` to its end in simulated time. */
  async run(world: () => Promise<void>): Promise<void> {
    const restore = this.install()
    try {
      let fault: unknown
      let done = false
      world().then(
        () => (done = true),
        (error: unknown) => {
          fault = error
          done = true
        },
      )
      for (let steps = 0; ; steps++) {
        await turn() // what follows from the last event without time passing
        if (done) break
        if (steps > MAX_STEPS) throw new Error('the simulation does not end')
        this.step()
      }
      if (fault) throw fault
    } finally {
      restore()
    }
  }

  /** Milliseconds since the start of the simulation. */
  get elapsed(): number {
    return this.now
  }

  after(milliseconds: number, run: () => void): void {
    this.add(run, milliseconds, undefined)
  }

  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve))
  }

  /** Some time up to so long; mostly short, as networks and disks are. */
  latency(longest: number): number {
    return longest * this.chance.next() ** 3
  }

  private step(): void {
    let next: Timer | undefined
    let isWaiting = false
    for (const timer of this.timers) {
      isWaiting ||= !timer.unref
      if (!next || timer.at < next.at || (timer.at === next.at && timer.rank < next.rank)) next = timer
    }
    if (!next) throw new Error('everybody waits and nothing is to come')
    if (!isWaiting) throw new Error('everybody waits for timers that keep nothing going')
    this.now = Math.max(this.now, next.at)
    if (next.every === undefined) this.timers.delete(next)
    else {
      next.at = this.now + Math.max(next.every, 1)
      next.rank = this.chance.next()
    }
    next.run()
  }

  private add(run: () => void, milliseconds: number, every: number | undefined): Handle {
    const timer: Timer = {
      at: this.now + Math.max(milliseconds || 0, 0),
      rank: this.chance.next(),
      run,
      every,
      unref: false,
    }
    this.timers.add(timer)
    return new Handle(timer)
  }

  /** As the one of node:timers/promises. */
  private readonly promisedTimeout = <T>(
    milliseconds = 0,
    value?: T,
    { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {},
  ): Promise<T | undefined> =>
    new Promise((resolve, reject) => {
      const handle = this.add(() => resolve(value), milliseconds, undefined)
      if (!ref) handle.unref()
      const leave = () => {
        this.timers.delete(handle.timer)
        reject(new DOMException('The operation was aborted', 'AbortError'))
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true })
    })

  private install(): () => void {
    const target = globalThis as unknown as Record<string, unknown>
    const kept = Object.fromEntries(GLOBALS.map((name) => [name, target[name]]))
    const [dateNow, performanceNow] = [Date.now, performance.now]
    const clear = (handle: Handle | undefined) => void (handle && this.timers.delete(handle.timer))
    const replaced: Record<(typeof GLOBALS)[number], unknown> = {
      setTimeout: (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
        this.add(() => run(...args), ms, undefined),
      setInterval: (run: () => void, ms = 0) => this.add(run, ms, ms),
      setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) =>
        this.add(() => run(...args), 0, undefined),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    }
    Object.assign(target, replaced)
    const { setTimeout: promisedTimeout } = promised
    promised.setTimeout = this.promisedTimeout as typeof promisedTimeout
    syncBuiltinESMExports()
    Date.now = () => this.start + Math.floor(this.now)
    performance.now = () => this.now
    return () => {
      Object.assign(target, kept)
      promised.setTimeout = promisedTimeout
      syncBuiltinESMExports()
      Date.now = dateNow
      performance.now = performanceNow
    }
  }
}
