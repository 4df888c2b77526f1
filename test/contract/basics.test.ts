import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

describe('the service', () => {
  let service: Service
  let anybody: Client
  let user: Client
  beforeAll(async () => {
    service = await startService()
    anybody = service.client()
    user = await service.user()
  })
  afterAll(() => service.close())

  it('answers health and readiness without a session', async () => {
    for (const path of ['/api/health', '/api/ready'])
      expect(await anybody.get(path)).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('asks nobody who calls for health', async () => {
    const cookie = '__Host-session=' + 'x'.repeat(43)
    expect((await anybody.get('/api/health', { cookie })).headers.getSetCookie()).toEqual([])
  })

  const answers: [method: string, path: string][] = [
    ['GET', '/api/health'],
    ['GET', '/api/auth/me'],
    ['GET', '/api/nope'],
    ['GET', '/api/tags/%zz'],
    ['POST', '/api/auth/login'],
    ['POST', '/api/items/search'],
  ]
  for (const [method, path] of answers)
    it(`protects the answer to ${method} ${path}`, async () => {
      const { headers } = await user.send(method, path)
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      expect(headers.has('x-powered-by') || headers.has('server')).toBe(false)
    })

  for (const path of [
    '../package.json',
    '..%2fpackage.json',
    'reference',
    'reference/',
    'x.md',
    '%2e%2e/README.md',
    '.md',
  ])
    it(`serves no other file than documents: /docs/${path}`, async () => {
      expect(await anybody.get(`/docs/${path}`)).toMatchObject({ status: 404, body: { error: 'NotFound' } })
    })

  it('lists the documents at /docs, and serves each that it names', async () => {
    const { text } = await anybody.exchange('GET', '/docs')
    const listed = [...text.matchAll(/^\/docs\/\S+\.md/gm)].map(([path]) => path)
    expect(text).toContain('/docs/how-to/run-in-production.md  Run in production')
    expect(listed.length).toBeGreaterThan(50)
    for (const path of ['/docs/tutorial.md', '/docs/explanation/what-is-never-paid.md'])
      expect(listed).toContain(path)
    for (const path of listed.filter((_, i) => i % 10 === 0))
      expect((await anybody.exchange('GET', path)).status).toBe(200)
  })

  it('takes ids in any case', async () => {
    const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Case', fields: {} })
    expect((await user.get(`/api/tags/${tag_id.toLowerCase()}`)).body.tag_id).toBe(tag_id)
  })
})
