import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TIME } from '#test/support/fixtures.ts'
import { createSearchWorld, NAMES, type SearchWorld } from '#test/support/search-world.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let world: SearchWorld
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  world = await createSearchWorld(client)
})
afterAll(() => service.close())

const search = (body: object) => client.post('/api/items/search', body)
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)
const found = async (filter: unknown) => namesOf(await client.ok('POST', '/api/items/search', { filter }))
const except = (...names: string[]) => NAMES.filter((name) => !names.includes(name))

const TASKS = ['Water roses', 'Fix ROOF', 'Write report', 'Élan vital', 'Orphan']

type Case = [filter: object | (() => object), finds: string[]]
const CASES: Record<string, Case[]> = {
  'text anywhere': [
    [{ search: 'morning' }, ['Water roses']],
    [{ search: 'ÉLAN' }, ['Élan vital']],
    [{ search: 'élan v' }, ['Élan vital']],
    [{ search: 'straße_100%' }, ['Write report']],
    [{ search: '_' }, ['Write report']],
    [{ search: '%' }, ['Write report']],
    [{ search: 'él' }, ['Élan vital']],
    [{ search: 'roof 100%' }, []],
    [{ search: '"' }, []],
    [{ search: '' }, NAMES],
  ],
  tags: [
    [{ has_tag: 'Person' }, ['Ada', 'Bob', 'Cyd']],
    [{ has_tag: 'Thing' }, TASKS],
    [() => ({ has_tag: world.tags['Task'] }), TASKS],
    [() => ({ has_tag: world.tags['Task']!.toLowerCase() }), TASKS],
    [{ has_tag: { name: { eq: 'Task' } } }, TASKS],
    [{ not: { has_tag: 'Thing' } }, ['Ada', 'Bob', 'Cyd', 'Loose note']],
  ],
  'names and descriptions': [
    [{ name: 'Bob' }, ['Bob']],
    [{ name: { neq: 'Bob' } }, except('Bob')],
    [{ name: { contains: 'ROOF' } }, ['Fix ROOF']],
    [{ name: { contains: 'roof' } }, []],
    [{ name: { starts_with: 'W' } }, ['Water roses', 'Write report']],
    [{ name: { regex: '^[A-B]' } }, ['Ada', 'Bob']],
    [{ name: { matches: '(?i)ROO' } }, ['Fix ROOF']],
    [{ name: { in: ['Ada', 'Cyd', null] } }, ['Ada', 'Cyd']],
    [{ name: { gt: 'Water roses' } }, ['Write report', 'Élan vital']],
    [{ name: { lte: 'Bob' } }, ['Ada', 'Bob']],
    [{ description: { exists: true } }, ['Water roses', 'Write report']],
    [{ description: { is_null: true } }, except('Water roses', 'Write report')],
    [{ description: null }, except('Water roses', 'Write report')],
    [{ description: { contains: 'MORNING' } }, ['Water roses']],
    [{ not: { description: { contains: 'MORNING' } } }, except('Water roses')],
    [{ description: { neq: 'x' } }, ['Water roses', 'Write report']],
  ],
  numbers: [
    [{ 'Task.points': 3 }, ['Water roses']],
    [{ 'Task.points': { gt: 3 } }, ['Fix ROOF', 'Write report']],
    [{ 'Task.points': { gte: 5.5 } }, ['Fix ROOF', 'Write report']],
    [{ 'Task.points': { lt: 5.5 } }, ['Water roses']],
    [{ 'Task.points': { lte: 5.5 } }, ['Water roses', 'Write report']],
    [{ 'Task.points': { neq: 3 } }, ['Fix ROOF', 'Write report']],
    [{ not: { 'Task.points': 3 } }, except('Water roses')],
    [{ 'Task.points': { in: [3, 8, '5.5'] } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.points': { in: [] } }, []],
    [{ 'Task.points': '3' }, []],
    [{ 'Task.points': { neq: '3' } }, ['Water roses', 'Fix ROOF', 'Write report']],
    [{ 'Task.points': { exists: true } }, ['Water roses', 'Fix ROOF', 'Write report']],
    [{ 'Person.age': null }, except('Ada', 'Bob')],
    [{ 'Person.age': { neq: null } }, ['Ada', 'Bob']],
    [{ and: [{ 'Task.points': { gt: 3 } }, { 'Task.points': { lt: 8 } }] }, ['Write report']],
  ],
  'booleans, where neq takes null too': [
    [{ 'Task.urgent': true }, ['Water roses']],
    [{ 'Task.urgent': false }, ['Fix ROOF']],
    [{ 'Task.urgent': { neq: true } }, except('Water roses')],
    [{ not: { 'Task.urgent': { neq: true } } }, ['Water roses']],
  ],
  'text values': [
    [{ 'Task.title': { contains: '100%' } }, ['Fix ROOF']],
    [{ 'Task.title': { starts_with: 'wat' } }, ['Water roses']],
    [{ 'Task.title': { regex: 'r$' } }, ['Water roses']],
    [{ 'Task.title': { gt: 'roof' } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.title': { in: ['water'] } }, ['Water roses']],
  ],
  dates: [
    [{ 'Task.due': '2026-02-01' }, ['Water roses']],
    [{ 'Task.due': '2026-02-01T00:00:00' }, ['Water roses']],
    [{ 'Task.due': { lt: '2026-02-01T00:00:01' } }, ['Water roses']],
    [{ 'Task.due': { gt: '2026-02-01T00:00:00' } }, ['Fix ROOF']],
    [{ 'Task.due': { gte: '2026-02-01T00:00:00' } }, ['Water roses', 'Fix ROOF']],
    [
      {
        and: [{ 'Task.due': { gte: '2026-02-01T00:00:00' } }, { 'Task.due': { lte: '2026-03-15T00:00:00' } }],
      },
      ['Water roses', 'Fix ROOF'],
    ],
    [{ 'Task.due': { neq: '2026-02-01T00:00:00' } }, ['Fix ROOF']],
  ],
  selects: [
    [{ 'Task.state': 'doing' }, ['Water roses']],
    [{ 'Task.state': { match: 'doing' } }, ['Water roses']],
    [{ 'Task.state': { eq: { variant: 'done' } } }, ['Write report']],
    [{ 'Task.state': { neq: 'done' } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.state': { gt: 'todo' } }, ['Water roses', 'Write report']],
    [{ 'Task.state': { select_gte: 'doing' } }, ['Water roses', 'Write report']],
    [{ 'Task.state': { select_lt: 'done' } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.state': { lte: 'todo' } }, ['Fix ROOF']],
    [{ 'Task.state': { in: ['todo', { variant: 'done' }] } }, ['Fix ROOF', 'Write report']],
    [{ 'Task.finished': '2026-01-10' }, ['Write report']],
  ],
  'multiple selects': [
    [{ 'Task.labels': { match: 'home' } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.labels': { eq: ['home', 'garden'] } }, ['Water roses']],
    [{ 'Task.labels': 'home' }, ['Fix ROOF']],
    [{ 'Task.labels': { eq: [] } }, ['Write report']],
    [{ 'Task.labels': { neq: ['home'] } }, ['Water roses', 'Write report']],
    [{ 'Task.labels': { in: ['garden', 'work'] } }, ['Water roses']],
    [{ 'Task.labels': { exists: true } }, ['Water roses', 'Fix ROOF', 'Write report']],
    [
      { and: [{ 'Task.labels': { match: 'home' } }, { 'Task.labels': { match: 'garden' } }] },
      ['Water roses'],
    ],
  ],
  references: [
    [{ 'Task.owner': { exists: true } }, ['Water roses', 'Fix ROOF', 'Orphan']],
    [() => ({ 'Task.owner': world.ids['Bob'] }), ['Water roses']],
    [() => ({ 'Task.owner': { eq: world.ids['Gone'] } }), ['Orphan']],
    [{ 'Task.owner->name': 'Bob' }, ['Water roses']],
    [{ 'Task.owner->name': { exists: true } }, ['Water roses', 'Fix ROOF']],
    [{ not: { 'Task.owner->name': { exists: true } } }, except('Water roses', 'Fix ROOF')],
    [{ 'Task.owner->description': { is_null: true } }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.owner->has_tag': 'Person' }, ['Water roses', 'Fix ROOF']],
    [{ 'Task.owner->Person.age': { gt: 38 } }, ['Water roses']],
    [{ 'Task.owner->Person.active': { neq: true } }, ['Water roses']],
    [{ 'Task.owner->Person.manager->name': 'Ada' }, ['Water roses']],
    [{ 'Person.manager->Person.manager->Person.email': { contains: '@' } }, ['Cyd']],
  ],
  combinations: [
    [{ and: [{ has_tag: 'Task' }, { not: { 'Task.points': { exists: true } } }] }, ['Élan vital', 'Orphan']],
    [{ or: [{ name: 'Ada' }, { 'Task.points': 8 }, { search: 'loose' }] }, ['Ada', 'Fix ROOF', 'Loose note']],
    [
      { not: { or: [{ has_tag: 'Task' }, { and: [{ has_tag: 'Person' }, { 'Person.active': true }] }] } },
      ['Bob', 'Cyd', 'Loose note'],
    ],
    [{ not: { not: { name: 'Ada' } } }, ['Ada']],
  ],
  'what can never match': [
    [{ 'Task.colour': 'red' }, []],
    [{ 'Task.colour': { exists: false } }, NAMES],
    [{ 'Task.state': { gt: 'never' } }, []],
    [{ 'Task.points': { contains: 'x' } }, []],
  ],
}

describe.each(Object.entries(CASES))('a filter by %s', (_, cases) => {
  for (const [filter, finds] of cases) {
    const title = typeof filter === 'function' ? String(filter).slice(6) : JSON.stringify(filter)
    it(`finds ${finds.length === NAMES.length ? 'all' : finds.join(', ') || 'nothing'} with ${title}`, async () => {
      expect(await found(typeof filter === 'function' ? filter() : filter)).toEqual(finds)
    })
  }
})

describe('a search', () => {
  it.each([[undefined], [{}], [{ filter: null }], [{ sort: [], count: false }]])(
    'without a filter (%j) answers all, oldest first',
    async (body) => {
      expect(namesOf(await client.ok('POST', '/api/items/search', body))).toEqual(NAMES)
    },
  )

  it('answers items in the list form', async () => {
    const [item] = await client.ok('POST', '/api/items/search', { filter: { name: 'Cyd' } })
    expect(item).toEqual({
      item_id: world.ids['Cyd'],
      id: world.ids['Cyd'],
      name: 'Cyd',
      description: null,
      tags: {
        [world.tags['Person']!]: {
          tag_name: 'Person',
          schema_version: 1,
          field_values: { age: null, manager: world.ids['Bob'] },
        },
      },
      created_at: expect.stringMatching(TIME),
      updated_at: item.created_at,
    })
  })

  it('lists several tags of an item, and none', async () => {
    const tags = ['Thing', 'Person'].map((Existing) => ({ tag_ref: { Existing } }))
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Both', tags })
    const [both] = await client.ok('POST', '/api/items/search', { filter: { name: 'Both' } })
    expect(Object.keys(both.tags)).toEqual([world.tags['Thing'], world.tags['Person']])
    const [none] = await client.ok('POST', '/api/items/search', { filter: { name: 'Loose note' } })
    expect(none.tags).toEqual({})
    await client.ok('DELETE', `/api/items/${item_id}`)
  })

  it('counts all matches when asked, on every page', async () => {
    const first = await search({ filter: { has_tag: 'Task' }, limit: 2, count: true })
    expect([first.body.length, first.headers.get('x-total-count')]).toEqual([2, '5'])
    const after = first.headers.get('x-next-cursor')
    const second = await search({ filter: { has_tag: 'Task' }, limit: 2, count: true, after })
    expect(second.headers.get('x-total-count')).toBe('5')
    expect((await search({ limit: 2 })).headers.get('x-total-count')).toBeNull()
    expect((await search({ count: true, limit: 1 })).headers.get('x-total-count')).toBe(String(NAMES.length))
    const none = await search({ filter: { 'Task.state': { gt: 'never' } }, count: true })
    expect(none.headers.get('x-total-count')).toBe('0')
  })

  it('warns of what can never match', async () => {
    const { headers } = await search({ filter: { or: [{ 'Task.state': 'dönig' }, { 'Task.colour': 1 }] } })
    expect(JSON.parse(headers.get('x-filter-warnings')!)).toEqual([
      expect.stringContaining('dönig'),
      expect.stringContaining("Tag 'Task' has no field 'colour'"),
    ])
    expect((await search({ filter: { name: 'Ada' } })).headers.get('x-filter-warnings')).toBeNull()
  })

  const refusals: [body: object, errors: object[]][] = [
    [{ limit: 0 }, [{ path: 'limit', message: 'must be at least 1 (0 goes with "count": true)' }]],
    [{ limit: 1001 }, [{ path: 'limit', message: 'must be at most 1000' }]],
    [{ limit: 1.5 }, [{ path: 'limit', message: 'expected a whole number' }]],
    [{ limit: '5' }, [{ path: 'limit', message: 'expected a whole number' }]],
    [{ filtre: {} }, [{ path: 'filtre', message: "unknown property; did you mean 'filter'?" }]],
    [{ filter: 'Ada' }, [{ path: 'filter', message: 'expected an object' }]],
    [{ sort: 'name' }, [{ path: 'sort', message: 'expected an array' }]],
    [
      { sort: Array.from({ length: 5 }, () => ({ by: 'name' })) },
      [{ path: 'sort', message: 'must have at most 4 elements' }],
    ],
    [
      { sort: [{ by: 'name', direction: 'up' }] },
      [{ path: 'sort[0].direction', message: 'expected "asc" or "desc"' }],
    ],
    [
      { sort: [{ by: 'nam' }, { by: 'Tsak.points' }, { by: 'Task.poinst' }, { by: 'Task.labels' }] },
      [
        { path: 'sort[0].by', message: "cannot sort by 'nam'; did you mean 'name'?" },
        { path: 'sort[1].by', message: "Tag 'Tsak' not found", suggestion: "Did you mean 'Task'?" },
        {
          path: 'sort[2].by',
          message: "Tag 'Task' has no field 'poinst'; did you mean 'Task.points'?",
        },
        {
          path: 'sort[3].by',
          message: "cannot sort by 'Task.labels': a MultiSelect holds several values, which have no order",
        },
      ],
    ],
  ]
  it.each(refusals)('refuses %j', async (body, errors) => {
    const answer = await search(body)
    expect(answer.status).toBe(400)
    expect(answer.body.details.errors).toEqual(errors)
  })

  it('can be had by query string', async () => {
    const { body, headers } = await client.get('/api/items?limit=2&search=ro')
    expect([namesOf(body), headers.get('x-next-cursor')]).toEqual([['Water roses', 'Fix ROOF'], null])
    const first = await client.get('/api/items?limit=4')
    const rest = await client.get(`/api/items?after=${first.headers.get('x-next-cursor')}`)
    expect([...namesOf(first.body), ...namesOf(rest.body)]).toEqual(NAMES)
    expect((await client.get('/api/items?limit=many')).status).toBe(400)
    expect((await client.get('/api/items?sort=name')).status).toBe(400)
  })
})
