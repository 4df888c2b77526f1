import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { dumpTables, queryDatabase } from '#test/support/dump-tables.ts'
import { ABSENT, ULID } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

const HASH = /^[0-9a-f]{64}$/
const START = Date.parse('2026-01-31T09:30:00.000Z')

let service: Service
let client: Client
let now = START

beforeAll(async () => {
  service = await startService({ clock: () => now })
  client = await service.user()
})
afterAll(() => service.close())

interface Event {
  event_id: string
  event_type: string
  created_at: string
  item_id: string | null
  tag_id: string | null
}
const search = (body?: object): Promise<Event[]> => client.ok('POST', '/api/audit-log/search', body)
const types = (events: Event[]) => events.map(({ event_type }) => event_type)

it('needs a session', async () => {
  for (const path of ['/api/audit-log/search', '/api/audit-log'])
    expect((await service.client().post(path)).status).toBe(401)
})

it('holds one event for every change, with what the change was', async () => {
  const tag = await client.ok('POST', '/api/tags', { name: 'Life', fields: { a: 'Number' } })
  const { item_id } = await client.ok('POST', '/api/items', { name: 'One' })
  const item = `/api/items/${item_id}`
  await client.ok('PUT', item, { name: 'Two' })
  await client.ok('POST', `${item}/tags`, {
    tag: { tag_ref: { Existing: 'Life' }, field_values: { a: 1 } },
  })
  await client.ok('PUT', `${item}/tags/${tag.tag_id}`, { field_values: { a: 2 } })
  await client.ok('DELETE', `${item}/tags/${tag.tag_id}`)
  await client.ok('PUT', `/api/tags/${tag.tag_id}`, { name: 'Lives' })
  await client.ok('DELETE', item)
  await client.ok('POST', `${item}/restore`)
  await client.ok('DELETE', item)
  await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
  await client.ok('POST', `/api/tags/${tag.tag_id}/restore`)
  await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
  await client.ok('POST', '/api/items/purge', { item_ids: [item_id], tag_ids: [tag.tag_id] })

  const me = await client.ok('GET', '/api/auth/me')
  const both = { entity_type: 'item', item_id, tag_id: tag.tag_id }
  const anItem = { entity_type: 'item', item_id, tag_id: null }
  const aTag = { entity_type: 'tag', item_id: null, tag_id: tag.tag_id }
  const change = (field: string, from: unknown, to: unknown) => ({
    fields_changed: [field],
    old_values: { [field]: from },
    new_values: { [field]: to },
  })
  const expected = [
    { event_type: 'tag_created', ...aTag, details: expect.objectContaining({ name: 'Life' }) },
    { event_type: 'item_created', ...anItem, details: { name: 'One', description: null, tags: [] } },
    { event_type: 'item_updated', ...anItem, details: change('name', 'One', 'Two') },
    { event_type: 'tag_applied', ...both, details: { tag_name: 'Life', initial_values: { a: 1 } } },
    { event_type: 'tag_values_updated', ...both, details: { tag_name: 'Life', ...change('a', 1, 2) } },
    { event_type: 'tag_removed', ...both, details: { tag_name: 'Life', old_values: { a: 2 } } },
    { event_type: 'tag_updated', ...aTag, details: change('name', 'Life', 'Lives') },
    { event_type: 'item_deleted', ...anItem, details: { name: 'Two' } },
    { event_type: 'item_restored', ...anItem, details: { name: 'Two' } },
    { event_type: 'item_deleted', ...anItem, details: { name: 'Two' } },
    { event_type: 'tag_deleted', ...aTag, details: { name: 'Lives' } },
    { event_type: 'tag_restored', ...aTag, details: { name: 'Lives' } },
    { event_type: 'tag_deleted', ...aTag, details: { name: 'Lives' } },
    { event_type: 'item_purged', ...anItem, details: { name: 'Two' } },
    { event_type: 'tag_purged', ...aTag, details: { name: 'Lives' } },
  ]
  expect((await search()).toReversed()).toEqual(
    expected.map((event) => ({
      ...event,
      event_id: expect.stringMatching(ULID),
      user_id: me.user_id,
      source: 'rest',
      created_at: new Date(START).toISOString(),
      change_id: expect.stringMatching(ULID),
      client: expect.objectContaining({ kind: 'session' }),
      user_name: null,
      details_hash: expect.stringMatching(HASH),
      details_salt: expect.stringMatching(/^[0-9a-f]{32}$/),
      hash: expect.stringMatching(HASH),
    })),
  )
})

