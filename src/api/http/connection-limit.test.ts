import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { ConnectionLimit } from '#src/api/http/connection-limit.ts'

it('refuses what is too much before there is a socket', async () => {
  const server = createServer(() => {}) // answers nobody: they stay
  const limit = new ConnectionLimit({ all: 10, each: 2, counts: () => true })
  limit.watch(server)
  let sockets = 0
  server.on('connection', () => sockets++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  try {
    for (let i = 0; i < 2; i++) {
      const asked = once(server, 'request')
      clients.push(connect(port, '127.0.0.1').on('error', () => {}))
      clients[i]!.write('GET / HTTP/1.1\r\nhost: facet\r\n\r\n')
      await asked
    }
    for (let i = 0; i < 20; i++) {
      const refused = connect(port, '127.0.0.1').on('error', () => {})
      await once(refused, 'close')
    }
    expect([sockets, clients.map(({ destroyed }) => destroyed)]).toEqual([2, [false, false]])
  } finally {
    for (const client of clients) client.destroy()
    server.closeAllConnections()
    server.close()
  }
})
