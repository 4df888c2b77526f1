import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RateLimit } from '#src/auth/rate-limit.ts'
import { NOBODY } from '#src/domain/caller.ts'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { openMcpStream, postMessage } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

const LIMIT = 5

describe('with RATE_LIMIT', () => {
  const clock = new TestClock()
  let service: Service
  /** Of an account with a window of its own. */
  let ann: Client
  beforeAll(async () => {
    service = await startService({ env: { RATE_LIMIT: String(LIMIT) }, clock: clock.now })
  })
  afterAll(() => service.close())
  const newAccount = async () => {
    ann = await service.user()
    return ann
  }
  const useUp = async (client: Client, headers?: Record<string, string>) => {
    for (let i = 0; i < LIMIT; i++) expect((await client.get('/api/tags', headers)).status).toBe(200)
  }

  it('says what is left in structured fields, and refuses what is too much until the minute is over', async () => {
    await newAccount()
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { status, headers } = await ann.get('/api/tags')
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe(`"default";q=${LIMIT};w=60`)
      expect(headers.get('ratelimit')).toBe(`"default";r=${left};t=60`)
    }
    clock.move({ seconds: 20 })
    const refused = await ann.get('/api/tags')
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: 'TooManyRequests',
        message: `More than ${LIMIT} requests within a minute`,
        details: { retry_after: 40 },
      },
    })
    expect(refused.headers.get('retry-after')).toBe('40')
    expect(refused.headers.get('ratelimit')).toBe('"default";r=0;t=40')
    clock.move({ seconds: 39 })
    expect((await ann.get('/api/tags')).status).toBe(429)
    clock.move({ seconds: 1 })
    const again = await ann.get('/api/tags')
    expect(again.status).toBe(200)
    expect(again.headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 1};t=60`)
  })

  it('counts an account, each of its keys and each app by itself', async () => {
    await newAccount()
    const keys: string[] = []
    for (const name of ['one', 'two'])
      keys.push((await ann.ok('POST', '/api/keys', { name, scope: 'read' })).key)
    const nobody = service.client()
    const [first, second] = keys.map((key) => ({ authorization: `Bearer ${key}` }))
    await useUp(nobody, first)
    const refused = await nobody.get('/api/tags', first)
    expect(refused).toMatchObject({ status: 429, body: { message: expect.stringContaining('by this key') } })
    await useUp(nobody, second)
    expect((await ann.get('/api/tags')).status).toBe(200)
    expect((await (await service.user()).get('/api/tags')).status).toBe(200)
  })

  it('counts what is refused for another reason, whatever the route', async () => {
    await newAccount()
    for (const [method, path] of [
      ['GET', '/api/items/nowhere'],
      ['POST', '/api/items'],
      ['GET', '/api/webauthn-is-not-here'],
      ['POST', '/api/chat'],
    ] as const)
      expect([400, 404]).toContain((await ann.send(method, path, method === 'POST' ? {} : undefined)).status)
    const { headers } = await ann.get('/api/tags')
    // Where there is no route, nobody is looked up.
    expect(headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 4};t=60`)
  })

  it('counts calls and streams of MCP, and says so on them', async () => {
    await newAccount()
    const stream = await openMcpStream(ann)
    expect(stream.response.headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 1};t=60`)
    for (let i = 1; i < LIMIT; i++)
      expect((await postMessage(ann, { jsonrpc: '2.0', id: i, method: 'ping' })).status).toBe(200)
    expect((await postMessage(ann, { jsonrpc: '2.0', id: 9, method: 'ping' })).status).toBe(429)
    const http = await ann.post('/api/mcp', { jsonrpc: '2.0', id: 9, method: 'tools/list' })
    expect(http.status).toBe(429)
    expect(http.headers.get('retry-after')).toBe('60')
    expect((await openMcpStream(ann)).status).toBe(429)
    expect((await ann.post('/api/chat', { message: 'Hello' })).status).toBe(429)
    stream.leave!()
  })

  it('counts each message of an array that is sent to MCP, and carries out all of them or none', async () => {
    await newAccount()
    const calls = (names: readonly string[]) =>
      names.map((name, id) => ({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'add_item', arguments: { name } },
      }))
    const accept = { accept: 'application/json, text/event-stream' }
    const send = (names: readonly string[]) => ann.post('/api/mcp', calls(names), accept)
    const first = await send(['a', 'b', 'c'])
    expect(first.status).toBe(200)
    expect(first.headers.get('ratelimit')).toBe(`"default";r=${LIMIT - 3};t=60`)
    expect(await send(['d', 'e', 'f'])).toMatchObject({ status: 429, body: { error: 'TooManyRequests' } })
    // What was refused counts as the one request that it came in.
    const last = await ann.post('/api/items/search', {
      filter: { name: { in: ['a', 'b', 'c', 'd', 'e', 'f'] } },
    })
    expect(last.body).toHaveLength(3)
    const many = await service.user()
    expect(await many.post('/api/mcp', calls(Array.from({ length: 101 }, String)), accept)).toMatchObject({
      status: 400,
      body: { error: { code: -32600, message: expect.stringContaining('100 messages') } },
    })
    expect(last.headers.get('ratelimit')).toBe('"default";r=0;t=60')
  })

  it('counts neither health nor anyone not signed in', async () => {
    await newAccount()
    await useUp(ann)
    for (let i = 0; i < LIMIT + 3; i++)
      for (const [client, path, status] of [
        [ann, '/api/health', 200],
        [ann, '/api/ready', 200],
        [service.client(), '/api/service', 200],
        [service.client(), '/api/tags', 401],
      ] as const) {
        const answer = await client.get(path)
        expect(answer.status, path).toBe(status)
        expect(answer.headers.get('ratelimit'), path).toBeNull()
      }
    expect((await ann.get('/api/tags')).status).toBe(429)
  })
})

it('without RATE_LIMIT nothing is counted and no header says so', async () => {
  const service = await startService()
  const ann = await service.user()
  for (let i = 0; i < 50; i++) {
    const { status, headers } = await ann.get('/api/tags')
    expect(status).toBe(200)
    expect([...headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
  }
  await service.close()
})

describe('windows', () => {
  const caller = (n: number) => ({
    ...NOBODY,
    user_id: 'U',
    role: 'editor' as const,
    client: { kind: 'key' as const, id: `key-${n}`, name: null },
  })

  it('stay few however many ask, and end although a clock goes back', () => {
    let now = 1_000_000
    const limit = new RateLimit(2, () => now)
    for (let n = 0; n < 250_000; n++) limit.take(caller(n))
    expect(limit.size).toBeLessThanOrEqual(100_000)
    limit.take(caller(0))
    limit.take(caller(0))
    expect(limit.take(caller(0))).toMatchObject({ exceeded: true })
    now -= 3_600_000
    expect(limit.take(caller(0))).toEqual({ left: 1, seconds: 60, exceeded: false })
  })
})
