import type { Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { BULK_WAIT_MS } from '#bench/targets.ts'

/** From one write of somebody else to the next. */
const PAUSE_MS = 5

/** Changes of all tasks, one after the other; the last leaves none. */
const CHANGES = [
  [
    'bulk update of a field',
    'bulk-update-fields',
    { tag_id: 'Task', field_values: { owner: 'Nobody' }, merge: true },
  ],
  [
    'bulk application of a tag',
    'bulk-apply-tag',
    { tag: { tag_ref: { New: { name: 'Fresh', fields: {} } } } },
  ],
  ['bulk removal of a tag', 'bulk-remove-tag', { tag_id: 'Fresh' }],
  ['bulk delete', 'bulk-delete', {}],
] as const

/** How long somebody else's write waits while nine in ten items are changed at once, and while that is undone. */
export async function measureBulkWait(report: Report, facet: Server, items: number): Promise<void> {
  const send = async (path: string, body: object) => {
    const response = await fetch(`${facet.url}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: facet.cookie! },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
    return { text, change_id: response.headers.get('x-change-id') }
  }
  const measure = async (what: string, path: string, body: object) => {
    const under = { way: true, longest: 0 }
    const others = (async () => {
      while (under.way) {
        const begun = performance.now()
        await send('/items', { name: 'Beside' })
        under.longest = Math.max(under.longest, performance.now() - begun)
        await new Promise((resume) => setTimeout(resume, PAUSE_MS))
      }
    })()
    const begun = performance.now()
    const { text, change_id } = await send(path, body)
    const took = performance.now() - begun
    under.way = false
    await others
    const { affected_count, undone_events } = JSON.parse(text)
    const title = `longest write beside a ${what} of ${affected_count ?? undone_events} (${(took / 1000).toFixed(1)} s)`
    report.atMost({ what: title, items, value: under.longest, unit: 'ms', raw: { took } }, BULK_WAIT_MS)
    return change_id
  }
  for (const [i, [what, path, change]] of CHANGES.entries()) {
    const change_id = await measure(what, `/items/${path}`, { ...change, filter: { has_tag: 'Task' } })
    if (i === 0) await measure('undo of it, all', '/changes/undo', { change_ids: [change_id] })
  }
}
