import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { AS_OF_COUNT, AS_OF_PAGE } from '#bench/targets.ts'

/** Items that have changed since the moment: what it costs goes by them, not by the base. */
const TOUCHED = [2500, 5000, 10_000]
const SEARCHES = 20
const MILLION = 1_000_000

/** Milliseconds; of the processor by all threads of the service, on the average. */
interface Timed {
  wall: number
  cpu: number
}

/** A page of a moment, and how many items there were, the more have changed since. */
export async function measureAsOf(report: Report, facet: Server, items: number): Promise<void> {
  const post = async (path: string, body: object): Promise<Response> => {
    const response = await fetch(facet.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: facet.cookie! },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
  const filter = { has_tag: 'Task' }
  const page = { limit: 1000, fields: ['item_id'] }
  const ids: string[] = []
  for (let skip = 0; skip < TOUCHED.at(-1)!; skip += page.limit) {
    const listed = await post('/api/items/search', { filter, ...page, skip })
    ids.push(...((await listed.json()) as { item_id: string }[]).map(({ item_id }) => item_id))
  }
  const moment = Date.now()
  await new Promise((resume) => setTimeout(resume, 50))
  const timed = async (more: object, as_of: (n: number) => number): Promise<Timed> => {
    const times: number[] = []
    const before = facet.cpu
    for (let n = 0; n < SEARCHES; n++) {
      const body = { filter, as_of: new Date(as_of(n)).toISOString(), ...more }
      const begun = performance.now()
      await (await post('/api/items/search', body)).arrayBuffer()
      times.push(performance.now() - begun)
    }
    return { wall: median(times), cpu: ((facet.cpu - before) * 1000) / SEARCHES }
  }
  const same = () => moment
  // Another each time: the service keeps what it has made of the last ones.
  let others = 0
  const another = () => moment - ++others
  let touched = 0
  for (const count of TOUCHED.filter((each) => each <= ids.length)) {
    const since = { id: { in: ids.slice(touched, count) } }
    await (await post('/api/items/bulk-delete', { filter: since })).arrayBuffer()
    touched = count
    const what = `as of a moment, ${count.toLocaleString('en')} items touched since`
    const isLast = items === MILLION && count === TOUCHED.at(-1)
    for (const [name, as_of] of [
      ['of another moment', another],
      ['of the same', same],
    ] as const)
      for (const [part, more, target] of [
        ['page', { limit: 50 }, AS_OF_PAGE],
        ['page by name', { limit: 50, sort: [{ by: 'name' }] }, AS_OF_COUNT],
        ['count', { limit: 0, count: true }, AS_OF_COUNT],
      ] as const) {
        const { wall, cpu } = await timed(more, as_of)
        const measured = { what: `${what}: ${part} ${name}, p50`, items, value: wall, unit: 'ms' }
        report.note({ what: `${what}: ${part} ${name}, processor time`, items, value: cpu, unit: 'ms' })
        if (isLast) report.atMost(measured, target)
        else report.note(measured)
      }
  }
}
