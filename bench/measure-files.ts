import { rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { median, type Report } from '#bench/report.ts'
import { Server } from '#bench/servers.ts'
import { FILE_RATIO, UPLOAD_RSS } from '#bench/targets.ts'
import { uploadOf } from '#bench/upload.ts'

const ROUNDS = 5
const MEGABYTES = 64
const LARGE = { name: 'one upload of 5 GB', count: 1, bytes: 5 * 2 ** 30 }
const MANY = { name: '50 uploads of 20 MB at once', count: 50, bytes: 20 * 2 ** 20 }

/** Megabytes a second of one file up and down, beside a bare server, in turns. */
export async function measureFiles(report: Report, facet: Server, items: number): Promise<void> {
  const bare = await Server.startBareFiles()
  const servers = { facet, bare }
  const up = { facet: [] as number[], bare: [] as number[] }
  const down = { facet: [] as number[], bare: [] as number[] }
  try {
    const body = randomBytes(MEGABYTES * 2 ** 20)
    for (let round = 0; round <= ROUNDS; round++)
      for (const name of round % 2 ? (['facet', 'bare'] as const) : (['bare', 'facet'] as const)) {
        body.writeUInt32BE(round) // the same bytes again would be kept once
        const times = await move(servers[name], body)
        if (!round) continue
        up[name].push(MEGABYTES / times.up)
        down[name].push(MEGABYTES / times.down)
      }
  } finally {
    await bare.stop()
  }
  for (const [way, rates] of Object.entries({ upload: up, download: down })) {
    const shown = `${median(rates.facet).toFixed(0)} MB/s, bare ${median(rates.bare).toFixed(0)} MB/s`
    const value = median(rates.facet) / median(rates.bare)
    const what = `${way} of ${MEGABYTES} MB (${shown})`
    report.atLeast({ what, items, value, unit: '×', raw: rates }, FILE_RATIO)
  }
}

/** Megabytes over what it has before, of a large file and of many at once; what they leave on the disk goes again. */
export async function measureUploadMemory(report: Report, facet: Server, items: number): Promise<void> {
  const { url, cookie } = facet
  for (const { name, count, bytes } of [LARGE, MANY]) {
    await uploadOf(url, cookie!, 2 ** 20)
    const before = facet.rss
    let most = before
    const watch = setInterval(() => (most = Math.max(most, facet.rss)), 10)
    await Promise.all(Array.from({ length: count }, () => uploadOf(url, cookie!, bytes)))
    clearInterval(watch)
    const what = `memory over before of ${name}`
    report.atMost({ what, items, value: most - before, unit: 'MB', raw: { before } }, UPLOAD_RSS)
  }
  rmSync('.bench/run/files', { recursive: true, force: true })
}

/** Seconds. */
async function move({ url, cookie }: Server, body: Buffer): Promise<{ up: number; down: number }> {
  const headers = { 'content-type': 'application/octet-stream', cookie: cookie ?? '' }
  const begun = performance.now()
  const sent = await fetch(`${url}/api/files?name=bench.bin`, {
    method: 'POST',
    headers,
    body: new Uint8Array(body.buffer, 0, body.length),
  })
  const { file_id = '' } = (await sent.json()) as { file_id?: string }
  if (!sent.ok) throw new Error(`the upload answered ${sent.status}`)
  const between = performance.now()
  const got = await fetch(`${url}/api/files/${file_id}`, { headers: { cookie: cookie ?? '' } })
  let length = 0
  for await (const piece of got.body!) length += (piece as Uint8Array).length
  if (length !== body.length) throw new Error(`the download gave ${length} bytes`)
  return { up: (between - begun) / 1000, down: (performance.now() - between) / 1000 }
}
