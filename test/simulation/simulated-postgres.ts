import { EventEmitter } from 'node:events'
import pg from 'pg'
import type { PostgresHosts } from '#src/sql/postgres-hosts.ts'
import type { SimulatedTime } from '#test/simulation/simulated-time.ts'

type Values = readonly unknown[]
type Statement = string | { text: string; values?: Values }
interface Answer {
  rows: Record<string, unknown>[]
  command?: string
  rowCount?: number
}

/** What a statement does to the tables; those of one transaction are done at its COMMIT. */
export interface Tables {
  /** Reads, and returns what the COMMIT of a write does, `takes` milliseconds later. @throws as the server would */
  execute(
    text: string,
    values: Values,
  ): { rows?: Record<string, unknown>[]; onCommit?: () => void; takes?: number }
}

export interface NetworkFaults {
  /** A connection breaks, for each statement; also while a COMMIT is on its way. */
  breaks: number
  /** The server is away for a while, for each new connection. */
  serverDies: number
}

const NETWORK_MS = 3
const SERVER_MS = 2
const AWAY_MS = 400

/** A PostgreSQL server: connections, transactions with savepoints, the advisory lock, NOTIFY; over tables of a test. */
export class SimulatedPostgres {
  readonly time: SimulatedTime
  readonly tables: Tables
  readonly faults: NetworkFaults
  readonly connections = new Set<SimulatedClient>()
  /** Those that wait for the lock are behind who has it. */
  private readonly lockQueue: { client: SimulatedClient; granted: () => void }[] = []
  private upAt = 0
  calm = false

  constructor(time: SimulatedTime, tables: Tables, faults: NetworkFaults) {
    this.time = time
    this.tables = tables
    this.faults = faults
  }

  /** As an engine has it: connections of its own, ended together. */
  hosts(): PostgresHosts & { kill(): void } {
    const mine = new Set<SimulatedClient>()
    const pool = {
      connect: async () => {
        const client = await this.connect()
        mine.add(client)
        return client
      },
      query: async (text: string, values: Values) => {
        const client = await this.connect()
        mine.add(client)
        try {
          return await client.query({ text, values })
        } finally {
          client.release()
        }
      },
    }
    const hosts = {
      use: <T>(work: (given: typeof pool) => Promise<T>) => work(pool),
      kill: () => {
        for (const each of mine) each.break()
      },
    }
    return hosts as unknown as PostgresHosts & { kill(): void }
  }

  private async connect(): Promise<SimulatedClient> {
    await this.time.pause(this.time.latency(NETWORK_MS))
    if (!this.calm && this.time.chance.is(this.faults.serverDies)) this.die()
    if (this.time.elapsed < this.upAt)
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const client = new SimulatedClient(this)
    this.connections.add(client)
    return client
  }

  private die(): void {
    this.upAt = this.time.elapsed + this.time.chance.next() * AWAY_MS
    for (const each of this.connections) each.break({ atOnce: true })
  }

  lock(client: SimulatedClient): Promise<void> {
    return new Promise((granted) => {
      this.lockQueue.push({ client, granted })
      if (this.lockQueue.length === 1) granted()
    })
  }

  unlock(client: SimulatedClient): void {
    const place = this.lockQueue.findIndex((each) => each.client === client)
    if (place < 0) return
    this.lockQueue.splice(place, 1)
    if (place === 0) this.lockQueue[0]?.granted()
  }

  notify(payload: string): void {
    for (const client of this.connections) client.notified(payload)
  }
}

interface Sent {
  text: string
  values: Values
  resolve: (answer: Answer) => void
  reject: (error: Error) => void
}

/** One connection: statements are carried out in order, each answer takes its time, and it may break at any moment. */
class SimulatedClient extends EventEmitter {
  private readonly server: SimulatedPostgres
  private readonly queue: Sent[] = []
  private working = false
  private broken = false
  /** The server's end is gone: nothing more is carried out. */
  private gone = false
  private transaction:
    | { writes: (() => void)[]; savepoints: { name: string; at: number }[]; failed: boolean }
    | undefined
  private listens = false

  constructor(server: SimulatedPostgres) {
    super()
    this.server = server
    this.on('error', () => {})
  }

  query(statement: Statement, given: Values = []): Promise<Answer> {
    const { text, values = given } = typeof statement === 'string' ? { text: statement } : statement
    if (this.broken)
      return Promise.reject(new Error('Client has encountered a connection error and is not queryable'))
    const answer = new Promise<Answer>((resolve, reject) => {
      this.queue.push({ text, values, resolve, reject })
    })
    if (!this.working) void this.work()
    return answer
  }

