import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { type Service, startService } from '#test/support/service.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const LIMIT = 3 * 2 ** 20
const clock = new TestClock()
let service: Service
let user: Client
let other: Client
let reader: Client
beforeAll(async () => {
  service = await startService({ env: { FILE_LIMIT: '3 MiB', BODY_LIMIT: '1 MiB' }, clock: clock.now })
  user = await service.user()
  other = await service.user()
  reader = await service.user('reader@example.org')
  const { user_id } = await reader.ok('GET', '/api/auth/me')
  await user.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
})
afterAll(() => service.close())

const upload = async (client: Client, name: string, content: string | Buffer, headers = {}) => {
  const answer = await client.exchange('POST', `/api/files?name=${encodeURIComponent(name)}`, {
    headers: new Headers(headers),
    body: Buffer.from(content),
  })
  return { status: answer.status, body: JSON.parse(answer.text) }
}
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const blobs = () =>
  readdirSync(join(service.folder, 'files'), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  )

describe('an address of a file that a browser opens', () => {
  const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  it('shows the application where one has to sign in, or where it is not', async () => {
    const { body } = await upload(user, 'plan.txt', 'x')
    const path = `/api/files/${body.file_id}`
    const gone = '/api/files/01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    const asked = async (client: Client, at: string, headers = {}) => {
      const answer = await client.fetch(at, { headers })
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]]
    }
    const nobody = service.client()
    expect(await asked(nobody, path, PAGE)).toEqual([401, 'text/html'])
    expect(await asked(user, gone, PAGE)).toEqual([404, 'text/html'])
    expect(await asked(user, path, PAGE)).toEqual([200, 'text/plain'])
    // Programs read the fault as everywhere.
    for (const headers of [{}, { accept: '*/*' }, { accept: 'image/*' }])
      expect(await asked(nobody, path, headers)).toEqual([401, 'application/json'])
    expect(await asked(user, gone, { accept: 'application/json' })).toEqual([404, 'application/json'])
  })
})

