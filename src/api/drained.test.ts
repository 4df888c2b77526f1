import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { drained } from '#src/api/drained.ts'
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
})
