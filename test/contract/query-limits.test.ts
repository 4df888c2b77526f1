import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { wideFilter } from '#test/support/wide-filter.ts'

const TIMEOUT = 3000
/** Over the deadline: how often it is looked, and a busy machine. */
const LATE = 2500
/** Anyone who waited for such a query would wait for nearly all of it. */
const QUICK = 2000
const ITEMS = 3000
/** Milliseconds; twelve queries that went on would take their 60 s, two at a time. */
const ENDED = 15_000

let service: Service
let user: Client
let other: Client

/** A pattern as large as one may be, on a long text: one match takes many seconds. */
const slowPattern = { description: { matches: `${'\\pL{0,1000}'.repeat(4)}\\pN` } }

beforeAll(async () => {
  service = await startService({ env: { QUERY_TIMEOUT: `${TIMEOUT}ms` } })
  user = await service.user()
  other = await service.user()
  const description = 'a description of some length '.repeat(40)
  for (let made = 0; made < ITEMS; made += 1000)
    await user.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => ({ name: `Item ${made + i}`, description })),
    })
  await user.ok('POST', '/api/tags', { name: 'Slow', fields: {} })
  await user.ok('POST', '/api/items', { name: 'long', description: 'xy'.repeat(400_000) })
})
afterAll(() => service.close())

const search = (client: Client, filter: object) => client.post('/api/items/search', { filter, limit: 10 })

async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  const result = await work
  return { result, ms: performance.now() - began }
}

describe('a query that takes too long', () => {
  // Before those that are left to themselves in the middle of a pattern: they take the processor's last place.
  it('comes out as if nothing else had been written meanwhile', async () => {
    const tag = await user.ok('POST', '/api/tags', { name: 'Turn', fields: { is: 'Number' } })
    const ids: string[] = (
      await user.ok('POST', '/api/items/bulk', {
        items: Array.from({ length: 100 }, (_, i) => ({
          name: `turn ${i}`,
          description: 'xy'.repeat(10_000),
          tags: [{ tag_ref: { Existing: 'Turn' }, field_values: { is: 1 } }],
        })),
      })
    ).map(({ item_id }: { item_id: string }) => item_id)
    // The pattern takes long enough for others to write meanwhile.
    const filter = { and: [{ 'Turn.is': 1 }, { not: { description: { matches: '(\\pL\\pL?){30}\\pN' } } }] }
    const writing = { on: true }
    const others = (async () => {
      for (let i = 0; writing.on; i++)
        await user.ok('PUT', `/api/items/${ids[(i * 7) % 100]}/tags/${tag.tag_id}`, {
          field_values: { is: i % 3 },
        })
    })()
    const done = await other.ok('POST', '/api/items/bulk-apply-tag', {
      filter,
      tag: { tag_ref: { New: { name: 'Turned', fields: {} } } },
    })
    writing.on = false
    await others
    const histories = new Map<string, any[]>() // oxlint-disable-line typescript/no-explicit-any
    for (const item_id of ids)
      histories.set(
        item_id,
        (await user.ok('POST', '/api/audit-log/search', { item_ids: [item_id], limit: 1000 })).toReversed(),
      )
    const turned = [...histories.values()].flat().filter(({ details }) => details.tag_name === 'Turned')
    const [{ event_id: moment }] = turned.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1))
    const expected = ids.filter((item_id) => {
      const before = histories
        .get(item_id)!
        .filter((event) => event.event_type === 'tag_values_updated' && event.event_id < moment)
      return (before.at(-1)?.details.new_values.is ?? 1) === 1
    })
    expect(done.affected_ids.toSorted()).toEqual(expected.toSorted())
  })

  for (const [what, filter] of [
    ['of 998 conditions', wideFilter()],
    ['with a hostile pattern', slowPattern],
  ] as const)
    it(`${what} is ended at its deadline, and says so`, async () => {
      const { result, ms } = await timed(search(user, filter))
      expect(result).toMatchObject({
        status: 503,
        body: {
          error: 'ServiceUnavailable',
          message: 'The query was ended after 3 s, the longest that it may take',
        },
      })
      expect(ms).toBeLessThan(TIMEOUT + LATE)
      // What it was carried out on is free again.
      const quick = await Promise.all([1, 2, 3].map(() => timed(search(other, { name: 'Item 1' }))))
      for (const each of quick) {
        expect(each.result.status).toBe(200)
        expect(each.ms).toBeLessThan(QUICK)
      }
    })

  it('as a dry run keeps no write and no login waiting', async () => {
    const leave = leaving(user, '/api/items/bulk-delete', { filter: slowPattern, dry_run: true })
    await new Promise((resume) => setTimeout(resume, 100))
    for (let i = 0; i < 5; i++) {
      const { result, ms } = await timed(other.post('/api/items', { name: `beside ${i}` }))
      expect(result.status).toBe(200)
      expect(ms).toBeLessThan(QUICK)
    }
    leave()
  })

  for (const [path, more] of [
    ['/api/items/bulk-delete', {}],
    ['/api/items/bulk-update-fields', { tag_id: 'Slow', field_values: {} }],
    ['/api/items/bulk-apply-tag', { tag: { tag_ref: { Existing: 'Slow' } } }],
    ['/api/items/bulk-remove-tag', { tag_id: 'Slow' }],
  ] as const)
    it(`in ${path} keeps no write and no login waiting`, async () => {
      const filter = { and: [{ name: 'long' }, slowPattern] }
      const leave = leaving(user, path, { ...more, filter })
      await new Promise((resume) => setTimeout(resume, 100))
      for (let i = 0; i < 3; i++) {
        const { result, ms } = await timed(other.post('/api/items', { name: `beside ${path} ${i}` }))
        expect(result.status).toBe(200)
        expect(ms).toBeLessThan(QUICK)
      }
      leave()
    })
})

