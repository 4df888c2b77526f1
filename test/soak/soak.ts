import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { ROOT, ServiceProcess } from '#test/support/process.ts'
import { startBrokenProvider } from '#test/soak/broken-provider.ts'
import { HARMS } from '#test/soak/hostile.ts'
import type { Attack, Done } from '#test/soak/hostile-process.ts'
import { type Seen, workHonestly } from '#test/soak/honest.ts'
import { registerClients } from '#test/soak/register-clients.ts'
import { lateness, serviceFigures } from '#test/soak/service-figures.ts'

const HONEST = 32
/** Honest people share accounts, as many as this. */
const ACCOUNTS = 4
const LOOK_MS = 250

export interface SoakLimits {
  /** Milliseconds, 99th percentile. */
  read: number
  write: number
  /** What the event loop is late, 99th percentile. */
  late: number
  megabytes: number
  /** How much of the memory of the beginning is held at the end. */
  growth: number
}
export const LIMITS: SoakLimits = { read: 150, write: 250, late: 50, megabytes: 1024, growth: 1.2 }

export const ENGINES = ['sqlite', 'postgres'] as const
export type SoakEngine = (typeof ENGINES)[number]

interface SoakOptions {
  milliseconds: number
  limits: SoakLimits
  /** Names of HARMS; all of them by default. */
  harms?: readonly string[]
  engine?: SoakEngine
}

/** Milliseconds of honest work alone, before memory is measured: by then all threads have started. */
const WARM_UP_MS = 3000
/** Milliseconds in which the memory of the beginning must come back. */
const SETTLE_MS = 60_000

interface SoakRow {
  what: string
  value: string
  limit: string
  met: boolean
}

/** A service as a process of its own, honest clients, and one of each kind of harm, all at once for so long. */
export async function soak({
  milliseconds,
  limits,
  harms = Object.keys(HARMS),
  engine = 'sqlite',
}: SoakOptions): Promise<SoakRow[]> {
  const provider = await startBrokenProvider()
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  try {
    await using service = new ServiceProcess({
      env: {
        ...(postgres && { DATABASE_URL: await postgres.createDatabase() }),
        LOG_LEVEL: 'silent',
        // Programs of the same machine are not counted without it, and all of these are.
        MAX_CONNECTIONS_PER_ADDRESS: '512',
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'broken',
        LLM_API_KEY: 'none',
        LLM_BASE_URL: provider.url,
      },
    })
    return await soakService(service, milliseconds, limits, harms)
  } finally {
    await postgres?.stop()
    await provider.close()
  }
}

async function soakService(
  service: ServiceProcess,
  milliseconds: number,
  limits: SoakLimits,
  harms: readonly string[],
): Promise<SoakRow[]> {
  const url = await service.url()
  // The first account is the owner's, who may read the metrics.
  const [owner] = (await registerClients(url, 'owner', 1)) as [Client]
  const honest = await registerClients(url, 'honest', ACCOUNTS)
  await prepare(honest[0]!)
  const memory = new MemoryWatch(service.child.pid!)
  await honestWork(honest, newSeen(), lasting(WARM_UP_MS, service))
  const before = memory.now
  const metrics = await metricsOf(owner)
  const seen = newSeen()
  const [done] = await Promise.all([
    attack({ url, harms: [...harms], milliseconds }, service.ended),
    honestWork(honest, seen, lasting(milliseconds, service)),
  ])
  const alive = service.child.exitCode === null && (await isWell(honest[0]!))
  const after = alive ? await metricsOf(owner) : metrics
  const figures = alive ? serviceFigures(metrics, after, service.child.pid!) : []
  const left = await memory.settled(before * limits.growth)
  return [
    ...harms.map((what) => ({
      what,
      value: `${done[what]} times`,
      limit: '≥ 1',
      met: (done[what] ?? 0) > 0,
    })),
    percentile('honest reads', seen.reads, limits.read),
    percentile('honest writes', seen.writes, limits.write),
    { what: 'honest requests that failed', value: faults(seen), limit: '0', met: !seen.faults.size },
    atMost('event loop late, p99', lateness(metrics, after), limits.late, 'ms'),
    atMost('memory', memory.most, limits.megabytes, 'MB'),
    atMost(`memory at the end, of ${Math.round(before)} MB`, left, before * limits.growth, 'MB'),
    { what: 'the service lives', value: alive ? 'yes' : 'no', limit: 'yes', met: alive },
    ...figures.map(([what, value]) => ({ what, value, limit: '', met: true })),
  ]
}

