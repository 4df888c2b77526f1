import { request } from 'node:http'
import type { Report } from '#bench/report.ts'
import { register, type Server } from '#bench/servers.ts'
import { LIVE_LOOP_P99, LIVE_P95, LIVE_RSS } from '#bench/targets.ts'

const STREAMS = 1000
const FILTERS = 200
/** Of a user; ten users are enough for a thousand streams. */
const OF_AN_ACCOUNT = 50
const WRITES_PER_SECOND = 100
const SECONDS = 10
const SETTLE_MS = 2000

/**
 * A thousand streams over two hundred filters, half of them through a reference, while a hundred items a second change:
 * from a write that is sent to its events, the event loop, memory.
 */
export async function measureLive(report: Report, facet: Server, items: number): Promise<void> {
  const paths = await makeItems(facet)
  const cookies: string[] = []
  for (let n = 0; n < STREAMS / OF_AN_ACCOUNT; n++)
    cookies.push(await register(facet.url, `live-${n}@example.org`))
  await pause(SETTLE_MS)
  const before = facet.rss
  const sent: number[] = []
  const delays: number[] = []
  const hear = (text: string) => {
    for (const [, seq] of text.matchAll(/"seq":(\d+)/g)) delays.push(performance.now() - sent[Number(seq)]!)
  }
  const open = Array.from({ length: STREAMS }, (_, n) =>
    listen(facet.url, cookies[Math.floor(n / OF_AN_ACCOUNT)]!, filterOf(n % FILTERS), hear),
  )
  await Promise.all(open.map(({ opened }) => opened))
  await pause(SETTLE_MS)
  const delay = await facet.loopDelay(() => write(facet, paths, sent))
  await pause(SETTLE_MS)
  const rss = facet.rss - before
  for (const each of open) each.leave()
  delays.sort((a, b) => a - b)
  const expected = (sent.length * STREAMS) / FILTERS
  const at = (part: number) => delays[Math.floor(delays.length * part)] ?? Infinity
  const raw = { told: delays.length, expected, p50: at(0.5), p99: at(0.99) }
  if (delays.length < expected) throw new Error(`live: ${delays.length} of ${expected} events came`)
  const what = `${STREAMS} live streams over ${FILTERS} filters, ${WRITES_PER_SECOND} writes/s`
  report.atMost({ what: `${what}: to the event, p95`, items, value: at(0.95), unit: 'ms', raw }, LIVE_P95)
  report.atMost(
    { what: 'event loop delay meanwhile, p99', items, value: delay.p99, unit: 'ms' },
    LIVE_LOOP_P99,
  )
  report.atMost({ what: 'memory of them', items, value: rss, unit: 'MB', raw: { before } }, LIVE_RSS)
}

/** One item for each filter: of an even one the item itself, of an odd one what it refers to decides. */
const filterOf = (n: number): object => (n % 2 ? { 'Live.to->LiveGroup.group': n } : { 'Live.group': n })

const JSON_TYPE = { 'content-type': 'application/json' }

async function send(facet: Server, method: 'POST' | 'PUT', path: string, body: object): Promise<unknown> {
  const response = await fetch(facet.url + path, {
    method,
    headers: { ...JSON_TYPE, cookie: facet.cookie! },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** Where the values of each are written. */
async function makeItems(facet: Server): Promise<string[]> {
  await send(facet, 'POST', '/api/tags', { name: 'LiveGroup', fields: { group: 'Number' } })
  const fields = { group: 'Number', to: 'Reference', seq: 'Number' }
  const tag = (await send(facet, 'POST', '/api/tags', { name: 'Live', fields })) as { tag_id: string }
  const made = async (name: string, tag: string, field_values: object) => {
    const body = { name, tags: [{ tag_ref: { Existing: tag }, field_values }] }
    return ((await send(facet, 'POST', '/api/items', body)) as { item_id: string }).item_id
  }
  const paths: string[] = []
  for (let n = 0; n < FILTERS; n++) {
    const to = n % 2 ? await made(`Group ${n}`, 'LiveGroup', { group: n }) : null
    paths.push(`/api/items/${await made(`Live ${n}`, 'Live', { group: n, to })}/tags/${tag.tag_id}`)
  }
  return paths
}

/** Sends writes at their times, whether or not those before have been answered. */
async function write(facet: Server, paths: readonly string[], sent: number[]): Promise<void> {
  const begun = performance.now()
  const answers: Promise<unknown>[] = []
  for (let seq = 0; seq < WRITES_PER_SECOND * SECONDS; seq++) {
    const due = begun + (seq * 1000) / WRITES_PER_SECOND
    if (due > performance.now()) await pause(due - performance.now())
    sent[seq] = performance.now()
    answers.push(send(facet, 'PUT', paths[(seq * 7) % paths.length]!, { field_values: { seq }, merge: true }))
  }
  await Promise.all(answers)
}

/** @param hear is called with whole messages, as they come */
export function listen(url: string, cookie: string, filter: object, hear: (text: string) => void) {
  const asked = request(`${url}/api/items/search/stream`, {
    method: 'POST',
    headers: { ...JSON_TYPE, cookie },
    agent: false,
  })
  const opened = new Promise<void>((resolve, reject) => {
    asked.once('response', (response) => {
      let rest = ''
      response.setEncoding('utf8').on('error', () => {})
      response.on('data', (chunk: string) => {
        const text = rest + chunk
        const whole = text.lastIndexOf('\n\n') + 2
        if (whole < 2) return void (rest = text)
        hear(text.slice(0, whole))
        rest = text.slice(whole)
      })
      if (response.statusCode === 200) resolve()
      else reject(new Error(`a live stream answered ${response.statusCode}`))
    })
    asked.once('error', reject)
  })
  asked.end(JSON.stringify({ filter }))
  return { opened, leave: () => asked.destroy() }
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
