import type { Reply } from '#src/domain/reply.ts'
import { FairQueue, type FairQueueOptions } from '#src/domain/fair-queue.ts'
import { accountOf } from '#src/engine/account-times.ts'
import { CallEnd } from '#src/engine/call-end.ts'
import { readTookTooLong } from '#src/engine/ended.ts'
import type { Limits, SqlCall, Timeouts } from '#src/engine/engine.ts'
import type { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { ReadHabits } from '#src/engine/read-habits.ts'

/**
 * Milliseconds after which a read gives way to those of others that wait. Its share of them, which is what it gets of a
 * server that works on all reads alike, has to come to so much as well: what lasts because all last would last there too.
 * Whose reads are mostly quick has three times as much.
 */
const MOVED_AFTER_MS = 200
const MOVED_AFTER_SHARE_MS = { others: 60, mostlyQuick: 180 }
/** What ends sooner among the slow ones, which are behind everything else, was quick. */
const QUICK_MS = 1000
/** Milliseconds between two checks of the reads under way, while others wait. */
const LOOK_MS = 25

/** Where reads are carried out: a thread, or this one. */
export interface ReadPlace {
  read(call: SqlCall, end: CallEnd): Promise<Reply>
}

/** How many connections each kind of reads has. */
export interface ReadConnections {
  quick: number
  slow: number
  long: number
}

/** What READ_CONNECTIONS comes to: two tenths each are for what has turned out to be slow, and for planning changes. */
export function shareOut(connections: number): ReadConnections {
  const part = Math.max(1, Math.round(connections / 5))
  return { quick: Math.max(1, connections - 2 * part), slow: part, long: part }
}

export interface ReaderOptions {
  quick: ReadPlace
  /** For what is slow or long. */
  slow: ReadPlace
  connections: ReadConnections
  timeouts: Timeouts
  metrics: EngineMetrics
}

interface Running {
  readonly account: string
  readonly since: number
  /** Milliseconds of its share. */
  share: number
  readonly giveWay: () => void
}

/**
 * Whose turn it is to read. Quick reads come round-robin by account, and one account has half of all connections at the
 * most. Where one has been slow and others wait, it begins again on the connections of slow reads, and so do the
 * next ones of an account of which most are slow; of those connections one is kept for accounts that have not been slow
 * again and again, and a third of the quick ones for accounts that are mostly quick. What plans a change of many items has others.
 */
export class PostgresReader {
  private readonly options: ReaderOptions
  private readonly quick: FairQueue
  private readonly slow: FairQueue
  private readonly long: FairQueue
  private readonly habits = new ReadHabits()
  private readonly running = new Set<Running>()
  /** Those that wait, or go on, among the slow ones. */
  private readonly slowReads = new Set<{ account: string; end: CallEnd }>()
  private looked = 0
  private timer: NodeJS.Timeout | undefined

  constructor(options: ReaderOptions) {
    this.options = options
    const { connections, timeouts } = options
    const what = 'queries'
    const queue = (
      at_once: number,
      of_one_key: number,
      max_wait: number,
      more: Partial<FairQueueOptions> = {},
    ) => new FairQueue({ at_once, of_one_key, max_wait, what, ...more })
    const { quick, slow, long } = connections
    const half = Math.ceil((quick + slow + long) / 2)
    const { habits } = this
    this.quick = queue(quick, Math.max(1, Math.min(quick - 1, half)), timeouts.read, {
      keeps_free: { places: Math.floor(quick / 3), of: (account) => !habits.isMostlyQuick(account) },
    })
    this.slow = queue(connections.slow, 1, timeouts.read, {
      keeps_free: { places: 1, of: (account) => habits.isOftenSlow(account) },
    })
    this.long = queue(connections.long, 1, timeouts.change)
  }

  /** Ends at its deadline, and when its client leaves, waiting included. */
  async read(call: SqlCall, { signal, long = false }: Limits = {}): Promise<Reply> {
    const { read, change } = this.options.timeouts
    const end = new CallEnd(long ? change : read, readTookTooLong, signal)
    try {
      // Anyone who waits is told at once; the place is free when the database has ended it.
      return await new Promise<Reply>((resolve, reject) => {
        const work = () => (long ? this.longRead(call, end) : this.quickRead(call, end))
        end.during(() => reject(end.fault!), work).then(resolve, reject)
      })
    } finally {
      end.close()
    }
  }

  /** Calls that wait or are under way. */
  get loads(): { read: number; long_read: number } {
    return { read: this.quick.load + this.slow.load, long_read: this.long.load }
  }

  private longRead(call: SqlCall, end: CallEnd): Promise<Reply> {
    return this.inTurn(this.long, 'long_read', call, () => this.options.slow.read(call, end), end)
  }

  private async quickRead(call: SqlCall, end: CallEnd): Promise<Reply> {
    const { habits } = this
    const account = accountOf(call)
    habits.asks(account)
    if (!habits.isSlow(account) || !habits.hasOthers(account)) {
      const reply = await this.inTurn(
        this.quick,
        'read',
        call,
        () => this.tryQuickly(call, account, end),
        end,
      )
      if (reply) return reply
    }
    return this.readSlowly(call, account, end)
  }

  private async readSlowly(call: SqlCall, account: string, end: CallEnd): Promise<Reply> {
    const read = { account, end }
    this.slowReads.add(read)
    let took = 0
    const work = async () => {
      const began = performance.now()
      try {
        return await this.options.slow.read(call, end)
      } finally {
        took = performance.now() - began
      }
    }
    try {
      const reply = await this.inTurn(this.slow, 'read', call, work, end)
      if (took < QUICK_MS) this.habits.wasQuick(account)
      return reply
    } finally {
      if (took >= QUICK_MS) this.habits.wasSlow(account)
      this.slowReads.delete(read)
    }
  }

  /** undefined: it was slow, and others waited. */
  private async tryQuickly(call: SqlCall, account: string, end: CallEnd): Promise<Reply | undefined> {
    const leave = new AbortController()
    const attempt = new CallEnd(undefined, readTookTooLong, leave.signal)
    const running: Running = { account, since: performance.now(), share: 0, giveWay: () => leave.abort() }
    this.running.add(running)
    try {
      const reply = await end.during(running.giveWay, () => this.options.quick.read(call, attempt))
      if (running.share < MOVED_AFTER_SHARE_MS.others) this.habits.wasQuick(account)
      return reply
    } catch (error) {
      if (!attempt.fault || end.fault) throw error
      this.habits.wasSlow(account)
      return undefined
    } finally {
      this.running.delete(running)
      attempt.close()
    }
  }

  private inTurn<T>(
    queue: FairQueue,
    kind: 'read' | 'long_read',
    call: SqlCall,
    work: () => Promise<T>,
    end: CallEnd,
  ): Promise<T> {
    const since = performance.now()
    this.watch()
    return queue.run(accountOf(call), async () => {
      end.throwIfEnded()
      const began = performance.now()
      try {
        return await work()
      } finally {
        this.options.metrics.call(kind, began - since, performance.now() - began)
      }
    })
  }

  private watch(): void {
    if (this.timer) return
    this.looked = performance.now()
    this.timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  private look(): void {
    const now = performance.now()
    this.shareOut(now)
    for (const { account, end } of this.slowReads) if (!end.fault) this.habits.goesOn(account, now)
    this.makeRoom(now)
    if (this.quick.load || this.slow.load) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  private shareOut(now: number): void {
    const { quick, slow, long } = this
    const part = (now - this.looked) / Math.max(1, quick.running + slow.running + long.running)
    for (const each of this.running) each.share += part
    this.looked = now
  }

  /** The slow reads begin again elsewhere, for the sake of those that could have their place. */
  private makeRoom(now: number): void {
    for (const { account, since, share, giveWay } of this.running) {
      if (now - since < MOVED_AFTER_MS) continue
      const { mostlyQuick, others } = MOVED_AFTER_SHARE_MS
      if (share < (this.habits.isMostlyQuick(account) ? mostlyQuick : others)) continue
      if (this.quick.isWantedBeside(account)) giveWay()
    }
  }
}
