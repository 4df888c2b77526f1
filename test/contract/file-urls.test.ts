import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { holdWriter } from '#test/support/hold-writer.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'

const clock = new TestClock()
let service: Service
let user: Client
let other: Client
beforeAll(async () => {
  service = await startService({ clock: clock.now })
  user = await service.user()
  other = await service.user()
})
afterAll(() => service.close())

interface Prepared {
  file_id: string
  upload_url: string
  expires_at: string
}
const prepare = (name = 'notes.txt', client = user): Promise<Prepared> =>
  client.ok('POST', '/api/files/prepare', { name })
/** By whoever has the URL: nothing but it is sent. */
const put = (url: string, body: string | Uint8Array<ArrayBuffer>) =>
  fetch(local(url), { method: 'PUT', body })
const local = (url: string) => service.url + url.slice(new URL(url).origin.length)
const toldIn = ({ headers }: Response) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !/date|x-request-id|x-event-id|keep-alive|connection|encoding$/.test(name),
    ),
  )
const headOf = async (url: string) => {
  const head = await fetch(local(url), { method: 'HEAD' })
  return [head.status, await head.text(), toldIn(head)] as const
}
const open = (file_id: string, client = user) => client.ok('POST', `/api/files/${file_id}/open`)

describe('a URL to upload by', () => {
  it('takes one file, as the tool gives it, without a session', async () => {
    const mcp = await connectMcp(user, 'streamable-http')
    const { value } = await callTool(mcp, 'prepare_upload', { name: 'dir/a b.txt' })
    const { file_id, upload_url, expires_at } = value as Prepared
    expect(Date.parse(expires_at) - clock.now()).toBe(15 * 60_000)
    expect((await user.get(`/api/files/${file_id}`)).status).toBe(404)
    const sent = await put(upload_url, 'hello')
    expect([sent.status, await sent.json()]).toEqual([
      200,
      { file_id, name: 'a b.txt', size: 5, type: 'text/plain', sha256: expect.any(String) },
    ])
    expect((await put(upload_url, 'again')).status).toBe(404)
    expect((await user.get(`/api/files/${file_id}`)).body).toBe('hello')
    expect((await other.get(`/api/files/${file_id}`)).status).toBe(404)
    const told = await callTool(mcp, 'get_file', { file_id })
    expect(told.value).toEqual({
      name: 'a b.txt',
      size: 5,
      type: 'text/plain',
      text: 'hello',
      download_url: expect.stringMatching(/\/api\/file-urls\?token=[\w-]{43}$/),
    })
    await mcp.close()
  })

  it('costs no write to strangers, who have none, nor to those who fetch', async () => {
    const { file_id, upload_url } = await prepare()
    expect((await put(upload_url, 'x')).status).toBe(200)
    const { download_url } = await open(file_id)
    const release = await holdWriter(service.database_url)
    try {
      const unknown = `${service.url}/api/file-urls?token=${'a'.repeat(43)}`
      const answers = await Promise.all([
        fetch(unknown),
        put(unknown, 'x'),
        put(upload_url, 'x'),
        fetch(local(download_url)),
      ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 200])
    } finally {
      await release()
    }
  })

  it('does for fifteen minutes', async () => {
    const [early, late] = [await prepare(), await prepare()]
    clock.move({ minutes: 14, seconds: 59 })
    expect((await put(early.upload_url, 'x')).status).toBe(200)
    clock.move({ seconds: 2 })
    expect((await put(late.upload_url, 'x')).status).toBe(404)
  })

  it('ends with the key, with the session and with the account that asked for it', async () => {
    const holder = await service.user()
    const { key_id, key } = await holder.ok('POST', '/api/keys', { name: 'k', scope: 'write' })
    const byKey = await prepare('x', new TokenClient(service.url, key))
    await holder.ok('DELETE', `/api/keys/${key_id}`)
    expect((await put(byKey.upload_url, 'x')).status).toBe(404)
    const leaving = await service.user()
    const bySession = await prepare('x', leaving)
    await leaving.ok('POST', '/api/auth/logout')
    expect((await put(bySession.upload_url, 'x')).status).toBe(404)
    const ending = await service.user()
    const byAccount = await prepare('x', ending)
    const { user_id } = await ending.ok('GET', '/api/auth/me')
    await user.ok('POST', '/api/auth/confirm', { password: 'correct horse' }) // much later than it signed in
    await user.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    expect((await put(byAccount.upload_url, 'x')).status).toBe(404)
  })

  it('is refused to those who may only read, and to a name that is none', async () => {
    const holder = await service.user()
    const { key } = await holder.ok('POST', '/api/keys', { name: 'r', scope: 'read' })
    const client = new TokenClient(service.url, key)
    expect((await client.post('/api/files/prepare', { name: 'x' })).status).toBe(403)
    expect((await user.post('/api/files/prepare', { name: 'a/' })).status).toBe(400)
  })

  it('does once more after an upload that was too large', async () => {
    const { upload_url } = await prepare()
    const large = await fetch(local(upload_url), {
      method: 'PUT',
      body: Buffer.alloc(100 * 2 ** 20 + 1),
    })
    expect(large.status).toBe(413)
    expect((await put(upload_url, 'small')).status).toBe(200)
  })
})

