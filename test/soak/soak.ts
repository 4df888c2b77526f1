import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { ROOT, ServiceProcess } from '#test/support/process.ts'
import { startBrokenProvider } from '#test/soak/broken-provider.ts'
import { HARMS } from '#test/soak/hostile.ts'
import type { Attack, Done } from '#test/soak/hostile-process.ts'
import { type Seen, workHonestly } from '#test/soak/honest.ts'
import { registerClients } from '#test/soak/register-clients.ts'
import { serviceFigures } from '#test/soak/service-figures.ts'

const HONEST = 32
/** Honest people share accounts, as many as this. */
const ACCOUNTS = 4
const LOOK_MS = 250

export interface SoakLimits {
  /** Milliseconds, 99th percentile. */
  read: number
  write: number
  megabytes: number
}
export const LIMITS: SoakLimits = { read: 250, write: 1000, megabytes: 1024 }

interface SoakRow {
  what: string
  value: string
  limit: string
  met: boolean
}

/** A service as a process of its own, honest clients, and one of each kind of harm, all at once for so long. */
export async function soak(
  milliseconds: number,
  limits: SoakLimits,
  harms: readonly string[] = Object.keys(HARMS),
): Promise<SoakRow[]> {
  const provider = await startBrokenProvider()
  try {
    await using service = new ServiceProcess({
      env: {
        LOG_LEVEL: 'silent',
        LLM_PROVIDER: 'openai-compatible',
        LLM_MODEL: 'broken',
        LLM_API_KEY: 'none',
        LLM_BASE_URL: provider.url,
      },
    })
    return await soakService(service, milliseconds, limits, harms)
  } finally {
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
  const metrics = await metricsOf(owner)
  const seen: Seen = { reads: [], writes: [], faults: new Map() }
  const until = performance.now() + milliseconds
  const goesOn = () => performance.now() < until && service.child.exitCode === null
  let megabytes = 0
  const watch = setInterval(() => (megabytes = Math.max(megabytes, rss(service.child.pid!))), LOOK_MS)
  const [done] = await Promise.all([
    attack({ url, harms: [...harms], milliseconds }, service.ended),
    Promise.all(
      Array.from({ length: HONEST }, (_, i) =>
        workHonestly(honest[i % ACCOUNTS]!, seen, new Chance(TEST_SEED + i), goesOn),
      ),
    ),
  ]).finally(() => clearInterval(watch))
  const alive = service.child.exitCode === null && (await isWell(honest[0]!))
  const figures = alive ? serviceFigures(metrics, await metricsOf(owner), service.child.pid!) : []
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
    atMost('memory', megabytes, limits.megabytes, 'MB'),
    { what: 'the service lives', value: alive ? 'yes' : 'no', limit: 'yes', met: alive },
    ...figures.map(([what, value]) => ({ what, value, limit: '', met: true })),
  ]
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
