import { once } from 'node:events'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { freeWhenSent } from '#src/api/http/outlet.ts'
import { streamPages } from '#src/api/http/stream-pages.ts'
import { Reply } from '#src/domain/reply.ts'

const MB = 1024 * 1024

describe('streamPages', () => {
  let app: FastifyInstance
  let sent = 0
  let finished: Promise<void>
  afterEach(() => app.close())

  /** A server that streams these pages. */
  async function serve(
    pages: () => AsyncGenerator<Reply>,
    stall = 10_000,
    coding?: 'zstd' | 'br' | 'gzip',
  ): Promise<number> {
    sent = 0
    app = fastify({ forceCloseConnections: true })
    app.get('/', async (_, reply) => {
      const rest = (async function* () {
        for await (const page of pages()) {
          sent++
          yield page
        }
      })()
      finished = streamPages(reply.header('x-kept', '1'), (await rest.next()).value as Reply, rest, {
        stall,
        coding,
      })
      await finished
      return reply
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
    return (app.server.address() as { port: number }).port
  }
  const page = (...values: unknown[]) => Reply.of(values)

  const cases: [name: string, pages: unknown[][], whole: unknown[]][] = [
    ['one page', [[1, 2]], [1, 2]],
    ['several pages', [[1, 2], [3], [4, 5]], [1, 2, 3, 4, 5]],
    ['empty pages', [[], [], [1], [], [2], []], [1, 2]],
    ['nothing', [[], []], []],
    [
      'astral characters',
      [['😀'.repeat(100_000)], ['x' + '😀'.repeat(100_000)]],
      ['😀'.repeat(100_000), 'x' + '😀'.repeat(100_000)],
    ],
  ]
  for (const [name, pages, whole] of cases)
    it(`joins ${name}`, async () => {
      const port = await serve(async function* () {
        for (const each of pages) yield page(...each)
      })
      const response = await fetch(`http://127.0.0.1:${port}/`)
      expect([response.status, response.headers.get('x-kept'), await response.json()]).toEqual([
        200,
        '1',
        whole,
      ])
    })

  it('frees the memory of a page that has gone out, and of no page that is part of something else', async () => {
    const ofItsOwn = [1, 2, 3].map((n) => {
      const text = JSON.stringify([n, randomBytes(3 * MB).toString('hex')])
      return Buffer.from(new TextEncoder().encode(text).buffer)
    })
    const whole = Buffer.from(' '.repeat(100_000) + '["part"]')
    const part = whole.subarray(100_000)
    const pages = [...ofItsOwn, part]
    const expected = pages.flatMap((each) => JSON.parse(each.toString()) as unknown[])
    const port = await serve(async function* () {
      for (const each of pages) yield new Reply(each)
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    // Nothing is read before it has filled the socket: what has not gone out is needed still.
    await new Promise((resume) => setTimeout(resume, 200))
    expect(await response.json()).toEqual(expected)
    await finished
    await expect.poll(() => ofItsOwn.map(({ length }) => length)).toEqual([0, 0, 0])
    expect(part.toString()).toContain('"part"')
  })

  for (const coding of ['zstd', 'br', 'gzip'] as const) {
    it(`joins pages in ${coding}, and lets each out at once`, async () => {
      const { promise: seen, resolve: see } = Promise.withResolvers<void>()
      const port = await serve(
        async function* () {
          yield page('first', '😀'.repeat(100_000))
          await seen
          yield page('second')
        },
        10_000,
        coding,
      )
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { 'accept-encoding': coding } })
      expect(response.headers.get('content-encoding')).toBe(coding)
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (;;) {
        const { done, value = '' } = await reader.read()
        if (done) break
        text += value
        // The second page is made only when the whole first one is here.
        if (text.endsWith('😀"')) see()
      }
      expect(JSON.parse(text)).toEqual(['first', '😀'.repeat(100_000), 'second'])
    })

    it(`reads no page before the client has taken the one before in ${coding}`, async () => {
      const port = await serve(noise, 10_000, coding)
      const socket = connect(port, '127.0.0.1').pause()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await vi.waitFor(
        async () => {
          const waiting = sent
          await new Promise((resolve) => setTimeout(resolve, 500))
          expect(sent).toBe(waiting)
        },
        { timeout: 10_000 },
      )
      expect(sent).toBeLessThan(24)
      socket.destroy()
      await finished
    })

    it(`cuts a client off that has stopped reading ${coding}`, async () => {
      const port = await serve(noise, 200, coding)
      const socket = connect(port, '127.0.0.1').pause()
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await vi.waitFor(() => expect(sent).toBeGreaterThan(0), { timeout: 10_000 })
      await finished
      socket.on('error', () => {}).resume()
      await once(socket, 'close')
    })

    it(`leaves ${coding} open at a failure`, async () => {
      const port = await serve(
        async function* () {
          yield page(1)
          await new Promise((resolve) => setTimeout(resolve, 50))
          throw new Error('the database has gone')
        },
        10_000,
        coding,
      )
      const response = await fetch(`http://127.0.0.1:${port}/`)
      await expect(response.text()).rejects.toThrow(/terminated/)
    })
  }

  /** What cannot be made much smaller. */
  async function* noise() {
    for (;;) yield page(randomBytes(MB).toString('base64'))
  }

  it('leaves the JSON open and destroys the socket at a failure', async () => {
    const port = await serve(async function* () {
      yield page(1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('the database has gone')
    })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow(/terminated/)
  })

  async function* endless() {
    for (;;) yield page('x'.repeat(MB))
  }

  it('reads no page before the client has taken the one before', async () => {
    const port = await serve(endless)
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await new Promise((resolve) => setTimeout(resolve, 500))
    const waiting = sent
    expect(waiting).toBeLessThan(12) // what the kernel's buffers hold
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toBe(waiting)
    socket.resume()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sent).toBeGreaterThan(waiting)
    socket.destroy()
    await finished
  })

  it('stops when the client goes away', async () => {
    const port = await serve(endless)
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await finished
    const before = sent
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sent).toBe(before)
  })

  it('cuts a client off that has stopped reading', async () => {
    const port = await serve(endless, 200)
    const socket = connect(port, '127.0.0.1').pause()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(socket, 'connect')
    await new Promise((resolve) => setTimeout(resolve, 100))
    await finished
    socket.on('error', () => {}).resume()
    await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })
})

it('an answer by itself frees its memory once it has gone out', async () => {
  const app = fastify({ forceCloseConnections: true })
  const answer = Buffer.from(new TextEncoder().encode(`["${randomBytes(3 * MB).toString('hex')}"]`).buffer)
  const expected = JSON.parse(answer.toString()) as unknown
  app.get('/', (_, reply) => {
    freeWhenSent(reply.raw, answer)
    return reply.type('application/json').send(answer)
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const response = await fetch(url)
  await new Promise((resume) => setTimeout(resume, 200))
  expect(await response.json()).toEqual(expected)
  await expect.poll(() => answer.length).toBe(0)
  await app.close()
})
