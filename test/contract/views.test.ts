import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { ULID } from '#test/support/fixtures.ts'
import { type Service, startService } from '#test/support/service.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: Service
let ann: Client
let bob: Client
let task: { tag_id: string }

beforeAll(async () => {
  service = await startService()
  ;[ann, bob] = [await service.user(), await service.user()]
  task = await ann.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      title: 'String',
      due: 'Date',
      assignee: 'Reference',
      status: { type: 'Select', variants: ['open', 'done'] },
    },
  })
})
afterAll(() => service.close())

const makeView = (body: object = {}, client = ann) =>
  client.ok('POST', '/api/views', { name: 'Open', filter: { has_tag: 'Task' }, ...body })

describe('a view', () => {
  it('is created whole, with its defaults', async () => {
    const view = await makeView()
    const { user_id } = await ann.ok('GET', '/api/auth/me')
    expect(view).toEqual({
      view_id: expect.stringMatching(ULID),
      id: view.view_id,
      user_id,
      name: 'Open',
      icon: '📋',
      filter: { has_tag: task.tag_id },
      view_type: 'list',
      settings: {},
      shared: false,
      position: null,
      watch: { enter: false, change: false, leave: false },
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: view.created_at,
    })
    expect(await ann.ok('GET', `/api/views/${view.view_id.toLowerCase()}`)).toEqual(view)
  })

  it('keeps icon and settings as they were given, order of keys included', async () => {
    const settings = { sort_by: 'name', group_by: null, a: { z: [1, 'two'], b: true } }
    const view = await makeView({ icon: '👩‍👩‍👧', settings, view_type: 'list' })
    expect(view).toMatchObject({ icon: '👩‍👩‍👧' })
    expect(JSON.stringify(view.settings)).toBe(JSON.stringify(settings))
  })

  const id = () => task.tag_id
  const resolved: [given: object, stored: () => object][] = [
    [{ has_tag: { name: { eq: 'Task' } } }, () => ({ has_tag: id() })],
    [{ 'Task.due': { lt: '2026-01-01' } }, () => ({ [`${id()}.due`]: { lt: '2026-01-01' } })],
    [{ 'Task.title': 'x' }, () => ({ [`${id()}.title`]: 'x' })],
    [{ 'Task.title': null }, () => ({ [`${id()}.title`]: null })],
    [
      { 'Task.assignee->Task.assignee->name': { contains: 'x' } },
      () => ({ [`${id()}.assignee->${id()}.assignee->name`]: { contains: 'x' } }),
    ],
    [{ 'Task.assignee->has_tag': 'Task' }, () => ({ [`${id()}.assignee->has_tag`]: id() })],
    [
      { and: [{ not: { has_tag: 'Task' } }, { or: [{ search: 'x' }, { name: 'y' }] }] },
      () => ({ and: [{ not: { has_tag: id() } }, { or: [{ search: 'x' }, { name: 'y' }] }] }),
    ],
  ]
  for (const [given, stored] of resolved)
    it(`stores ids for names in ${JSON.stringify(given)}`, async () => {
      expect((await makeView({ filter: given })).filter).toEqual(stored())
    })

  const refused: [why: string, body: object, status: number, message: RegExp | string][] = [
    ['no name', { name: undefined }, 400, 'name: is required'],
    ['a blank name', { name: '  ' }, 400, 'name: must not be blank'],
    ['too long a name', { name: 'x'.repeat(1001) }, 400, /1000/],
    ['no filter', { filter: undefined }, 400, 'filter: is required'],
    ['a null filter', { filter: null }, 400, /filter/],
    ['an empty filter', { filter: {} }, 400, 'Filter object cannot be empty'],
    ['a filter of an unknown tag', { filter: { has_tag: 'Tsk' } }, 400, "Tag 'Tsk' not found"],
    ['another type', { view_type: 'board' }, 400, 'view_type: expected "list"'],
    ['settings that are no object', { settings: [] }, 400, 'settings: expected an object'],
    ['a position that is no number', { position: 'first' }, 400, /position: expected a number/],
    ['shared that is neither true nor false', { shared: 'yes' }, 400, /shared: expected/],
    ['a mistyped property', { setings: {} }, 400, "setings: unknown property; did you mean 'settings'?"],
    ['a name that is no well-formed text', { name: '\ud800' }, 400, /surrogate/],
  ]
  for (const [why, body, status, message] of refused)
    it(`is refused with ${why}`, async () => {
      const answer = await ann.post('/api/views', { name: 'x', filter: { has_tag: 'Task' }, ...body })
      expect(answer).toMatchObject({
        status,
        body: {
          error: 'BadRequest',
          message: typeof message === 'string' ? message : expect.stringMatching(message),
          path: '/api/views',
        },
      })
    })

  it('warns of what can never match', async () => {
    const answer = await ann.post('/api/views', { name: 'x', filter: { 'Task.nothing': 'x' } })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-filter-warnings')).toContain('nothing')
  })

  it('is changed by PUT, whose settings stay when they are left out', async () => {
    const view = await makeView({ settings: { sort_by: 'name' } })
    const body = { name: 'Done', icon: '✅', filter: { 'Task.status': { match: 'done' } } }
    const changed = await ann.ok('PUT', `/api/views/${view.view_id}`, body)
    expect(changed).toEqual({
      ...view,
      ...body,
      filter: { [`${task.tag_id}.status`]: { match: 'done' } },
      updated_at: expect.stringMatching(TIMESTAMP),
    })
    expect(changed.updated_at > view.updated_at).toBe(true)
    expect((await ann.ok('PUT', `/api/views/${view.view_id}`, { ...body, settings: {} })).settings).toEqual(
      {},
    )
  })

  it('can be sent back as it was read, and that changes nothing', async () => {
    const view = await makeView()
    expect(await ann.ok('PUT', `/api/views/${view.view_id}`, view)).toEqual(view)
    expect(await ann.ok('PUT', `/api/views/${view.view_id.toLowerCase()}`, view)).toEqual(view)
  })

  for (const missing of ['name', 'icon', 'filter'])
    it(`is not changed by a PUT without ${missing}`, async () => {
      const view = await makeView()
      const answer = await ann.put(`/api/views/${view.view_id}`, { ...view, [missing]: undefined })
      expect(answer).toMatchObject({ status: 400, body: { message: `${missing}: is required` } })
    })

  it('is deleted for good, and its items stay', async () => {
    const { item_id } = await ann.ok('POST', '/api/items', {
      name: 'Stays',
      tags: [{ tag_ref: { Existing: 'Task' } }],
    })
    const view = await makeView()
    expect(await ann.ok('DELETE', `/api/views/${view.view_id}`)).toEqual(view)
    expect(await ann.get(`/api/views/${view.view_id}`)).toMatchObject({
      status: 404,
      body: { error: 'NotFound', path: `/api/views/${view.view_id}` },
    })
    expect(await ann.ok('GET', `/api/items/${item_id}`)).toMatchObject({ name: 'Stays' })
  })

  it('works after its tag was renamed', async () => {
    const { tag_id } = await ann.ok('POST', '/api/tags', { name: 'Old name', fields: { n: 'Number' } })
    const view = await makeView({ filter: { 'Old name.n': { gt: 3 } } })
    await ann.ok('POST', '/api/items', {
      name: 'Four',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: 4 } }],
    })
    await ann.ok('PUT', `/api/tags/${tag_id}`, { name: 'New name' })
    const { filter } = await ann.ok('GET', `/api/views/${view.view_id}`)
    expect(await ann.ok('POST', '/api/items/search', { filter })).toMatchObject([{ name: 'Four' }])
  })

  it('can still be renamed when a tag of its filter was deleted', async () => {
    const { tag_id } = await ann.ok('POST', '/api/tags', { name: 'Gone', fields: {} })
    const view = await makeView({ filter: { has_tag: 'Gone' } })
    await ann.ok('DELETE', `/api/tags/${tag_id}`)
    expect(await ann.ok('PUT', `/api/views/${view.view_id}`, { ...view, name: 'Left over' })).toMatchObject({
      name: 'Left over',
    })
  })
})

