import fastify, { type FastifyRequest } from 'fastify'
import { type AddressInfo, connect } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wholeBody } from '#src/api/http/whole-body.ts'

const LIMIT = 2_000_000
const app = fastify({ bodyLimit: LIMIT })
app.removeAllContentTypeParsers()
/** The pieces of the last body, as they came. */
let pieces: Buffer[] = []
app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
  pieces = []
  payload.on('data', (piece: Buffer) => pieces.push(piece))
  return wholeBody(request, payload)
})
app.post('/', (request) => `${(request.body as Buffer).length} ${(request.body as Buffer).at(-1)}`)
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

const port = () => (app.server.address() as AddressInfo).port
const post = (body: Buffer | ReadableStream) =>
  fetch(`http://127.0.0.1:${port()}`, { method: 'POST', body, duplex: 'half' })
const inPieces = (count: number, size: number) =>
  new ReadableStream<Uint8Array>({
    start(out) {
      for (let i = 0; i < count; i++) out.enqueue(new Uint8Array(size).fill(i))
      out.close()
    },
  })
const held = () => pieces.reduce((sum, each) => sum + each.length, 0)

describe('a body', () => {
  it('comes whole, and what its pieces took is freed', async () => {
    expect(await (await post(inPieces(15, 100_000))).text()).toBe('1500000 14')
    expect(pieces.length).toBeGreaterThan(1)
    expect(held()).toBe(0)
  })

  it('of one piece is that piece', async () => {
    expect(await (await post(Buffer.from('abc'))).text()).toBe('3 99')
    expect(pieces.map(String)).toEqual(['abc'])
  })

  it('that is too large is refused before it comes, or once it is', async () => {
    expect((await post(Buffer.alloc(LIMIT + 1))).status).toBe(413)
    const status = await post(inPieces(40, 100_000)).then(
      (response) => response.status,
      () => 'closed while it was sent',
    )
    expect([413, 'closed while it was sent']).toContain(status)
    expect(pieces[0]).toHaveLength(0)
  })

  it('that does not come whole is freed', async () => {
    pieces = []
    const socket = connect(port(), '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n')
    socket.write(Buffer.alloc(300_000))
    while (held() < 300_000) await pause(5)
    socket.destroy()
    while (held()) await pause(5)
    expect(pieces.length).toBeGreaterThan(1)
  })
})
