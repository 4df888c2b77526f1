import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ROOT, ServiceProcess } from '#test/support/process.ts'

describe('starting and stopping', () => {
  it('prints one line with the address when it answers', async () => {
    await using service = new ServiceProcess()
    const url = await service.url()
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(service.stdout).toBe(`Facet is ready at ${url}\n`)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`finishes what is under way at ${signal}`, async () => {
      await using service = new ServiceProcess()
      const url = await service.url()
      const idle = await open(url, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const halfway = await open(
        url,
        'POST /api/auth/register HTTP/1.1\r\nHost: localhost\r\nContent-Length: 52\r\n\r\n{"email":"a@b.c",',
      )
      const late = await open(url, 'GET /api/health HTTP/1.1\r\n')
      service.child.kill(signal)
      await idle.closed
      await expect(fetch(`${url}/api/health`)).rejects.toThrow()
      late.socket.write('Host: localhost\r\n\r\n')
      await late.closed
      expect(late.answer()).toMatch(/^HTTP\/1\.1 503 [^]*"error":"ServiceUnavailable"/)
      halfway.socket.write('"password":"correct horse battery"}')
      await halfway.closed
      expect(halfway.answer()).toMatch(/^HTTP\/1\.1 200 [^]*connection: close[^]*"email":"a@b.c"/i)
      expect(await service.ended).toBe(0)
    })

  it('answers what a proxy sends while it stops, each the last of its connection', async () => {
    await using service = new ServiceProcess({ env: { TRUST_PROXY: 'true' } })
    const request = 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const url = await service.url()
    const { socket, answer, closed } = await open(url, request)
    service.child.kill('SIGTERM')
    await refuses(url)
    socket.write(request)
    await closed
    expect(answer()).toMatch(
      /^HTTP\/1\.1 200 [^]*connection: keep-alive[^]*HTTP\/1\.1 200 [^]*connection: close/i,
    )
    expect(await service.ended).toBe(0)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    it(`stops when npm start gets ${signal}`, async () => {
      await using service = new ServiceProcess({ command: ['npm', 'start'] })
      const url = await service.url()
      service.child.kill(signal)
      expect(await service.ended).toBe(0)
      await expect(fetch(`${url}/api/health`)).rejects.toThrow()
    })

  it('stops when npm start is killed', async () => {
    await using service = new ServiceProcess({ command: ['npm', 'start'] })
    const url = await service.url()
    service.child.kill('SIGKILL')
    await service.ended // its output is closed by the last process that holds it
    await expect(fetch(`${url}/api/health`)).rejects.toThrow()
  })

  it('takes Ctrl-C under npm, which comes from the terminal and from npm, as one signal', async () => {
    await using service = new ServiceProcess({ command: ['npm', 'start'], detached: true })
    const halfway = await open(
      await service.url(),
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{',
    )
    // A busy machine takes its time until the service has read so far.
    await vi.waitUntil(() => halfway.answer().includes('100 Continue'), { timeout: 10_000 })
    process.kill(-service.child.pid!, 'SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 200))
    halfway.socket.write('}')
    await halfway.closed
    expect(halfway.answer()).toContain('HTTP/1.1 400 ')
    expect(await service.ended).toBe(0)
  })

  it.concurrent('does not wait after a second signal', async () => {
    await using service = new ServiceProcess()
    const { closed } = await open(
      await service.url(),
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{',
    )
    service.child.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(service.child.exitCode).toBe(null)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(1)
    await closed
  })

  it.concurrent('waits ten seconds at the most', async () => {
    await using service = new ServiceProcess()
    await open(await service.url(), 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{')
    const start = performance.now()
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
    expect(performance.now() - start).toBeGreaterThan(9_000)
    expect(performance.now() - start).toBeLessThan(13_000)
  })

  it.concurrent('says what is wrong when it cannot start', async () => {
    await using first = new ServiceProcess()
    const { port } = new URL(await first.url())
    await using second = new ServiceProcess({ env: { PORT: port } })
    expect(await second.ended).toBe(1)
    expect(second.stderr).toContain(`127.0.0.1:${port} is in use: stop what listens there, or set PORT\n`)
    await using third = new ServiceProcess({ env: { PORT: 'x', LOG_LEVEL: 'loud' } })
    expect(await third.ended).toBe(1)
    expect(third.stderr).toMatch(/PORT: expected a port number[^]*LOG_LEVEL: expected one of/)
    expect(third.stderr).not.toContain('    at ')
  })

  const asNode20 = [
    '--import',
    "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})",
  ]

  it.concurrent('goes on with the Node of the packages where the one that runs it is too old', async () => {
    await using service = new ServiceProcess({
      command: [process.execPath, ...asNode20, 'scripts/start.js'],
    })
    expect((await fetch(`${await service.url()}/api/health`)).status).toBe(200)
    service.child.kill('SIGTERM')
    expect(await service.ended).toBe(0)
  })

  it.concurrent('says what is missing where there is none', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'facet-without-packages-'))
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    await using service = new ServiceProcess({
      command: [process.execPath, ...asNode20, 'scripts/start.js'],
      cwd: folder,
    })
    expect(await service.ended).toBe(1)
    expect(service.stderr).toMatch(/Facet needs Node 24 or newer and was started with 20\.20\.2[^]*npm ci/)
    rmSync(folder, { recursive: true })
  })
})

interface Connection {
  socket: Socket
  answer(): string
  closed: Promise<void>
}

/** Waits until new connections are refused. */
async function refuses(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  const answer = () =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => resolve('taken'))
      socket.once('error', () => resolve('refused'))
      socket.once('connect', () => socket.destroy())
    })
  await expect.poll(answer, { timeout: 9_000 }).toBe('refused')
}

function open(url: string, text: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(port), hostname)
    const closed = new Promise<void>((done) => socket.once('close', () => done()))
    socket.on('data', (data) => (answer += data.toString()))
    socket.on('error', () => {})
    // The server has read it when it has had a moment.
    socket.write(text, () => setTimeout(() => resolve({ socket, answer: () => answer, closed }), 100))
  })
}
