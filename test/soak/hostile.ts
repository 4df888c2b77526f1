import { connect } from 'node:net'
import { request } from 'node:http'
import type { Client } from '#test/support/client.ts'
import { wideFilter } from '#test/support/wide-filter.ts'

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

/** Another machine, as far as the service can see: all of 127/8 is this one. */
const ELSEWHERE = process.platform === 'linux' ? '127.0.0.2' : undefined

/** Sockets that send the head of a request, a byte of its body, and no more. */
function crowd({ url }: Client, count: number, milliseconds: number): Promise<unknown> {
  const { port, hostname } = new URL(url)
  const head = 'POST /api/auth/login HTTP/1.1\r\nhost: facet\r\ncontent-type: application/json\r\n'
  const sockets = times(count, () => {
    const socket = connect({
      port: Number(port),
      host: hostname,
      ...(ELSEWHERE && { localAddress: ELSEWHERE }),
    })
    socket.on('error', () => {})
    socket.write(`${head}content-length: 5000\r\n\r\n{`)
    return socket
  })
  return pause(milliseconds).finally(() => sockets.forEach((socket) => socket.destroy()))
}

/** Of the account: items whose three values are all different. */
const numbered = new WeakMap<Client, Promise<string>>()
const NUMBERED = 10_000
async function makeNumbered(client: Client): Promise<string> {
  const name = `Numbered ${++salt}`
  await client.ok('POST', '/api/tags', { name, fields: { a: 'Number', b: 'Number', c: 'Number' } })
  for (let made = 0; made < NUMBERED; made += 1000)
    await client.ok('POST', '/api/items/bulk', {
      items: times(1000, (i) => ({
        name: `${name} ${made + i}`,
        tags: [{ tag_ref: { Existing: name }, field_values: { a: made + i, b: made - i, c: i } }],
      })),
    })
  return name
}
async function numberedTag(client: Client): Promise<string> {
  let made = numbered.get(client)
  if (!made) numbered.set(client, (made = makeNumbered(client)))
  return made
}

const post = (client: Client, path: string, text: string, headers: Record<string, string> = {}) =>
  client.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  })

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
      filter: wideFilter(salt++),
    }),
  'questions of a thousand words': (client) =>
    Promise.all(
      times(4, () =>
        client.post('/api/items/search', {
          filter: {
            search: {
              text: times(8, () => times(1000, (i) => `item${(++salt * 7 + i) % 5000}x`).join(' ')),
              match: 'any',
            },
          },
          snippets: true,
          limit: 200,
        }),
      ),
    ),
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
  'marks in descriptions': (client) =>
    client.post('/api/items', {
      name: `marks ${++salt}`,
      description: `a${'\u0301'.repeat(30_000)}${'\u0323'.repeat(30_000)}`,
    }),
  'letters that become many': (client) =>
    client.post('/api/items', { name: `ligatures ${++salt}`, description: '\uFDFA'.repeat(60_000) }),
  'slow filters in batches': (client) =>
    client.post('/api/batch', {
      dry_run: true,
      operations: [
        {
          operation: 'bulkDelete',
          input: { filter: { or: times(48, () => ({ description: { matches: slowPattern() } })) } },
        },
      ],
    }),
  'unknown keys at the sign-in': (client) =>
    Promise.all(
      times(8, () =>
        post(client, '/api/auth/login', `{${times(6400, (i) => `"k${i}":1`).join()}}`).then((each) =>
          each.text(),
        ),
      ),
    ),
  'encodings by the thousand': (client) =>
    Promise.all(
      times(8, async () => {
        const answer = await client.fetch('/api/openapi.json', {
          headers: {
            'accept-encoding': times(5000, (i) => `x${i};q=0`)
              .join()
              .slice(0, 55_000),
          },
        })
        await answer.text()
      }),
    ),
  'large bodies that do not come': (client) =>
    Promise.all(
      times(4, () =>
        hold(
          client,
          [
            head(client, 'POST', '/api/items/bulk', `content-length: ${32 * 2 ** 20}\r\n`),
            ...times(20, () => ' '),
          ],
          4000,
        ),
      ),
    ),
  'thousands of sockets of one address': (client) => crowd(client, 5200, 4000),
  'views with large settings': async (client) => {
    await client.post('/api/views', {
      name: `view ${++salt}`,
      filter: { name: { eq: 'x' } },
      shared: true,
      settings: { x: 'y'.repeat(64 * 1024 - 100) },
    })
    await client.get('/api/views?shared=true&sort=position')
  },
  'whole lists, ten at once': (client) =>
    Promise.all(times(10, async () => (await client.fetch('/api/items')).text())),
  'groups by three keys': async (client) => {
    const tag = await numberedTag(client)
    const group_by = ['a', 'b', 'c'].map((field) => `${tag}.${field}`)
    await Promise.all(times(4, () => client.post('/api/items/aggregate', { group_by, limit: 1000 })))
  },
  'values by the hundred thousand': async (client) => {
    const tag = await numberedTag(client)
    const filter = { [`${tag}.a`]: { in: times(300_000, (i) => i + 0.5) } }
    await client.post('/api/items/search', { filter, limit: 10 })
  },
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
