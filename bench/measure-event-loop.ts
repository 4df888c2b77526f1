import type { Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { LOOP_DELAY_P99 } from '#bench/targets.ts'

/** Filters that no index helps: each looks at every item. */
const SCANS = [
  { 'Task.owner': { regex: 'x{3}$' } },
  { name: { contains: 'nowhere to be found' } },
  { not: { 'Task.priority': { gte: 0 } } },
  { description: { regex: '^nothing' } },
]
const AT_ONCE = 20

/** The delay of the server's event loop while 20 searches run over all items. */
export async function measureEventLoop(report: Report, facet: Server, items: number): Promise<void> {
  const search = (filter: object) =>
    fetch(`${facet.url}/api/items/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: facet.cookie! },
      body: JSON.stringify({ filter, limit: 50 }),
    }).then((response) => response.text())
  const begun = performance.now()
  const delay = await facet.loopDelay(() =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, i) => search(SCANS[i % SCANS.length]!))),
  )
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  report.atMost(
    {
      what: `event loop delay during ${AT_ONCE} scans (${seconds} s), p99`,
      items,
      value: delay.p99,
      unit: 'ms',
      raw: delay,
    },
    LOOP_DELAY_P99,
  )
}
