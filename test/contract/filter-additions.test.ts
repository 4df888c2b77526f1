import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { createSearchWorld, NAMES, type SearchWorld } from '#test/support/search-world.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

// Filters beyond the specification (additions §7, §11, §12).
let service: Service
let client: Client
let world: SearchWorld
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  world = await createSearchWorld(client)
})
afterAll(() => service.close())

type Named = { name: string; item_id: string; created_at: string }
const search = async (filter: object, more: object = {}): Promise<Named[]> =>
  client.ok('POST', '/api/items/search', { filter, ...more })
const names = async (filter: object, more?: object) => (await search(filter, more)).map(({ name }) => name)
const fault = async (filter: object) => {
  const { status, body } = await client.post('/api/items/search', { filter })
  expect(status).toBe(400)
  return body.details.errors[0] as { path: string; message: string }
}

describe('id', () => {
  it('finds items by their ids, in any case, oldest first', async () => {
    const { Ada, Cyd, Orphan } = world.ids
    expect(await names({ id: Cyd! })).toEqual(['Cyd'])
    expect(await names({ id: { in: [Orphan, Cyd, Ada!.toLowerCase(), Cyd, 'no id'] } })).toEqual([
      'Ada',
      'Cyd',
      'Orphan',
    ])
    expect(await names({ id: { in: [Orphan, Ada] } }, { sort: [{ by: 'name', direction: 'desc' }] })).toEqual(
      ['Orphan', 'Ada'],
    )
    expect(await names({ and: [{ has_tag: 'Person' }, { id: { neq: Ada } }] })).toEqual(['Bob', 'Cyd'])
    expect(await names({ not: { id: { in: [Ada] } } })).toEqual(NAMES.slice(1))
  })

  it('does not find what is deleted', async () => {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Short-lived' })
    await client.ok('DELETE', `/api/items/${item_id}`)
    expect(await names({ id: { in: [item_id] } })).toEqual([])
  })

  it('is followed through references', async () => {
    expect(await names({ 'Task.owner->id': world.ids['Ada'] })).toEqual(
      await names({ 'Task.owner': world.ids['Ada'] }),
    )
  })

  it('takes up to 10,000 ids', async () => {
    const ids = Array.from({ length: 10_000 }, () => world.ids['Ada'])
    expect(await names({ id: { in: ids } })).toEqual(['Ada'])
    expect(await fault({ id: { in: [...ids, world.ids['Bob']] } })).toEqual({
      path: 'filter.id.in',
      message: "'in' takes at most 10000 ids",
    })
  })

  it('selects the targets of a bulk change', async () => {
    const answer = await client.ok('POST', '/api/items/bulk-delete', {
      filter: { id: { in: [world.ids['Ada'], world.ids['Bob']] } },
      dry_run: true,
    })
    expect(answer.affected_ids).toEqual([world.ids['Ada'], world.ids['Bob']])
  })
})

describe('created_at and updated_at', () => {
  it('compare as points in time, with an offset or without', async () => {
    const [first, ...later] = await search({ has_tag: 'Person' })
    const at = first!.created_at
    const elsewhere = new Date(Date.parse(at) + 5_400_000).toISOString().replace('Z', '+01:30')
    for (const time of [at, at.slice(0, -1), elsewhere]) {
      expect((await names({ created_at: time })).slice(0, 1)).toEqual(['Ada'])
      expect(await names({ and: [{ has_tag: 'Person' }, { created_at: { gte: time } }] })).toHaveLength(
        later.length + 1,
      )
      expect(await names({ created_at: { lt: time } })).toEqual([])
    }
    expect(await names({ updated_at: { gt: at.slice(0, 10) } })).toEqual(NAMES)
    expect(await names({ created_at: { lte: '2001-01-01' } })).toEqual([])
  })

  it('warn of what is no time', async () => {
    const { headers, body } = await client.post('/api/items/search', {
      filter: { created_at: { gt: 'yesterday' } },
    })
    expect(body).toEqual([])
    expect(headers.get('x-filter-warnings')).toContain('yesterday')
  })
})

