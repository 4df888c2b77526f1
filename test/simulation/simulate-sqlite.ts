import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EventEmitter } from 'node:events'
import { NOBODY } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { SqliteThread } from '#src/engine/sqlite-thread.ts'
import type { WorkerHandle } from '#src/engine/sqlite-thread-options.ts'
import type { FromWorker, ToWorker, WorkerStart } from '#src/engine/sqlite-messages.ts'
import { runSqliteWorker } from '#src/engine/sqlite-worker.ts'
import { SqliteWriter } from '#src/engine/sqlite-writer.ts'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'
import { type LedgerRow, WriteLedger } from '#test/simulation/write-ledger.ts'

const CLIENTS = 8
const WRITES = 8
/** Milliseconds that a message between threads takes at most, and a call. */
const MESSAGE_MS = 2
const CALL_MS = 4
const TIMEOUT = 200

/** What may go wrong, each so often; a seed draws how bad its world is. */
interface Faults {
  threadDies: number
  commitFails: number
  diskFills: number
  clientLeaves: number
}

/**
 * The writer of the SQLite engine with its group commit, over a real database file: threads are simulated, and die;
 * the disk fills, and fails at a COMMIT; clients leave. Returns how many writes were acknowledged.
 */
export async function simulateSqlite(seed: number): Promise<number> {
  const time = new SimulatedTime(seed)
  const folder = mkdtempSync(join(tmpdir(), 'facet-simulation-'))
  const file = join(folder, 'facet.db')
  const setup = new SqliteConnection(file)
  setup.raw.pragma('synchronous = OFF')
  setup.exec('create table written (place integer primary key autoincrement, id text, new_id text)')
  setup.exec('create table leaving_item (id integer primary key)') // a connection looks whether items are leaving
  setup.close()
  const ledger = new WriteLedger()
  try {
    await time.run(() => world(time, file, ledger))
    const reader = new SqliteConnection(file)
    const rows = await reader.select<LedgerRow>({
      sql: 'select id, new_id as "newId" from written order by place',
      parameters: [],
    })
    reader.close()
    ledger.check(rows)
    return ledger.acknowledgedCount
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function world(time: SimulatedTime, file: string, ledger: WriteLedger): Promise<void> {
  const { chance } = time
  const bad = chance.next() * 0.2
  const faults: Faults = {
    threadDies: chance.is(0.5) ? bad : 0,
    commitFails: chance.is(0.5) ? bad : 0,
    diskFills: chance.is(0.3) ? bad : 0,
    clientLeaves: chance.is(0.5) ? bad : 0,
  }
  const writer = new SqliteWriter(
    (more) =>
      new SqliteThread({
        spawn: (data) => new SimulatedThread(time, data, faults),
        start: { descriptor: -1, file, role: 'writer', max_batch: 1 + chance.below(8) },
        log: () => {},
        onDamage() {},
        ...more,
      }),
    { timeout: TIMEOUT, onAnswers: () => {} },
  )
  await writer.thread.start().catch(() => {})
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, client) => write(time, writer, ledger, client, faults)),
  )
  await writer.close()
}

async function write(
  time: SimulatedTime,
  writer: SqliteWriter,
  ledger: WriteLedger,
  client: number,
  faults: Faults,
): Promise<void> {
  for (let i = 0; i < WRITES; i++) {
    await time.pause(time.latency(20))
    const id = ledger.begin(client)
    const leave = new AbortController()
    if (time.chance.is(faults.clientLeaves)) time.after(time.latency(20), () => leave.abort())
    const call = { name: 'write', caller: { ...NOBODY, address: '' }, input: { id }, now: Date.now() }
    await writer.write(call, leave.signal).then(
      () => ledger.acknowledge(id),
      (error: unknown) => ledger.fail(id, error),
    )
  }
}

/** A worker thread in this one: its messages take time, and it may die between any two steps. */
class SimulatedThread implements WorkerHandle {
  private readonly time: SimulatedTime
  private readonly faults: Faults
  private readonly events = new EventEmitter()
  private readonly port = new EventEmitter()
  private readonly arrived: ToWorker[] = []
  private db: SqliteConnection | undefined
  private isAlive = true
  private isFull = false
  /** Messages do not overtake each other: when the last one of each way arrives. */
  private readonly last = { there: 0, back: 0 }

