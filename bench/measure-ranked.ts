import { oneByOne } from '#bench/one-by-one.ts'
import { highest, median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { SEARCH_CPU } from '#bench/targets.ts'
import { type WorkName, type WorkRequest, WORKS } from '#bench/works.ts'

/** Before these are measured: a reader keeps what it has read of the index. */
const WARM_UP = 100
const MEASURED = 200

/** What a ranked search costs all threads of the service, one at a time, every request different. */
export async function measureRanked(
  report: Report,
  facet: Server,
  items: number,
  { wants, request }: { wants: (name: string) => boolean; request: (name: WorkName) => WorkRequest },
): Promise<void> {
  for (const [name, [p50, p95]] of Object.entries(SEARCH_CPU) as [WorkName, readonly [number, number]][]) {
    if (!wants(name)) continue
    await oneByOne(
      facet,
      Array.from({ length: WARM_UP }, () => request(name)),
    )
    const costs: number[] = []
    for (let i = 0; i < MEASURED; i++) {
      const before = usedBy(facet)
      await oneByOne(facet, [request(name)])
      costs.push(1000 * (usedBy(facet) - before))
    }
    const figure = { items, unit: 'ms', raw: costs }
    const what = `${WORKS[name].title}: processor time`
    report.atMost({ ...figure, what: `${what}, p50`, value: median(costs) }, p50)
    report.atMost({ ...figure, what: `${what}, p95`, value: highest(costs, 0.95) }, p95)
  }
}

/** Seconds. */
const usedBy = ({ cpuByThread }: Server): number =>
  Object.values(cpuByThread).reduce((sum, each) => sum + each, 0)
