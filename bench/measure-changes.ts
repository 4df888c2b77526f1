import { median, type Report } from '#bench/report.ts'
import type { Server } from '#bench/servers.ts'
import { KEYED_CREATE_COST, PAST_P50, STREAMED_P50, UNDO_COST } from '#bench/targets.ts'

const ROUNDS = 3
/** Of one item. */
const EVENTS = 1000
const READS = 40
const CREATES = 300
const AT_ONCE = 10
const STREAMED = 50

/** What undoing costs beside the change, an item's past, a key of a request, and how soon a listener hears. */
export async function measureChanges(report: Report, facet: Server, items: number): Promise<void> {
  const send = sender(facet)
  await measureUndo(report, send, items)
  await measurePast(report, send, items)
  await measureKeys(report, facet, send, items)
  await measureStream(report, facet, send, items)
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
  const raw: { change: number; undo: number }[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now()
    const changed = await send('POST', '/items/bulk-update-fields', {
      filter: { has_tag: 'Task' },
      tag_id: 'Task',
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
  report.atMost({ what: 'undo of a bulk update, of its time', items, value, unit: '×', raw }, UNDO_COST)
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

/** Processor time, because on a busy machine rates say more of the others. */
async function measureKeys(report: Report, facet: Server, send: Send, items: number): Promise<void> {
  const costs = { without: [] as number[], with: [] as number[] }
  let key = 0
  for (let round = 0; round <= ROUNDS; round++)
    for (const kind of round % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      const before = facet.cpu
      for (let done = 0; done < CREATES; done += AT_ONCE)
        await Promise.all(
          Array.from({ length: AT_ONCE }, async () => {
            const headers = kind === 'with' ? { 'idempotency-key': `bench ${key++}` } : {}
            await (await send('POST', '/items', { name: 'Created' }, headers)).arrayBuffer()
          }),
        )
      if (round) costs[kind].push(((facet.cpu - before) * 1e6) / CREATES)
    }
  const value = median(costs.with) / median(costs.without)
  report.atMost(
    { what: 'create with an Idempotency-Key, of one without', items, value, unit: '×', raw: costs },
    KEYED_CREATE_COST,
  )
}

/** From the answer to a create, which follows its commit, to the event at a listener. */
async function measureStream(report: Report, facet: Server, send: Send, items: number): Promise<void> {
  const stop = new AbortController()
  const stream = await fetch(`${facet.url}/api/changes/stream`, {
    headers: { cookie: facet.cookie! },
    signal: stop.signal,
  })
  const heard = new Map<string, number>()
  const listening = (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body!)
      for (const [, item_id] of decoder
        .decode(chunk as Uint8Array, { stream: true })
        .matchAll(/"item_id":"(\w+)"/g))
        if (!heard.has(item_id!)) heard.set(item_id!, performance.now())
  })().catch(() => {})
  const answered = new Map<string, number>()
  for (let i = 0; i < STREAMED; i++) {
    const { item_id } = (await (await send('POST', '/items', { name: 'Told' })).json()) as { item_id: string }
    answered.set(item_id, performance.now())
    await new Promise((resume) => setTimeout(resume, 20))
  }
  await new Promise((resume) => setTimeout(resume, 1000))
  stop.abort()
  await listening
  const raw = [...answered].map(([item_id, at]) => Math.max((heard.get(item_id) ?? Infinity) - at, 0))
  report.atMost(
    {
      what: 'from the answer of a create to its event on a stream, p50',
      items,
      value: median(raw),
      unit: 'ms',
      raw,
    },
    STREAMED_P50,
  )
}
