import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LARGE_BODY, MeteredBody } from '#src/api/http/metered-body.ts'

const PACE = { bytes: 1000, milliseconds: 30 }
const now = () => undefined

describe('a large body', () => {
  it('passes as it is, and is counted', async () => {
    const source = new PassThrough()
    let counted = 0
    const body = new MeteredBody(source, {
      arrive: (count) => void (counted += count),
      pace: PACE,
      isLarge: true,
    })
    source.end(Buffer.alloc(200_000, 'x'))
    expect((await buffer(body)).length).toBe(200_000)
    expect(counted).toBe(200_000)
  })

  it('whose client left before it was looked at ends', async () => {
    const source = new PassThrough()
    source.destroy()
    await once(source, 'close')
    const body = new MeteredBody(source, { arrive: now, pace: undefined, isLarge: true })
    await expect(buffer(body)).rejects.toThrow('The client has left')
  })

  it('that comes too slowly is ended, and says how fast it has to come', async () => {
    const source = new PassThrough()
    const body = new MeteredBody(source, { arrive: now, pace: PACE, isLarge: true })
    const drip = setInterval(() => source.write('x'), 5)
    await expect(buffer(body)).rejects.toMatchObject({
      code: 'RequestTimeout',
      message: expect.stringContaining('33333 bytes a second'),
    })
    clearInterval(drip)
    expect(source.destroyed).toBe(false)
  })

  it('that stops after it came quickly is ended too', async () => {
    const source = new PassThrough()
    const body = new MeteredBody(source, { arrive: now, pace: PACE, isLarge: true })
    source.write(Buffer.alloc(100_000))
    await expect(buffer(body)).rejects.toMatchObject({ code: 'RequestTimeout' })
  })

  it('that does not say how long it is may be slow until it is large', async () => {
    const source = new PassThrough()
    const body = new MeteredBody(source, { arrive: now, pace: PACE, isLarge: false })
    const read = buffer(body)
    source.write('x')
    await pause(150)
    source.write(Buffer.alloc(LARGE_BODY))
    await expect(read).rejects.toMatchObject({ code: 'RequestTimeout' })
  })

  it('that waits for room is not too slow', async () => {
    const source = new PassThrough()
    const body = new MeteredBody(source, { arrive: () => pause(200), pace: PACE, isLarge: true })
    source.end('xxx')
    expect((await buffer(body)).length).toBe(3)
  })

  it('of a client that leaves ends', async () => {
    const source = new PassThrough()
    const body = new MeteredBody(source, { arrive: now, pace: PACE, isLarge: true })
    const read = buffer(body)
    source.destroy(new Error('aborted'))
    await expect(read).rejects.toThrow('aborted')
  })
})