describe('a URL to download by', () => {
  it('gives the bytes as an attachment, for five minutes', async () => {
    const { file_id, upload_url } = await prepare('page.html')
    await put(upload_url, '<script>alert(1)</script>')
    const { download_url, text, type } = await open(file_id)
    expect([type, text]).toEqual(['text/html', '<script>alert(1)</script>'])
    const answer = await fetch(local(download_url))
    expect(await answer.text()).toBe('<script>alert(1)</script>')
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'attachment; filename="page.html"',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    const part = await fetch(local(download_url), { headers: { range: 'bytes=1-6' } })
    expect([part.status, await part.text()]).toEqual([206, 'script'])
    const whole = await fetch(local(download_url))
    expect(await headOf(download_url)).toEqual([200, '', toldIn(whole)])
    expect(toldIn(whole)).toMatchObject({
      'content-length': '25',
      etag: expect.any(String),
      'accept-ranges': 'bytes',
    })
    clock.move({ minutes: 5, seconds: 1 })
    expect((await fetch(local(download_url))).status).toBe(404)
    expect((await headOf(download_url))[0]).toBe(404)
  })

  it('shows what its account still may see', async () => {
    const { file_id, upload_url } = await prepare()
    await put(upload_url, 'x')
    const tag = await user.ok('POST', '/api/items', {
      name: 'A',
      description: `<img src="/api/files/${file_id}">`,
    })
    const { download_url } = await open(file_id, other)
    expect((await fetch(local(download_url))).status).toBe(200)
    await user.ok('DELETE', `/api/items/${tag.item_id}`)
    await user.ok('POST', '/api/items/purge', { item_ids: [tag.item_id] })
    expect((await fetch(local(download_url))).status).toBe(410)
  })

  it('answers the first 64 KiB of a text, up to a whole character', async () => {
    const { file_id, upload_url } = await prepare()
    await put(upload_url, `a${'ü'.repeat(40_000)}`)
    expect((await open(file_id)).text).toBe(`a${'ü'.repeat(32_767)}`)
  })

  it.each([
    ['windows-1252', Buffer.from('Gr\xfc\xdfe \x80', 'latin1'), 'Grüße €'],
    ['utf-16le', Buffer.from('\ufeffGrüße', 'utf16le'), 'Grüße'],
    ['utf-16be', Buffer.from('\ufeffGrüße', 'utf16le').swap16(), 'Grüße'],
    [undefined, Buffer.from('Grüße'), 'Grüße'],
    [undefined, Buffer.from('\ufeffGrüße'), 'Grüße'],
    [
      'windows-1252',
      Buffer.concat([Buffer.alloc(65_535, 'a'), Buffer.from([0xfc, 0x62])]),
      `${'a'.repeat(65_535)}ü`,
    ],
  ])('answers a text of %s as its characters', async (encoding, bytes, text) => {
    const { file_id, upload_url } = await prepare()
    await put(upload_url, bytes)
    const { download_url } = await open(file_id)
    expect(await open(file_id)).toMatchObject({ type: 'text/plain', text })
    expect((await open(file_id)).encoding).toBe(encoding)
    // A browser reads it in the same way.
    for (const answer of [await user.fetch(`/api/files/${file_id}`), await fetch(local(download_url))])
      expect(answer.headers.get('content-type')).toBe(`text/plain; charset=${encoding ?? 'utf-8'}`)
  })

  it('is nothing that somebody could guess', async () => {
    for (const url of ['/api/file-urls?token=x', '/api/file-urls', '/api/file-urls?token=a&token=b'])
      expect((await fetch(service.url + url)).status).toBe(404)
  })
})

