import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A client's socket and the server's response to it, both until the test ends. */
export async function heldResponse(): Promise<{ client: Socket; response: ServerResponse }> {
  const server: Server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, response }
}