describe('a query', () => {
  let items: string[]
  let tags: string[]

  beforeAll(async () => {
    items = []
    tags = []
    now = START + 1000
    for (const name of ['T1', 'T2'])
      tags.push((await client.ok('POST', '/api/tags', { name, fields: {} })).tag_id)
    for (let i = 0; i < 4; i++) {
      now += 1000 // 3, 4, 5, 6 s after the start
      const given = [{ tag_ref: { Existing: i % 2 ? 'T1' : 'T2' } }]
      items.push((await client.ok('POST', '/api/items', { name: `I${i}`, tags: given })).item_id)
    }
  })
  const at = (seconds: number) => new Date(START + 1000 + seconds * 1000).toISOString()
  const itemsOf = (events: Event[]) => [
    ...new Set(events.map(({ item_id }) => items.indexOf(item_id ?? '')).filter((i) => i >= 0)),
  ]

  it('answers newest first', async () => {
    const events = await search({ limit: 1000 })
    const ids = events.map(({ event_id }) => event_id)
    expect(ids).toEqual(ids.toSorted().toReversed())
    expect(types(events).slice(0, 2)).toEqual(['tag_applied', 'item_created'])
  })

  it('takes no body, an empty one and nulls; both routes are the same', async () => {
    const all = await search({})
    expect((await client.post('/api/audit-log/search')).body).toEqual(all)
    expect((await client.post('/api/audit-log')).body).toEqual(all)
    expect(await search({ limit: null, after: null, item_ids: null, event_types: null })).toEqual(all)
  })

  for (const [words, body, found] of [
    ['items', () => ({ item_ids: [items[1]!, items[3]!.toLowerCase(), ABSENT, 'x'] }), [3, 1]],
    ['tags', () => ({ tag_ids: [tags[0]!] }), [3, 1]],
    ['both', () => ({ item_ids: items, tag_ids: [tags[1]!.toLowerCase()] }), [2, 0]],
    ['types', () => ({ event_types: ['item_created'], item_ids: items.slice(2) }), [3, 2]],
    ['a type that there is not', () => ({ event_types: ['item_made'] }), []],
    ['no items', () => ({ item_ids: [] }), []],
    ['no tags', () => ({ tag_ids: [] }), []],
    ['no types', () => ({ event_types: [] }), []],
    ['only unknown ids', () => ({ item_ids: [ABSENT, 'nonsense'] }), []],
    ['a time, exclusive', () => ({ after: at(2), item_ids: items }), [3, 2]],
    ['a time before, exclusive', () => ({ before: at(2) }), [0]],
    ['both times', () => ({ after: at(1), before: at(4) }), [2, 1]],
    ['times in the wrong order', () => ({ after: at(4), before: at(1) }), []],
    ['a time with an offset', () => ({ after: at(2).replace('Z', '-00:00'), item_ids: items }), [3, 2]],
    ['a time without an offset', () => ({ after: at(2).replace('Z', ''), item_ids: items }), [3, 2]],
    ['a fraction of a millisecond', () => ({ before: at(2).replace('Z', '0001Z'), item_ids: items }), [1, 0]],
    ['the other side of it', () => ({ after: at(2).replace('.000Z', '.0001Z') }), [3, 2]],
    ['just before', () => ({ after: '2026-01-31T09:30:02.9999', item_ids: items }), [3, 2, 1]],
    ['a date alone', () => ({ after: '2026-01-31', item_ids: items }), [3, 2, 1, 0]],
    ['the next date', () => ({ after: '2026-02-01' }), []],
    ['a time before all', () => ({ before: '1969-12-31' }), []],
    ['a time after nothing', () => ({ after: '1900-01-01', item_ids: items }), [3, 2, 1, 0]],
  ] as const)
    it(`selects by ${words}`, async () => {
      const events = await search({ ...body(), limit: 1000 })
      expect(itemsOf(events)).toEqual(found)
      if (!found.length) expect(events.filter(({ item_id }) => items.includes(item_id!))).toEqual([])
    })

  for (const [body, path] of [
    [{ limit: 0 }, 'limit'],
    [{ limit: -1 }, 'limit'],
    [{ limit: 1.5 }, 'limit'],
    [{ limit: '5' }, 'limit'],
    [{ after: 'yesterday' }, 'after'],
    [{ before: '2026-02-30' }, 'before'],
    [{ after: 5 }, 'after'],
    [{ item_ids: 'x' }, 'item_ids'],
    [{ tag_ids: [1] }, 'tag_ids[0]'],
    [{ event_type: 'x' }, 'event_type'],
  ] as const)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const { status, body: error } = await client.post('/api/audit-log/search', body)
      expect([status, error.details.errors[0].path]).toEqual([400, path])
    })

  it('names what no event can have, and selects nothing by it', async () => {
    const body = {
      event_types: ['item_created', 'item_create'],
      source: 'web',
      user_id: 'ada@example.org',
      change_id: 'x',
      tag_ids: ['T1', 'T9', ABSENT],
      paths: ['name', 'T9.due'],
    }
    const { status, body: found, headers } = await client.post('/api/audit-log/search', body)
    expect([status, found]).toEqual([200, []])
    expect(JSON.parse(headers.get('x-filter-warnings')!)).toEqual([
      "event_types[1]: there is no event type 'item_create'; did you mean 'item_created'?",
      "source: there is no source 'web'; expected one of: rest, mcp, chat",
      "user_id: there is no account 'ada@example.org'",
      "change_id: there is no change 'x'",
      "tag_ids[1]: there is no tag 'T9'",
      "paths[1]: there is no tag or field 'T9.due'",
    ])
    const many = { event_types: Array.from({ length: 10_000 }, (_, i) => `nothing ${i}`) }
    const long = await client.post('/api/audit-log/search', many)
    expect(long.status).toBe(200)
    expect(JSON.parse(long.headers.get('x-filter-warnings')!).length).toBeLessThanOrEqual(20)
    const right = await client.post('/api/audit-log/search', { source: 'rest', tag_ids: ['T1'], limit: 1 })
    expect(right.headers.get('x-filter-warnings')).toBeNull()
  })

  it('takes paths of tags and fields whose names are alike but for a dot', async () => {
    for (const [name, fields] of [
      ['A', { z: 'String', b: 'String' }],
      ['A.b', { c: 'String' }],
    ] as const)
      await client.ok('POST', '/api/tags', { name, fields })
    const dotted = { tag_ref: { Existing: 'A.b' }, field_values: { c: '1' } }
    const plain = { tag_ref: { Existing: 'A' }, field_values: { b: '1' } }
    await client.ok('POST', '/api/items', { name: 'dots', tags: [dotted, plain] })
    expect(types(await search({ paths: ['A.b.c'] }))).toEqual(['tag_applied'])
    expect(types(await search({ paths: ['A.b'] }))).toEqual(['tag_applied', 'tag_applied'])
    expect(await search({ paths: ['A.z'] })).toEqual([])
  })

  it('answers 50 by default and 1,000 at the most', async () => {
    await client.ok('POST', '/api/items/bulk', { items: Array.from({ length: 1100 }, (_, i) => `Bulk ${i}`) })
    expect(await search()).toHaveLength(50)
    for (const [limit, length] of [
      [1, 1],
      [1000, 1000],
      [1001, 1000],
      [9007199254740991, 1000],
    ])
      expect(await search({ limit })).toHaveLength(length!)
  })

  it('tells the time of a change, also while the clock steps back', async () => {
    now += 60_000
    const later = new Date(now).toISOString()
    const first = (await client.ok('POST', '/api/items', { name: 'x' })).item_id
    now -= 30_000
    const second = (await client.ok('POST', '/api/items', { name: 'y' })).item_id
    const events = await search({ item_ids: [first, second] })
    expect(events.map((event) => [event.item_id, event.created_at])).toEqual([
      [second, later],
      [first, later],
    ])
  })
})

describe('an event', () => {
  const changes = [
    "update audit_event set details = '{}'",
    'update audit_event set user_id = null where id = 1',
    'delete from audit_event',
    'delete from audit_event where id = 1',
    ...(TEST_ENGINE === 'sqlite'
      ? [
          'insert or replace into audit_event select * from audit_event where id = 1',
          "insert or replace into audit_event (id, event_id, event_type, entity_type, item_id, tag_id, user_id, source, details, created_at) select 9999, event_id, 'x', 'item', null, null, null, 'rest', '{}', '' from audit_event where id = 1",
        ]
      : ['truncate audit_event']),
  ]
  for (const change of changes)
    it(`cannot be changed, the database itself refuses: ${change}`, async () => {
      await client.ok('POST', '/api/items', { name: 'x' })
      const before = await dumpTables(service)
      await expect(queryDatabase(service, change)).rejects.toThrow('audit_event is append-only')
      expect(await dumpTables(service)).toEqual(before)
    })
})
