import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { openMcpStream, postMessage } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let ann: Client
let bob: Client
beforeAll(async () => {
  service = await startService({ env: { BODY_LIMIT: '1 MiB' } })
  ;[ann, bob] = [await service.user(), await service.user()]
})
afterAll(() => service.close())

const request = (method: string, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const call = (name: unknown, args?: unknown, id: unknown = 1) =>
  request('tools/call', { name, arguments: args }, id)
const post = (message: unknown, user = ann) => postMessage(user, message)

describe('JSON-RPC over POST /api/mcp/message', () => {
  it('initialize answers version, capability and server', async () => {
    expect(await post(request('initialize', { protocolVersion: '2025-06-18', capabilities: {} }))).toEqual({
      status: 200,
      body: {
        jsonrpc: '2.0',
        id: 1,
        result: {
          protocolVersion: '2024-11-05',
          capabilities: { tools: {} },
          serverInfo: { name: 'items-mcp', version: '0.1.0' },
          instructions: expect.any(String),
        },
      },
    })
  })

  const failures: [why: string, message: unknown, id: unknown, code: number, text: RegExp][] = [
    ['broken JSON', '{"jsonrpc": ', null, -32700, /^Parse error: .*line 1, column/],
    ['an empty body', '', null, -32700, /^Parse error/],
    ['a number', '3', null, -32600, /^Invalid request/],
    ['null', 'null', null, -32600, /^Invalid request/],
    ['a batch', [request('ping')], null, -32600, /one JSON-RPC 2\.0 request/],
    ['no version', { id: 5, method: 'ping' }, 5, -32600, /jsonrpc must be "2\.0"/],
    ['another version', { jsonrpc: '1.0', id: 5, method: 'ping' }, 5, -32600, /jsonrpc must be/],
    ['no method', { jsonrpc: '2.0', id: 'a' }, 'a', -32600, /method must be a string/],
    ['a method that is no text', { jsonrpc: '2.0', id: 'a', method: 1 }, 'a', -32600, /method must be/],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, null, -32600, /id must be/],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, null, -32600, /id must be/],
    ['params that are a text', request('ping', 'x'), 1, -32600, /params must be/],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, 1, -32600, /method must be/],
    [
      'a notification with an id',
      request('notifications/initialized'),
      1,
      -32600,
      /^Invalid request: 'notifications\/initialized' is a notification: send it without an id$/,
    ],
    ['an unknown method', request('resources/list'), 1, -32601, /^Method not found: resources\/list$/],
    ['a method of the prototype', request('constructor'), 1, -32601, /^Method not found/],
    ['a call without params', request('tools/call'), 1, -32602, /^Invalid params/],
    ['a call without a name', request('tools/call', {}), 1, -32602, /^Invalid params/],
    ['a call whose params are an array', request('tools/call', ['x']), 1, -32602, /^Invalid params/],
    ['a call whose name is no text', call(7), 1, -32602, /^Invalid params/],
    ['an unknown tool', call('get_itm'), 1, -32602, /^Unknown tool: get_itm\. Did you mean 'get_item'\?$/],
    ['a tool by what REST calls it', call('update_tag'), 1, -32602, /Did you mean 'edit_tag'\?$/],
    ['a tool far from its name', call('rename_item'), 1, -32602, /^Unknown tool: rename_item(?!.*delete)/],
    ['many of them', call('bulk_update_items'), 1, -32602, /^Unknown tool: bulk_update_items(?!.*delete)/],
    ['a tool of the prototype', call('toString'), 1, -32602, /^Unknown tool/],
    ['text that cannot be kept', '{"jsonrpc":"2.0","id":9,"method":"a\\u0000b"}', 9, -32600, /U\+0000/],
    ['a key that appears twice', '{"jsonrpc":"2.0","id":9,"id":8,"method":"ping"}', 8, -32600, /twice|once/],
  ]
  for (const [why, message, id, code, text] of failures)
    it(`${why} is ${code}`, async () => {
      expect(await post(message)).toEqual({
        status: 200,
        body: { jsonrpc: '2.0', id, error: { code, message: expect.stringMatching(text) } },
      })
    })

  const successes: [why: string, message: unknown, result: unknown][] = [
    ['ping', request('ping'), {}],
    ['ping with params null', request('ping', null), {}],
    [
      'a call without arguments',
      request('tools/call', { name: 'list_views' }),
      { content: [{ type: 'text', text: '[]' }] },
    ],
    ['a call with arguments null', call('list_views', null), { content: [{ type: 'text', text: '[]' }] }],
    ['tools/list without a cursor', request('tools/list', { cursor: null }), { tools: expect.any(Array) }],
  ]
  for (const [why, message, result] of successes)
    it(`${why} works, also before initialize`, async () => {
      expect((await post(message)).body).toEqual({ jsonrpc: '2.0', id: 1, result })
    })

  for (const id of [0, -1, 1.5, '', 'ö', '__proto__', 9007199254740991])
    it(`an answer has the id ${JSON.stringify(id)} of its request`, async () => {
      expect((await post(request('ping', undefined, id))).body).toEqual({ jsonrpc: '2.0', id, result: {} })
    })

  for (const [why, message] of [
    ['initialized', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['cancelled', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['an unknown one', { jsonrpc: '2.0', method: 'notifications/nonsense' }],
    [
      'a call that nobody waits for',
      {
        jsonrpc: '2.0',
        method: 'tools/call',
        params: { name: 'add_tag', arguments: { name: 'Unheard', fields: {} } },
      },
    ],
  ] as const)
    it(`the notification ${why} is 202 without a body and does nothing`, async () => {
      expect(await post(message)).toEqual({ status: 202, body: undefined })
      expect((await post(call('get_tag', { tag_id: 'Unheard' }))).body.result.isError).toBe(true)
    })

  const mistaken: [why: string, args: unknown, text: RegExp][] = [
    ['a text', 'x', /^Error: expected an object/],
    ['an array', [], /^Error: expected an object/],
    ['without what is required', {}, /^Error: item_id: is required/],
    ['with a mistyped name', { itemid: 'x' }, /^Error: 2 faults:\n[^]*did you mean 'item_id'\?/],
    ['of another type', { item_id: 3 }, /^Error: item_id: expected a string/],
    ['of an item that is not there', { item_id: 'x' }, /^Error: Item 'x' not found/],
  ]
  for (const [why, args, text] of mistaken)
    it(`arguments ${why} are the tool's own failure`, async () => {
      for (const path of ['/api/mcp/message', '/api/mcp'])
        expect((await postMessage(ann, call('get_item', args), path)).body.result, path).toEqual({
          isError: true,
          content: [{ type: 'text', text: expect.stringMatching(text) }],
        })
    })

  it('a notification with an id is the same fault on both transports', async () => {
    const body = await post(request('notifications/initialized', undefined, 4))
    expect(await postMessage(ann, request('notifications/initialized', undefined, 4), '/api/mcp')).toEqual(
      body,
    )
    const sent = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await postMessage(ann, sent, '/api/mcp')).status).toBe(202)
  })

  it('a call that names no tool is the same fault on both transports; arguments null are none', async () => {
    for (const params of [undefined, null, {}, { name: 7 }, { name: null, arguments: {} }, ['get_item']])
      expect((await postMessage(ann, request('tools/call', params), '/api/mcp')).body.error).toEqual({
        code: -32602,
        message: expect.stringMatching(/^Invalid params: expected/),
      })
    const listed = await postMessage(ann, call('list_views', null), '/api/mcp')
    expect(listed.body.result.content).toEqual([{ type: 'text', text: '[]' }])
  })

  for (const [why, value, text] of [
    ['rounded', '{"n":12345678901234567890}', /rounded/],
    ['infinite', '{"n":1e999}', /too large for a number/],
    ['ill-formed', '{"n":"\\ud800"}', /surrogate/],
    ['a __proto__ key', '{"__proto__":1}', /__proto__/],
  ] as const)
    it(`arguments that cannot be kept exactly (${why}) are the tool's own failure`, async () => {
      const message = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add_tag","arguments":{"name":"x","fields":${value}}}}`
      expect((await post(message)).body).toEqual({
        jsonrpc: '2.0',
        id: 3,
        result: { isError: true, content: [{ type: 'text', text: expect.stringMatching(text) }] },
      })
    })

  it('arguments may be 128 deep, whatever the envelope adds', async () => {
    const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)
    // `arguments` and `settings` are the first two levels.
    const view = (depth: number) =>
      `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"create_view","arguments":{"name":"Deep","filter":{"search":""},"settings":${nested(depth - 1)}}}}`
    expect((await post(view(128))).body.result.isError).toBeUndefined()
    expect((await post(view(129))).body.result).toMatchObject({ isError: true })
    const rest = (depth: number) =>
      ann.fetch('/api/views', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"name":"Deep","filter":{"search":""},"settings":${nested(depth - 1)}}`,
      })
    expect([(await rest(128)).status, (await rest(129)).status]).toEqual([200, 400])
  })

  it('a client that asks for JSON alone gets texts with U+2028 as they are', async () => {
    const name = 'One\u2028data: {"injected":true}\u2029Two'
    const { item_id } = await ann.ok('POST', '/api/items', { name })
    const params = { name: 'get_item', arguments: { item_id } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const { body } = await ann.post('/api/mcp', call, { accept: 'application/json' })
    expect(JSON.parse(body.result.content[0].text)).toMatchObject({ item_id, name })
  })

  it('a cursor that no list of tools has given is a fault on both transports', async () => {
    for (const path of ['/api/mcp/message', '/api/mcp']) {
      for (const cursor of ['x', 5]) {
        const { body } = await postMessage(ann, request('tools/list', { cursor }), path)
        expect(body.error, path).toEqual({
          code: -32602,
          message: expect.stringContaining('leave cursor out'),
        })
      }
      for (const cursor of ['', null]) {
        const { body } = await postMessage(ann, request('tools/list', { cursor }), path)
        expect(body.result?.tools.length, path).toBeGreaterThan(40)
      }
    }
  })

  it('params of initialize that are not whole are a fault that says what they are to be', async () => {
    const whole = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    }
    const faulty: unknown[] = [
      undefined,
      {},
      [],
      { ...whole, protocolVersion: 5 },
      { ...whole, clientInfo: null },
    ]
    for (const params of [...faulty, { ...whole, capabilities: { sampling: 5 } }])
      expect((await postMessage(ann, request('initialize', params), '/api/mcp')).body).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32602, message: expect.stringContaining('"clientInfo"') },
      })
    const { body } = await postMessage(ann, request('initialize', whole), '/api/mcp')
    expect(body.result).toMatchObject({ protocolVersion: '2025-06-18' })
  })

  it('a refusal says again a part of what is long', async () => {
    const long = 'y'.repeat(100_000)
    const filter = { 'Task.due': { [long]: 1 } }
    for (const path of ['/api/mcp/message', '/api/mcp'])
      for (const message of [
        request(long),
        request(`notifications/${long}`),
        call(long),
        call('get_item', { item_id: 'x', [long]: 1 }),
        call('get_items', { filter: { [long]: 1 } }),
        call('get_items', { filter }),
      ]) {
        const text = JSON.stringify((await postMessage(ann, message, path)).body)
        expect(text).toMatch(/error/i)
        expect(text.length).toBeLessThan(3000)
      }
    const unknown = `/api/mcp/message?session_id=${'y'.repeat(5000)}`
    expect((await postMessage(ann, request('ping'), unknown)).body.message.length).toBeLessThan(300)
  })

  it('an id that would be rounded, to what may be that of another request, is answered under none', async () => {
    const ping = '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}'
    for (const path of ['/api/mcp/message', '/api/mcp'])
      expect((await postMessage(ann, ping, path)).body, path).toMatchObject({
        id: null,
        error: { code: -32600 },
      })
  })

  it('an array with an id twice is refused, and nothing of it is carried out', async () => {
    const add = { name: 'add_item', arguments: { name: 'Twice in an array' } }
    const calls = [
      request('tools/call', add, 7),
      request('ping', undefined, 8),
      request('ping', undefined, 7),
    ]
    const { status, body } = await postMessage(ann, calls, '/api/mcp')
    expect(status).toBe(400)
    expect(body.error).toEqual({
      code: -32600,
      message: 'Invalid request: two messages of the array have the id 7',
    })
    const found = { filter: { name: add.arguments.name }, limit: 0, count: true }
    const counted = await ann.post('/api/items/search', found)
    expect(counted.headers.get('x-total-count')).toBe('0')
    const texts = [request('ping', undefined, '7'), request('ping', undefined, 7)]
    expect((await postMessage(ann, texts, '/api/mcp')).body).toHaveLength(2)
  })

  it('arguments that are no object are the tool’s own failure in an array too', async () => {
    const calls = [
      request('tools/call', { name: 'get_item', arguments: [] }, 1),
      request('ping', undefined, 2),
      request('tools/call', { name: 'list_views', arguments: null }, 3),
    ]
    const { body } = await postMessage(ann, calls, '/api/mcp')
    const byId = new Map(body.map((each: { id: number }) => [each.id, each]))
    expect(byId.get(1)).toMatchObject({ result: { isError: true } })
    expect(byId.get(2)).toMatchObject({ result: {} })
    expect(byId.get(3)).toMatchObject({ result: { content: [{ type: 'text' }] } })
    expect(byId.get(3)).not.toHaveProperty('result.isError')
    expect(body).toHaveLength(3)
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    for (const accept of ['application/json', 'application/json, text/event-stream']) {
      const alone = await ann.post('/api/mcp', [calls[2], initialized], { accept })
      expect(alone.body, accept).toEqual([byId.get(3)])
    }
  })

  it('an array of one message is answered with an array', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_tags', arguments: {} } }
    const { body } = await ann.post('/api/mcp', [call], { accept: 'application/json' })
    expect(body).toMatchObject([{ id: 1, result: { content: [{ type: 'text' }] } }])
  })

  for (const accept of ['application/json', '*/*', 'application/json;q=0.9, text/html'])
    it(`a client that asks for ${accept} alone gets JSON`, async () => {
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'x', version: '1' },
        },
      }
      const answer = await ann.post('/api/mcp', initialize, { accept })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.body).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } })
      const call = {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'get_items', arguments: {} },
      }
      const headers = { accept, 'mcp-protocol-version': '2025-06-18' }
      expect((await ann.post('/api/mcp', call, headers)).body).toMatchObject({
        id: 2,
        result: { content: [{ type: 'text', text: expect.any(String) }] },
      })
    })

  it('a body that is no JSON by its type is 415, one that is too large 413', async () => {
    const send = (body: string, type: string) =>
      ann.fetch('/api/mcp/message', { method: 'POST', body, headers: { 'content-type': type } })
    expect((await send('x', 'text/plain')).status).toBe(415)
    const large = await send(JSON.stringify(request('x'.repeat(2 * 1024 * 1024))), 'application/json')
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ error: 'PayloadTooLarge', path: '/api/mcp/message' })
  })
})

describe('the event stream', () => {
  it('begins with the path for messages and mirrors every answer', async () => {
    const stream = await openMcpStream(ann)
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(stream.first).toEqual({
      event: 'endpoint',
      data: expect.stringMatching(/^\/api\/mcp\/message\?session_id=[\w-]{22}$/),
    })
    for (const message of [request('ping', undefined, 'a'), request('nope', undefined, 'b'), '{broken']) {
      const { status, body } = await postMessage(ann, message, stream.path)
      expect(status).toBe(200)
      expect(await stream.next!()).toEqual(body)
    }
    expect(
      await postMessage(ann, { jsonrpc: '2.0', method: 'notifications/initialized' }, stream.path),
    ).toEqual({
      status: 202,
      body: undefined,
    })
    await postMessage(ann, request('ping', undefined, 'last'), stream.path)
    expect(await stream.next!()).toMatchObject({ id: 'last' })
    stream.leave!()
  })

  it('without a session_id answers go to all streams of the session, and to no other', async () => {
    const again = await signedInAgain(ann)
    const streams = [await openMcpStream(ann), await openMcpStream(ann)]
    const others = [await openMcpStream(bob), await openMcpStream(again)]
    await post(request('ping', undefined, 'to all'))
    for (const stream of streams) expect(await stream.next!()).toMatchObject({ id: 'to all' })
    await post(request('ping', undefined, 'to bob'), bob)
    await post(request('ping', undefined, 'to the other session'), again)
    expect(await others[0]!.next!()).toMatchObject({ id: 'to bob' })
    expect(await others[1]!.next!()).toMatchObject({ id: 'to the other session' })
    for (const stream of [...streams, ...others]) stream.leave!()
  })

  it('two clients with the same ids never see each other’s answers', async () => {
    const [left, right] = [await openMcpStream(ann), await openMcpStream(ann)]
    const ask = (stream: typeof left, name: string, id: number) =>
      postMessage(ann, call('create_view', { name, filter: { search: name } }, id), stream.path)
    const ids = Array.from({ length: 50 }, (_, i) => i)
    const answers = await Promise.all(
      ids.flatMap((id) => [ask(left, `left ${id}`, id), ask(right, `right ${id}`, id)]),
    )
    for (const id of ids) {
      expect(answers[id * 2]!.body).toMatchObject({
        id,
        result: { content: [{ text: expect.stringContaining(`"left ${id}"`) }] },
      })
      expect(answers[id * 2 + 1]!.body).toMatchObject({
        id,
        result: { content: [{ text: expect.stringContaining(`"right ${id}"`) }] },
      })
    }
    for (const [stream, mark] of [
      [left, 'left'],
      [right, 'right'],
    ] as const)
      for (const _ of ids) {
        const message = (await stream.next!()) as { id: number; result: { content: { text: string }[] } }
        expect(message.result.content[0]!.text).toContain(`"${mark} ${message.id}"`)
      }
    left.leave!()
    right.leave!()
  })

  it('belongs to its user and session: a message for another’s is 404, as for one that never was', async () => {
    const stream = await openMcpStream(ann)
    const foreign = await postMessage(bob, request('ping'), stream.path)
    const other = await postMessage(await signedInAgain(ann), request('ping'), stream.path)
    const never = await postMessage(ann, request('ping'), '/api/mcp/message?session_id=nonsense')
    for (const answer of [foreign, other, never])
      expect(answer).toMatchObject({ status: 404, body: { error: 'NotFound', path: '/api/mcp/message' } })
    stream.leave!()
    await gone(stream.path)
  })

  it('ends when its session ends, by logout or by a new password', async () => {
    const cleo = await service.user('cleo@example.org')
    const old = await signedInAgain(cleo, 'cleo@example.org')
    const [stays, ends] = [await openMcpStream(cleo), await openMcpStream(old)]
    await cleo.ok('POST', '/api/auth/password', {
      current_password: 'correct horse',
      new_password: 'correct horse 2',
    })
    expect(await ends.next!()).toBeUndefined()
    await postMessage(cleo, request('ping', undefined, 'still there'), stays.path)
    expect(await stays.next!()).toMatchObject({ id: 'still there' })
    await cleo.ok('POST', '/api/auth/logout')
    expect(await stays.next!()).toBeUndefined()
  })

  it('is one of at most 100 of a user', async () => {
    const cleo = await service.user()
    const streams = []
    for (let i = 0; i < 100; i++) streams.push(await openMcpStream(cleo))
    const { response } = await openMcpStream(cleo)
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({ error: 'TooManyRequests', path: '/api/mcp/sse' })
    expect((await openMcpStream(bob)).status).toBe(200)
    for (const stream of streams) stream.leave!()
    for (let i = 0; i < 100 && (await openMcpStream(cleo)).status !== 200; i++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await openMcpStream(cleo)).status).toBe(200)
  })

  it('ends within a heartbeat when its session runs out', async () => {
    let ahead = 0
    const other = await startService({ clock: () => Date.now() + ahead, heartbeat: 100 })
    const stream = await openMcpStream(await other.user())
    ahead = 8 * 24 * 60 * 60 * 1000
    expect(await stream.next!()).toBeUndefined()
    await other.close()
  })

  it('ends when the service stops', async () => {
    const other = await startService()
    const stream = await openMcpStream(await other.user())
    await Promise.all([other.close(), expect(stream.next!()).resolves.toBeUndefined()])
  })
})

describe('without a session', () => {
  for (const [method, path, body] of [
    ['GET', '/api/mcp/sse', undefined],
    ['POST', '/api/mcp/message', '{broken'],
    ['POST', '/api/mcp', '{broken'],
    ['GET', '/api/mcp', undefined],
  ] as const)
    it(`${method} ${path} is 401 with the error body`, async () => {
      const response = await service
        .client()
        .fetch(path, { method, ...(body && { body, headers: { 'content-type': 'application/json' } }) })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: 'Unauthorized', path })
    })
})

/** A second session of the same account. */
async function signedInAgain(user: Client, email?: string): Promise<Client> {
  const client = service.client()
  const address = email ?? (await user.ok('GET', '/api/auth/me')).email
  await client.ok('POST', '/api/auth/login', { email: address, password: 'correct horse' })
  return client
}

/** The server has noticed that the client of this stream has left. */
async function gone(path: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if ((await postMessage(ann, request('ping'), path)).status === 404) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  expect.fail('the stream is still there')
}
