import type { Caller } from '#src/domain/caller.ts'

/** Milliseconds of a window. */
const WINDOW = 60_000
/** Windows that are kept; above it the oldest half is forgotten. */
const MAX_WINDOWS = 100_000

export interface Quota {
  /** Requests that are left in the window. */
  left: number
  /** Seconds until all are there again. */
  seconds: number
  /** They were too many. */
  exceeded: boolean
}

interface Window {
  count: number
  ends: number
}

/** Counts requests by account, key and app, each by itself, in windows of a minute that begin with a request (decision 53). */
export class RateLimit {
  /** Requests a minute. */
  readonly limit: number
  /** Seconds. */
  readonly window = WINDOW / 1000
  private readonly clock: () => number
  /** Windows that began lately, and those before; the latter have all ended when both move on. */
  private windows = new Map<string, Window>()
  private older = new Map<string, Window>()
  private moved = -Infinity

  constructor(limit: number, clock: () => number) {
    this.limit = limit
    this.clock = clock
  }

  /** Counts requests, all of them or, where they are too many, none; null where nothing is counted: no limit, or nobody who is signed in. */
  take({ user_id, session, client }: Caller, requests = 1): Quota | null {
    if (!this.limit || user_id === null || session?.state === 'partial') return null
    const key = session || !client ? user_id : `${client.kind} ${client.id}`
    const now = this.clock()
    this.forgetOld(now)
    let window = this.windows.get(key) ?? this.older.get(key)
    // A clock that was set back does not make it longer.
    if (!window || window.ends <= now || window.ends - now > WINDOW)
      this.windows.set(key, (window = { count: 0, ends: now + WINDOW }))
    const exceeded = window.count + requests > this.limit
    if (!exceeded) window.count += requests
    return {
      left: this.limit - window.count,
      seconds: Math.max(1, Math.ceil((window.ends - now) / 1000)),
      exceeded,
    }
  }

  /** Windows that are kept. */
  get size(): number {
    return this.windows.size + this.older.size
  }

  private forgetOld(now: number): void {
    const passed = now - this.moved
    if (passed >= 0 && passed < WINDOW && this.windows.size < MAX_WINDOWS / 2) return
    this.older = this.windows
    this.windows = new Map()
    this.moved = now
  }
}
