import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

const MIB = 1024 * 1024
const EVERY = 5000

let service: Service
let ann: Client
let bob: Client
let carl: Client

beforeAll(async () => {
  service = await startService()
  ;[ann, bob, carl] = [await service.user(), await service.user(), await service.user()]
})
afterAll(() => service.close())

/** Announces a body, and sends a byte of it now and then. */
function dribble(client: Client, path: string, length: number | 'chunked', every: number): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.on('error', () => {})
  const size = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${client.cookieHeader}\r\n${size}\r\n\r\n`)
  const byte = () => socket.write(length === 'chunked' ? '1\r\n \r\n' : ' ')
  byte()
  const timer = setInterval(byte, every)
  socket.once('close', () => clearInterval(timer))
  return socket
}

const bulk = {
  items: Array.from({ length: 130 }, (_, i) => ({ name: `Item ${i}`, description: 'x'.repeat(1000) })),
}

describe('large bodies', () => {
  it.concurrent('of two accounts that announce much and send little take no room from a third; they end with 408', async () => {
    const held = [ann, bob].map((client) => dribble(client, '/api/items/bulk', 32 * MIB, EVERY))
    const answers = held.map((socket) => text(socket))
    await pause(300)
    const begun = performance.now()
    expect(await carl.ok('POST', '/api/items/bulk', bulk)).toHaveLength(130)
    await carl.ok('POST', '/api/items', { name: 'Long', description: 'x'.repeat(70_000) })
    expect(performance.now() - begun).toBeLessThan(5000)
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatch(/^HTTP\/1.1 408 .*connection: close/is)
      expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({
        error: 'RequestTimeout',
        message: expect.stringContaining('32768 bytes a second'),
        suggestion: expect.any(String),
      })
    }
    expect(await ann.ok('POST', '/api/items/bulk', bulk)).toHaveLength(130)
  }, 30_000)

  it.concurrent('that are small may take their time', async () => {
    const { hostname, port } = new URL(service.url)
    for (const chunked of [false, true]) {
      const socket = connect({ host: hostname, port: Number(port) })
      const parts = ['{"name"', ':', '"Slow"}']
      const size = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${parts.join('').length}`
      socket.write(`POST /api/items HTTP/1.1\r\nHost: x\r\nCookie: ${carl.cookieHeader}\r\n${size}\r\n\r\n`)
      const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
      for (const part of parts) {
        await pause(4000)
        socket.write(chunked ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
      }
      if (chunked) socket.write('0\r\n\r\n')
      expect(await answer).toMatch(/^HTTP\/1.1 200 /)
      socket.destroy()
    }
  }, 40_000)

  it('come whole, and in chunks, as before', async () => {
    const description = 'é'.repeat(400_000)
    const made = await carl.ok('POST', '/api/items', { name: 'Large', description })
    expect(made.description ?? (await carl.ok('GET', `/api/items/${made.item_id}`)).description).toBe(
      description,
    )
    const body = JSON.stringify({ name: 'In chunks', description })
    const answer = await carl.fetch('/api/items', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    })
    expect(answer.status).toBe(200)
    const tooLarge = await carl.post('/api/items', { name: 'x', description: 'x'.repeat(33 * MIB) })
    expect(tooLarge).toMatchObject({ status: 413, body: { error: 'PayloadTooLarge' } })
  })
})

describe('what needs no session', () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))

  for (const path of ['/api/auth/login', '/api/auth/register', '/api/auth/passkey/auth/begin'])
    it(`${path} refuses a body of many properties at once`, async () => {
      expect(await service.client().post(path, keys(6500))).toMatchObject({
        status: 400,
        body: {
          error: 'BadRequest',
          message: 'must have at most 100 properties, got 6500',
          details: { errors: [{ path: '' }] },
        },
      })
    })

  it('lists every fault of an ordinary one', async () => {
    const { status, body } = await service.client().post('/api/auth/register', { email: 5, ...keys(3) })
    expect([status, body.details.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      expect.arrayContaining(['email', 'password', 'k0', 'k1', 'k2']),
    ])
  })

  it('looks at the first of a header that is a list', async () => {
    const codings = (first: string) => [first, ...Array.from({ length: 5500 }, (_, i) => `a${i}`)].join()
    for (const [first, coding] of [
      ['gzip', 'gzip'],
      ['a', null],
    ] as const) {
      const answer = await service.client().fetch('/api/openapi.json', {
        headers: { 'accept-encoding': first === 'a' ? `${codings('a')},gzip` : codings(first) },
      })
      expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, coding])
    }
  })
})
