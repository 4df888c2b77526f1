import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { boundedFetch, MAX_FAULT_BYTES, MAX_LINE_BYTES, MAX_TURN_BYTES } from '#src/api/chat/bounded-fetch.ts'

let close = () => {}
afterEach(() => close())

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const MIB = Buffer.alloc(2 ** 20, `${'x'.repeat(1023)}\n`)
const UNENDED = Buffer.alloc(2 ** 20, 'x')
const TOO_MUCH = 'sent too much'

async function sizeOf(response: Response): Promise<number> {
  let size = 0
  for await (const piece of response.body!) size += piece.length
  return size
}

describe('what a provider sends', () => {
  it('is passed on as it is', async () => {
    const url = await serve((_, response) => response.end('data: {}\n\n'))
    expect(await (await boundedFetch()(url)).text()).toBe('data: {}\n\n')
  })

  it('for one turn is bounded, all answers together', async () => {
    const url = await serve((_, response) => {
      for (let i = 0; i < 40; i++) response.write(MIB)
      response.end()
    })
    const fetch = boundedFetch()
    expect(await sizeOf(await fetch(url))).toBe(40 * 2 ** 20)
    await expect(sizeOf(await fetch(url))).rejects.toThrow(TOO_MUCH)
    expect(MAX_TURN_BYTES).toBeLessThan(80 * 2 ** 20)
  })

  it('without an end of a line is bounded', async () => {
    const url = await serve((_, response) => {
      for (let i = 0; i <= MAX_LINE_BYTES / UNENDED.length; i++) response.write(UNENDED)
      response.end()
    })
    await expect(sizeOf(await boundedFetch()(url))).rejects.toThrow(TOO_MUCH)
  })

  it('is counted as it is after unpacking', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      const gzip = createGzip()
      gzip.pipe(response)
      for (let i = 0; i < 80; i++) gzip.write(MIB)
      gzip.end()
    })
    await expect(sizeOf(await boundedFetch()(url))).rejects.toThrow(TOO_MUCH)
  })

  it('of a fault is cut, however long it is', async () => {
    const url = await serve((_, response) => {
      response.writeHead(500)
      const go = () => {
        while (response.write(MIB));
        response.once('drain', go)
      }
      go()
    })
    const response = await boundedFetch()(url)
    expect(response.status).toBe(500)
    expect((await response.text()).length).toBe(MAX_FAULT_BYTES)
  })
})
