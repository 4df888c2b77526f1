import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ROOT, ServiceProcess } from '#test/support/process.ts'
import { startService, type ServiceOptions } from '#test/support/service.ts'

describe('configuration', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const service of open.splice(0)) await service.close()
  })
  async function start(env: Record<string, string>, options: ServiceOptions = {}) {
    const service = await startService({ ...options, env })
    open.push(service)
    return service
  }
  const account = (email: string) => ({ email, password: 'correct horse' })

  for (const [host, address] of [
    ['127.0.0.1', 'http://127.0.0.1'],
    ['::1', 'http://[::1]'],
    ['localhost', 'http://127.0.0.1'],
  ] as const)
    it(`listens on HOST=${host}`, async () => {
      const { url } = await start({ HOST: host })
      const { port } = new URL(url)
      expect((await fetch(`${address}:${port}/api/health`)).status).toBe(200)
    })

  it('listens on PORT', async () => {
    const { url } = await start({})
    const { port } = new URL(url)
    await open.pop()!.close()
    expect((await start({ PORT: port })).url).toBe(`http://127.0.0.1:${port}`)
  })

  it('keeps everything in DATABASE_URL', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-config-'))
    const env = { DATABASE_URL: `file:${join(folder, 'deep/er/facet.db')}` }
    const first = await start(env)
    expect((await first.client().post('/api/auth/register', account('ada@example.org'))).status).toBe(200)
    await open.pop()!.close()
    expect(
      (await (await start(env)).client().post('/api/auth/login', account('ada@example.org'))).status,
    ).toBe(200)
    await open.pop()!.close()
    rmSync(folder, { recursive: true })
  })

  it('takes days and moments in TIME_ZONE where a request names none', async () => {
    // Of these two always one has another day than UTC.
    for (const TIME_ZONE of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const service = await start({ TIME_ZONE })
      const client = await service.user()
      const today = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(Date.now())
      await client.ok('POST', '/api/tags', { name: 'Task', fields: { due: 'Date' } })
      const tags = [{ tag_ref: { Existing: 'Task' }, field_values: { due: today } }]
      await client.ok('POST', '/api/items', { name: 'Today', tags })
      const found = await client.ok('POST', '/api/items/search', {
        filter: { 'Task.due': { eq: { today: 0 } } },
      })
      const byDay = { group_by: [{ by: 'created_at', bucket: 'day' }] }
      const { groups } = await client.ok('POST', '/api/items/aggregate', byDay)
      expect([found.length, groups[0].key]).toEqual([1, [today]])
      expect((await client.ok('GET', '/api/service')).time_zone).toBe(TIME_ZONE)
    }
  })

  it('closes registration', async () => {
    const client = (await start({ REGISTRATION: 'closed' })).client()
    expect(await client.post('/api/auth/register', account('a@b.c'))).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    })
  })

  it('registers no address of a domain by password, which proves none', async () => {
    const client = (await start({ REGISTRATION: 'domain:example.org' })).client()
    for (const email of ['a@example.org', 'b@example.net'])
      expect(await client.post('/api/auth/register', account(email))).toMatchObject({
        status: 403,
        body: { error: 'Forbidden', message: 'Registration with a password needs an invitation here' },
      })
  })

  it('bounds the bodies of anyone not signed in by 64 KiB, which no setting raises', async () => {
    const service = await start({})
    const answer = await service.client().post('/api/auth/login', account('x'.repeat(70_000)))
    expect(answer).toMatchObject({
      status: 413,
      body: {
        error: 'PayloadTooLarge',
        suggestion: 'This route, which needs no session, takes no larger ones',
        details: { limit: 65_536 },
      },
    })
    const user = await service.user()
    const small = await start({ BODY_LIMIT: '100 kB' })
    expect((await user.post('/api/items', { name: 'x', description: 'x'.repeat(200_000) })).status).toBe(200)
    const there = await small.user()
    const refused = await there.post('/api/items', { name: 'x', description: 'x'.repeat(200_000) })
    expect(refused).toMatchObject({ status: 413, body: { suggestion: /raise BODY_LIMIT$/ } })
  })

  it('bounds bodies by BODY_LIMIT', async () => {
    const client = (await start({ BODY_LIMIT: '1 kB' })).client()
    expect((await client.post('/api/auth/login', account('x'.repeat(900)))).status).toBe(401)
    expect((await client.post('/api/auth/login', account('x'.repeat(1000)))).status).toBe(413)
  })

  it('reads .env whose first line comes after a byte order mark', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-env-'))
    writeFileSync(join(folder, '.env'), '\uFEFFLOG_LEVEL=loud\n')
    await using service = new ServiceProcess({
      command: [process.execPath, join(ROOT, 'scripts/start.js')],
      cwd: folder,
    })
    expect(await service.ended).toBe(1)
    expect(service.stderr).toContain("got 'loud'")
    rmSync(folder, { recursive: true })
  })

  it('reads .env under the environment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-env-'))
    writeFileSync(join(folder, '.env'), 'REGISTRATION=closed # nobody\nLOG_LEVEL="loud"\n')
    const command = [process.execPath, join(ROOT, 'scripts/start.js')] as [string, string]
    {
      await using service = new ServiceProcess({ command, cwd: folder })
      expect(await service.ended).toBe(1)
      expect(service.stderr).toContain(
        "LOG_LEVEL: expected one of: fatal, error, warn, info, debug, trace, silent, got 'loud'",
      )
    }
    await using service = new ServiceProcess({ command, cwd: folder, env: { LOG_LEVEL: 'silent' } })
    const body = Buffer.from(JSON.stringify(account('a@b.c')))
    expect((await fetch(`${await service.url()}/api/auth/register`, { method: 'POST', body })).status).toBe(
      403,
    )
    expect(service.stderr).toBe('')
    rmSync(folder, { recursive: true })
  })

  it('logs one line of JSON for each answer at LOG_LEVEL=info, with no secret in it', async () => {
    await using service = new ServiceProcess({ env: { LOG_LEVEL: 'trace' } })
    const url = await service.url()
    const send = (path: string, body: object, headers = {}) =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
    const registered = await send('/api/auth/register', {
      email: 'a@b.c',
      password: 'hidden-password',
    })
    const cookie = registered.headers.getSetCookie()[0]!.split(';')[0]!
    await send(
      '/api/auth/login',
      { email: 'a@b.c', password: 'hidden-password', code: 'hidden-code' },
      { cookie },
    )
    await send(
      '/api/auth/login',
      { email: 'a@b.c', password: 'hidden-wrong' },
      { authorization: 'Bearer hidden-token', cookie },
    )
    await send(
      '/api/auth/password',
      { current_password: 'hidden-password', new_password: 'hidden-new-password' },
      { cookie },
    )
    await send('/api/auth/2fa/totp/verify', { code: 'hidden-code' }, { cookie })
    await fetch(`${url}/api/auth/oauth/idp_a/callback?code=hidden-code&state=hidden-state`)
    await fetch(`${url}/api/health?token=hidden-token`)
    await fetch(`${url}/api/hidden%zz`)
    service.child.kill('SIGTERM')
    await service.ended
    const lines = service.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 30,
        msg: 'answered',
        method: 'POST',
        path: '/api/auth/login',
        status: 401,
        ms: expect.any(Number),
      }),
    )
    expect(service.stderr.replaceAll('/api/hidden%zz', '')).not.toContain('hidden')
    expect(service.stderr).not.toContain(cookie.split('=')[1])
  })

  for (const [level, logs] of [
    ['warn', false],
    ['silent', false],
    ['info', true],
  ] as const)
    it(`${logs ? 'logs' : 'does not log'} answers at LOG_LEVEL=${level}`, async () => {
      await using service = new ServiceProcess({ env: { LOG_LEVEL: level } })
      await fetch(`${await service.url()}/api/health`)
      service.child.kill('SIGTERM')
      await service.ended
      expect(service.stderr.includes('answered')).toBe(logs)
    })
})
