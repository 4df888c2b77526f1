import type { Ulid } from '#src/domain/ulid.ts'
import { CallEnd } from '#src/engine/call-end.ts'
import { bytesOf, encoded, type Request } from '#src/engine/sqlite-messages.ts'
import { readTookTooLong } from '#src/engine/ended.ts'
import type { SqlCall, SqlRunner } from '#src/engine/engine.ts'
import { toFailure } from '#src/engine/failure.ts'
import { Heartbeat } from '#src/engine/heartbeat.ts'
import { monotonic } from '#src/process/thread-time.ts'
import type {
  FromPostgresWorker,
  PostgresNews,
  PostgresStart,
  ToPostgresWorker,
} from '#src/engine/postgres-messages.ts'
import { PostgresUpkeep } from '#src/engine/postgres-upkeep.ts'
import { PostgresReplicas } from '#src/engine/postgres-replicas.ts'
import { PostgresSnapshots } from '#src/engine/postgres-snapshots.ts'
import { PostgresWriter } from '#src/engine/postgres-writer.ts'
import { Resting } from '#src/engine/resting.ts'
import type { Reply } from '#src/domain/reply.ts'
import { collectGarbage } from '#src/process/free-memory.ts'
import { yieldToOthers } from '#src/process/thread-priority.ts'
import { PatternThread } from '#src/sql/pattern-thread.ts'
import { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { Db } from '#src/sql/query.ts'

/** The thread's end of the channel to the main thread. */
export interface PostgresPort {
  on(event: 'message', listener: (message: ToPostgresWorker) => void): unknown
  /** The memory of `moved` changes hands in place of being copied. */
  postMessage(message: FromPostgresWorker, moved?: ArrayBuffer[]): void
  close(): void
}

/** What the module of the thread brings along. */
export interface PostgresParts {
  run: SqlRunner
  newestId(db: Db): Promise<Ulid | null>
  remember(db: Db): Promise<ReadonlyMap<string, unknown>>
}

/** What a thread does with calls. */
interface Work {
  carryOut(call: SqlCall, signal: AbortSignal): Promise<Reply>
  /** What keeps it from its work. */
  readonly fault: Error | null
  close(): Promise<void>
}

/**
 * A worker thread whose statements run on PostgreSQL beside each other: what is computed of their rows, of filters with
 * many values, of plans, keeps none of the main thread's requests waiting (decision 113).
 */
export function runPostgresWorker(port: PostgresPort, start: PostgresStart, parts: PostgresParts): void {
  if (start.priority !== undefined) yieldToOthers(start.priority)
  const news = new News(port, () => work.fault)
  const work = start.role === 'writer' ? writing(start, parts, news) : reading(start, parts, news)
  const underWay = new Map<number, AbortController>()
  const heartbeat = new Heartbeat(start.heartbeat)
  const resting = new Resting(() => collectGarbage('last-resort'))
  let closing = false
  const closeWhenDone = () => {
    if (closing && !underWay.size) void work.close().then(() => (news.send(), port.close()))
  }
  const carryOut = async ([seq, call]: Request) => {
    const leave = new AbortController()
    underWay.set(seq, leave)
    heartbeat.begin()
    const began = monotonic()
    const took = (): [number, number] => [began, monotonic() - began]
    try {
      const { body, meta } = await work.carryOut(call, leave.signal)
      news.answer([seq, true, body, meta, took()])
    } catch (error) {
      news.answer([seq, false, toFailure(error), took()])
    }
    underWay.delete(seq)
    if (!underWay.size) heartbeat.rest()
    resting.used()
    closeWhenDone()
  }
  port.on('message', (message) => {
    if (message === 'close') {
      closing = true
      closeWhenDone()
    } else if (Array.isArray(message)) for (const request of message) void carryOut(request)
    else underWay.get(message.end)?.abort()
  })
  port.postMessage('ready')
}

/** Gathers what comes about in one turn of the event loop: a message costs as much as a quick read. */
class News {
  private readonly port: PostgresPort
  private readonly faultNow: () => Error | null
  private gathered = nothing()
  private due = false

  constructor(port: PostgresPort, faultNow: () => Error | null) {
    this.port = port
    this.faultNow = faultNow
  }

  answer(answer: PostgresNews['answers'][number]): void {
    this.gathered.answers.push(encoded(answer))
    this.sendSoon()
  }

  /** What the writer is measured by; its calls are read by nobody else. */
  readonly metrics = {
    call: (_kind: unknown, wait: number | undefined, run: number): void => {
      this.gathered.writes.push([wait ?? 0, run])
      this.sendSoon()
    },
    commit: (calls: number, took: number): void => {
      this.gathered.commits.push([calls, took])
      this.sendSoon()
    },
    held: (took: number): void => {
      this.gathered.holds.push(took)
      this.sendSoon()
    },
  }

  readonly log = (
    level: 'warn' | 'error' | 'fatal',
    remark: string,
    details: Record<string, unknown>,
  ): void => this.port.postMessage({ level, remark, details })

  send(): void {
    this.due = false
    const { gathered } = this
    this.gathered = nothing()
    const fault = this.faultNow()
    this.port.postMessage({ ...gathered, fault: fault && toFailure(fault) }, bytesOf(gathered.answers))
  }

  private sendSoon(): void {
    if (this.due) return
    this.due = true
    setImmediate(() => {
      if (this.due) this.send()
    })
  }
}

const nothing = (): PostgresNews => ({ answers: [], writes: [], commits: [], holds: [], fault: null })

function reading(
  { url, replica_urls: urls, connections: max, timeouts }: PostgresStart,
  { run, newestId }: PostgresParts,
  { log }: News,
): Work {
  const hosts = new PostgresHosts(url, { max, pipeline: true })
  const watchHosts = new PostgresHosts(url, { max: 1 })
  const replicas = new PostgresReplicas({ urls, max, log })
  const patterns = new PatternThread()
  const snapshots = new PostgresSnapshots({ hosts, watchHosts, replicas, patterns, run, newestId, timeouts })
  return {
    async carryOut(call, signal) {
      // Deadlines are the main thread's.
      const end = new CallEnd(undefined, readTookTooLong, signal)
      try {
        return await snapshots.read(call, end)
      } finally {
        end.close()
      }
    },
    fault: null,
    async close() {
      await Promise.all([hosts, watchHosts, replicas, patterns].map((each) => each.close()))
    },
  }
}

function writing(
  { url, connections: max, timeouts }: PostgresStart,
  parts: PostgresParts,
  { log, metrics }: News,
): Work {
  const hosts = new PostgresHosts(url, { max, pipeline: true })
  const patterns = new PatternThread()
  const upkeep = new PostgresUpkeep(hosts)
  const writer = new PostgresWriter({
    ...parts,
    hosts,
    patterns,
    log,
    metrics,
    timeout: timeouts.change,
    committed: upkeep.changed,
  })
  upkeep.changed() // what a process before, or a command, has left
  return {
    carryOut: (call, signal) => writer.write(call, signal),
    get fault() {
      return writer.fault
    },
    async close() {
      await writer.close()
      await upkeep.close()
      await Promise.all([hosts.close(), patterns.close()])
    },
  }
}
