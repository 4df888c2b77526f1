import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startService } from '#test/support/service.ts'

it('connections above MAX_CONNECTIONS are closed as they come, and those that are there go on', async () => {
  const service = await startService({ env: { MAX_CONNECTIONS: '5' } })
  const { hostname, port } = new URL(service.url)
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.once('connect', () => resolve(socket))
      socket.once('error', reject)
    })
  const closed = (socket: Socket) =>
    new Promise((resolve) => {
      socket.once('close', resolve)
      socket.on('error', () => {})
      socket.resume()
    })
  const first = await open()
  const kept = [first, ...(await Promise.all([open(), open(), open(), open()]))]
  await closed(await open())
  const answered = new Promise<string>((resolve) => first.once('data', (data) => resolve(String(data))))
  first.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(await answered).toMatch(/^HTTP\/1\.1 200 /)
  for (const socket of kept) socket.destroy()
  await expect.poll(async () => (await service.client().get('/api/health')).status).toBe(200)
  await service.close()
})