describe('a URL that gives an export', () => {
  const ask = (body: object, client = user) => client.post('/api/items/export/prepare', body)
  const fetched = async (url: string) => {
    const response = await fetch(local(url))
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  it('gives what the request gives, without a session, as often as is asked for five minutes', async () => {
    const { tag_id } = await user.ok('POST', '/api/tags', { name: 'Plant', fields: { height: 'Number' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { height: 3 } }]
    await user.ok('POST', '/api/items', { name: '=Oak', tags })
    await user.ok('POST', '/api/items', { name: 'Newer', tags })
    const body = { format: 'csv', filter: { has_tag: 'Plant' }, fields: ['Plant.height'] }
    const mcp = await connectMcp(user, 'streamable-http')
    const { value } = await callTool(mcp, 'export_items', body)
    await mcp.close()
    const { download_url, expires_at } = value as { download_url: string; expires_at: string }
    expect(Date.parse(expires_at) - clock.now()).toBe(5 * 60_000)
    const expected = (await user.post('/api/items/export', body)).body
    expect(expected).toMatch(/,'=Oak,,3[^]*,Newer,,3/)
    for (let times = 0; times < 2; times++) {
      const { status, headers, text } = await fetched(download_url)
      expect([status, text]).toEqual([200, expected])
      expect(headers.get('content-disposition')).toBe('attachment; filename="items.csv"')
      expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
        'no-store',
        'no-referrer',
      ])
    }
    expect(await headOf(download_url)).toEqual([200, '', toldIn(await fetch(local(download_url)))])
    const never = await ask({ format: 'jsonl', filter: { 'Plant.height': { contains: 'x' } } })
    expect(never.headers.get('x-filter-warnings')).toContain('Plant.height')
    const zip = await ask({ format: 'markdown', filter: { has_tag: 'Plant' } })
    expect((await fetched(zip.body.download_url)).text.slice(0, 2)).toBe('PK')
    expect((await put(download_url, 'x')).status).toBe(404)
    clock.move({ minutes: 5, seconds: 1 })
    expect((await fetched(download_url)).status).toBe(404)
  })

  it('is refused where the request is wrong, and gives what its key sees, as long as that is there', async () => {
    expect((await ask({ format: 'pdf' })).status).toBe(400)
    expect((await ask({ format: 'csv', filter: { has_tag: 'No such tag' } })).status).toBe(400)
    const holder = await service.user()
    const { tag_id } = await holder.ok('POST', '/api/tags', { name: 'Seen', fields: {} })
    await holder.ok('POST', '/api/items', { name: 'In sight', tags: [{ tag_ref: { Existing: tag_id } }] })
    await holder.ok('POST', '/api/items', { name: 'Out of sight' })
    const limit = { tag_ids: [tag_id] }
    const { key_id, key } = await holder.ok('POST', '/api/keys', { name: 'k', scope: 'read', limit })
    const keyed = new TokenClient(service.url, key)
    expect((await ask({ format: 'jsonl', as_of: new Date(clock.now()).toISOString() }, keyed)).status).toBe(
      403,
    )
    const { body } = await ask({ format: 'jsonl', fields: ['name'] }, keyed)
    expect((await fetched(body.download_url)).text).toBe('{"name":"In sight"}\n')
    await holder.ok('DELETE', `/api/keys/${key_id}`)
    expect((await fetched(body.download_url)).status).toBe(404)
  })
})
