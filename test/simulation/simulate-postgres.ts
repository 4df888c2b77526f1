import { NOBODY } from '#src/domain/caller.ts'
import { badRequest } from '#src/domain/errors.ts'
import { Reply } from '#src/domain/reply.ts'
import type { SqlRunner } from '#src/engine/engine.ts'
import { EngineMetrics } from '#src/engine/engine-metrics.ts'
import { PostgresWriter } from '#src/engine/postgres-writer.ts'
import { serverError, SimulatedPostgres, type Tables } from '#test/simulation/simulated-postgres.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'
import { type LedgerRow, WriteLedger } from '#test/simulation/write-ledger.ts'

const PROCESSES = 3
const CLIENTS = 4
const WRITES = 6
const TIMEOUT = 2000

/** The tables that a write touches, and what is committed. */
class WriteTables implements Tables {
  readonly rows: LedgerRow[] = []
  private readonly batches = new Set<unknown>()

  execute(text: string, values: readonly unknown[]) {
    if (text.startsWith('insert written')) {
      const [id, newId] = values as [string, string]
      return { onCommit: () => void this.rows.push({ id, newId }) }
    }
    if (text.startsWith('fail')) throw serverError('23505', 'duplicate key')
    if (text === 'newest') return { rows: [{ id: this.rows.at(-1)?.newId ?? null }] }
    if (text.startsWith('select version')) return { rows: [{ version: 1, batch: this.batches.size }] }
    if (text.includes('insert into write_batch')) return { onCommit: () => void this.batches.add(values[0]) }
    if (text.startsWith('select 1 from write_batch'))
      return { rows: this.batches.has(values[0]) ? [{ one: 1 }] : [] }
    if (text.startsWith('delete from write_batch')) return {}
    throw new Error(`the simulated server does not know: ${text}`)
  }
}

/**
 * The writers of several processes on one PostgreSQL: connections break (also with a COMMIT on its way), the server
 * goes away, processes die, calls fail within their batch. Returns how many writes were acknowledged.
 */
export async function simulatePostgres(seed: number): Promise<number> {
  const time = new SimulatedTime(seed)
  const { chance } = time
  const bad = chance.next() * 0.05
  const tables = new WriteTables()
  const server = new SimulatedPostgres(time, tables, {
    breaks: chance.is(0.7) ? bad : 0,
    serverDies: chance.is(0.3) ? bad : 0,
  })
  const ledger = new WriteLedger()
  const diesEvery = chance.is(0.5) ? 0.02 : 0
  await time.run(async () => {
    await Promise.all(
      Array.from({ length: PROCESSES }, (_, i) => runProcess(server, ledger, { number: i, diesEvery })),
    )
  })
  ledger.check(tables.rows)
  return ledger.acknowledgedCount
}

const run: SqlRunner = async (db, { input }, newId) => {
  const { id, mood } = input as { id: string; mood: number }
  await db.select({ sql: 'insert written', parameters: [id, newId()] })
  if (mood < 0.05) throw badRequest('changed its mind')
  if (mood < 0.1) await db.select({ sql: 'fail', parameters: [] })
  return Reply.of({ id })
}

/** Clients of one process; where it dies another takes its place, and what it had under way nobody hears of. */
async function runProcess(
  server: SimulatedPostgres,
  ledger: WriteLedger,
  { number, diesEvery }: { number: number; diesEvery: number },
): Promise<void> {
  const { time } = server
  const start = () => {
    const hosts = server.hosts()
    const writer = new PostgresWriter({
      hosts,
      patterns: { match: async () => [] },
      run,
      newestId: async (db) => {
        const [row] = await db.select<{ id: string | null }>({ sql: 'newest', parameters: [] })
        return row!.id
      },
      log: () => {},
      timeout: TIMEOUT,
      metrics: new EngineMetrics(),
    })
    return { hosts, writer, died: Promise.withResolvers<void>() }
  }
  let current = start()
  const die = () => {
    current.hosts.kill()
    current.died.resolve()
    current = start()
  }
  async function client(place: number): Promise<void> {
    for (let i = 0; i < WRITES; i++) {
      await time.pause(time.latency(50))
      if (time.chance.is(diesEvery)) die()
      const id = ledger.begin(number * CLIENTS + place)
      const { writer, died } = current
      const input = { id, mood: time.chance.next() }
      const call = { name: 'write', caller: { ...NOBODY, address: '' }, input, now: Date.now() }
      let isHeard = true
      const outcome = writer.write(call).then(
        () => isHeard && ledger.acknowledge(id),
        (error: unknown) => isHeard && ledger.fail(id, error),
      )
      await Promise.race([
        outcome,
        died.promise.then(() => {
          if (isHeard && !ledger.isAnswered(id)) ledger.abandon(id)
          isHeard = false
        }),
      ])
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, place) => client(place)))
  await current.writer.close()
}
