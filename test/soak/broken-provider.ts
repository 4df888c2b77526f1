import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`

/** A provider of a model that answers each time in another wrong way. */
export async function startBrokenProvider() {
  let asked = 0
  const server = createServer((incoming, response) => {
    incoming.resume()
    response.on('error', () => {})
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const kind = asked++ % 4
    const piece = [
      '{"not": "an event"}',
      `data: ${'x'.repeat(60_000)}`,
      chunk('y'.repeat(60_000)),
      chunk('z'),
    ][kind]!
    if (kind === 3) {
      response.write(piece) // and nothing more
      return
    }
    const flood = (): void => {
      while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', flood)
    }
    flood()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