describe('uploads', () => {
  it.each(['a/b', 'application/json', 'multipart/form-data; boundary=x', 'nonsense', 'text/plain; charset'])(
    'are bytes, also as %s',
    async (type) => {
      const { status, body } = await upload(user, 'a.txt', Buffer.from('{'), { 'content-type': type })
      expect([status, body.size]).toEqual([200, 1])
    },
  )

  it.each(['POST', 'PUT'])('in a form are refused by %s, and nothing is kept', async (method) => {
    const form = new FormData()
    form.set('file', new Blob(['the plan']), 'plan.txt')
    const before = blobs().length
    const { upload_url } = await user.ok('POST', '/api/files/prepare', { name: 'plan.txt' })
    const { pathname, search } = new URL(upload_url)
    const path = method === 'PUT' ? pathname + search : '/api/files?name=plan.txt'
    const refused = await user.fetch(path, { method, body: form })
    expect([refused.status, await refused.json()]).toMatchObject([
      415,
      { error: 'UnsupportedMediaType', suggestion: expect.stringContaining('--data-binary') },
    ])
    expect(blobs()).toHaveLength(before)
    const taken = await user.fetch(path, { method, body: 'the plan' })
    expect([taken.status, await taken.json()]).toMatchObject([200, { size: 8 }])
  })

  it('in a form are refused where its part names a type first, and its head comes in two pieces', async () => {
    const pieces = [
      '--x\r\nContent-Type: text/plain\r\nContent-Dis',
      'position: form-data; name="a"\r\n\r\nthe plan',
    ]
    const body = Readable.from(pieces.map((each) => Buffer.from(each)))
    const { url } = service
    const asked = httpRequest(`${url}/api/files?name=plan.txt`, {
      method: 'POST',
      headers: { cookie: user.cookieHeader, 'content-type': 'multipart/form-data; boundary=x' },
    })
    body.pipe(asked)
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(415)
  })

  it('answers what was stored, and gives the bytes back', async () => {
    const { status, body } = await upload(user, 'C:\\pictures/a b ü.png', PNG, {
      'content-type': 'text/html',
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        file_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        name: 'a b ü.png',
        size: PNG.length,
        type: 'image/png',
        sha256: sha256(PNG),
      },
    })
    const answer = await user.fetch(`/api/files/${body.file_id.toLowerCase()}`)
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="a b _.png"; filename*=UTF-8''a%20b%20%C3%BC.png`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${sha256(PNG)}"`,
      'accept-ranges': 'bytes',
    })
    expect(answer.headers.has('content-encoding')).toBe(false)
  })

  it('keeps the same bytes once, under an id for each upload', async () => {
    const before = blobs().length
    const content = randomBytes(1000)
    const all = await Promise.all([1, 2, 3].map((n) => upload(user, `${n}.bin`, content)))
    expect(new Set(all.map(({ body }) => body.file_id)).size).toBe(3)
    expect(blobs()).toHaveLength(before + 1)
  })

  it('keeps no answer under an Idempotency-Key, and compresses no file', async () => {
    const text = 'said again and again '.repeat(1000)
    const one = await upload(user, 'again.txt', text, { 'idempotency-key': 'same' })
    const two = await upload(user, 'again.txt', text, { 'idempotency-key': 'same' })
    expect([one.status, two.status, one.body.file_id === two.body.file_id]).toEqual([200, 200, false])
    const answer = await user.fetch(`/api/files/${one.body.file_id}`, {
      headers: { 'accept-encoding': 'gzip, br, zstd' },
    })
    expect([answer.headers.get('content-encoding'), answer.headers.get('content-length')]).toEqual([
      null,
      String(text.length),
    ])
  })

  it('takes fifty at once, and an empty one', async () => {
    const contents = Array.from({ length: 50 }, (_, i) => randomBytes(i * 5000))
    const all = await Promise.all(contents.map((each) => upload(user, 'x', each)))
    expect(all.map(({ body }) => body.sha256)).toEqual(contents.map(sha256))
    const empty = await user.fetch(`/api/files/${all[0]!.body.file_id}`)
    expect([empty.status, await empty.text()]).toEqual([200, ''])
  })

  it.each([
    ['', 'must not be blank'],
    [' ', 'must not be blank'],
    ['folder/', 'must not be blank'],
    ['a\nb', 'must have no control characters'],
    ['x'.repeat(1001), 'must have at most 1000 characters'],
  ])('refuses the name %j', async (name, message) => {
    const { status, body } = await upload(user, name, 'x')
    expect([status, body.error]).toEqual([400, 'BadRequest'])
    expect(body.message).toContain(message)
  })

  it('refuses what has no name, and parameters that it does not know', async () => {
    const answer = await user.exchange('POST', '/api/files?nam=x', { body: 'x' })
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text).details.errors.map(({ path }: { path: string }) => path)).toEqual([
      'nam',
      'name',
    ])
  })

  it('refuses more than FILE_LIMIT, announced or not, and keeps nothing of it', async () => {
    const before = blobs().length
    const announced = await upload(user, 'x', Buffer.alloc(LIMIT + 1))
    expect([announced.status, announced.body.error, announced.body.details]).toEqual([
      413,
      'PayloadTooLarge',
      { limit: LIMIT },
    ])
    expect(await chunked(user, Buffer.alloc(LIMIT + 1))).toBe(413)
    expect((await upload(user, 'x', Buffer.alloc(LIMIT))).status).toBe(200)
    expect(blobs().length).toBeLessThanOrEqual(before + 1)
  })

  it('takes at most 1 GiB of an account that nothing refers to, what is stored and what is coming together', async () => {
    const roomy = await startService({ env: { FILE_LIMIT: '1 GiB' } })
    const GIB = 2 ** 30
    try {
      const [one, two] = [await roomy.user(), await roomy.user()]
      expect((await upload(one, 'kept', Buffer.alloc(1000))).status).toBe(200)
      /** So many bytes are announced; the first of them come. */
      const begin = (client: Client, length: number) => {
        const sent = httpRequest(`${roomy.url}/api/files?name=x`, {
          method: 'POST',
          headers: { cookie: client.cookieHeader, 'content-length': length },
        })
        sent.on('error', () => {})
        sent.write('x')
        const status = new Promise<number>((resolve) =>
          sent.on('response', (answer) => resolve(answer.statusCode!)),
        )
        return { sent, status }
      }
      const refused = begin(one, GIB - 999)
      expect(await refused.status).toBe(413)
      refused.sent.destroy()
      const under_way = begin(one, GIB - 1000)
      const halves = () => readdirSync(join(roomy.folder, 'files', 'tmp')).length
      await expect.poll(halves).toBe(1)
      const { body } = await upload(one, 'more', 'x')
      expect([body.error, body.details.limit, body.message, body.suggestion]).toEqual([
        'PayloadTooLarge',
        GIB,
        expect.stringContaining('nothing refers to'),
        expect.stringContaining('a day'),
      ])
      expect((await upload(two, 'other', 'x')).status).toBe(200)
      under_way.sent.destroy()
      await expect.poll(async () => (await upload(one, 'more', 'x')).status).toBe(200)
    } finally {
      await roomy.close()
    }
  })

  it('keeps nothing of what did not come whole', async () => {
    const before = blobs().length
    await cutOff(user, 1_000_000)
    await expect.poll(() => blobs().length).toBe(before)
  })

  it('asks for a session, and lets readers keep what is their own', async () => {
    expect((await upload(service.client(), 'x', 'x')).status).toBe(401)
    expect((await upload(reader, 'x', 'mine')).status).toBe(200)
  })

  it('is open to keys, and to reading ones for reading alone', async () => {
    const { body } = await upload(user, 'k.txt', 'by key')
    const { key } = await user.ok('POST', '/api/keys', { name: 'k', scope: 'read' })
    const headers = new Headers({ authorization: `Bearer ${key}` })
    const client = service.client()
    expect((await client.exchange('GET', `/api/files/${body.file_id}`, { headers })).text).toBe('by key')
    expect((await client.exchange('POST', '/api/files?name=x', { headers, body: 'x' })).status).toBe(403)
  })
})

