import { request } from 'node:http'
import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { LIST_RSS_GROWTH, LIST_TIME_RATIO } from '#bench/targets.ts'

const ROUNDS = 7

/** All items in one answer: how long it takes beside the floor, and how much memory it takes. */
export async function measureListing(
  report: Report,
  facet: Server,
  floor: Server,
  items: number,
): Promise<void> {
  const times = { facet: [] as number[], floor: [] as number[] }
  const idle = facet.rss
  let most = idle
  const watch = setInterval(() => (most = Math.max(most, facet.rss)), 5)
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of ['floor', 'facet'] as const) {
      const begun = performance.now()
      await listAll({ facet, floor }[name])
      if (round > 0) times[name].push(performance.now() - begun)
    }
  clearInterval(watch)
  const value = median(times.facet) / median(times.floor)
  const shown = `${median(times.facet).toFixed(0)} ms, floor ${median(times.floor).toFixed(0)} ms`
  report.atMost({ what: `list everything (${shown})`, items, value, unit: '×', raw: times }, LIST_TIME_RATIO)
  report.atMost(
    { what: 'memory over idle while listing', items, value: most - idle, unit: 'MB' },
    LIST_RSS_GROWTH,
  )
}

/** Reads the whole answer as fast as it comes and keeps nothing of it. */
export function listAll({ url, cookie }: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(cookie && { cookie }) }
    const call = request(`${url}/api/items/search`, { method: 'POST', headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`listing answered ${response.statusCode}`)),
      )
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end('{}')
  })
}
