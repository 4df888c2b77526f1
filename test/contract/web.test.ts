import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebApp } from '#src/api/web/web-app.ts'
import { openChanges } from '#test/support/change-stream.ts'
import type { Client } from '#test/support/client.ts'
import type { MeasuredBuild } from '#test/support/measured-build.ts'
import { ROOT } from '#test/support/process.ts'
import { startService, type Service } from '#test/support/service.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the web application', () => {
  let service: Service
  let anybody: Client
  beforeAll(async () => {
    service = await startService()
    anybody = service.client()
  })
  afterAll(() => service.close())

  it('is built by the first start in 3 s of two processors', () => {
    // The figures are those of Linux.
    if (process.platform !== 'linux') return
    const words = ['test/support/measured-build.ts']
    const out = execFileSync(process.execPath, words, { cwd: ROOT, encoding: 'utf8' })
    const { files, computed } = JSON.parse(out) as MeasuredBuild
    expect(files).toBeGreaterThan(50)
    // A processor that is shared, or older, computes more slowly too.
    expect(computed).toBeLessThan(2 * 3 * 2)
  })

  /** Addresses of what the page loads. */
  const loaded = async () => {
    const { body } = await anybody.get('/')
    return [...(body as string).matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!)
  }

  it('is at /, under a policy that lets nothing in from elsewhere', async () => {
    const { status, headers } = await anybody.get('/')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types dompurify ProseMirrorClipboard facet-worker",
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('names what it loads by its contents, to be cached for good, and small', async () => {
    const names = await loaded()
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) {
      const { status, headers } = await anybody.get(name, { 'accept-encoding': 'br' })
      expect([name, status, headers.get('cache-control')]).toEqual([
        name,
        200,
        'public, max-age=31536000, immutable',
      ])
      expect(headers.get('content-encoding')).toBe(name.endsWith('.woff2') ? null : 'br')
    }
  })

  it.each([
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['identity', null],
  ])('answers Accept-Encoding: %s', async (accepted, encoding) => {
    const [script] = (await loaded()).filter((name) => name.endsWith('.js'))
    const response = await anybody.fetch(script!, { headers: { 'accept-encoding': accepted } })
    const { headers } = response
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([encoding, 'accept-encoding'])
    expect(await response.text()).toMatch(/^[\x20-\x7e]/)
  })

  it('serves nothing but its files', async () => {
    for (const path of ['/assets/', '/assets/x.js', '/assets/..%2fmanifest.json', '/frame/x.js'])
      expect(await anybody.get(path, BROWSER)).toMatchObject({ status: 404, body: { error: 'NotFound' } })
  })

  it.each([
    ['/items', 200],
    ['/tags/01JJXZ5T7GQ3M8K4B9R2C6D0EF/schema', 200],
    ['/settings/account?x=1', 200],
    ['/nowhere', 404],
    ['/items/%ZZ', 404],
    ['/%c3%28?x=%ZZ', 404],
    [`/tags/${'x'.repeat(7000)}`, 200],
  ])('shows itself to a browser at %s', async (path, status) => {
    const page = await anybody.get(path, BROWSER)
    expect([page.status, page.body]).toEqual([status, (await anybody.get('/')).body])
  })

  it.each([
    ['/', 'home-page'],
    ['/items', 'items-page'],
    ['/items/01JJXZ5T7GQ3M8K4B9R2C6D0EF', 'item-page'],
    ['/tags/01JJXZ5T7GQ3M8K4B9R2C6D0EF?q=x', 'tag-page'],
    ['/views/01JJXZ5T7GQ3M8K4B9R2C6D0EF', 'view-page'],
  ])('names in the head what %s loads and asks first, for anyone who has a session', async (path, part) => {
    const { manifest } = await new WebApp().served()
    const user = await service.user()
    const named = (body: string) =>
      [...body.matchAll(/rel="(?:module)?preload" href="([^"]+)"/g)].map((match) => match[1]!)
    const first = named((await user.get(path, BROWSER)).body as string)
    for (const file of manifest.sizes.find((each) => each.part === `web/pages/${part}.tsx`)!.files)
      expect(first).toContain(`/${file}`)
    for (const call of ['/api/service', '/api/auth/me', '/api/tags']) {
      expect(first).toContain(call)
      expect((await user.get(call)).status).toBe(200)
    }
    const others = named((await anybody.get(path, BROWSER)).body as string)
    expect(others.filter((each) => each.startsWith('/api/'))).toEqual(['/api/service'])
  })

  it('asks for little at the start', async () => {
    const { manifest } = await new WebApp().served()
    const scripts = (part: string) => manifest.sizes.find((each) => each.part === part)!.files.length
    expect(scripts('start')).toBeLessThanOrEqual(2)
    for (const part of ['sign-in-page', 'tag-page', 'items-page', 'item-page'])
      expect([part, scripts(`web/pages/${part}.tsx`) <= 6]).toEqual([part, true])
  })

  it.each([
    ['GET', '/items', { accept: '*/*' }],
    ['GET', '/items', { accept: 'application/json' }],
    ['POST', '/items', BROWSER],
    ['GET', '/api/nothing', BROWSER],
    ['GET', '/docs/nothing.md', BROWSER],
    ['GET', '/.well-known/nothing', BROWSER],
  ] as const)('leaves %s %s to the API', async (method, path, headers) => {
    expect(await anybody.send(method, path, undefined, headers)).toMatchObject({
      status: 404,
      body: { error: 'NotFound' },
    })
  })

  it.each([
    ['/items/%ZZ', { accept: 'application/json' }],
    ['/items/%ZZ', {}],
    ['/api/items/%ZZ', BROWSER],
  ])('says in JSON that %s cannot be read to whoever asks with %j', async (path, headers) => {
    expect(await anybody.get(path, headers)).toMatchObject({ status: 400, body: { error: 'BadRequest' } })
  })

  it('cages components in a frame that reaches nobody', async () => {
    const { headers, body } = await anybody.get('/frame/')
    const policy = headers.get('content-security-policy')!
    for (const rule of [
      "default-src 'none'",
      "connect-src 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ])
      expect(policy).toContain(rule)
    const files = [...(body as string).matchAll(/"(\/frame\/[^"]+)"/g)].map((match) => match[1]!)
    expect(files).toHaveLength(3)
    for (const file of files) {
      const answer = await anybody.get(file)
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    }
  })
})

describe('GET /api/service', () => {
  it('says what a sign-in page must know', async () => {
    const service = await startService({ env: { REGISTRATION: 'closed' } })
    const url = service.url.replace('127.0.0.1', 'localhost')
    expect((await service.client().get('/api/service')).body).toEqual({
      name: 'Facet',
      version: expect.any(String),
      public_url: url,
      registration: 'closed',
      providers: [],
      chat: { configured: false },
      passkeys: true,
      signed_in: false,
      time_zone: 'UTC',
    })
    await service.close()
  })

  it('says more to anyone who is signed in', async () => {
    const service = await startService({ env: { LLM_API_KEY: 'k', LLM_MODEL: 'm' } })
    const user = await service.user()
    expect((await user.get('/api/service')).body).toMatchObject({
      signed_in: true,
      chat: { configured: true, provider: 'openai', model: 'm' },
    })
    expect((await service.client().get('/api/service')).body.chat).toEqual({ configured: true })
    await service.close()
  })

  it('says to anyone who is signed in from which event on nothing is missed', async () => {
    const service = await startService()
    const user = await service.user()
    const asked = async (by = user, more = {}) =>
      (await by.get('/api/service', more)).headers.get('x-event-id')
    expect(await asked()).toBe('0'.repeat(26))
    await user.ok('POST', '/api/items', { name: 'Before' })
    const { event_id } = await user.ok('GET', '/api/audit-log/head')
    const after = await asked()
    expect(after).toBe(event_id)
    const { item_id } = await user.ok('POST', '/api/items', { name: 'After' })
    const stream = await openChanges(user, `?after=${after}`)
    expect(await stream.next()).toMatchObject({ item_id })
    stream.leave()
    const { key } = await user.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
    expect(await asked(service.client(), { authorization: `Bearer ${key}` })).toBeNull()
    expect(await asked(service.client())).toBeNull()
    await service.close()
  })

  const models = [
    ['that the provider has by default', { LLM_PROVIDER: 'anthropic', LLM_API_KEY: 'k' }, true],
    ['that a chat without a key would have', { LLM_PROVIDER: 'anthropic' }, false],
  ] as const
  it.for(models)('names a model %s', async ([, env, configured]) => {
    const service = await startService({ env })
    const user = await service.user()
    const { chat } = (await user.get('/api/service')).body
    expect(chat).toEqual({ configured, provider: 'anthropic', model: 'claude-sonnet-5-5' })
    await service.close()
  })

  it('names no model where it is still to be set', async () => {
    const env = { LLM_PROVIDER: 'openai-compatible', LLM_BASE_URL: 'http://localhost:1/v1' }
    const service = await startService({ env })
    const user = await service.user()
    const { chat } = (await user.get('/api/service')).body
    expect(chat).toEqual({ configured: false, provider: 'openai-compatible', model: null })
    await service.close()
  })
})
