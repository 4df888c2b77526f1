import { measureListeners, measureStream } from '#bench/measure-streams.ts'
import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { KEYED_COST, PAST_P50, UNDO_COST } from '#bench/targets.ts'

const ROUNDS = 3
/** Of one item. */
const EVENTS = 1000
const READS = 40
const UPDATES = 300
const AT_ONCE = 10

/** What undoing costs beside the change, an item's past, a key of a request, and how soon a listener hears. */
export async function measureChanges(report: Report, facet: Server, items: number): Promise<void> {
  const send = sender(facet)
  await measureUndo(report, send, items)
  await measurePast(report, send, items)
  await measureKeys(report, facet, send, items)
  await measureStream(report, facet, items)
  await measureListeners(report, facet, items)
}

type Send = (method: string, path: string, body?: object, headers?: object) => Promise<Response>

function sender(facet: Server): Send {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${facet.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: facet.cookie!, ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response
  }
}

async function measureUndo(report: Report, send: Send, items: number): Promise<void> {
  const tag = { tag_ref: { New: { name: 'Benched', fields: { owner: 'String' } } } }
  await (await send('POST', '/items/bulk-apply-tag', { filter: { search: '' }, tag })).arrayBuffer()
  const raw: { change: number; undo: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now()
    const changed = await send('POST', '/items/bulk-update-fields', {
      filter: { has_tag: 'Benched' },
      tag_id: 'Benched',
      field_values: { owner: `Owner ${round}` },
      merge: true,
    })
    const change = performance.now() - begun
    const change_ids = [changed.headers.get('x-change-id')]
    await changed.arrayBuffer()
    // The log is whole when it is read.
    await (await send('GET', '/audit-log/head')).arrayBuffer()
    const again = performance.now()
    await (await send('POST', '/changes/undo', { change_ids })).arrayBuffer()
    if (round) raw.push({ change, undo: performance.now() - again })
  }
  const value = median(raw.map(({ change, undo }) => undo / change))
  report.atMost(
    { what: 'undo of a bulk update of all items, of its time', items, value, unit: '×', raw },
    UNDO_COST,
  )
}

async function measurePast(report: Report, send: Send, items: number): Promise<void> {
  const made = await send('POST', '/items', {
    name: 'Much changed',
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: 'Nobody' } }],
  })
  const { item_id } = (await made.json()) as { item_id: string }
  for (let i = 2; i < EVENTS; i++)
    await (await send('PUT', `/items/${item_id}`, { name: `Changed ${i} times` })).arrayBuffer()
  const as_of = new Date().toISOString()
  for (const [what, path] of [
    ['history', `/items/${item_id}/history?limit=${EVENTS}`],
    ['as_of', `/items/${item_id}?as_of=${as_of}`],
  ] as const) {
    const raw: number[] = []
    for (let i = 0; i < READS; i++) {
      const begun = performance.now()
      await (await send('GET', path)).arrayBuffer()
      raw.push(performance.now() - begun)
    }
    report.atMost(
      { what: `${what} of an item with ${EVENTS} events, p50`, items, value: median(raw), unit: 'ms', raw },
      PAST_P50,
    )
  }
}

const HEADED = ['plain', 'keyed', 'conditional'] as const
type Headed = (typeof HEADED)[number]

/**
 * Processor time, because on a busy machine rates say more of the others. What is the same in all of them is an
 * update; `If-Match` names the state that the one before left.
 */
async function measureKeys(report: Report, facet: Server, send: Send, items: number): Promise<void> {
  const costs: Record<Headed, number[]> = { plain: [], keyed: [], conditional: [] }
  const states: Item[] = []
  for (let n = 0; n < AT_ONCE; n++) {
    const { item_id } = (await (await send('POST', '/items', { name: 'Updated' })).json()) as Item
    states.push((await (await send('GET', `/items/${item_id}`)).json()) as Item)
  }
  let count = 0
  const headers = {
    plain: () => ({}),
    keyed: () => ({ 'idempotency-key': `bench ${count}` }),
    conditional: ({ updated_at }: Item) => ({ 'if-match': `"${updated_at}"` }),
  }
  const update = async (kind: Headed, n: number) => {
    const state = states[n]!
    const name = `Updated ${++count} times`
    const answer = await send('PUT', `/items/${state.item_id}`, { name }, headers[kind](state))
    states[n] = (await answer.json()) as Item
  }
  for (let round = 0; round <= 2 * ROUNDS; round++)
    for (const kind of round % 2 ? HEADED : HEADED.toReversed()) {
      const before = facet.cpu
      for (let done = 0; done < UPDATES; done += AT_ONCE)
        await Promise.all(states.map((_, n) => update(kind, n)))
      if (round) costs[kind].push(((facet.cpu - before) * 1e6) / UPDATES)
    }
  const of = (kind: Headed) => median(costs[kind]) / median(costs.plain)
  report.atMost(
    {
      what: 'update with an Idempotency-Key, of one without',
      items,
      value: of('keyed'),
      unit: '×',
      raw: costs,
    },
    KEYED_COST,
  )
  report.note({ what: 'update with If-Match, of one without', items, value: of('conditional'), unit: '×' })
}

interface Item {
  item_id: string
  updated_at: string
}
