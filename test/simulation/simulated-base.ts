import { NOBODY, type Role } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import type { Reply } from '#src/domain/reply.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { ChangeWatch } from '#src/engine/change-watch.ts'
import type { Engine, SqlCall } from '#src/engine/engine.ts'
import { withinTransaction } from '#src/engine/transaction.ts'
import { operations } from '#src/operations/index.ts'
import { proposeCall } from '#src/operations/proposals/propose-call.ts'
import { sqlOperations } from '#src/operations/sql-operations.ts'
import { sqlSteps } from '#src/operations/sql-steps.ts'
import { callOperation, type Runtime } from '#src/runtime/call.ts'
import { sqlRunner } from '#src/runtime/sql-runner.ts'
import { enterDrafts } from '#src/storage/large/audit-drafts.ts'
import { openBase } from '#test/support/base.ts'
import type { SimulatedTime } from '#test/simulation/simulated-time.ts'

/** Milliseconds at most from a process to the base, and back. */
const WAY_MS = 30
const run = sqlRunner([...sqlOperations, ...sqlSteps])
const byName = new Map(operations.map((operation) => [operation.name, operation]))

/** What a planted fault does in the place of the base: it carries the call out, or something else. */
export type Plant = (
  call: SqlCall,
  carryOut: (call: SqlCall) => Promise<Reply>,
  base: SimulatedBase,
) => Promise<Reply>

interface BaseOptions {
  /** How probably a call fails before it does anything, and after its COMMIT. */
  fails: number
  plant?: Plant | undefined
}

/** A process of the service on a simulated base: what it has under way when it is killed is never answered. */
export class SimulatedProcess {
  readonly number: number
  readonly runtime: Runtime
  readonly changes: ChangeWatch
  isAlive = true

  constructor(base: SimulatedBase, number: number) {
    this.number = number
    this.changes = new ChangeWatch(() => base.tellOthers(this))
    const services = {
      changes: this.changes,
      webhooks: new ChangeWatch(null),
      notifications: new ChangeWatch(null),
      config: { time_zone: 'UTC', webhook_private: true },
      metrics: { webhookAttempt() {} },
      secrets: { seal: (secret: string) => secret },
    }
    const runtime = { engine: base.engineOf(this), services, clock: Date.now, propose: proposeCall }
    this.runtime = runtime as unknown as Runtime
  }
}

/**
 * A real base of the real operations, behind a network that takes its time and loses answers: several processes call
 * it, as they do a PostgreSQL. Calls are carried out one after the other, each whole or not at all.
 */
export class SimulatedBase {
  readonly time: SimulatedTime
  readonly processes: SimulatedProcess[] = []
  readonly db: Awaited<ReturnType<typeof openBase>>['db']
  /** From now on nothing fails. */
  calm = false
  private readonly base: Awaited<ReturnType<typeof openBase>>
  private readonly options: BaseOptions
  private readonly nextId = ulidSource()
  private last: Promise<unknown> = Promise.resolve()

  private constructor(time: SimulatedTime, base: Awaited<ReturnType<typeof openBase>>, options: BaseOptions) {
    this.time = time
    this.base = base
    this.db = base.db
    this.options = options
  }

  static async open(time: SimulatedTime, options: BaseOptions): Promise<SimulatedBase> {
    return new SimulatedBase(time, await openBase(), options)
  }

  close(): void {
    this.base.close()
  }

  start(): SimulatedProcess {
    const process = new SimulatedProcess(this, this.processes.length)
    this.processes.push(process)
    return process
  }

  tellOthers(from: SimulatedProcess): void {
    for (const { isAlive, changes } of this.processes)
      if (isAlive && changes !== from.changes)
        this.time.after(this.time.latency(50), () => changes.happenedElsewhere())
  }

  /** Somebody with an account. */
  async account(role: Role, number: number): Promise<Account> {
    const user_id = this.nextId(Date.now())
    const now = new Date().toISOString()
    const email = `${role}-${number}@example.org`
    const statement = this.db.statement(
      'insert into account (user_id, email, email_key, created_at, role) values (?, ?, ?, ?, ?)',
    )
    statement.run([user_id, email, email, now, role])
    return { user_id, role }
  }

  engineOf(process: SimulatedProcess): Engine {
    const read = (call: SqlCall) => this.answer(process, call, false)
    const write = (call: SqlCall) => this.answer(process, call, true)
    return { read, write, readInline: read, relay: {}, version: () => null } as unknown as Engine
  }

  private async answer(process: SimulatedProcess, call: SqlCall, writes: boolean): Promise<Reply> {
    const asked = structuredClone(call)
    await this.way()
    if (!process.isAlive) return never()
    if (this.isBroken()) throw unavailable('The database is away')
    const { plant } = this.options
    const carryOut = (each: SqlCall) => this.inTurn(() => (writes ? this.write(each) : this.read(each)))
    const reply = await (plant ? plant(asked, carryOut, this) : carryOut(asked)).catch(
      (fault: Error) => fault,
    )
    await this.way()
    if (!process.isAlive) return never()
    if (reply instanceof Error) throw reply
    if (this.isBroken()) throw unavailable('The outcome is unknown: the connection was lost')
    return reply
  }

  private way(): Promise<void> {
    return this.time.pause(this.time.latency(WAY_MS))
  }

  private isBroken(): boolean {
    return this.time.chance.is(this.calm ? 0 : this.options.fails)
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(work, work)
    this.last = turn.catch(() => {})
    return turn
  }

  private write(call: SqlCall): Promise<Reply> {
    return withinTransaction(this.db, this.db.dialect.begin.write, async () => {
      const reply = await run(this.db, call, () => this.nextId(call.now))
      while (await enterDrafts(this.db));
      return reply
    })
  }

  /** Of what is tried out nothing stays. */
  private async read(call: SqlCall): Promise<Reply> {
    this.db.exec('BEGIN')
    try {
      return await run(this.db, call, () => this.nextId(call.now))
    } finally {
      this.db.exec('ROLLBACK')
    }
  }
}

const never = (): Promise<never> => new Promise(() => {})

export interface Account {
  user_id: string
  role: Role
}

export interface Asked {
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked at, not typed
  body: any
  /** The id of the change that was made. */
  change: string | undefined
}

/** What an account asks a process for, as its client does. */
export async function ask(
  { runtime }: SimulatedProcess,
  name: string,
  account: Account,
  input: object,
): Promise<Asked> {
  const now = new Date().toISOString()
  const session = { token_hash: '', state: 'full' as const, proven_at: now, created_at: now }
  const client = { kind: 'session' as const, id: null, name: null }
  const caller = { ...NOBODY, ...account, session, client, address: '127.0.0.1' }
  const { json, meta } = await callOperation(runtime, byName.get(name)!, caller, input)
  return { body: json === '' ? null : JSON.parse(json), change: meta?.change_id }
}
