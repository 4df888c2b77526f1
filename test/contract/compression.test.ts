import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { uploaded } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'

const CODINGS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
type Coding = keyof typeof CODINGS

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

let service: Service
let client: Client
let item_id: string

/** As it comes over the wire. */
const raw = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  new Promise<Raw>((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const sent = request(
      service.url + path,
      {
        method,
        headers: {
          cookie: client.cookieHeader,
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(parts) }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(text)
  })
const accept = (coding: string) => ({ 'accept-encoding': coding })

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ item_id } = await client.ok('POST', '/api/items', { name: 'Long', description: 'ä'.repeat(5000) }))
  const items = Array.from({ length: 1500 }, (_, i) => `Item ${i}`)
  for (let n = 0; n < 2; n++) await client.ok('POST', '/api/items/bulk', { items })
})
afterAll(() => service.close())

describe.each(Object.keys(CODINGS) as Coding[])('answers in %s', (coding) => {
  const read = ({ bytes }: Raw) => CODINGS[coding](bytes).toString()

  it('are the same to the byte, shorter, and say so', async () => {
    const plain = await raw('GET', `/api/items/${item_id}`)
    const packed = await raw('GET', `/api/items/${item_id}`, accept(coding))
    expect(packed.headers['content-encoding']).toBe(coding)
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    expect(packed.headers.etag).toBe(plain.headers.etag)
    expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 10)
    expect(read(packed)).toBe(plain.bytes.toString())
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toMatch(/accept-encoding/i)
  })

  it('are not read again where the client has them, and can be changed by their ETag', async () => {
    const packed = await raw('GET', `/api/items/${item_id}`, accept(coding))
    const etag = packed.headers.etag as string
    const known = await raw('GET', `/api/items/${item_id}`, { ...accept(coding), 'if-none-match': etag })
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag])
    expect(known.headers.vary).toMatch(/accept-encoding/i)
    expect(known.headers['content-encoding']).toBeUndefined()
    const changed = await raw(
      'PUT',
      `/api/items/${item_id}`,
      { ...accept(coding), 'if-match': etag },
      { name: `Long in ${coding}` },
    )
    expect([changed.status, JSON.parse(read(changed)).name]).toEqual([200, `Long in ${coding}`])
  })

  it('have with HEAD the headers that GET has', async () => {
    const [got, head] = [
      await raw('GET', `/api/items/${item_id}`, accept(coding)),
      await raw('HEAD', `/api/items/${item_id}`, accept(coding)),
    ]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    for (const name of ['content-encoding', 'content-length', 'content-type', 'etag', 'vary'])
      expect(head.headers[name], name).toBe(got.headers[name])
  })

  it('are lists too that are streamed', async () => {
    const plain = await raw('GET', '/api/items')
    const packed = await raw('GET', '/api/items', accept(coding))
    expect(packed.headers['content-encoding']).toBe(coding)
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    expect(packed.headers['transfer-encoding']).toBe('chunked')
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(read(packed)).toBe(plain.bytes.toString())
    expect(JSON.parse(read(packed))).toHaveLength(3001)
  })

  it('are errors too', async () => {
    const refused = await raw('POST', '/api/items/bulk', accept(coding), {
      items: Array.from({ length: 60 }, () => ' '),
    })
    expect([refused.status, refused.headers['content-encoding']]).toEqual([400, coding])
    expect(JSON.parse(read(refused)).details.errors).toHaveLength(60)
  })
})

describe('not compressed', () => {
  const all = accept('zstd, br, gzip')

  it('is what is short', async () => {
    const { headers } = await raw('GET', '/api/health', all)
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('is what the client does not take', async () => {
    for (const coding of ['identity', 'deflate', 'gzip;q=0'])
      expect(
        (await raw('GET', '/api/items?limit=100', accept(coding))).headers['content-encoding'],
      ).toBeUndefined()
  })

  it('is what holds secrets', async () => {
    const long = { name: 'k'.repeat(200), scope: 'read', expires_in_days: 1 }
    for (let n = 0; n < 8; n++) expect((await raw('POST', '/api/keys', all, long)).status).toBe(200)
    for (const path of ['/api/keys', '/api/auth/activity', '/api/auth/me?x=' + 'x'.repeat(2000)]) {
      const { headers, bytes } = await raw('GET', path, all)
      expect(headers['content-encoding'], path).toBeUndefined()
      if (path !== '/api/keys') continue
      expect(bytes.length).toBeGreaterThan(1024)
    }
    const file_id = await uploaded(client, 'notes.txt', 'abcdefgh '.repeat(800))
    const opened = await raw('POST', `/api/files/${file_id}/open`, all)
    expect(opened.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(opened.bytes.toString()).download_url).toContain('token=')
    const metadata = await raw('POST', '/oauth/register', all, { redirect_uris: ['x'.repeat(3000)] })
    expect(metadata.headers['content-encoding']).toBeUndefined()
  })

  it('is a stream of events', async () => {
    const gone = new AbortController()
    const stream = await client.fetch('/api/mcp/sse', { headers: all, signal: gone.signal })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(stream.headers.get('content-encoding')).toBeNull()
    gone.abort()
  })

  it('twice are the files of the application', async () => {
    const page = (await raw('GET', '/', { accept: 'text/html' })).bytes.toString()
    const file = /(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/.exec(page)![1]!
    const { headers, bytes } = await raw('GET', file, accept('gzip'))
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(bytes).toString()).not.toBe('')
  })
})