describe('changed_between', () => {
  const eventsOf = async (name: string): Promise<string[]> => {
    const events = await client.ok('GET', `/api/items/${world.ids[name]}/history?limit=100`)
    return events.map((event: { created_at: string }) => event.created_at)
  }
  const later = (time: string, ms = 1) => new Date(Date.parse(time) + ms).toISOString()

  it('finds what has an event of its own from the first time on and before the second', async () => {
    await client.ok('PUT', `/api/items/${world.ids['Cyd']}`, { description: 'changed' })
    const [at] = (await eventsOf('Cyd')) as [string]
    expect(await names({ changed_between: [at, later(at)] })).toEqual(['Cyd'])
    expect(await names({ changed_between: [later(at), '9999-12-31'] })).toEqual([])
    expect(await names({ changed_between: [at, at] })).toEqual([])
    expect(await names({ changed_between: ['2001-01-01', at] })).toEqual(NAMES)
    const since = { changed_between: [{ now: '-PT1H' }, { now: 'PT1H' }] }
    expect(await names({ and: [since, { has_tag: 'Person' }] })).toEqual(['Ada', 'Bob', 'Cyd'])
    expect(await names({ not: since })).toEqual([])
    const sort = [{ by: 'name', direction: 'desc' }]
    expect(await names({ changed_between: [at, later(at)] }, { sort })).toEqual(['Cyd'])
  })

  it('names what is wrong with it', async () => {
    for (const wrong of ['2026-01-01', ['2026-01-01'], { from: 1 }, [1, 2, 3], null])
      expect((await fault({ changed_between: wrong })).message).toContain('array of two times')
    expect(await fault({ not: { changed_between: ['2026-01-01', 'soon'] } })).toMatchObject({
      path: 'filter.not.changed_between[1]',
      message: "'changed_between' takes timestamps, dates and relative times",
    })
    expect((await fault({ changed_between: [{ today: 1 }, { today: 0 }] })).message).toBe(
      "'changed_between' requires a first time that is not after the second",
    )
    expect((await fault({ changed_between: [{ today: 1.5 }, { today: 2 }] })).message).toContain(
      'whole number',
    )
  })

  it('is stored in a view as it is, and said in words', async () => {
    const filter = { changed_between: [{ today: -7 }, { now: 'PT0S' }] }
    const view = await client.ok('POST', '/api/views', { name: 'Of the week', filter })
    expect(view.filter).toEqual(filter)
    const { words } = await client.ok('POST', '/api/filters/explain', { filter })
    expect(words).toContain('7 days before today')
  })
})

describe('relative times', () => {
  const day = (offset: number, time_zone: string) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: time_zone }).format(Date.now() + offset * 86_400_000)

  it('compare dates with today where the request says that it is', async () => {
    const tag = { name: 'Deadline', fields: { on: 'Date' } }
    await client.ok('POST', '/api/tags', tag)
    // One of the two is on another day than UTC, whenever the test runs.
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
    for (const [i, time_zone] of zones.entries()) {
      const tags = [{ tag_ref: { Existing: 'Deadline' }, field_values: { on: day(0, time_zone) } }]
      await client.ok('POST', '/api/items', { name: `Deadline ${i}`, tags })
    }
    for (const [i, time_zone] of zones.entries())
      expect(await names({ 'Deadline.on': { eq: { today: 0 } } }, { time_zone })).toEqual([`Deadline ${i}`])
  })

  it('compare times with a moment', async () => {
    expect(await names({ created_at: { lt: { now: '-PT1H' } } })).toEqual([])
    expect((await names({ created_at: { gte: { now: '-PT1H' } } })).slice(0, 1)).toEqual(['Ada'])
    expect(await names({ created_at: { gte: { today: 2 } } })).toEqual([])
  })

  it('stay as they are in a view, and fill new items', async () => {
    const filter = { 'Deadline.on': { eq: { today: 1 } } }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Tomorrow', filter })
    const view = await client.ok('GET', `/api/views/${view_id}`)
    expect(Object.values(view.filter)).toEqual([{ eq: { today: 1 } }])
    const time_zone = 'Pacific/Kiritimati'
    const { item_id } = await client.ok('POST', '/api/items', { name: 'In the view', view_id, time_zone })
    const { data } = await client.ok('GET', `/api/items/${item_id}`)
    expect(Object.values<{ field_values: object }>(data)[0]!.field_values).toEqual({ on: day(1, time_zone) })
  })

  it('refuse a time zone that does not exist', async () => {
    const { status, body } = await client.post('/api/items/search', { time_zone: 'Europe/Wien' })
    expect(status).toBe(400)
    expect(body.details.errors[0].path).toBe('time_zone')
    expect((await fault({ created_at: { gt: { today: 1.5 } } })).message).toContain('a whole number of days')
  })
})

