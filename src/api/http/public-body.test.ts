import fastify from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { sendError } from '#src/api/http/error-response.ts'
import { bodyDeadline } from '#src/api/http/public-body.ts'
import { readBodies } from '#src/api/http/read-body.ts'

const app = fastify()
readBodies(app, (body) => JSON.parse(body.toString()))
app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
app.post('/', { preParsing: bodyDeadline(200) }, ({ body }) => body)
// As a library does that reads bodies and answers by itself.
const failures: unknown[] = []
void app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_, _payload, done) => done(null))
  scope.post('/library', { preParsing: bodyDeadline(200) }, async ({ raw }, reply) => {
    reply.hijack()
    const read = await text(raw).catch((error: unknown) => void failures.push(error))
    if (!reply.raw.headersSent) reply.raw.end(read)
  })
})
afterAll(() => app.close())

describe('a body without a session', () => {
  it('that a library reads is ended in time as well', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const head = 'POST /library HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n'
    const quick = connect(port, '127.0.0.1')
    quick.write(`${head}hello`)
    const [data] = (await once(quick, 'data')) as [Buffer]
    expect(data.toString()).toMatch(/^HTTP\/1.1 200 .*hello$/s)
    quick.destroy()
    const slow = connect(port, '127.0.0.1')
    slow.write(`${head}h`)
    const answer = await text(slow)
    expect(answer).toMatch(/^HTTP\/1.1 400 .*connection: close/is)
    expect(answer).toContain('"message":"The body did not arrive in time"')
    await expect.poll(() => failures.length).toBe(1)
  })

  it('that comes too slowly is answered and its connection closed, one in time is read', async () => {
    const { port } = app.server.address() as AddressInfo
    const slow = connect(port, '127.0.0.1')
    slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"a"')
    const drip = setInterval(() => slow.write(' '), 20)
    const answer = await text(slow)
    clearInterval(drip)
    expect(answer).toMatch(/^HTTP\/1.1 400 /)
    expect(answer).toContain('"message":"The body did not arrive in time"')

    const quick = connect(port, '127.0.0.1')
    quick.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a"')
    setTimeout(() => quick.write(':1}'), 50)
    const [data] = (await once(quick, 'data')) as [Buffer]
    expect(data.toString()).toMatch(/^HTTP\/1.1 200 .*\{"a":1\}$/s)
    await new Promise((resolve) => setTimeout(resolve, 250))
    expect(quick.destroyed).toBe(false)
    quick.destroy()
  })
})
