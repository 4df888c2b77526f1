import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type Service } from '#test/support/service.ts'

const PUBLIC = 'https://facet.example.org'
const FRIEND = 'https://app.example.org'

interface Case {
  /** `{own}` is the address that the service listens on. */
  headers: Record<string, string>
  allowed: boolean
}

const cases: Case[] = [
  { headers: {}, allowed: true },
  { headers: { host: 'whatever.example' }, allowed: true },
  { headers: { origin: '{own}' }, allowed: true },
  { headers: { origin: PUBLIC, host: 'facet.example.org' }, allowed: true },
  { headers: { origin: PUBLIC, host: 'facet.example.org', 'sec-fetch-site': 'same-origin' }, allowed: true },
  { headers: { origin: FRIEND, 'sec-fetch-site': 'cross-site' }, allowed: true },
  { headers: { origin: 'http://localhost:3000', host: 'localhost:3000' }, allowed: true },
  { headers: { 'sec-fetch-site': 'same-origin' }, allowed: true },
  { headers: { 'sec-fetch-site': 'none' }, allowed: true },
  { headers: { 'sec-fetch-site': 'cross-site' }, allowed: false },
  { headers: { origin: 'https://evil.example' }, allowed: false },
  { headers: { origin: 'null' }, allowed: false },
  { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, allowed: false },
  { headers: { origin: 'http://localhost:3001', host: 'localhost:3000' }, allowed: false },
  { headers: { origin: 'http://evil.example', host: 'evil.example' }, allowed: false },
  { headers: { host: 'evil.example', 'sec-fetch-site': 'same-origin' }, allowed: false },
  { headers: { origin: PUBLIC, host: 'evil.example' }, allowed: false },
  { headers: { origin: `${PUBLIC}.evil.example` }, allowed: false },
]

describe('writes from other sites', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { PUBLIC_URL: PUBLIC, CORS_ORIGINS: FRIEND } })
  })
  afterAll(() => service.close())

  for (const { headers, allowed } of cases)
    it(`${allowed ? 'lets in' : 'refuses'} ${JSON.stringify(headers)}`, async () => {
      const own = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, value.replace('{own}', service.url)]),
      )
      const answer = await send('POST', `${service.url}/api/auth/logout`, own)
      expect(answer.status).toBe(allowed ? 401 : 403)
      if (!allowed) expect(answer.body).toMatchObject({ error: 'Forbidden', path: '/api/auth/logout' })
      expect((await send('GET', `${service.url}/api/health`, own)).status).toBe(200)
    })

  it('says how to let a host or an origin in', async () => {
    const host = await send('POST', `${service.url}/api/auth/logout`, {
      host: 'evil.example',
      origin: 'http://evil.example',
    })
    expect(host.body.suggestion).toContain('PUBLIC_URL')
    // As nginx names its upstream, where it is not told otherwise.
    const behind = await send('POST', `${service.url}/api/auth/logout`, { host: 'facet', origin: PUBLIC })
    expect(behind.body.suggestion).toContain('proxy_set_header Host $host')
    const origin = await send('POST', `${service.url}/api/auth/logout`, { origin: 'https://evil.example' })
    expect(origin.body.suggestion).toContain('CORS_ORIGINS')
  })
})

describe('TRUST_PROXY', () => {
  for (const trust of ['true', 'false'])
    it(`${trust}: ${trust === 'true' ? 'goes by' : 'ignores'} what the proxy says`, async () => {
      const service = await startService({ env: { TRUST_PROXY: trust } })
      const headers = {
        origin: 'https://localhost:8443',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'localhost:8443',
        'x-forwarded-for': '203.0.113.7',
      }
      expect((await send('POST', `${service.url}/api/auth/logout`, headers)).status).toBe(
        trust === 'true' ? 401 : 403,
      )
      await service.close()
    })
})

describe('the address of a client', () => {
  /** The status of the eleventh wrong password, sent with a new spoofed address each time. */
  async function eleventh(env: Record<string, string>, forwarded: (i: number) => string): Promise<number> {
    const service = await startService({ env })
    await service.user('ada@example.org')
    let status = 0
    for (let i = 0; i < 11; i++)
      ({ status } = await service
        .client()
        .post(
          '/api/auth/login',
          { email: 'ada@example.org', password: 'wrong password' },
          { 'x-forwarded-for': forwarded(i) },
        ))
    await service.close()
    return status
  }

  const cases: [what: string, trust: string, forwarded: (i: number) => string, status: number][] = [
    ['is the connection’s without a proxy', 'false', (i) => `203.0.113.${i}`, 429],
    ['is what the proxy says', 'true', (i) => `203.0.113.${i}`, 401],
    ['is not what the client says', 'true', (i) => `198.51.100.${i}, 203.0.113.7`, 429],
    [
      'is found behind several proxies of one’s own',
      '3',
      (i) => `203.0.113.${i}, 10.0.0.7, 192.168.0.1`,
      401,
    ],
    [
      'is found behind proxies that are named',
      '127.0.0.1,10.0.0.0/8',
      (i) => `203.0.113.${i}, 10.0.0.7`,
      401,
    ],
    ['is not what a client of a private network says', 'true', (i) => `203.0.113.${i}, 10.0.0.7`, 429],
    ['is the connection’s where that is no proxy', '10.0.0.2', (i) => `203.0.113.${i}`, 429],
  ]
  for (const [what, trust, forwarded, status] of cases)
    it(what, async () => {
      expect(await eleventh({ TRUST_PROXY: trust }, forwarded)).toBe(status)
    })
})

/** fetch would set Host and Origin itself. */
function send(
  method: string,
  url: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: Record<string, string> }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.on('data', (data) => (text += data))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}