  constructor(time: SimulatedTime, data: WorkerStart, faults: Faults) {
    this.time = time
    this.faults = faults
    time.after(time.latency(30), () => this.live(data))
  }

  on = (event: string, listener: (given: never) => void) =>
    this.events.on(event, listener as (given: unknown) => void)
  once = (event: string, listener: (given: never) => void) =>
    this.events.once(event, listener as (given: unknown) => void)

  postMessage(message: ToWorker): void {
    this.deliver('there', () => {
      this.arrived.push(structuredClone(message))
      if (this.isAlive) this.hear()
    })
  }

  terminate(): void {
    this.end(1)
  }

  private hear(): void {
    const message = this.arrived.shift()
    if (message !== undefined) this.port.emit('message', message)
  }

  private live(data: WorkerStart): void {
    if (!this.isAlive) return
    const port = {
      on: (event: 'message', listener: (message: ToWorker) => void) => this.port.on(event, listener),
      postMessage: (message: FromWorker) => this.answer(message),
      receive: () => {
        const message = this.arrived.shift()
        return message === undefined ? undefined : { message }
      },
      close: () => this.end(0),
    }
    const connect = (file: string) => (this.db = this.faulty(new SqliteConnection(file)))
    const newestId = async () => {
      const rows = this.db!.raw.prepare('select max(new_id) as id from written').all() as {
        id: string | null
      }[]
      return rows[0]!.id
    }
    try {
      runSqliteWorker(port, data, { run: this.run, connect, newestId })
    } catch {
      this.end(1)
    }
  }

  private readonly run: SqlRunner = async (db, { input }, newId) => {
    const { id } = input as { id: string }
    await this.maybeDie()
    this.maybeFill()
    if (this.time.chance.is(0.05)) throw badRequest('may not')
    this.db!.statement('insert into written (id, new_id) values (?, ?)').run([id, newId()])
    await this.maybeDie()
    if (this.time.chance.is(0.05)) throw badRequest('changed its mind')
    return Reply.of({ id })
  }

  private async maybeDie(): Promise<void> {
    await this.time.pause(this.time.latency(CALL_MS))
    if (this.time.chance.is(this.faults.threadDies)) this.end(1)
    if (!this.isAlive) throw new Error('the thread is dead')
  }

  /** The disk fills while a call runs. */
  private maybeFill(): void {
    const full = this.time.chance.is(this.faults.diskFills)
    if (full !== this.isFull) this.db!.raw.pragma(`max_page_count = ${full ? 1 : 1_000_000}`)
    this.isFull = full
  }

  /** A COMMIT fails before it is made. */
  private faulty(db: SqliteConnection): SqliteConnection {
    const exec = db.exec.bind(db)
    db.raw.pragma('synchronous = OFF') // threads die here, machines do not
    db.exec = (text) => {
      if (!this.isAlive) throw new Error('the thread is dead')
      if (text === 'COMMIT' && this.time.chance.is(this.faults.commitFails)) {
        exec('ROLLBACK')
        throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' })
      }
      exec(text)
      // After the COMMIT and before anybody is told.
      if (text === 'COMMIT' && this.time.chance.is(this.faults.threadDies)) this.end(1)
    }
    return db
  }

  private answer(message: FromWorker): void {
    if (!this.isAlive) return
    const copy = structuredClone(message)
    this.deliver('back', () => this.events.emit('message', copy))
  }

  private deliver(way: 'there' | 'back', arrive: () => void): void {
    const at = Math.max(this.last[way], this.time.elapsed + this.time.latency(MESSAGE_MS))
    this.last[way] = at + 0.001
    this.time.after(at - this.time.elapsed, arrive)
  }

  private end(code: number): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.db?.raw.close() // takes back what has not been committed
    this.deliver('back', () => this.events.emit('exit', code))
  }
}