describe('the list of views', () => {
  it('has the caller’s own, oldest first, whole and in pages', async () => {
    const cleo = await service.user()
    expect(await cleo.ok('GET', '/api/views')).toEqual([])
    const made = []
    for (const name of ['one', 'two', 'three']) made.push(await makeView({ name }, cleo))
    expect(await cleo.ok('GET', '/api/views')).toEqual(made)
    const first = await cleo.get('/api/views?limit=2')
    expect(first.body).toEqual(made.slice(0, 2))
    const rest = await cleo.get(`/api/views?limit=2&after=${first.headers.get('x-next-cursor')}`)
    expect(rest.body).toEqual(made.slice(2))
    expect(rest.headers.get('x-next-cursor')).toBeNull()
    expect((await cleo.get('/api/views?after=nonsense')).status).toBe(400)
  })
})

describe('somebody else’s view', () => {
  const attempts: [string, (path: string, view: object) => Promise<unknown>][] = [
    ['read', (path) => bob.get(path)],
    ['changed', (path, view) => bob.put(path, view)],
    ['deleted', (path) => bob.delete(path)],
  ]
  for (const [verb, attempt] of attempts)
    it(`cannot be ${verb}, and looks like one that never was`, async () => {
      const view = await makeView()
      const path = `/api/views/${view.view_id}`
      const foreign = (await attempt(path, view)) as { status: number; body: unknown }
      expect(foreign.status).toBe(404)
      expect(await ann.ok('GET', path)).toEqual(view)
      await ann.ok('DELETE', path)
      expect(((await attempt(path, view)) as { body: unknown }).body).toEqual(foreign.body)
    })

  it('does not pre-fill an item', async () => {
    const view = await makeView()
    const answer = await bob.post('/api/items', { name: 'x', view_id: view.view_id })
    expect(answer.status).toBe(404)
  })

  it('is in no list', async () => {
    await makeView()
    expect(await bob.ok('GET', '/api/views')).toEqual([])
  })
})

