import { once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { EventStream } from '#src/api/sse.ts'
import { heldResponse } from '#test/support/held-response.ts'

async function textUntil(client: Socket, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of client) {
    text += String(chunk)
    if (text.includes(wanted)) break
  }
  return text
}

describe('an event stream', () => {
  it('sends its head at once, then events with and without a name', async () => {
    const { client, response } = await heldResponse()
    const stream = new EventStream(response, { headers: { 'x-own': 'yes' } })
    stream.send('{"a":1}')
    stream.send('/path', 'endpoint')
    const text = await textUntil(client, '/path')
    expect(text).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(text).toMatch(/content-type: text\/event-stream/i)
    expect(text).toMatch(/cache-control: no-cache, no-transform/i)
    expect(text).toMatch(/x-own: yes/i)
    expect(text).toContain('data: {"a":1}\n\n')
    expect(text).toContain('event: endpoint\ndata: /path\n\n')
  })

  it('keeps proxies awake with comment lines', async () => {
    const { client, response } = await heldResponse()
    let heartbeats = 0
    const stream = new EventStream(response, { heartbeat: 20, onHeartbeat: () => heartbeats++ })
    await textUntil(client, ':\n\n')
    expect(heartbeats).toBeGreaterThan(0)
    stream.close()
  })

  it('sends a heartbeat every 15 seconds where nothing else is said', async () => {
    const { response } = await heldResponse()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      let heartbeats = 0
      const stream = new EventStream(response, { onHeartbeat: () => heartbeats++ })
      vi.advanceTimersByTime(14_999)
      expect(heartbeats).toBe(0)
      vi.advanceTimersByTime(1)
      expect(heartbeats).toBe(1)
      stream.close()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is closed with its client, and sends no more heartbeats', async () => {
    const { client, response } = await heldResponse()
    let heartbeats = 0
    const stream = new EventStream(response, { heartbeat: 10, onHeartbeat: () => heartbeats++ })
    client.destroy()
    await new Promise((resolve) => stream.closed.addEventListener('abort', resolve))
    const before = heartbeats
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(heartbeats).toBe(before)
    stream.send('into the void')
    await stream.deliver('into the void')
  })

  it('of a client that has gone already is closed from the beginning, and never sends a heartbeat', async () => {
    const { client, response } = await heldResponse()
    client.destroy()
    await once(response, 'close')
    let heartbeats = 0
    const stream = new EventStream(response, { heartbeat: 5, onHeartbeat: () => heartbeats++ })
    let closed = 0
    stream.onClosed(() => closed++)
    expect([stream.closed.aborted, closed]).toEqual([true, 1])
    stream.send('into the void')
    await stream.deliver('into the void')
    stream.close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(heartbeats).toBe(0)
  })

  it('waits for a client that reads slowly', async () => {
    const { client, response } = await heldResponse()
    client.pause()
    const stream = new EventStream(response)
    const big = 'x'.repeat(8 * 1024 * 1024)
    let delivered = false
    const delivery = stream.deliver(big).then(() => (delivered = true))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(delivered).toBe(false)
    client.resume()
    await delivery
    expect(stream.closed.aborted).toBe(false)
  })

  it('gives up a client that does not read', async () => {
    const { client, response } = await heldResponse()
    client.pause()
    const stream = new EventStream(response)
    const piece = 'x'.repeat(1024 * 1024)
    for (let i = 0; i < 100 && !stream.closed.aborted; i++) {
      stream.send(piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(stream.closed.aborted).toBe(true)
  })
})