it('what has none of a thousand texts is found in time', async () => {
  await user.ok('POST', '/api/items', { name: 'Striped', description: 'a quagga '.repeat(80_000) })
  const metrics = async () => (await user.get('/metrics')).body as string
  // Until the long one is in the index of searches, each of them goes through it.
  await expect.poll(metrics, { timeout: 20_000 }).toMatch(/^facet_search_texts_entering 0$/m)
  const texts = [...Array.from({ length: 999 }, (_, i) => `zyzzyva ${i}`), 'quagga']
  const filter = { and: texts.map((text) => ({ not: { search: { text } } })) }
  const count = async (given?: object) => {
    const { status, headers } = await user.post('/api/items/search', { filter: given, limit: 1, count: true })
    return [status, Number(headers.get('x-total-count'))]
  }
  const [, all] = await count()
  expect(await count(filter)).toEqual([200, all! - 1])
})

it('one account does not keep the others from reading', async () => {
  const slow = Array.from({ length: 12 }, (_, i) => search(user, wideFilter(`${i}`)))
  await new Promise((resume) => setTimeout(resume, 200))
  for (let i = 0; i < 5; i++) {
    const { result, ms } = await timed(search(other, { name: `Item ${i}` }))
    expect(result.status).toBe(200)
    expect(ms).toBeLessThan(TIMEOUT) // they have to share the processor
  }
  for (const each of await Promise.all(slow)) expect(each.status).toBe(503)
})

/** A query over REST, and over both transports of MCP. */
const WAYS: ((filter: object) => [path: string, body: object])[] = [
  (filter) => ['/api/items/search', { filter, limit: 10 }],
  ...['/api/mcp', '/api/mcp/message'].map((path) => (filter: object): [string, object] => [
    path,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_items', arguments: { filter, limit: 10 } },
    },
  ]),
]

it('two accounts together do not keep a third one from reading', async () => {
  const [one, two] = await Promise.all([service.user(), service.user()])
  const slow = [one, two].map((client, i) => search(client, wideFilter(`of ${i}`)))
  await new Promise((resume) => setTimeout(resume, 300))
  const quick = await timed(search(other, { name: 'Item 1' }))
  expect(quick.result.status).toBe(200)
  expect(quick.ms).toBeLessThan(QUICK)
  // One of them is under way, the other one waits its turn; each ends at its deadline.
  for (const each of await Promise.all(slow)) expect(each.status).toBe(503)
})

it('a query ends when its client leaves', async () => {
  const patient = await startService({ env: { QUERY_TIMEOUT: '60s' } })
  try {
    const client = await patient.user()
    const description = 'a description of some length '.repeat(40)
    for (let made = 0; made < ITEMS; made += 1000)
      await client.ok('POST', '/api/items/bulk', {
        items: Array.from({ length: 1000 }, (_, i) => ({ name: `Item ${made + i}`, description })),
      })
    const leavers = Array.from({ length: 12 }, (_, i) =>
      leaving(client, ...WAYS[i % WAYS.length]!(wideFilter(`${i}`))),
    )
    await new Promise((resume) => setTimeout(resume, 400))
    for (const leave of leavers) leave()
    const others = await patient.user()
    const { result, ms } = await timed(search(others, { not: { name: 'x' } }))
    expect(result.status).toBe(200)
    expect(ms).toBeLessThan(ENDED)
    const again = await timed(search(client, { not: { name: 'x' } }))
    expect(again.ms).toBeLessThan(ENDED)
  } finally {
    await patient.close()
  }
})

it('a query whose session ends is ended and answered 401', async () => {
  const leaver = await service.user()
  const answer = search(leaver, wideFilter('of nobody'))
  await new Promise((resume) => setTimeout(resume, 100))
  await leaver.ok('POST', '/api/auth/logout')
  expect(await answer).toMatchObject({
    status: 401,
    body: {
      error: 'Unauthorized',
      message: 'Your session, or your key, ended before the answer: nothing was changed',
    },
  })
})

/** A request whose answer nobody waits for: returns what cuts its connection. */
function leaving({ url, cookieHeader: cookie }: Client, path: string, body: object): () => void {
  const sent = request(new URL(path, url), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      cookie,
    },
  })
  sent.on('error', () => {})
  sent.end(JSON.stringify(body))
  return () => sent.destroy()
}
