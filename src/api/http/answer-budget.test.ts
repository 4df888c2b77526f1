import fastify from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AnswerBudget } from '#src/api/http/answer-budget.ts'
import { sendError } from '#src/api/http/error-response.ts'
import type { Caller } from '#src/domain/caller.ts'

const SIZE = 20_000_000
const app = fastify()
app.decorateRequest('caller')
app.addHook('onRequest', (request, _, done) => {
  request.caller = { user_id: request.headers.user ?? null } as Caller
  done()
})
app.addHook('onSend', new AnswerBudget({ each: 30_000_000, all: 50_000_000, stall: 500 }).hook)
app.setErrorHandler((error, request, reply) => sendError(request, reply, error))
app.get('/', (_, reply) => reply.send('x'.repeat(SIZE)))
/** Answers once its client has left, and has been counted then. */
let answered: PromiseWithResolvers<void>
app.get('/late', async (_, reply) => {
  if (!reply.raw.closed) await once(reply.raw, 'close')
  void reply.send('x'.repeat(SIZE))
  answered.resolve()
  return reply
})
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

const status = async (user: string) => {
  const { port } = app.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { user } })
  await response.body!.cancel()
  return response.status
}

describe('answers that nobody reads', () => {
  it('are bounded by account and in all, and cut off in the end', async () => {
    const { port } = app.server.address() as AddressInfo
    const ask = async (user: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers: { user } })).text().then((text) => text.length)
    const open = async (user: string) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\nuser: ${user}\r\n\r\n`)
      await once(socket, 'readable')
      return socket
    }
    expect(await ask('a')).toBe(SIZE)
    const stalled = await Promise.all([open('a'), open('b')])
    expect(await status('a')).toBe(429)
    expect(await status('c')).toBe(503)
    // Cut off after half a second of nothing, the room is free again.
    await expect.poll(() => status('a'), { timeout: 5000 }).toBe(200)
    for (const socket of stalled) socket.destroy()
  })

  it('are not counted where their client left before they were there', async () => {
    const { port } = app.server.address() as AddressInfo
    for (const user of ['d', 'e', 'f']) {
      answered = Promise.withResolvers()
      const socket = connect(port, '127.0.0.1')
      socket.write(`GET /late HTTP/1.1\r\nHost: x\r\nuser: ${user}\r\n\r\n`, () => socket.destroy())
      await answered.promise
    }
    expect([await status('d'), await status('g')]).toEqual([200, 200])
  })
})
