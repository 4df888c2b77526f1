import fastify from 'fastify'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { takeBytes, withUploadedBody } from '#src/api/files/uploaded-body.ts'
import { BodyBudget } from '#src/api/http/body-budget.ts'
import { sendError } from '#src/api/http/error-response.ts'
import { BODY_PACE } from '#src/api/http/metered-body.ts'
import type { Caller } from '#src/domain/caller.ts'
import { unavailable } from '#src/domain/errors.ts'
import { keptIntervals } from '#test/support/kept-intervals.ts'

const logged: string[] = []
const app = fastify({
  bodyLimit: 500_000,
  forceCloseConnections: true,
  logger: { level: 'error', stream: { write: (line: string) => void logged.push(line) } },
})
let thrown: Error | undefined
app.decorateRequest('caller')
app.addHook('onRequest', (request, _, done) => {
  request.caller = { user_id: 'somebody' } as unknown as Caller
  done()
})
app.addHook('preParsing', new BodyBudget({ each: 1e6, all: 1e6, wait: 1000, pace: BODY_PACE }).hook)
app.setErrorHandler((error, request, reply) => {
  thrown = error as Error
  return sendError(request, reply, error)
})
app.post('/json', (_, reply) => reply.send('read'))
void app.register(async (scope) => {
  takeBytes(scope)
  const config = { isStreamed: true }
  scope.post('/refused', { config }, (request) =>
    withUploadedBody(request, async () => {
      throw unavailable('Not now')
    }),
  )
  scope.post('/broken', { config }, (request) =>
    withUploadedBody(request, async (content) => {
      for await (const _ of content) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
    }),
  )
  scope.post('/read', { config }, (request) =>
    withUploadedBody(request, async (content) => {
      for await (const _ of content);
    }),
  )
})
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => app.close())

const urlOf = (path: string) => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${path}`
/** The half of a body that is announced. */
async function sendHalf(path: string) {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n${'x'.repeat(200_000)}`)
  await once(socket, 'connect')
  return socket
}

it.each([
  ['/refused', 400_000, 503],
  ['/json', 600_000, 413],
])('a body that %s does not read leaves nothing behind', async (path, size, status) => {
  const kept = keptIntervals()
  const type = 'application/json'
  for (let i = 0; i < 3; i++) {
    const body = Buffer.alloc(size, ' ')
    const answer = await fetch(urlOf(path), { method: 'POST', body, headers: { 'content-type': type } })
    expect([answer.status, typeof (await answer.text())]).toEqual([status, 'string'])
  }
  expect(kept.begun).toBeGreaterThanOrEqual(3)
  await expect.poll(() => kept.open).toBe(0)
})

it('a disk that fails while the client still sends is ours to tell of, and is logged', async () => {
  const socket = await sendHalf('/broken')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  expect(answer.toString().split('\r\n')[0]).toBe('HTTP/1.1 500 Internal Server Error')
  expect(logged.join('')).toContain('EIO: i/o error')
})

it('a client that leaves in the middle has not sent all of it', async () => {
  thrown = undefined
  const socket = await sendHalf('/read')
  socket.destroy()
  await expect
    .poll(() => thrown)
    .toMatchObject({
      code: 'BadRequest',
      message: expect.stringContaining('did not come whole'),
    })
})
