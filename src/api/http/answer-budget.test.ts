import fastify from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
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
afterEach(() => app.close())

describe('answers that nobody reads', () => {
  it('are bounded by account and in all, and cut off in the end', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as AddressInfo
    const ask = async (user: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { headers: { user } })).text().then((text) => text.length)
    const status = async (user: string) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { user } })
      await response.body!.cancel()
      return response.status
    }
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
})