  release(fault?: unknown): void {
    if (fault) this.break()
    else if (!this.listens) this.end()
  }

  notified(payload: string): void {
    if (!this.listens || this.gone) return
    const { time } = this.server
    time.after(time.latency(NETWORK_MS), () => {
      if (!this.broken) this.emit('notification', { payload })
    })
  }

  /** The client hears that it is lost; what it had sent may still reach the server, unless that is gone at once. */
  break({ atOnce = false } = {}): void {
    const { time } = this.server
    if (!this.broken) {
      this.broken = true
      const error = new Error('Connection terminated unexpectedly')
      for (const { reject } of this.queue) reject(error)
      if (this.listens) this.emit('error', error)
    }
    if (atOnce) this.end()
    else time.after(time.latency(4 * NETWORK_MS), () => this.end())
  }

  private end(): void {
    if (this.gone) return
    this.gone = true
    this.broken = true
    this.transaction = undefined
    this.server.connections.delete(this)
    this.server.unlock(this)
  }

  private async work(): Promise<void> {
    this.working = true
    const { time, faults } = this.server
    while (this.queue.length) {
      const sent = this.queue[0]!
      await time.pause(time.latency(NETWORK_MS))
      if (!this.server.calm && time.chance.is(faults.breaks)) this.break()
      if (this.gone) break
      let answer: Answer | Error
      try {
        answer = await this.execute(sent)
      } catch (error) {
        answer = error as Error
        if (this.transaction) this.transaction.failed = true
      }
      await time.pause(time.latency(NETWORK_MS))
      if (!this.server.calm && time.chance.is(faults.breaks)) this.break()
      this.queue.shift()
      if (this.broken) sent.reject(new Error('Connection terminated unexpectedly'))
      else if (answer instanceof Error) sent.reject(answer)
      else sent.resolve(answer)
    }
    this.working = false
  }

  private async execute({ text, values }: Sent): Promise<Answer> {
    await this.server.time.pause(this.server.time.latency(SERVER_MS))
    if (this.gone) throw new Error('Connection terminated unexpectedly')
    let answer: Answer = { rows: [] }
    for (const each of text.startsWith('with ') ? [text] : text.split('; '))
      answer = await this.one(each, values)
    return answer
  }

  private async one(text: string, values: Values): Promise<Answer> {
    const [word = '', name = ''] = text.split(' ')
    if (text.startsWith('begin')) {
      this.transaction = { writes: [], savepoints: [], failed: false }
      return { rows: [] }
    }
    if (word === 'commit' || text === 'rollback') return this.finish(word === 'commit')
    const { transaction } = this
    if (transaction && text.startsWith('rollback to')) {
      const point = transaction.savepoints.findLast((each) => each.name === text.split(' ').at(-1))
      if (!point) throw serverError('3B001', 'savepoint does not exist')
      transaction.writes.length = point.at
      transaction.failed = false
      return { rows: [] }
    }
    if (transaction?.failed) throw serverError('25P02', 'current transaction is aborted')
    if (word === 'savepoint') transaction!.savepoints.push({ name, at: transaction!.writes.length })
    else if (text.includes('pg_advisory_xact_lock')) await this.server.lock(this)
    else if (word === 'listen') this.listens = true
    else if (word !== 'set' && word !== 'release') return this.onTables(text, values)
    return { rows: [] }
  }

  private async onTables(text: string, values: Values): Promise<Answer> {
    const { rows = [], onCommit, takes } = this.server.tables.execute(text, values)
    if (takes) await this.server.time.pause(takes)
    if (this.gone) throw new Error('Connection terminated unexpectedly')
    if (onCommit && this.transaction) this.transaction.writes.push(onCommit)
    else onCommit?.()
    return { rows, rowCount: rows.length }
  }

  private finish(commit: boolean): Answer {
    const { transaction } = this
    this.transaction = undefined
    const isMade = commit && transaction && !transaction.failed
    if (isMade) for (const each of transaction.writes) each()
    this.server.unlock(this)
    return { rows: [], command: isMade ? 'COMMIT' : 'ROLLBACK' }
  }
}

export function serverError(code: string, message: string): Error {
  const error = new pg.DatabaseError(message, message.length, 'error')
  error.code = code
  return error
}
