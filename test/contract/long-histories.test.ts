import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { facet } from '#test/support/facet-command.ts'
import { startService, type Service } from '#test/support/service.ts'

/** Updates of an item; each event has the text before and after. */
const UPDATES = 14
const LENGTH = 910_000
/** To compress them takes longer than everything else. */
const PLAIN = { headers: { 'accept-encoding': 'identity' } }
/** Of a page, and the one event with which it passes that. */
const PAGE_TEXT = 8_000_000 + 2 * LENGTH + 10_000

describe('an item with long descriptions, changed many times', () => {
  let service: Service
  let client: Client
  let item_id: string
  const times: string[] = []
  const textOf = (i: number) => `${i} `.padEnd(LENGTH, 'abc ')

  beforeAll(async () => {
    service = await startService()
    client = await service.user('ada@example.org')
    item_id = (await client.ok('POST', '/api/items', { name: 'Long' })).item_id
    for (let i = 0; i < UPDATES; i++) {
      await client.ok('PUT', `/api/items/${item_id}`, { description: textOf(i) })
      times.push((await client.ok('GET', `/api/items/${item_id}`)).updated_at)
    }
  })
  afterAll(() => service.close())

  /** All pages, none longer than one may be. */
  async function walk(page: (after: string | undefined) => Promise<{ text: string; next: string | null }>) {
    const all: { event_id: string }[] = []
    let pages = 0
    for (let after: string | undefined, more = true; more; pages++) {
      const { text, next } = await page(after)
      expect(text.length).toBeLessThan(PAGE_TEXT)
      all.push(...(JSON.parse(text) as typeof all))
      more = next !== null
      after = next ?? undefined
    }
    return { ids: all.map(({ event_id }) => event_id), pages }
  }
  const answered = async (response: Response) => {
    expect(response.status).toBe(200)
    return { text: await response.text(), next: response.headers.get('x-next-cursor') }
  }
  const searched = (body: object) => (before_event: string | undefined) =>
    client
      .fetch('/api/audit-log/search', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
        body: JSON.stringify({ item_ids: [item_id], limit: 1000, ...body, before_event }),
      })
      .then(answered)

  it('has a history in pages that end early, and whole without a limit', async () => {
    const history = (query: string) =>
      client.fetch(`/api/items/${item_id}/history${query}`, PLAIN).then(answered)
    const { ids, pages } = await walk((after) => history(`?limit=1000${after ? `&after=${after}` : ''}`))
    expect(ids).toHaveLength(UPDATES + 1)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(pages).toBe(3)
    const whole = await history('')
    expect((JSON.parse(whole.text) as { event_id: string }[]).map(({ event_id }) => event_id)).toEqual(ids)
  })

  it('has an audit log in such pages, also by what was changed', async () => {
    const { ids } = await walk(searched({}))
    expect(ids).toHaveLength(UPDATES + 1)
    expect((await walk(searched({ paths: ['description'] }))).ids).toEqual(ids.slice(0, UPDATES))
    expect((await walk(searched({ paths: ['name'] }))).ids).toEqual(ids.slice(UPDATES))
  })

  it('can be seen as it was', async () => {
    for (const i of [0, 7, UPDATES - 1]) {
      const then = await client.ok('GET', `/api/items/${item_id}?as_of=${times[i]}`)
      expect(then.description === textOf(i)).toBe(true)
    }
  })

  it('is sent to those who follow from its beginning', async () => {
    const response = await client.fetch('/api/changes/stream?after=00000000000000000000000000')
    const ids = new Set<string>()
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line.startsWith('id: ')) ids.add(line)
      if (ids.size > UPDATES) break
    }
    expect(ids.size).toBe(UPDATES + 1)
  })

  it('has a log that holds together', async () => {
    expect(await facet(service.database_url, 'audit', 'verify')).toMatchObject({ code: 0 })
  })
})
