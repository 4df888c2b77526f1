import { connect } from 'node:net'
import { request } from 'node:http'
import type { Client } from '#test/support/client.ts'

/** One way of doing harm, again and again. What it is answered does not matter. */
export type Harm = (client: Client) => Promise<unknown>

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds))
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))
let salt = 0

const slowPattern = () => `${'\\pL{0,900}'.repeat(4)}\\pN{1,${(++salt % 9) + 1}}`

/** Sends what it is given on a bare connection, then holds that for a while without reading. */
function hold({ url }: Client, pieces: readonly string[], milliseconds: number): Promise<void> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const end = () => {
      socket.destroy()
      resolve()
    }
    socket.on('error', end)
    socket.on('close', end)
    socket.pause()
    void (async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        await pause(milliseconds / pieces.length)
      }
      end()
    })()
  })
}

const head = (client: Client, method: string, path: string, more = '') =>
  `${method} ${path} HTTP/1.1\r\nhost: facet\r\ncookie: ${client.cookieHeader}\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\n${more}\r\n`

/** A body of this many megabytes, given without end being said beforehand. */
function pour({ url, cookieHeader: cookie }: Client, path: string, megabytes: number): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
    })
    const piece = Buffer.alloc(2 ** 20, '[')
    sent.on('error', () => resolve())
    sent.on('response', (response) => response.resume().on('end', resolve).on('error', resolve))
    sent.on('close', () => resolve())
    let left = megabytes
    const more = (): void => {
      while (left-- > 0) if (!sent.write(piece)) return void sent.once('drain', more)
      sent.end()
    }
    more()
  })
}

const tool = (client: Client, name: string, given: object) =>
  client.post('/api/mcp/message', {
    jsonrpc: '2.0',
    id: ++salt,
    method: 'tools/call',
    params: { name, arguments: given },
  })

export const HARMS: Readonly<Record<string, Harm>> = {
  'patterns that take for ever': (client) =>
    Promise.all(
      times(4, () =>
        client.post('/api/items/search', { filter: { description: { matches: slowPattern() } }, limit: 5 }),
      ),
    ),
  'bulk changes by such a pattern': (client) =>
    client.post('/api/items/bulk-delete', { filter: { description: { matches: slowPattern() } } }),
  'wide filters': (client) =>
    client.post('/api/items/search', {
      filter: { or: times(999, (i) => ({ description: { contains: `nothing ${salt++} ${i}` } })) },
    }),
  'giant bodies of strangers': (client) => pour(client, '/api/auth/login', 20),
  'giant bodies of accounts': (client) => pour(client, '/api/items/bulk', 60),
  'slow bodies': (client) =>
    Promise.all(
      times(10, () =>
        hold(
          client,
          [head(client, 'POST', '/api/auth/login', 'content-length: 5000\r\n'), ...times(20, () => ' ')],
          4000,
        ),
      ),
    ),
  'slow readers': (client) =>
    Promise.all(times(5, () => hold(client, [head(client, 'GET', '/api/items')], 4000))),
  'event streams that nobody reads': (client) =>
    Promise.all(times(20, () => hold(client, [head(client, 'GET', '/api/mcp/sse')], 4000))),
  'wrong sign-ins': (client) =>
    Promise.all(
      times(8, () =>
        client.post('/api/auth/login', { email: `nobody-${++salt}@example.org`, password: 'wrong guess' }),
      ),
    ),
  'chats with a broken provider': async (client) => {
    const left = new AbortController()
    setTimeout(() => left.abort(), 4000)
    const answer = await client.fetch('/api/chat', {
      method: 'POST',
      signal: left.signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
    await answer.text()
  },
  'garbage over MCP': (client) =>
    Promise.all([
      client.post(
        '/api/mcp/message',
        times(2000, () => ({ jsonrpc: '2.0', id: 1, method: 'ping' })),
      ),
      client.post('/api/mcp/message', { jsonrpc: '2.0', id: {}, method: 'x'.repeat(100_000) }),
      client.post('/api/mcp', 'not a message'),
      tool(client, 'search_items', { filter: JSON.parse('['.repeat(3000) + ']'.repeat(3000)) }),
    ]),
  'components that are hard to compile': (client) =>
    tool(client, 'render_react', {
      title: 'Deep',
      code: `export default () => ${'<b>'.repeat(4000)}${'</b>'.repeat(4000)}`,
    }),
}

/** Does it until `over`; what is under way then is left alone. How often. */
export async function doHarm(client: Client, harm: Harm, over: Promise<unknown>): Promise<number> {
  const state = { begun: 0, over: false }
  void over.then(() => (state.over = true))
  while (!state.over) {
    state.begun++
    await Promise.race([harm(client).catch(() => {}), over])
    await pause(50)
  }
  return state.begun
}