const newSeen = (): Seen => ({ reads: [], writes: [], faults: new Map() })

/** Says for how long, and as long as the service lives. */
function lasting(milliseconds: number, { child }: ServiceProcess): () => boolean {
  const until = performance.now() + milliseconds
  return () => performance.now() < until && child.exitCode === null
}

const honestWork = (clients: readonly Client[], seen: Seen, goesOn: () => boolean) =>
  Promise.all(
    Array.from({ length: HONEST }, (_, i) =>
      workHonestly(clients[i % ACCOUNTS]!, seen, new Chance(TEST_SEED + i), goesOn),
    ),
  )

/** The memory of the service, looked at again and again. */
class MemoryWatch {
  /** MB. */
  most = 0
  private readonly pid: number
  private readonly timer: NodeJS.Timeout

  constructor(pid: number) {
    this.pid = pid
    this.timer = setInterval(() => (this.most = Math.max(this.most, this.now)), LOOK_MS)
  }

  get now(): number {
    return rss(this.pid)
  }

  /** What is left once it is no more than that, at the latest after SETTLE_MS. Ends the watch. */
  async settled(limit: number): Promise<number> {
    clearInterval(this.timer)
    for (const since = performance.now(); performance.now() - since < SETTLE_MS;) {
      if (this.now <= limit) break
      await new Promise((resume) => setTimeout(resume, LOOK_MS))
    }
    return this.now
  }
}

const metricsOf = async (owner: Client) => (await owner.get('/metrics')).body as string

/** All harms at once, from another process, until the time is over or the service has ended. How often each was done. */
async function attack(plan: Attack, serviceEnded: Promise<unknown>): Promise<Done> {
  if (!plan.harms.length) return {}
  const child = fork(`${ROOT}test/soak/hostile-process.ts`, { cwd: ROOT })
  try {
    child.send(plan)
    const told = new Promise<Done>((resolve, reject) => {
      child.once('message', (done: Done) => resolve(done))
      child.once('exit', (code) => reject(new Error(`the hostile clients ended with ${code}`)))
    })
    return await Promise.race([told, serviceEnded.then((): Done => ({}))])
  } finally {
    child.kill('SIGKILL')
  }
}

/** Enough that a list is long and a scan takes its time. */
async function prepare(client: Client): Promise<void> {
  const description = 'a description of some length '.repeat(40)
  for (let made = 0; made < 5000; made += 1000)
    await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => ({ name: `Item ${made + i}`, description })),
    })
}

const isWell = (client: Client): Promise<boolean> =>
  client.get('/api/health').then(
    ({ status }) => status === 200,
    () => false,
  )

/** MB. */
const rss = (pid: number): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0 // it has ended, which is told by itself
  }
}

function percentile(what: string, values: readonly number[], limit: number): SoakRow {
  const ordered = values.toSorted((a, b) => a - b)
  const p99 = ordered[Math.floor(ordered.length * 0.99)] ?? Infinity
  return atMost(`${what}, p99 of ${ordered.length}`, p99, limit, 'ms')
}

const atMost = (what: string, value: number, limit: number, unit: string): SoakRow => ({
  what,
  value: `${Math.round(value)} ${unit}`,
  limit: `≤ ${limit} ${unit}`,
  met: value <= limit,
})

const faults = ({ faults: found }: Seen): string =>
  [...found].map(([told, count]) => `${count} × ${told}`).join('; ') || '0'

/** As a table of text. */
export const soakTable = (rows: readonly SoakRow[]): string =>
  rows
    .map(
      ({ what, value, limit, met }) =>
        `${met ? '✓' : '✗'} ${what.padEnd(40)} ${value.padStart(14)}   ${limit}\n`,
    )
    .join('')
