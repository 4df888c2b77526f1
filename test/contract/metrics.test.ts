import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { openMcpStream } from '#test/support/mcp.ts'
import { type Family, parsePrometheus, valueOf } from '#test/support/prometheus.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let owner: Client
let key: string

beforeAll(async () => {
  service = await startService({ env: { METRICS_PORT: '0' } })
  owner = await service.user()
  ;({ key } = await owner.ok('POST', '/api/keys', { name: 'watch', scope: 'read' }))
})
afterAll(() => service.close())

/** What a scraper gets on the port of its own. */
async function scrape(): Promise<Map<string, Family>> {
  const response = await fetch(`${service.metrics_url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return parsePrometheus(await response.text())
}

const REQUESTS = 'facet_http_requests_total'
const TIMES = 'facet_http_request_duration_seconds'

describe('metrics', () => {
  it('are served on a port of their own to anyone who asks, and nothing else is', async () => {
    const ask = (path: string, init?: RequestInit) => fetch(`${service.metrics_url}${path}`, init)
    expect(new URL(service.metrics_url!).hostname).toBe('127.0.0.1')
    expect((await ask('/metrics/?x=1')).status).toBe(200)
    expect((await ask('/metrics', { method: 'HEAD' })).status).toBe(200)
    expect((await ask('/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
    for (const path of ['/', '/api/items', '/api/health', '/metrics/../api/items', '/metricsx'])
      expect((await ask(path)).status, path).toBe(404)
  })

  it('are served on the main port to owners and their keys alone', async () => {
    const editor = await service.user()
    const theirs = await editor.ok('POST', '/api/keys', { name: 'x', scope: 'write' })
    const ask = (headers?: Record<string, string>) => service.client().get('/metrics', headers)
    expect((await ask()).status).toBe(401)
    expect((await editor.get('/metrics')).status).toBe(403)
    expect((await ask({ authorization: `Bearer ${theirs.key}` })).status).toBe(403)
    expect((await ask({ authorization: 'Bearer facet_nonsense' })).status).toBe(401)
    expect((await owner.get('/metrics')).status).toBe(200)
    const answer = await ask({ authorization: `Bearer ${key}` })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(parsePrometheus(answer.body).size).toBeGreaterThan(15)
  })

  it('are well-formed under load and only go up where they count', async () => {
    const over = new AbortController()
    const work = Array.from({ length: 8 }, async (_, n) => {
      for (let i = 0; !over.signal.aborted; i++) {
        await owner.ok('POST', '/api/items', { name: `Item ${n}.${i}` })
        await owner.post('/api/items/search', { filter: { search: `${i}` }, limit: 5 })
        await owner.get(`/api/items/no-such-${n}-${i}`)
        await owner.get(`/nowhere/${n}/${i}`)
      }
    })
    let before = await scrape()
    for (let i = 0; i < 20; i++) {
      const now = await scrape()
      for (const { name, type, series } of before.values())
        if (type !== 'gauge')
          for (const { name: full, labels, value } of series)
            if (!full.endsWith('_sum'))
              expect(valueOf(now, full, labels), `${name} ${JSON.stringify(labels)}`).toBeGreaterThanOrEqual(
                value,
              )
      before = now
    }
    over.abort()
    await Promise.all(work)
  })

  it('count requests by route and status, and a path never is in a label', async () => {
    const before = await scrape()
    for (let i = 0; i < 5; i++) await owner.get(`/api/items/unknown-${i}`)
    const { item_id } = await owner.ok('POST', '/api/items', { name: 'Here' })
    await owner.ok('GET', `/api/items/${item_id}?expand=true`)
    await owner.get('/api/no/such/route')
    await owner.send('PATCH', '/api/items')
    const after = await scrape()
    const grown = (name: string, labels: Record<string, string>) =>
      valueOf(after, name, labels) - valueOf(before, name, labels)
    const route = '/api/items/{item_id}'
    expect(grown(REQUESTS, { method: 'GET', route, status: '404' })).toBe(5)
    expect(grown(REQUESTS, { method: 'GET', route, status: '200' })).toBe(1)
    expect(grown(`${TIMES}_count`, { method: 'GET', route })).toBe(6)
    expect(grown(`${TIMES}_bucket`, { method: 'GET', route, le: '+Inf' })).toBe(6)
    expect(grown(REQUESTS, { route: 'none', status: '404' })).toBe(1)
    expect(grown(REQUESTS, { route: 'none', status: '405' })).toBe(1)
    const known = new Set(['none', ...service.routes().map((each) => each.slice(each.indexOf(' ') + 1))])
    for (const { labels } of after.get(REQUESTS)!.series) expect(known).toContain(labels.route)
  })

  it('show the engine: queues, times, commits and how many calls they hold', async () => {
    const before = await scrape()
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => owner.ok('POST', '/api/items', { name: `Many ${i}` })),
    )
    await owner.ok('POST', '/api/items/search', { limit: 1 })
    const after = await scrape()
    const grown = (name: string, labels: Record<string, string> = {}) =>
      valueOf(after, name, labels) - valueOf(before, name, labels)
    expect(grown('facet_engine_run_seconds_count', { kind: 'write' })).toBe(40)
    expect(grown('facet_engine_wait_seconds_count', { kind: 'write' })).toBe(40)
    expect(grown('facet_engine_run_seconds_count', { kind: 'read' })).toBeGreaterThanOrEqual(1)
    expect(grown('facet_engine_run_seconds_count', { kind: 'lookup' })).toBeGreaterThan(0)
    expect(grown('facet_engine_commit_calls_sum')).toBe(40)
    const commits = grown('facet_engine_commit_seconds_count')
    expect(commits).toBe(grown('facet_engine_commit_calls_count'))
    expect(commits).toBeLessThan(40)
    // Waiting and running are of the same clock: neither is longer than the whole.
    expect(grown('facet_engine_wait_seconds_sum', { kind: 'write' })).toBeLessThan(40 * 30)
    for (const kind of ['read', 'long_read', 'write'])
      expect(after.get('facet_engine_queue_length')!.series.map(({ labels }) => labels.kind)).toContain(kind)
    expect(valueOf(after, 'facet_engine_queue_length')).toBe(0)
    expect(valueOf(after, 'facet_database_size_bytes')).toBeGreaterThan(100_000)
  })

  it('show open streams while they are open', async () => {
    const open = async (kind: string) => valueOf(await scrape(), 'facet_open_streams', { kind })
    expect(await open('mcp_sse')).toBe(0)
    const streams = [await openMcpStream(owner), await openMcpStream(owner)]
    expect(await open('mcp_sse')).toBe(2)
    for (const stream of streams) stream.leave!()
    await expect.poll(() => open('mcp_sse')).toBe(0)
    // How long a stream was open says nothing about how fast answers are.
    const after = await scrape()
    expect(valueOf(after, REQUESTS, { route: '/api/mcp/sse', status: '200' })).toBe(2)
    expect(valueOf(after, `${TIMES}_count`, { route: '/api/mcp/sse' })).toBe(0)
  })

  it('count sign-ins that fail', async () => {
    const failed = async (by: string) => valueOf(await scrape(), 'facet_sign_in_failures_total', { by })
    const { email } = await owner.ok('GET', '/api/auth/me')
    const before = await failed('password')
    for (const address of [email, 'nobody@example.org'])
      await service.client().post('/api/auth/login', { email: address, password: 'wrong horse' })
    expect(await failed('password')).toBe(before + 2)
  })

  it('have the heads of the logs, to be stored elsewhere', async () => {
    const HASH = expect.stringMatching(/^(?!0{64})[0-9a-f]{64}$/)
    await owner.ok('POST', '/api/items', { name: 'Newest' })
    const { hash } = await owner.ok('GET', '/api/audit-log/head')
    expect((await scrape()).get('facet_audit_head_info')!.series).toMatchObject([
      { labels: { hash, changes: HASH, security: HASH }, value: 1 },
    ])
  })

  it('show the process and its event loop', async () => {
    const now = await scrape()
    expect(valueOf(now, 'process_resident_memory_bytes')).toBeGreaterThan(10e6)
    expect(valueOf(now, 'process_cpu_seconds_total')).toBeGreaterThan(0)
    expect(Math.abs(valueOf(now, 'process_start_time_seconds') - Date.now() / 1000)).toBeLessThan(3600)
    expect(valueOf(now, 'facet_event_loop_delay_seconds_count')).toBeGreaterThan(0)
    expect(valueOf(now, 'facet_http_connections')).toBeGreaterThanOrEqual(1)
    expect(now.get('facet_info')!.series[0]!.labels.version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('are all in the document, which names no others', async () => {
    const document = readFileSync(new URL('../../docs/reference/metrics.md', import.meta.url), 'utf8')
    const written = [...document.matchAll(/^\| `(\w+)` \| (\w+) \|/gm)].map(
      ([, name, type]) => `${name} ${type}`,
    )
    const told = [...(await scrape()).values()].map(({ name, type }) => `${name} ${type}`)
    expect(written.toSorted()).toEqual(told.toSorted())
  })

  it('name no account, item, address or key', async () => {
    const { user_id, email } = await owner.ok('GET', '/api/auth/me')
    const text = await (await fetch(`${service.metrics_url}/metrics`)).text()
    for (const secret of [user_id, email, key.slice(0, 12), '127.0.0.1']) expect(text).not.toContain(secret)
  })
})