describe('what nothing refers to', () => {
  it('is there for its account alone', async () => {
    const { body } = await upload(user, 'x.txt', 'secret')
    expect((await other.get(`/api/files/${body.file_id}`)).status).toBe(404)
    expect((await user.get(`/api/files/${body.file_id}`)).body).toBe('secret')
    expect((await user.get('/api/files/01JJXZ5T7GQ3M8K4B9R2C6D0EF')).status).toBe(404)
    expect((await user.get('/api/files/nothing')).status).toBe(404)
  })
})

describe('what an item refers to', () => {
  const shown = (file_id: string) => `<p><img src="/api/files/${file_id}"></p>`

  it('is there for everybody, and stays while the item or its events have it', async () => {
    const { body } = await upload(user, 'a.txt', 'shown')
    const item = await user.ok('POST', '/api/items', { name: 'A', description: shown(body.file_id) })
    const read = async (client: Client) => (await client.get(`/api/files/${body.file_id}`)).status
    expect([await read(other), await read(reader)]).toEqual([200, 200])
    await user.ok('PUT', `/api/items/${item.item_id}`, { description: 'none' })
    await user.ok('DELETE', `/api/items/${item.item_id}`)
    expect(await read(other)).toBe(200)
    await user.ok('POST', '/api/items/purge', { item_ids: [item.item_id] })
    const gone = await other.get(`/api/files/${body.file_id}`)
    expect([gone.status, gone.body.error]).toEqual([410, 'Gone'])
  })

  it('stays while another item has it', async () => {
    const { body } = await upload(user, 'b.txt', 'twice')
    const [one, two] = [
      await user.ok('POST', '/api/items', { name: 'B', description: shown(body.file_id) }),
      await user.ok('POST', '/api/items', { name: 'C', description: shown(body.file_id) }),
    ]
    const purge = async (item_id: string) => {
      await user.ok('DELETE', `/api/items/${item_id}`)
      await user.ok('POST', '/api/items/purge', { item_ids: [item_id] })
      return (await user.get(`/api/files/${body.file_id}`)).status
    }
    expect([await purge(one.item_id), await purge(two.item_id)]).toEqual([200, 410])
  })

  it('does not become readable because somebody writes its id down', async () => {
    const { body } = await upload(user, 'c.txt', 'guessed')
    await other.ok('POST', '/api/items', { name: 'D', description: shown(body.file_id) })
    expect((await other.get(`/api/files/${body.file_id}`)).status).toBe(404)
  })

  it('does not become readable because its own account leaves there what somebody else wrote, or takes it away', async () => {
    const { body } = await upload(user, 'private.txt', 'private')
    const text = shown(body.file_id)
    const fields = { note: 'String', copy: 'String' }
    const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Noted', fields })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { note: text } }]
    const { item_id } = await other.ok('POST', '/api/items', { name: text, description: text, tags })
    const path = `/api/items/${item_id}`
    const note = (field_values: object) =>
      user.ok('PUT', `${path}/tags/${tag_id}`, { field_values, merge: true })
    const steps: (() => Promise<unknown>)[] = [
      () => user.ok('PUT', path, { description: `${text}<p>and more</p>` }),
      () => note({ note: `${text} and more` }),
      () => user.ok('PUT', path, { description: null }),
      () => note({ note: null }),
      () => user.ok('DELETE', path),
      () => user.ok('POST', `${path}/restore`),
      () => user.ok('DELETE', `${path}/tags/${tag_id}`),
      () => user.ok('PUT', path, { name: 'D' }),
    ]
    for (const [i, step] of steps.entries()) {
      await step()
      expect([i, (await reader.get(`/api/files/${body.file_id}`)).status]).toEqual([i, 404])
    }
    await user.ok('PUT', path, { description: text })
    expect((await reader.get(`/api/files/${body.file_id}`)).status).toBe(200)
  })
})