describe('a shared view', () => {
  let carl: Client
  const share = (body: object = {}) => makeView({ name: 'Ours', shared: true, ...body })

  beforeAll(async () => {
    carl = await service.user()
  })

  it('says so, and is read by everybody, byte for byte', async () => {
    const view = await share()
    expect(view).toMatchObject({ shared: true })
    expect(await carl.ok('GET', `/api/views/${view.view_id}`)).toEqual(view)
    const reader = await service.user()
    expect(await reader.ok('GET', `/api/views/${view.view_id}`)).toEqual(view)
  })

  it('is in the list of others only where they ask for it', async () => {
    const dora = await service.user()
    const own = await makeView({}, dora)
    const view = await share()
    expect(await dora.ok('GET', '/api/views')).toEqual([own])
    expect(await dora.ok('GET', '/api/views?shared=false')).toEqual([own])
    const all = await dora.ok('GET', '/api/views?shared=true')
    expect(all).toContainEqual(own)
    expect(all).toContainEqual(view)
    const ids = all.map((each: { view_id: string }) => each.view_id)
    expect(ids).toEqual(ids.toSorted())
    for (const each of all) expect(each.shared || each.user_id === own.user_id).toBe(true)
    expect((await dora.get('/api/views?shared=perhaps')).status).toBe(400)
  })

  it('narrows searches, counts and new items of others', async () => {
    const { tag_id } = await ann.ok('POST', '/api/tags', { name: 'Shared one', fields: { n: 'Number' } })
    const view = await share({ filter: { 'Shared one.n': { eq: 7 } } })
    const { item_id } = await carl.ok('POST', '/api/items', {
      name: 'Seven',
      view_id: view.view_id,
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: 7 } }],
    })
    await carl.ok('POST', '/api/items', {
      name: 'Eight',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: 8 } }],
    })
    const found = await carl.ok('POST', '/api/items/search', { view_id: view.view_id })
    expect(found).toMatchObject([{ item_id, name: 'Seven' }])
    expect((await carl.ok('POST', '/api/items/aggregate', { view_id: view.view_id })).total_items).toBe(1)
  })

  it('and what narrows it have their faults told apart', async () => {
    const { tag_id } = await ann.ok('POST', '/api/tags', { name: 'Going', fields: { n: 'Number' } })
    const { view_id } = await share({ filter: { or: [{ 'Going.n': 7 }, { has_tag: 'Going' }] } })
    const asked: [path: string, body: object][] = [
      ['/api/items/search', {}],
      ['/api/items/aggregate', {}],
      ['/api/items/export', { format: 'csv' }],
      ['/api/filters/explain', {}],
      ['/api/items/search', { as_of: '2026-01-01' }],
    ]
    const wrong = { and: [{ search: 'x' }, { has_tag: 'Nonesuch' }] }
    for (const [path, body] of asked)
      expect(await carl.post(path, { ...body, view_id, filter: wrong }), path).toMatchObject({
        status: 400,
        body: {
          message: "Tag 'Nonesuch' not found",
          details: { errors: [{ path: 'filter.and[1].has_tag' }] },
        },
      })
    await ann.ok('DELETE', `/api/tags/${tag_id}`)
    const message = `The filter of the view 'Ours' cannot be used any more: Tag '${tag_id}' not found`
    const errors = [{ path: `view.filter.or[0].${tag_id}.n` }, { path: 'view.filter.or[1].has_tag' }]
    for (const [path, { as_of, ...body }] of asked as [string, { as_of?: string }][])
      for (const filter of as_of ? [] : [undefined, { search: 'x' }])
        expect(await carl.post(path, { ...body, view_id, filter }), path).toMatchObject({
          status: 400,
          body: { message, suggestion: expect.stringContaining('Leave out view_id'), details: { errors } },
        })
  })

  it('is changed and deleted by its owner alone: 403', async () => {
    const view = await share()
    const path = `/api/views/${view.view_id}`
    const refused = {
      status: 403,
      body: { error: 'Forbidden', message: expect.stringContaining('only its owner') },
    }
    expect(await carl.put(path, { ...view, name: 'Mine' })).toMatchObject(refused)
    expect(await carl.delete(path)).toMatchObject(refused)
    expect(
      await carl.send('PUT', path, { ...view, name: 'Mine' }, { 'if-match': '"2020-01-01T00:00:00.000Z"' }),
    ).toMatchObject(refused)
    expect(await ann.ok('GET', path)).toEqual(view)
    expect(await ann.ok('PUT', path, { ...view, name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      shared: true,
    })
  })

  it('stays shared when a PUT does not say, and is nobody’s any more once it says no', async () => {
    const view = await share({ position: 2 })
    const path = `/api/views/${view.view_id}`
    const { name, icon, filter } = view
    expect(await ann.ok('PUT', path, { name, icon, filter })).toEqual(view)
    const alone = await ann.ok('PUT', path, { name, icon, filter, shared: false })
    expect(alone).toMatchObject({ shared: false, position: 2 })
    expect(alone.updated_at > view.updated_at).toBe(true)
    expect((await carl.get(path)).status).toBe(404)
    expect((await carl.put(path, view)).status).toBe(404)
  })

  it('goes with the account of its owner', async () => {
    const owner = ann
    const eve = await service.user()
    const view = await makeView({ shared: true }, eve)
    const { user_id } = await eve.ok('GET', '/api/auth/me')
    await owner.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    expect((await carl.get(`/api/views/${view.view_id}`)).status).toBe(200)
    await owner.ok('DELETE', `/api/users/${user_id}`)
    expect((await carl.get(`/api/views/${view.view_id}`)).status).toBe(404)
    const left = await carl.ok('GET', '/api/views?shared=true')
    expect(left.map((each: { view_id: string }) => each.view_id)).not.toContain(view.view_id)
  })
})

