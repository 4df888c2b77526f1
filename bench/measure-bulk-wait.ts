import type { Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { BULK_WAIT_MS } from '#bench/targets.ts'
import { sendTo, writesBeside } from '#bench/writes-beside.ts'

/** Of all tasks; each is undone, and done again where what follows needs it. */
const FILTER = { has_tag: 'Task' }
const SET = { tag_id: 'Task', field_values: { owner: 'Nobody' }, merge: true }
const NEW = { tag: { tag_ref: { New: { name: 'Fresh', fields: {} } } } }
const CHANGES: readonly (readonly [what: string, path: string, change: object, undo: boolean])[] = [
  ['bulk update of a field', 'bulk-update-fields', SET, true],
  ['bulk application of a tag', 'bulk-apply-tag', NEW, false],
  ['bulk removal of a tag', 'bulk-remove-tag', { tag_id: 'Fresh' }, true],
  ['bulk delete', 'bulk-delete', {}, true],
  ['bulk delete, once more', 'bulk-delete', {}, false],
  ['bulk restoration', 'restore', {}, false],
]

/** How long somebody else's write waits while nine in ten items are changed at once, and while that is undone. */
export async function measureBulkWait(report: Report, facet: Server, items: number): Promise<void> {
  const measure = async (what: string, path: string, body: object) => {
    const others = writesBeside(facet)
    const begun = performance.now()
    const { text, headers } = await sendTo(facet, path, body)
    const took = performance.now() - begun
    const longest = await others.end()
    const { affected_count, undone_events } = JSON.parse(text)
    const title = `longest write beside a ${what} of ${affected_count ?? undone_events} (${(took / 1000).toFixed(1)} s)`
    report.atMost({ what: title, items, value: longest, unit: 'ms', raw: { took } }, BULK_WAIT_MS)
    return headers.get('x-change-id')
  }
  for (const [what, path, change, undo] of CHANGES) {
    const change_id = await measure(what, `/items/${path}`, { ...change, filter: FILTER })
    if (undo) await measure(`undo of that (${what})`, '/changes/undo', { change_ids: [change_id] })
  }
}