describe('a filter by what refers to an item', () => {
  it('takes a filter for what refers, and how many are wanted', async () => {
    expect(await names({ '<-Task.owner': { 'Task.urgent': true } })).toEqual(['Bob'])
    expect(await names({ '<-Task.owner': { has_tag: 'Task' } })).toEqual(['Ada', 'Bob'])
    expect(await names({ '<-Person.manager': { count: { gte: 1 } } })).toEqual(['Ada', 'Bob'])
    expect(await names({ and: [{ has_tag: 'Person' }, { '<-Task.owner': { count: { eq: 0 } } }] })).toEqual([
      'Cyd',
    ])
    expect(await names({ '<-Task.owner': { filter: { has_tag: 'Task' }, count: { gt: 1 } } })).toEqual([])
    expect(await names({ not: { '<-Task.owner': { has_tag: 'Task' } } })).toEqual(
      expect.not.arrayContaining(['Ada', 'Bob']),
    )
  })

  it('nests, also behind references', async () => {
    expect(await names({ '<-Person.manager': { '<-Person.manager': { name: 'Cyd' } } })).toEqual(['Ada'])
    expect(await names({ 'Task.owner-><-Person.manager': { name: 'Bob' } })).toEqual(['Fix ROOF'])
  })

  it('stays right when what refers is changed, deleted and restored', async () => {
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'Passing',
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: world.ids['Cyd'] } }],
    })
    const owners = () => names({ '<-Task.owner': { name: 'Passing' } })
    expect(await owners()).toEqual(['Cyd'])
    await client.ok('DELETE', `/api/items/${item_id}`)
    expect(await owners()).toEqual([])
  })

  it('is refused with its place where it is malformed', async () => {
    const cases = [
      [{ '<-Task.title': { name: 'x' } }, "'<-' takes a Reference field, and 'Task.title' is a String"],
      [{ '<-Task.owner->name': 'x' }, "Invalid dot-notation: '<-Task.owner->name'"],
      [{ '<-Task.owner': 'x' }, 'Filter must be an object'],
      [{ '<-Task.owner': { count: { gte: -1 } } }, "'count' requires an object with one of"],
      [{ '<-Task.owner': { count: { gte: 1 }, of: {} } }, "Unknown property 'of'"],
      [
        { '<-A.b': { '<-A.b': { '<-A.b': { '<-A.b': { '<-A.b': { 'A.b->name': 'x' } } } } } },
        'Reference traversal exceeds max depth of 5 hops',
      ],
    ] as const
    for (const [filter, message] of cases) expect((await fault(filter)).message).toContain(message)
  })

  it('is said in English and stored with ids', async () => {
    const wanted = (count: number) => ({
      '<-Task.owner': { filter: { 'Task.urgent': true }, count: { gte: count } },
    })
    const filter = wanted(2)
    const { words } = await client.ok('POST', '/api/filters/explain', { filter })
    const { words: ofOne } = await client.ok('POST', '/api/filters/explain', { filter: wanted(1) })
    expect(ofOne).toBe('at least 1 item refers to it by Task.owner and satisfies (Task.urgent is true)')
    const { filter: kept } = await client.ok('POST', '/api/filters/validate', { filter })
    expect(words).toBe('at least 2 items refer to it by Task.owner and satisfy (Task.urgent is true)')
    const { Task } = world.tags
    expect(kept).toEqual({ [`<-${Task}.owner`]: { filter: { [`${Task}.urgent`]: true }, count: { gte: 2 } } })
  })

  it('leaves what tags are called to whoever names them: a tag `<-Task` is meant by its name', async () => {
    const fields = { owner: 'Reference', title: 'String' }
    const tag = await client.ok('POST', '/api/tags', { name: '<-Task', fields })
    const dotted = await client.ok('POST', '/api/tags', { name: 'a<-b.c', fields })
    const values = { owner: world.ids['Ada'], title: 'own' }
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'Named so',
      tags: ['<-Task', 'a<-b.c'].map((Existing) => ({ tag_ref: { Existing }, field_values: values })),
    })
    const own = [
      { '<-Task.title': 'own' },
      { '<-Task.title': { starts_with: 'o' } },
      { '<-Task.owner->name': 'Ada' },
      { '<-Task.owner->Person.manager': null },
      { not: { and: [{ has_tag: '<-Task' }, { '<-Task.title': { neq: 'own' } }] } },
    ]
    for (const filter of own) {
      expect(await names({ and: [{ id: item_id }, filter] })).toEqual(['Named so'])
      const { view_id, filter: kept } = await client.ok('POST', '/api/views', {
        name: 'v',
        icon: 'v',
        filter,
      })
      expect(JSON.stringify(kept)).not.toContain('<-Task')
      expect(await names({ and: [{ id: item_id }, kept] })).toEqual(['Named so'])
      await client.ok('DELETE', `/api/views/${view_id}`)
    }
    const hops = (name: string) => ({ [`${`${name}.owner->`.repeat(5)}name`]: 'x' })
    expect(await names(hops('<-Task'))).toEqual([])
    expect(await names(hops('a<-b.c'))).toEqual([])
    // By its id the other tag still says who refers, also within and behind a key of such a name.
    const { Task } = world.tags
    const owners = ['Ada', 'Bob']
    expect(await names({ [`<-${Task}.owner`]: { has_tag: 'Task' } })).toEqual(owners)
    expect(await names({ [`<-Task.owner-><-${Task}.owner`]: { has_tag: 'Task' } })).toEqual(['Named so'])
    for (const { tag_id } of [tag, dotted]) await client.ok('DELETE', `/api/tags/${tag_id}`)
    expect(await names({ '<-Task.owner': { has_tag: 'Task' } })).toEqual(owners)
    await client.ok('DELETE', `/api/items/${item_id}`)
  })
})

