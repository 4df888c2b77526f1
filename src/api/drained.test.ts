import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { drained, whenClosed } from '#src/api/drained.ts'
import { heldResponse } from '#test/support/held-response.ts'

/** The socket of a client that does not read, and a response that has more for it than the sockets hold. */
async function unread(): Promise<{ client: Socket; response: ServerResponse }> {
  const { client, response } = await heldResponse()
  client.pause()
  expect(response.write(Buffer.alloc(16 * 1024 * 1024))).toBe(false)
  return { client, response }
}
const after = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, 'still waiting'))

describe('drained', () => {
  it('waits as long as it takes where no time is given, and leaves no listener', async () => {
    const { client, response } = await unread()
    const before = response.listenerCount('close')
    const taken = drained(response)
    expect(await Promise.race([taken, after(200)])).toBe('still waiting')
    client.resume()
    await taken
    expect(response.destroyed).toBe(false)
    expect([response.listenerCount('drain'), response.listenerCount('close')]).toEqual([0, before])
  })

  it('cuts off a client that does not read in time', async () => {
    const { response } = await unread()
    await drained(response, { stall: 50 })
    expect(response.destroyed).toBe(true)
  })

  it('ends when the client has gone', async () => {
    const { client, response } = await unread()
    const taken = drained(response, { stall: 60_000 })
    client.destroy()
    await taken
    expect(response.destroyed).toBe(true)
  })

  it('does not wait for a client that had gone before', async () => {
    const { client, response } = await unread()
    client.destroy()
    await once(response, 'close')
    await drained(response, { stall: 60_000 })
    expect(response.listenerCount('drain')).toBe(0)
  })
})

describe('whenClosed', () => {
  it('calls back once, when it closes or where it is closed already', async () => {
    const { client, response } = await unread()
    const calls: string[] = []
    whenClosed(response, () => calls.push('before'))
    whenClosed(response, () => calls.push('taken back'))()
    client.destroy()
    await once(response, 'close')
    expect(calls).toEqual(['before'])
    whenClosed(response, () => calls.push('after'))()
    expect(calls).toEqual(['before', 'after'])
  })
})
