import { setTimeout } from 'node:timers/promises'
import { IMPORT_FILES } from '#bench/import-files.ts'
import type { Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { IMPORT_RSS, IMPORT_SECONDS, IMPORT_WAIT_MS } from '#bench/targets.ts'

/** Rows of each format. */
const SOME = 10_000
/** Rows of the CSV file that the targets are of. */
const MANY = 100_000
const UNDER_WAY = new Set(['reading', 'checking', 'running'])
/** Milliseconds between two looks, and between two writes of somebody else. */
const PAUSE = 50

/** Rows a second of each format, from the upload to the end. */
export async function measureFormats(report: Report, facet: Server, items: number): Promise<void> {
  for (const name of Object.keys(IMPORT_FILES)) {
    const { seconds, cpu } = await importRows(facet, name, SOME)
    const what = `import of ${name}, ${SOME.toLocaleString('en')} rows (${((cpu * 1e6) / SOME).toFixed(0)} µs of processor time each)`
    report.note({ what, items, value: SOME / seconds, unit: 'rows/s', raw: { seconds, cpu } })
  }
}

/** A large one: its time, its memory, and how long others wait. */
export async function measureLargeImport(
  report: Report,
  facet: Server,
  items: number,
  engine: 'sqlite' | 'postgres',
): Promise<void> {
  const { seconds, cpu, grown, waited } = await importRows(facet, 'rows.csv', MANY)
  const what = `import of ${MANY.toLocaleString('en')} rows (${cpu.toFixed(0)} s of processor time)`
  report.atMost({ what, items, value: seconds, unit: 's', raw: { cpu } }, IMPORT_SECONDS[engine])
  report.atMost({ what: 'memory over idle meanwhile', items, value: grown, unit: 'MB' }, IMPORT_RSS)
  const most = Math.max(...waited)
  report.atMost(
    { what: "others' writes meanwhile, longest", items, value: most, unit: 'ms', raw: waited },
    IMPORT_WAIT_MS,
  )
}

interface Imported {
  seconds: number
  cpu: number
  /** Megabytes over what it took before. */
  grown: number
  /** Milliseconds of each write of somebody else. */
  waited: number[]
}

async function importRows(facet: Server, name: string, rows: number): Promise<Imported> {
  const body = await IMPORT_FILES[name]!(rows)
  const send = async (method: string, path: string, given?: object | Buffer) => {
    const isFile = Buffer.isBuffer(given)
    const response = await fetch(`${facet.url}/api${path}`, {
      method,
      headers: {
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        cookie: facet.cookie!,
      },
      ...(given && { body: isFile ? new Uint8Array(given) : JSON.stringify(given) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { import_id: string; file_id: string; state: string; created: number }
  }
  const before = { rss: facet.rss, cpu: facet.cpu }
  let most = before.rss
  const over = new AbortController()
  const waited: number[] = []
  const others = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const begun = performance.now()
      await send('POST', '/items', { name: `Meanwhile ${n}` })
      waited.push(performance.now() - begun)
      most = Math.max(most, facet.rss)
      await setTimeout(PAUSE)
    }
  })()
  const begun = performance.now()
  const { file_id } = await send('POST', `/files?name=${name}`, body)
  const { import_id } = await send('POST', '/imports', { file_id })
  const end = async (): Promise<{ state: string; created: number }> => {
    for (;;) {
      const found = await send('GET', `/imports/${import_id}`)
      if (!UNDER_WAY.has(found.state)) return found
      await setTimeout(PAUSE)
    }
  }
  await end()
  await send('PUT', `/imports/${import_id}`, {})
  await end()
  await send('POST', `/imports/${import_id}/run`, {})
  const done = await end()
  const seconds = (performance.now() - begun) / 1000
  over.abort()
  await others
  if (done.state !== 'done' || done.created !== rows) throw new Error(`${name}: ${JSON.stringify(done)}`)
  return { seconds, cpu: facet.cpu - before.cpu, grown: most - before.rss, waited }
}