describe('positions of views', () => {
  it('sort the list on demand, those without last and oldest first, whole and in pages', async () => {
    const fay = await service.user()
    const made: Record<string, object> = {}
    const positions = { third: 2.5, none: null, first: -1e300, second: 0, also: null, tied: 2.5 }
    for (const [name, position] of Object.entries(positions))
      made[name] = await makeView({ name, position }, fay)
    const order = ['first', 'second', 'third', 'tied', 'none', 'also'].map((name) => made[name])
    expect(await fay.ok('GET', '/api/views?sort=position')).toEqual(order)
    expect(await fay.ok('GET', '/api/views')).toEqual(Object.values(made))
    for (const limit of [1, 2, 3, 4, 5]) {
      const seen: object[] = []
      let after = ''
      do {
        const page = await fay.get(`/api/views?sort=position&limit=${limit}${after}`)
        seen.push(...page.body)
        const next = page.headers.get('x-next-cursor')
        after = next === null ? '' : `&after=${next}`
      } while (after)
      expect(seen).toEqual(order)
    }
    for (const bad of [
      'sort=name',
      'sort=position&after=nonsense',
      'sort=position&after=01JJXZ5T7GQ3M8K4B9R2C6D0EF',
      'after=01JJXZ5T7GQ3M8K4B9R2C6D0EF.1',
      'sort=position&after=01JJXZ5T7GQ3M8K4B9R2C6D0EF.1e999',
    ])
      expect((await fay.get(`/api/views?${bad}`)).status, bad).toBe(400)
  })

  it('stay when a PUT does not say, and go by null', async () => {
    const view = await makeView({ position: 0.1 })
    const path = `/api/views/${view.view_id}`
    const { name, icon, filter } = view
    expect(await ann.ok('PUT', path, { name, icon, filter })).toEqual(view)
    expect(await ann.ok('PUT', path, { name, icon, filter, position: null })).toMatchObject({
      position: null,
    })
  })
})

