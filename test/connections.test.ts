import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await service.close()
})

/** A connection from an address of this machine. */
function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    sockets.push(socket)
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => {})
  })
}

const many = (count: number, address?: string) =>
  Promise.all(Array.from({ length: count }, () => open(address)))

const closed = (socket: Socket) =>
  new Promise((resolve) => {
    socket.once('close', resolve)
    socket.resume()
  })

async function answers(socket: Socket): Promise<boolean> {
  const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  socket.write('GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return (await answered).startsWith('HTTP/1.1 200 ')
}

/** A request whose body does not come; resolves when the service has its head. */
async function hold(socket: Socket): Promise<void> {
  const taken = new Promise((resolve) => socket.once('data', resolve))
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n{',
  )
  await taken
}

describe('connections', () => {
  it('above MAX_CONNECTIONS take the place of the one that is idle for longest', async () => {
    service = await startService({ env: { MAX_CONNECTIONS: '5' } })
    const first = await open()
    const second = await open()
    await many(3)
    expect(await answers(first)).toBe(true) // now the second one is idle for longest
    const gone = closed(second)
    const sixth = await open()
    await gone
    expect([await answers(first), await answers(sixth)]).toEqual([true, true])
  })

  it('that are being answered, and requests that have just begun, stay: the new one is closed', async () => {
    service = await startService({ env: { MAX_CONNECTIONS: '3' } })
    const client = await service.user()
    const [stream, ...held] = await many(3)
    stream!.write(`GET /api/changes/stream HTTP/1.1\r\nHost: x\r\nCookie: ${client.cookieHeader}\r\n\r\n`)
    await new Promise((resolve) => stream!.once('data', resolve))
    await Promise.all(held.map(hold))
    await closed(await open())
    expect([stream, ...held].map((each) => each!.destroyed)).toEqual([false, false, false])
    // A request that is still not here after some seconds makes room.
    await new Promise((resolve) => setTimeout(resolve, 5500))
    const gone = closed(held[0]!)
    expect(await answers(await open())).toBe(true)
    await gone
    expect(stream!.destroyed).toBe(false)
  }, 15_000)

  it('of one address are bounded, others have theirs', async () => {
    service = await startService({ env: { MAX_CONNECTIONS_PER_ADDRESS: '4' } })
    const held = await many(4)
    await Promise.all(held.map(hold))
    await closed(await open())
    const others = await many(4, '127.0.0.2')
    expect(await Promise.all(others.map(answers))).toEqual([true, true, true, true])
    const gone = closed(others[0]!)
    expect(await answers(await open('127.0.0.2'))).toBe(true)
    await gone
    expect(held.some((each) => each.destroyed)).toBe(false)
  })

  it('of this machine are not counted where nobody says so, nor those of a proxy', async () => {
    service = await startService()
    expect(await answers((await many(300))[0]!)).toBe(true)
    await service.close()
    for (const TRUST_PROXY of ['1', '127.0.0.0/8']) {
      service = await startService({ env: { MAX_CONNECTIONS_PER_ADDRESS: '4', TRUST_PROXY } })
      expect(await answers((await many(20))[0]!)).toBe(true)
      if (TRUST_PROXY === '1') await service.close()
    }
  })
})
