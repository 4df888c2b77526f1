import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Job, Load } from '#bench/load.ts'
import { median } from '#bench/report.ts'
import { sampleOf } from '#bench/sample.ts'
import { Server } from '#bench/servers.ts'
import { type WorkName, WORKS } from '#bench/works.ts'

/**
 * Microseconds of processor time that a request costs, by thread; beside another checkout in turns, so that a busy
 * moment of the machine hits both. It holds on a machine on which rates do not.
 *
 *   node bench/cpu.ts read,create [--beside ../other] [--connections 10] [--rounds 3] [--requests 4000] [--items 10000]
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    beside: { type: 'string' },
    connections: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    requests: { type: 'string', default: '4000' },
    items: { type: 'string', default: '10000' },
  },
})
const works = (positionals[0] ?? 'read,two_fields,create,merge').split(',') as WorkName[]
const roots = [...(values.beside ? [resolve(values.beside)] : []), process.cwd()]

interface Measured {
  server: Server
  sample: Job['sample']
}

const load: ChildProcess = fork('bench/load.ts')
let seed = 1

async function apply({ server, sample }: Measured, work: WorkName, amount: number): Promise<Load> {
  const { url, cookie } = server
  const connections = Number(values.connections)
  const job: Job = { targets: [{ url, cookie }], sample, work, connections, seconds: 0, amount, seed: seed++ }
  load.send(job)
  const [answer] = await once(load, 'message')
  return answer as Load
}

/** Microseconds for one request by thread, `all` of them together among it. */
async function measure(measured: Measured, work: WorkName): Promise<Record<string, number>> {
  const { title: _, items = 1 }: { title: string; items?: number } = WORKS[work]
  const before = measured.server.cpuByThread
  const { requests } = await apply(measured, work, Number(values.requests))
  const after = measured.server.cpuByThread
  const used: Record<string, number> = { all: 0 }
  for (const [thread, seconds] of Object.entries(after)) {
    const microseconds = ((seconds - (before[thread] ?? 0)) * 1e6) / requests / items
    used[thread] = microseconds
    used.all! += microseconds
  }
  return used
}

/** Each checkout makes the data of its own schema. */
function dataOf(root: string): string {
  const script = `import('#bench/data.ts').then(async ({ dataFile }) => console.log(await dataFile(${values.items})))`
  const { stdout } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })
  return resolve(root, stdout.trim())
}

const measured: Measured[] = []
for (const root of roots) {
  const data = dataOf(root)
  const server = await Server.startFacet(data, { root })
  measured.push({ server, sample: sampleOf(data) })
}
try {
  for (const work of works) {
    for (const each of measured) await apply(each, work, Number(values.requests))
    const rounds = measured.map(() => [] as Record<string, number>[])
    for (let round = 0; round < Number(values.rounds); round++)
      for (const [i, each] of measured.entries()) rounds[i]!.push(await measure(each, work))
    for (const [i, list] of rounds.entries()) {
      const threads = [...new Set(list.flatMap((each) => Object.keys(each)))]
      const shown = threads
        .map((thread) => [thread, median(list.map((each) => each[thread] ?? 0))] as const)
        .filter(([, time]) => time >= 1)
        .map(([thread, time]) => `${thread} ${time.toFixed(0)}`)
      process.stdout.write(
        `${work.padEnd(18)} ${roots[i]!.split('/').at(-1)!.padEnd(12)} ${shown.join('  ')}\n`,
      )
    }
  }
} finally {
  for (const { server } of measured) await server.stop()
  load.kill()
}
