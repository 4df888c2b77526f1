import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guardedPost } from '#src/auth/guarded-post.ts'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { WebhookReceiver } from '#test/support/webhook-receiver.ts'

describe('without WEBHOOK_PRIVATE', () => {
  let service: Service
  let client: Client
  beforeAll(async () => {
    service = await startService()
    client = await service.user()
  })
  afterAll(() => service.close())

  for (const url of [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://10.1.2.3:8443/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[::ffff:0:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1./',
    'https://example.org@127.0.0.1/',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://a.localhost/',
  ])
    it(`${url} is refused`, async () => {
      const made = await client.post('/api/webhooks', { url })
      expect(made).toMatchObject({ status: 400, body: { details: { errors: [{ path: 'url' }] } } })
      const { webhook_id } = await client.ok('POST', '/api/webhooks', { url: 'https://example.org/' })
      expect((await client.put(`/api/webhooks/${webhook_id}`, { url })).status).toBe(400)
    })
})

describe('the address that is called', () => {
  const sent = { headers: {}, body: '{}' }
  const post = (address: string, anywhere = false) =>
    guardedPost(address, sent, { private: anywhere, timeout: 2000 }).then(({ status }) => status, String)
  let receiver: WebhookReceiver
  let port: string
  beforeAll(async () => {
    receiver = new WebhookReceiver()
    ;({ port } = new URL(await receiver.listen()))
  })
  afterAll(() => receiver.close())

  it('says in words that it does not speak TLS, or that nothing can have it', async () => {
    expect(await post(`https://127.0.0.1:${port}/`, true)).toBe('Error: the port does not speak TLS (https)')
    expect(await post(`http://${'x'.repeat(300)}/`, true)).toBe('Error: nothing can have this address')
  })

  it('is the one that was checked, whatever its name leads to', async () => {
    expect(await post(`https://localhost:${port}/`)).toContain('the name leads to a private address')
    expect(await post(`https://127.0.0.1:${port}/`)).toContain('the address is private')
    expect(await post(`https://[::ffff:127.0.0.1]:${port}/`)).toContain('the address is private')
    expect(await post(`http://localhost:${port}/`)).toContain('only https addresses are called')
    expect(receiver.received).toEqual([])
  })

  it('is private where http is spoken', async () => {
    expect(await post(`http://localhost:${port}/`, true)).toBe(204)
    expect(await post('http://1.1.1.1/', true)).toContain('a public address takes https')
    expect(await post(`https://localhost:${port}/`, true)).toMatch(/^Error: /)
  })
})

describe('an address that does harm', () => {
  let service: Service
  let client: Client
  let server: Server
  let receiver: WebhookReceiver
  const sockets = new Set<Socket>()
  /** What it does with a connection, by the path that was asked for. */
  const harms: Record<string, (socket: Socket) => void> = {
    '/endless-body': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`10000\r\n${'x'.repeat(65_536)}\r\n`));
      }
      socket.on('drain', more)
      more()
    },
    '/half-a-body': (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    '/long-head': (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`),
    '/endless-head': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`x: ${'y'.repeat(1000)}\r\n`));
      }
      socket.on('drain', more)
      more()
    },
    '/garbage': (socket) => void socket.end('\0\x01\x02 hello'),
    '/nothing': (socket) => void socket.end(),
    '/reset': (socket) => void socket.resetAndDestroy(),
    '/redirect': (socket) =>
      void socket.end(
        `HTTP/1.1 307 Temporary Redirect\r\nlocation: ${receiver.url}\r\ncontent-length: 0\r\n\r\n`,
      ),
    '/only-early': (socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 5)
      socket.on('close', () => clearInterval(timer))
    },
    '/silent': () => {},
    '/drip': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      const timer = setInterval(() => socket.write('x'), 100)
      socket.on('close', () => clearInterval(timer))
    },
  }

  beforeAll(async () => {
    receiver = new WebhookReceiver()
    await receiver.listen()
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      socket.once('data', (data: Buffer) => harms[data.toString('latin1').split(' ')[1]!]?.(socket))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    service = await startService({ env: { WEBHOOK_PRIVATE: 'true' } })
    client = await service.user()
  })
  afterAll(async () => {
    await service.close()
    for (const socket of sockets) socket.destroy()
    server.close()
    await receiver.close()
  })

  /** How a test of a webhook to that path ends. */
  async function test(path: string) {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const { webhook_id } = await client.ok('POST', '/api/webhooks', { url, event_types: ['audit_redacted'] })
    return client.ok('POST', `/api/webhooks/${webhook_id}/test`)
  }

  for (const [path, wanted] of [
    ['/endless-body', { status: 'delivered', response_status: 200, error: null }],
    ['/half-a-body', { status: 'delivered', response_status: 200, error: null }],
    ['/long-head', { status: 'failed', response_status: null, error: 'the head of the answer is too long' }],
    [
      '/endless-head',
      { status: 'failed', response_status: null, error: 'the head of the answer is too long' },
    ],
    ['/garbage', { status: 'failed', response_status: null, error: 'the answer is no HTTP' }],
    [
      '/nothing',
      { status: 'failed', response_status: null, error: 'the connection was closed before an answer' },
    ],
    ['/reset', { status: 'failed', response_status: null, error: 'the connection was reset' }],
    [
      '/redirect',
      { status: 'failed', response_status: 307, error: 'the answer was 307: redirects are not followed' },
    ],
    ['/only-early', { status: 'failed', response_status: null }],
    ['/silent', { status: 'failed', response_status: null, error: 'no answer within 15 s' }],
    ['/drip', { status: 'failed', response_status: null, error: 'no answer within 15 s' }],
  ] as const)
    it.concurrent(`${path} ends in an attempt`, async () => {
      const since = performance.now()
      expect(await test(path)).toMatchObject(wanted)
      expect(performance.now() - since).toBeLessThan(20_000)
    }, 30_000)

  it('was led nowhere else', () => expect(receiver.received).toEqual([]))
})