describe('without a session', () => {
  for (const [method, path] of [
    ['GET', '/api/views'],
    ['POST', '/api/views'],
    ['GET', '/api/views/x'],
    ['PUT', '/api/views/x'],
    ['DELETE', '/api/views/x'],
  ])
    it(`${method} ${path} is 401`, async () => {
      expect((await service.client().send(method!, path!)).status).toBe(401)
    })
})

describe('an item made in a view', () => {
  it('gets what the filter asks for where the request does not say', async () => {
    const view = await makeView({
      filter: {
        and: [
          { has_tag: 'Task' },
          { 'Task.status': { match: 'open' } },
          { 'Task.title': 'Given by the view' },
          { not: { 'Task.due': '2026-01-01' } },
        ],
      },
    })
    const { item_id } = await ann.ok('POST', '/api/items', { name: 'New', view_id: view.view_id })
    expect((await ann.ok('GET', `/api/items/${item_id}`)).data[task.tag_id].field_values).toEqual({
      status: { variant: 'open' },
      title: 'Given by the view',
    })
    const own = await ann.ok('POST', '/api/items', {
      name: 'New',
      view_id: view.view_id,
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: { title: 'My own' } }],
    })
    expect((await ann.ok('GET', `/api/items/${own.item_id}`)).data[task.tag_id].field_values).toEqual({
      status: { variant: 'open' },
      title: 'My own',
    })
  })

  it('needs a view that is there', async () => {
    expect((await ann.post('/api/items', { name: 'x', view_id: 'nonsense' })).status).toBe(404)
  })

  it('needs a view whose tags are there, and says that it is the view that lacks one', async () => {
    const { tag_id } = await ann.ok('POST', '/api/tags', { name: 'Lost', fields: {} })
    const view = await makeView({ name: 'Lost ones', filter: { has_tag: 'Lost' } })
    await ann.ok('DELETE', `/api/tags/${tag_id}`)
    expect(await ann.post('/api/items', { name: 'x', view_id: view.view_id })).toMatchObject({
      status: 400,
      body: {
        message: `The filter of the view 'Lost ones' cannot be used any more: Tag '${tag_id}' not found`,
        suggestion: 'Leave out view_id, or give the view another filter',
        details: { errors: [{ path: 'view.filter.has_tag' }] },
      },
    })
  })
})
