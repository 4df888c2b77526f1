import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { STATUS } from '#src/api/http/error-response.ts'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'
import { startService, type Service } from '#test/support/service.ts'

describe('errors', () => {
  let service: Service
  let user: Client
  beforeAll(async () => {
    service = await startService({ env: { BODY_LIMIT: '64 KiB' } })
    user = await service.user()
  })
  afterAll(() => service.close())

  it('are all in the table of the document', () => {
    const text = readFileSync(new URL('../../docs/reference/http.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| (\d{3}) \| (\w+) \|/gm)].map(([, status, code]) => [
      code,
      Number(status),
    ])
    expect(Object.fromEntries(rows)).toEqual(STATUS)
  })

  const unknown: [method: string, path: string, status: number, expected: object][] = [
    ['GET', '/nope', 404, { error: 'NotFound', path: '/nope' }],
    ['GET', '/api/nope?secret=1', 404, { error: 'NotFound', path: '/api/nope' }],
    ['POST', '/api/something-else', 404, { suggestion: 'GET /api/openapi.json lists every route' }],
    ['GET', '/api/tagz/01', 404, { suggestion: expect.stringContaining('/api/tags/{tag_id}?') }],
    ['GET', '/api//items', 404, { path: '/api//items', suggestion: 'Did you mean POST or GET /api/items?' }],
    ['GET', '//api/tags/', 404, { suggestion: 'Did you mean POST or GET /api/tags?' }],
    ['GET', '/items', 404, { suggestion: 'Did you mean POST or GET /api/items?' }],
    ['POST', '/api/api/items/search', 404, { suggestion: 'Did you mean POST /api/items/search?' }],
    ['GET', '/api/api', 404, { suggestion: 'GET /api/openapi.json lists every route' }],
    ['POST', '/api/auth/logn', 404, { suggestion: 'Did you mean POST /api/auth/login?' }],
    ['GET', '/api/auth/whoever-I-am', 404, { suggestion: 'GET /api/openapi.json lists every route' }],
    ['PATCH', '/api/tags/01', 405, { error: 'MethodNotAllowed', suggestion: expect.stringContaining('PUT') }],
    ['GET', '/api/auth/login', 405, { error: 'MethodNotAllowed', suggestion: 'Use POST' }],
    ['DELETE', '/api/health/', 405, { error: 'MethodNotAllowed', path: '/api/health/' }],
    ['GET', '/api/tags/%zz', 400, { error: 'BadRequest', path: '/api/tags/%zz' }],
    ['GET', '/api/tags/%ff', 400, { error: 'BadRequest' }],
    [
      'GET',
      '/api/tags/a%00b',
      400,
      { details: { errors: [{ path: 'tag_id', message: 'must not contain U+0000' }] } },
    ],
    ['GET', '/api/tags/not-an-id', 404, { error: 'NotFound', path: '/api/tags/not-an-id' }],
    ['GET', `/api/tags/${'x'.repeat(2000)}`, 404, { error: 'NotFound' }],
    ['GET', `/api/tags/${'%F0%9F%98%80'.repeat(2000)}`, 404, { error: 'NotFound' }],
    ['GET', `/api/tags/${'x'.repeat(20_000)}`, 404, { error: 'NotFound' }],
  ]
  for (const [method, path, status, expected] of unknown)
    it(`answers ${status} to ${method} ${path.slice(0, 40)}`, async () => {
      const answer = await user.send(method, path)
      expect(answer).toMatchObject({ status, body: expected })
      expect(answer.body).toMatchObject({
        error: expect.any(String),
        message: expect.any(String),
        path: expect.any(String),
      })
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    })

  it('names the allowed methods', async () => {
    expect((await user.send('PATCH', '/api/auth/login')).headers.get('allow')).toBe('OPTIONS, POST')
  })

  it('answers OPTIONS and HEAD', async () => {
    const options = await user.send('OPTIONS', '/api/health')
    expect([options.status, options.headers.get('allow'), options.body]).toEqual([
      204,
      'GET, HEAD, OPTIONS',
      '',
    ])
    const head = await user.send('HEAD', '/api/health')
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([200, '15', ''])
    expect((await user.send('OPTIONS', '/api/nope')).status).toBe(404)
  })

  it('ignores a trailing slash', async () => {
    expect((await user.get('/api/auth/me/')).status).toBe(200)
    expect((await user.get('/api/health/')).status).toBe(200)
  })

  const bodies: [name: string, init: RequestInit, status: number, expected: object][] = [
    [
      'broken JSON',
      { body: '{\n "email": }' },
      400,
      { message: expect.stringContaining('line 2, column 11'), details: { line: 2, column: 11 } },
    ],
    [
      'an array',
      { body: '[]' },
      400,
      { details: { errors: [{ path: '', message: 'expected an object as the body' }] } },
    ],
    ['a string', { body: '"x"' }, 400, { error: 'BadRequest' }],
    ['null', { body: 'null' }, 400, { details: { errors: [{ path: 'email' }, { path: 'password' }] } }],
    ['nothing', {}, 400, { details: { errors: [{ path: 'email' }, { path: 'password' }] } }],
    [
      'XML',
      { body: '<a/>', headers: { 'content-type': 'text/xml' } },
      415,
      { error: 'UnsupportedMediaType', suggestion: expect.stringContaining('application/json') },
    ],
    ['a form', { body: new URLSearchParams('email=a') }, 415, { error: 'UnsupportedMediaType' }],
    [
      'no media type',
      { body: '{}', headers: { 'content-type': 'nonsense' } },
      415,
      {
        error: 'UnsupportedMediaType',
        message: "A body of type 'nonsense' cannot be read",
        suggestion: expect.stringContaining('application/json'),
      },
    ],
    [
      'another charset',
      { body: '{}', headers: { 'content-type': 'application/json; charset=latin1' } },
      415,
      { error: 'UnsupportedMediaType' },
    ],
    ['gzip', { body: '{}', headers: { 'content-encoding': 'gzip' } }, 415, { error: 'UnsupportedMediaType' }],
    [
      'too much',
      { body: JSON.stringify({ email: 'x'.repeat(70_000) }) },
      413,
      { error: 'PayloadTooLarge', details: { limit: 65_536 } },
    ],
    [
      'ill-formed UTF-8',
      { body: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]) },
      400,
      { details: { errors: [{ path: 'a' }] } },
    ],
    [
      'an unknown property',
      { body: '{"email":"a@b.c","password":"12345678","e_mail":1}' },
      400,
      { details: { errors: [{ path: 'e_mail', message: expect.stringContaining("did you mean 'email'") }] } },
    ],
  ]
  for (const [name, init, status, expected] of bodies)
    it(`answers ${status} to ${name} as a body`, async () => {
      const headers = { 'content-type': 'application/json', ...(init.headers as Record<string, string>) }
      if (init.body instanceof URLSearchParams) headers['content-type'] = 'application/x-www-form-urlencoded'
      const response = await service.client().fetch('/api/auth/login', { method: 'POST', ...init, headers })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ path: '/api/auth/login', ...expected })
    })

  it('reads less from anyone not signed in', async () => {
    const wide = await startService()
    const body = { name: 'x'.repeat(70_000), email: 'x', password: 'x', fields: {} }
    expect(await wide.client().post('/api/auth/login', body)).toMatchObject({
      status: 413,
      body: { details: { limit: 65_536 } },
    })
    expect((await (await wide.user()).post('/api/tags', body)).status).toBe(400)
    await wide.close()
  })

  it('says with 429 when to come back', async () => {
    const wrong = { email: 'eve@example.org', password: 'wrong password' }
    for (let i = 0; i < 10; i++) await service.client().post('/api/auth/login', wrong)
    const { status, headers, body } = await service.client().post('/api/auth/login', wrong)
    expect([status, body.error]).toEqual([429, 'TooManyRequests'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(body.details.retry_after).toBe(Number(headers.get('retry-after')))
  })

  it('takes the query as input, but nothing twice', async () => {
    const known = await user.post('/api/auth/login?email=nobody@example.org', { password: 'wrong password' })
    expect(known.status).toBe(401)
    const twice = await user.post('/api/auth/login?email=a@b.c&dry_run=true&__proto__=1&x=%ff', {
      email: 'a@b.c',
      password: 'wrong password',
    })
    expect(twice.body.details.errors.map((each: { path: string }) => each.path).sort()).toEqual([
      '__proto__',
      'email',
      'x',
    ])
    const typo = await user.get('/api/auth/me?verbose=1')
    expect(typo).toMatchObject({ status: 400, body: { details: { errors: [{ path: 'verbose' }] } } })
    const often = await user.get('/api/items?limit=1&limit=2&fields=name&fields=item_id')
    expect(often).toMatchObject({
      status: 400,
      body: { details: { errors: [{ path: 'limit', message: 'appears twice in the query' }] } },
    })
  })

  it.each(['GET', 'HEAD'])('refuses %s with a body, which nobody would read', async (method) => {
    const whole = (body: string) =>
      exchange(
        service.url,
        `${method} /api/items HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookieHeader}\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
    const refused = await whole('{"limit": 1}')
    expect(refused).toMatch(/^HTTP\/1\.1 400 /)
    if (method === 'GET') expect(refused).toContain('GET takes no body; what it takes is in the query')
    for (const nothing of ['', '{}']) expect(await whole(nothing)).toMatch(/^HTTP\/1\.1 200 /)
  })

  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense', ''])
    it(`takes an empty body of type '${type}' as none`, async () => {
      const one = await service.user()
      expect(
        (
          await one.fetch('/api/auth/logout', {
            method: 'POST',
            headers: type ? { 'content-type': type } : {},
          })
        ).status,
      ).toBe(200)
    })

  it('takes an empty chunked body as none', async () => {
    const one = await service.user()
    expect(
      await rawStatus(
        `${service.url}/api/auth/logout`,
        { 'transfer-encoding': 'chunked', 'content-type': 'application/json', cookie: one.cookieHeader },
        '',
      ),
    ).toBe(200)
  })

  it('reads a body without a Content-Type as JSON', async () => {
    const body = JSON.stringify({ email: 'nobody@example.org', password: 'wrong password' })
    expect(await rawStatus(`${service.url}/api/auth/login`, {}, body)).toBe(401)
    expect(await rawStatus(`${service.url}/api/auth/login`, {}, '{')).toBe(400)
    expect(await rawStatus(`${service.url}/api/auth/login`, { 'content-type': '' }, body)).toBe(401)
  })

  const nonsense: [name: string, text: string, path: string][] = [
    ['no HTTP', 'hello\r\n\r\n', ''],
    ['a broken header', 'GET /api/health?x=1 HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', '/api/health'],
    [
      'a request line of 100 KB',
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      expect.any(String),
    ],
    [
      'two lengths',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      '/api/auth/login',
    ],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', '/api/health'],
    [
      'an unknown expectation',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
      '/api/auth/login',
    ],
  ]
  for (const [name, text, path] of nonsense)
    it(`answers 400 to ${name}`, async () => {
      const answer = await exchange(service.url, text)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toMatchObject({
        error: 'BadRequest',
        path,
      })
    })

  const unencoded: [target: string, path: string, message: string, suggestion: string][] = [
    ['/api/items?search=Bärlauch', '/api/items', 'The address holds "ä",', 'Write %C3%A4 in its place'],
    ['/api/items/🌱', '/api/items/🌱', 'The address holds "🌱",', 'Write %F0%9F%8C%B1 in its place'],
    ['/api/items?search=wild garlic', '/api/items', 'The address holds " ",', 'Write %20 in its place'],
    ['/api/items?search=a\tb', '/api/items', 'The address holds "\\t",', 'Write %09 in its place'],
  ]
  for (const [target, path, message, suggestion] of unencoded)
    it(`says which character of ${JSON.stringify(target)} has to be percent-encoded`, async () => {
      const answer = await exchange(service.url, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))).toEqual({
        error: 'BadRequest',
        message: `${message} which has to be percent-encoded`,
        path,
        suggestion,
      })
    })

  it('turns away before it reads a body', async () => {
    const response = await service
      .client()
      .fetch('/api/tags', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } })
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { error: 'Unauthorized', path: '/api/tags' },
    ])
  })
})

describe('an error that nobody foresaw', () => {
  it('leaves without its inner part, which is in the log', async () => {
    await using service = new ServiceProcess()
    const user = new Client(await service.url())
    await user.ok('POST', '/api/auth/register', { email: 'a@b.c', password: 'correct horse' })
    const db = new Database(join(service.folder, 'facet.db'))
    db.exec('drop table chat_message; drop table chat')
    db.close()
    expect(await user.get('/api/chats')).toMatchObject({
      status: 500,
      body: { error: 'InternalServerError', message: 'Something went wrong on our side', path: '/api/chats' },
    })
    expect(await user.get('/api/health')).toMatchObject({ status: 200 })
    service.child.kill('SIGTERM')
    await service.ended
    const logged = service.stderr.split('\n').find((line) => line.includes('unexpected error'))!
    expect(JSON.parse(logged)).toMatchObject({
      level: 50,
      err: {
        message: expect.stringContaining('no such table: chat'),
        stack: expect.stringContaining('    at '),
      },
    })
  })
})

function rawStatus(url: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', reject)
    request.end(body)
  })
}

function exchange(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)))
  })
}