describe('parts of a file', () => {
  let path: string
  let etag: string
  beforeAll(async () => {
    const { body } = await upload(user, 'x.txt', '0123456789')
    path = `/api/files/${body.file_id}`
    etag = `"${body.sha256}"`
  })

  it.each([
    ['bytes=0-3', 206, '0123', 'bytes 0-3/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=8-100', 206, '89', 'bytes 8-9/10'],
    ['bytes=-100', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=5-2', 200, '0123456789', null],
    ['bytes=0-1,3-4', 200, '0123456789', null],
    ['lines=0-1', 200, '0123456789', null],
  ])('answers %s with %i', async (range, status, text, of) => {
    const answer = await user.fetch(path, { headers: { range } })
    expect([answer.status, await answer.text(), answer.headers.get('content-range')]).toEqual([
      status,
      text,
      of,
    ])
  })

  it.each(['bytes=10-', 'bytes=-0', 'bytes=99-100'])('has none for %s', async (range) => {
    const answer = await user.get(path, { range })
    expect([answer.status, answer.body.error, answer.headers.get('content-range')]).toEqual([
      416,
      'RangeNotSatisfiable',
      'bytes */10',
    ])
  })

  it('goes by If-Range and If-None-Match', async () => {
    const range = 'bytes=0-1'
    expect((await user.get(path, { range, 'if-range': etag })).status).toBe(206)
    expect((await user.get(path, { range, 'if-range': '"other"' })).status).toBe(200)
    expect((await user.get(path, { 'if-none-match': etag })).status).toBe(304)
  })

  it('says the same of itself by HEAD', async () => {
    const [head, get] = [await user.fetch(path, { method: 'HEAD' }), await user.fetch(path)]
    const told = ({ headers }: Response) =>
      Object.fromEntries(
        [...headers].filter(([name]) => !/date|x-request-id|keep-alive|connection/.test(name)),
      )
    expect([head.status, await head.text(), told(head)]).toEqual([200, '', told(get)])
    expect((await user.fetch('/api/files/01JJXZ5T7GQ3M8K4B9R2C6D0EF', { method: 'HEAD' })).status).toBe(404)
  })
})

/** Sends a body whose length is not announced; the status. */
function chunked(client: Client, body: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${service.url}/api/files?name=x`, {
      method: 'POST',
      headers: { cookie: client.cookieHeader, 'transfer-encoding': 'chunked' },
    })
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    sent.on('error', reject)
    for (let at = 0; at < body.length; at += 65_536) sent.write(body.subarray(at, at + 65_536))
    sent.end()
  })
}

/** Leaves in the middle. */
function cutOff(client: Client, announced: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = httpRequest(`${service.url}/api/files?name=x`, {
      method: 'POST',
      headers: { cookie: client.cookieHeader, 'content-length': announced },
    })
    sent.on('error', () => undefined)
    sent.on('close', resolve)
    sent.write(Buffer.alloc(announced / 2), () => setTimeout(() => sent.destroy(), 100))
  })
}
