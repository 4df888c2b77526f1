import { PostgresRelay } from '#src/engine/postgres-relay.ts'
import { SimulatedPostgres, type Tables } from '#test/simulation/simulated-postgres.ts'
import { SimulatedTime } from '#test/simulation/simulated-time.ts'

const PROCESSES = 3
const MESSAGES = 15
/** Simulated milliseconds after which everybody has heard what was said, once connections stay. */
const SETTLE_MS = 5000
const MINUTE = 60_000

interface Row {
  id: number
  sender: unknown
  topic: unknown
  body: unknown
  at: number
}

/** The tables of the relay. An id is given when a row is written, and the row is seen later: not in the order of ids. */
class RelayTables implements Tables {
  private readonly time: SimulatedTime
  private messages: Row[] = []
  private readonly processes = new Map<unknown, number>()
  private nextId = 1
  notify: (payload: string) => void = () => {}

  constructor(time: SimulatedTime) {
    this.time = time
  }

  execute(text: string, values: readonly unknown[]) {
    const [first, second, third] = values
    if (text.includes('insert into relay_message')) {
      const id = this.nextId++
      const row = { id, sender: first, topic: second, body: third, at: this.time.elapsed }
      const onCommit = () => {
        this.messages.push(row)
        this.notify(`${id} ${String(first)}`)
      }
      return { onCommit, takes: this.time.latency(20) }
    }
    if (text.includes('insert into process')) {
      const made = !this.processes.has(first)
      return { rows: [{ made }], onCommit: () => void this.processes.set(first, this.time.elapsed) }
    }
    if (text.startsWith('delete from relay_message'))
      return { onCommit: () => void (this.messages = this.messages.filter(({ at }) => this.isRecent(at))) }
    if (text.startsWith('delete from process where seen_at')) return { onCommit: () => this.sweep() }
    if (text.startsWith('delete from process')) return { onCommit: () => void this.processes.delete(first) }
    if (text.includes('event_stream')) return {}
    if (text.startsWith('select coalesce(max(id)'))
      return { rows: [{ id: Math.max(0, ...this.messages.map(({ id }) => id)) }] }
    if (text.startsWith('select pg_notify')) return { onCommit: () => this.notify(String(first)) }
    if (text.startsWith('select id, topic, body')) return { rows: this.read(text, values) }
    throw new Error(`the simulated server does not know: ${text}`)
  }

  private read(text: string, [sender, id, taken]: readonly unknown[]) {
    const isMeant = (row: Row) =>
      text.includes('id = $2')
        ? row.id === id
        : row.id > Number(id) && !(taken as readonly number[]).includes(row.id)
    return this.messages
      .filter((row) => row.sender !== sender && isMeant(row))
      .toSorted((a, b) => a.id - b.id)
      .map(({ id: each, topic, body }) => ({ id: each, topic, body }))
  }

  private isRecent = (at: number) => at > this.time.elapsed - MINUTE

  private sweep(): void {
    for (const [process, at] of this.processes) if (!this.isRecent(at)) this.processes.delete(process)
  }
}

interface Process {
  relay: PostgresRelay
  kill(): void
  heard: string[]
  /** From when on it listens, in simulated milliseconds. */
  since: number
  isAlive: boolean
}

/**
 * Several processes that tell each other things over one PostgreSQL while connections break and processes die. Every
 * message that was told is heard exactly once by every other process that was there. Returns how many were heard.
 */
export async function simulateRelay(seed: number): Promise<number> {
  const time = new SimulatedTime(seed)
  const { chance } = time
  const bad = chance.next() * 0.1
  const tables = new RelayTables(time)
  const server = new SimulatedPostgres(time, tables, {
    breaks: chance.is(0.7) ? bad : 0,
    serverDies: chance.is(0.3) ? bad / 4 : 0,
  })
  tables.notify = (payload) => server.notify(payload)
  const processes: Process[] = []
  const told: { body: string; from: Process; at: number; isSure: boolean }[] = []

  async function start(): Promise<Process> {
    const [hosts, listenHosts] = [server.hosts(), server.hosts()]
    const relay = new PostgresRelay({ hosts, listenHosts, log: () => {} })
    const process: Process = {
      relay,
      heard: [],
      since: Infinity,
      isAlive: true,
      kill: () => {
        hosts.kill()
        listenHosts.kill()
      },
    }
    relay.subscribe('mcp', (body) => process.isAlive && process.heard.push(body))
    processes.push(process)
    await relay.start().then(
      () => (process.since = time.elapsed),
      () => {}, // the database was away: what it hears from then on is not counted
    )
    return process
  }

  async function live(number: number): Promise<void> {
    let process = await start()
    for (let i = 0; i < MESSAGES; i++) {
      await time.pause(time.latency(1500))
      if (!server.calm && chance.is(0.02)) {
        process.isAlive = false
        process.kill()
        await process.relay.close()
        process = await start()
      }
      const message = { body: `${number}-${i}`, from: process, at: time.elapsed, isSure: true }
      told.push(message)
      await process.relay.publish('mcp', message.body).catch(() => (message.isSure = false))
    }
  }

  await time.run(async () => {
    await Promise.all(Array.from({ length: PROCESSES }, (_, number) => live(number)))
    server.calm = true
    await time.pause(SETTLE_MS)
    for (const { relay, isAlive } of processes) if (isAlive) await relay.close()
  })
  for (const process of processes) check(process, told)
  return processes.reduce((sum, { heard }) => sum + heard.length, 0)
}

function check(
  process: Process,
  told: readonly { body: string; from: Process; at: number; isSure: boolean }[],
): void {
  const heard = new Set(process.heard)
  if (heard.size < process.heard.length) throw new Error('a message was heard twice')
  for (const { body, from, at, isSure } of told) {
    if (from === process && heard.has(body)) throw new Error(`message ${body} was heard by who told it`)
    const mustHear = isSure && process.isAlive && from !== process && at > process.since
    if (mustHear && !heard.has(body)) throw new Error(`message ${body} was told and not heard`)
  }
}
