import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BEGINNING, facet, type Facet } from '#client/index.ts'

const EVENT = { event_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF', event_type: 'item_created' }
const told = () =>
  new Response(`event: audit\nid: ${EVENT.event_id}\ndata: ${JSON.stringify(EVENT)}\n\n`, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  })
const away = (seconds: number) =>
  new Response('{}', { status: 503, headers: { 'retry-after': String(seconds) } })
/** A stream that has begun and tells nothing, until who asked ends it. */
const open = (signal: AbortSignal) =>
  new Response(
    new ReadableStream({
      start: (stream) => signal.addEventListener('abort', () => stream.error(signal.reason)),
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  )
const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } })

/** No answer ever comes; only who asked ends it. */
const silence = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

/** A client that is answered so, one after another; what it has asked so far. */
function answered(...answers: (Response | typeof silence | typeof open)[]) {
  const asked: number[] = []
  const send = (async (_: string, { signal }: { signal: AbortSignal }) => {
    asked.push(Date.now())
    const answer = answers.shift() ?? away(1e6)
    return typeof answer === 'function' ? answer(signal) : answer
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

  it('asks again where nothing comes at its beginning, as often as a call does', async () => {
    const { asked, base } = answered(silence, silence, told())
    const next = base.changes({ after: BEGINNING }).next()
    void next.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(120_000)
    expect((await next).value).toEqual(EVENT)
    expect(asked).toHaveLength(3)
    const silent = answered(...Array<typeof silence>(9).fill(silence))
    const fault = { status: 0, message: 'The stream of changes has fallen silent' }
    const failed = expect(silent.base.changes({ after: BEGINNING }).next()).rejects.toMatchObject(fault)
    await vi.advanceTimersByTimeAsync(300_000)
    await failed
    expect(silent.asked).toHaveLength(5)
  })

  it.each([
    ['its first answer', (base: Facet) => base.changes({ after: BEGINNING }), silence],
    ['the service, which is away', (base: Facet) => base.changes({ after: BEGINNING }), away(50)],
    ['the log', (base: Facet) => base.changes(), silence],
    ['an event', (base: Facet) => base.live({ view_id: 'v', after: BEGINNING }), open],
    ['what the assistant says', (base: Facet) => base.chat({ message: 'hello' }), open],
  ])('ends by return while it waits for %s', async (_, begin, answer) => {
    const { asked, base } = answered(answer)
    const stream: AsyncGenerator<unknown, void> = begin(base)
    const waiting = stream.next()
    await vi.advanceTimersByTimeAsync(10)
    const done = { done: true, value: undefined }
    expect(await Promise.all([stream.return(), waiting])).toEqual([done, done])
    expect(await stream.next()).toEqual(done)
    expect(vi.getTimerCount()).toBe(0)
    expect(asked).toHaveLength(1)
  })

  it('refuses an empty event to go on after, and lists that are none', async () => {
    const { asked, base } = answered()
    await expect(base.changes({ after: '' }).next()).rejects.toThrow("changes: 'after' is empty")
    await expect(base.live({ filter: {}, after: '' }).next()).rejects.toThrow("'after' is empty")
    const tag_ids = 'Task' as unknown as string[]
    await expect(base.changes({ tag_ids }).next()).rejects.toThrow("changes: 'tag_ids' takes a list")
    expect(asked).toEqual([])
  })

  it('ends by its signal with the reason of it, and lets the signal go', async () => {
    const stop = new AbortController()
    const stream = answered(open).base.changes({ after: BEGINNING, signal: stop.signal })
    const waiting = stream.next()
    await vi.advanceTimersByTimeAsync(10)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    const late = answered(open).base.changes({ signal: stop.signal }).next()
    await expect(late).rejects.toThrow('enough')
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    const left = answered(open).base.changes({ after: BEGINNING, signal })
    void left.next()
    await vi.advanceTimersByTimeAsync(10)
    await left.return()
    expect(added.mock.calls.length).toBeGreaterThan(0)
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length)
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

describe('pages', () => {
  const list = (ids: string[], headers = {}) =>
    Response.json(
      ids.map((event_id) => ({ event_id })),
      { headers },
    )

  it('end the request that is under way when they are left', async () => {
    const ended: unknown[] = []
    const first = list(['a'], { 'x-next-cursor': 'b' })
    const hangs = (signal: AbortSignal) => {
      signal.addEventListener('abort', () => ended.push(signal.reason))
      return silence(signal)
    }
    const { asked, base } = answered(first, hangs)
    const events = base.pages('searchAuditLog')
    expect(await events.next()).toEqual({ done: false, value: { event_id: 'a' } })
    const waiting = events.next()
    await new Promise((resolve) => setTimeout(resolve))
    expect(asked).toHaveLength(2)
    const done = { done: true, value: undefined }
    expect(await Promise.all([events.return(), waiting])).toEqual([done, done])
    expect(ended).toHaveLength(1)
  })

  it('reject with the reason of their signal', async () => {
    const stop = new AbortController()
    const waiting = answered(silence).base.pages('listTags', {}, { signal: stop.signal }).next()
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