describe('has_tag', () => {
  it('tells items without any tag, and a tag from those that extend it', async () => {
    expect(await names({ has_tag: null })).toEqual(['Loose note'])
    expect(await names({ has_tag: { id: world.tags['Thing']!, exact: true } })).toEqual([])
    expect(await names({ has_tag: { name: { eq: 'Task' }, exact: true } })).toEqual(
      await names({ has_tag: 'Thing' }),
    )
  })
})

describe('dangling', () => {
  it('tells references whose item is deleted from those whose item lives', async () => {
    expect(await names({ 'Task.owner': { dangling: true } })).toEqual(['Orphan'])
    expect(await names({ 'Task.owner': { dangling: false } })).toEqual(['Water roses', 'Fix ROOF'])
    const { headers } = await client.post('/api/items/search', { filter: { 'Task.due': { dangling: true } } })
    expect(headers.get('x-filter-warnings')).toContain('these apply: eq, neq')
  })
})

describe('a page', () => {
  it('may be the one at a position', async () => {
    expect(await names({ search: '' }, { skip: 2, limit: 3 })).toEqual(NAMES.slice(2, 5))
    const sort = [{ by: 'name', direction: 'desc' }]
    const byName = await names({ has_tag: 'Task' }, { sort })
    expect(await names({ has_tag: 'Task' }, { sort, skip: 1, limit: 2 })).toEqual(byName.slice(1, 3))
    expect(await names({ has_tag: 'Task' }, { skip: 1_000_000, limit: 2 })).toEqual([])
    expect(
      (await client.ok('POST', '/api/tags/search', { skip: 1, limit: 1 })).map((tag: Named) => tag.name),
    ).toEqual(['Person'])
  })

  it('goes on with the cursor of one at a position', async () => {
    const { headers } = await client.post('/api/items/search', { skip: 2, limit: 3 })
    const after = headers.get('x-next-cursor')
    expect(await names({ search: '' }, { after, limit: 2 })).toEqual(NAMES.slice(5, 7))
  })

  it('goes on with what a tool says beside one at a position', async () => {
    const mcp = await connectMcp(client, 'streamable-http')
    const sort = [{ by: 'created_at' }]
    const args = { filter: { search: '' }, sort, fields: ['name'], skip: 2, limit: 3 }
    const first = await callTool(mcp, 'get_items', args)
    expect((first.value as Named[]).map(({ name }) => name)).toEqual(NAMES.slice(2, 5))
    const { next } = first.beside as { next: object }
    const second = await callTool(mcp, 'get_items', { ...args, ...next, limit: 2 })
    expect((second.value as Named[]).map(({ name }) => name)).toEqual(NAMES.slice(5, 7))
    await mcp.close()
  })

  it('takes a null for what is not given, in a whole list too', async () => {
    const whole = await client.ok('POST', '/api/items/search', { skip: null, limit: null, after: null })
    expect(whole).toEqual(await client.ok('POST', '/api/items/search', {}))
    const { body } = await client.post('/api/tags/search', { skip: 1, limit: null, after: null })
    expect(body.details.errors).toEqual([{ path: 'skip', message: expect.stringContaining('limit') }])
  })

  it('is nothing where only the count is wanted', async () => {
    const { headers, body } = await client.post('/api/items/search', {
      filter: { has_tag: 'Person' },
      limit: 0,
      count: true,
    })
    expect([body, headers.get('x-total-count'), headers.get('x-next-cursor')]).toEqual([[], '3', null])
  })

  it.each([
    [{ skip: 1 }, 'skip'],
    [{ skip: 1, limit: null }, 'skip'],
    [{ skip: 1, limit: 1, after: 'x' }, 'skip'],
    [{ skip: 1_000_001, limit: 1 }, 'skip'],
    [{ limit: 0 }, 'limit'],
  ])('is refused for %j', async (page, path) => {
    for (const of of ['items', 'tags']) {
      const { status, body } = await client.post(`/api/${of}/search`, page)
      expect([status, body.details.errors[0].path]).toEqual([400, path])
    }
  })
})
