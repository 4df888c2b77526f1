import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BEGINNING, facet } from '#client/index.ts'

const EVENT = { event_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', event_type: 'item_created' }
const told = () =>
  new Response(`event: audit\nid: ${EVENT.event_id}\ndata: ${JSON.stringify(EVENT)}\n\n`, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  })
const away = (seconds: number) =>
  new Response('{}', { status: 503, headers: { 'retry-after': String(seconds) } })
const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })

/** A client that is answered so, one after another; what it has asked so far. */
function answered(...answers: Response[]) {
  const asked: number[] = []
  const send = (async () => {
    asked.push(Date.now())
    return answers.shift() ?? away(1e6)
  }) as typeof fetch
  return { asked, base: facet({ url: 'http://x', key: 'k', fetch: send }) }
}

describe('a stream that is followed', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('waits at its beginning as long as Retry-After says, also longer than it may be silent', async () => {
    const { asked, base } = answered(away(50), told())
    const next = base.changes({ after: BEGINNING }).next()
    void next.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(50_000)
    expect((await next).value).toEqual(EVENT)
    expect(asked[1]! - asked[0]!).toBe(50_000)
  })

  it('waits later on as long as Retry-After says, also longer than one call has patience', async () => {
    const { asked, base } = answered(told(), away(120), told())
    const changes = base.changes({ after: BEGINNING })
    await changes.next()
    const next = changes.next()
    await vi.advanceTimersByTimeAsync(119_000)
    expect(asked).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect((await next).value).toEqual(EVENT)
    expect(asked).toHaveLength(3)
  })

  it('is refused where a page comes in its place, at its beginning and later on', async () => {
    const unknown = { status: 200, error: 'Unknown' }
    const chat = answered(page()).base.chat({ message: 'hello' })
    await expect(chat.next()).rejects.toMatchObject(unknown)
    const { base } = answered(page())
    const next = base.changes({ after: BEGINNING }).next()
    await Promise.all([expect(next).rejects.toMatchObject(unknown), vi.advanceTimersByTimeAsync(60_000)])
    const changes = answered(told(), page()).base.changes({ after: BEGINNING })
    await changes.next()
    const later = changes.next()
    await Promise.all([expect(later).rejects.toMatchObject(unknown), vi.advanceTimersByTimeAsync(60_000)])
  })
})
