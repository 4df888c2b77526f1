import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { TestClock } from '#test/support/clock.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TokenClient } from '#test/support/token-client.ts'

let service: Service
let client: Client

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'Task', fields: { effort: 'Number' } })
})
afterAll(() => service.close())

const { newItem } = fixtures(() => client)
const TAGGED = { tags: [{ tag_ref: { Existing: 'Task' }, field_values: { effort: 1 } }] }
const send: Client['send'] = (...args) => client.send(...args)
const etagOf = async (path: string) => (await client.get(path)).headers.get('etag')!
const tool = async (name: string, args: object) =>
  (
    await client.ok('POST', '/api/mcp/message', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    })
  ).result as { isError?: boolean; content: { text: string }[] }

describe('updated_at', () => {
  it('grows with every change, also within a millisecond', async () => {
    const item_id = await newItem(TAGGED)
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Fast', fields: {} })
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'V',
      view_type: 'list',
      filter: { search: '' },
    })
    const times: Record<string, string[]> = { item: [], tag: [], view: [] }
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        times.item!.push((await client.ok('PUT', `/api/items/${item_id}`, { name: `Item ${i}` })).updated_at)
        times.tag!.push((await client.ok('PUT', `/api/tags/${tag_id}`, { description: `${i}` })).updated_at)
        const view = { name: `V ${i}`, icon: '📋', filter: { search: '' } }
        times.view!.push((await client.ok('PUT', `/api/views/${view_id}`, view)).updated_at)
      }),
    )
    for (const each of Object.values(times)) {
      expect(new Set(each).size).toBe(20)
      for (const time of each) expect(new Date(time).toISOString()).toBe(time)
    }
  })
})

describe('an ETag', () => {
  it('is the updated_at of an item, tag or view, and lets a client keep what it has', async () => {
    const item_id = await newItem(TAGGED)
    const path = `/api/items/${item_id}`
    const first = await client.get(path)
    const etag = first.headers.get('etag')!
    expect(etag).toBe(`"${first.body.updated_at}"`)
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await send('GET', path, undefined, { 'if-none-match': known })
      expect([known, again.status, again.headers.get('etag')]).toEqual([known, 304, etag])
    }
    expect((await send('GET', path, undefined, { 'if-none-match': '"x"' })).status).toBe(200)
    const [tag] = await client.ok('GET', '/api/tags?limit=1')
    const view = await client.ok('POST', '/api/views', {
      name: 'V',
      view_type: 'list',
      filter: { search: '' },
    })
    for (const [of, updated_at] of [
      [`/api/tags/${tag.tag_id}`, tag.updated_at],
      [`/api/views/${view.view_id}`, view.updated_at],
    ]) {
      expect(await etagOf(of)).toBe(`"${updated_at}"`)
      expect((await send('GET', of, undefined, { 'if-none-match': `"${updated_at}"` })).status).toBe(304)
    }
  })

  it('of a view is another one where its reader watches something else of it', async () => {
    const { view_id, ...view } = await client.ok('POST', '/api/views', { name: 'W', filter: { search: '' } })
    const path = `/api/views/${view_id}`
    const told: string[] = []
    for (const watch of [{}, { enter: true, leave: true }, { change: true }, {}]) {
      await client.ok('PUT', `${path}/watch`, watch)
      for (const known of new Set(told)) {
        const { status, body } = await send('GET', path, undefined, { 'if-none-match': known })
        const isSame = known === `"${view.updated_at}"` && !Object.keys(watch).length
        expect([known, status]).toEqual([known, isSame ? 304 : 200])
        if (!isSame) expect(body.watch).toMatchObject(watch)
      }
      told.push(await etagOf(path))
    }
    expect(told[0]).toBe(`"${view.updated_at}"`)
    expect(new Set(told).size).toBe(3)
    // To watch is no change of the view.
    const { body } = await send('PUT', path, { ...view, name: 'W2' }, { 'if-match': told[1]! })
    expect(body).toMatchObject({ name: 'W2' })
    expect((await send('PUT', path, { ...view, name: 'W3' }, { 'if-match': told[1]! })).status).toBe(412)
  })

  it('is no value of a user', async () => {
    const tag = await client.ok('POST', '/api/tags', { name: 'Forged', fields: { updated_at: 'String' } })
    const item_id = await newItem()
    const path = `/api/items/${item_id}`
    const applied = { tag: { tag_ref: { Existing: 'Forged' }, field_values: { updated_at: '→ 日本' } } }
    const { key } = await client.ok('POST', '/api/keys', { name: 'asks', scope: 'propose' })
    const proposed = await new TokenClient(service.url, key).post(`${path}/tags`, applied)
    expect([proposed.status, proposed.headers.get('etag')]).toEqual([202, null])
    await client.ok('POST', `${path}/tags`, applied)
    const chosen = await client.put(path, { name: 'Named', return_fields: ['tags', 'updated_at'] })
    expect([chosen.status, chosen.headers.get('etag')]).toEqual([200, null])
    const whole = await client.put(`${path}/tags/${tag.tag_id}`, { field_values: { updated_at: 'é' } })
    expect([whole.status, whole.headers.get('etag')]).toEqual([200, `"${whole.body.updated_at}"`])
  })

  it('holds no longer once a tag that is shown has another name, or is gone', async () => {
    const base = await client.ok('POST', '/api/tags', { name: 'Base of it', fields: {} })
    const tag = await client.ok('POST', '/api/tags', { name: 'Shown', fields: {}, extends: ['Base of it'] })
    const item_id = await newItem({ tags: [{ tag_ref: { Existing: 'Shown' } }] })
    const known = async (path: string) => ({ 'if-none-match': await etagOf(path) })
    const [item, ofTag] = [`/api/items/${item_id}`, `/api/tags/${tag.tag_id}`]
    const told = await known(item)
    await client.ok('PUT', `/api/tags/${base.tag_id}`, { name: 'Base of another name' })
    expect((await send('GET', item, undefined, told)).status).toBe(304)
    const other = await client.ok('POST', '/api/tags', { name: 'Of no matter', fields: {} })
    await client.ok('DELETE', `/api/tags/${other.tag_id}`)
    expect((await send('GET', item, undefined, told)).status).toBe(304)
    await client.ok('POST', `/api/tags/${other.tag_id}/restore`)
    expect((await send('GET', item, undefined, told)).status).toBe(304)
    await client.ok('PUT', ofTag, { name: 'Called otherwise' })
    expect((await send('GET', item, undefined, told)).status).toBe(200)
    const before = await known(ofTag)
    await client.ok('DELETE', `/api/tags/${base.tag_id}`)
    expect(await send('GET', ofTag, undefined, before)).toMatchObject({ status: 200, body: { extends: [] } })
    await client.ok('DELETE', ofTag)
    expect(await send('GET', item, undefined, told)).toMatchObject({ status: 200, body: { data: {} } })
  })
})

describe('If-Match', () => {
  const changes: [string, string, (item: string, tag: string) => string, unknown][] = [
    ['PUT', 'an item', (item) => `/api/items/${item}`, { name: 'Another' }],
    ['PUT', 'its values', (item, tag) => `/api/items/${item}/tags/${tag}`, { field_values: { effort: 2 } }],
    ['DELETE', 'its tag', (item, tag) => `/api/items/${item}/tags/${tag}`, undefined],
    [
      'POST',
      'another tag',
      (item) => `/api/items/${item}/tags`,
      { tag: { tag_ref: { New: { name: 'N', fields: {} } } } },
    ],
    ['DELETE', 'an item', (item) => `/api/items/${item}`, undefined],
  ]
  for (const [method, what, pathOf, body] of changes)
    it(`lets ${method} of ${what} through for the state that it names alone`, async () => {
      const item = await newItem(TAGGED)
      const read = `/api/items/${item}`
      const [tag] = Object.keys((await client.ok('GET', read)).data)
      const old = await etagOf(read)
      await client.ok('PUT', read, { name: 'Changed meanwhile' })
      const current = await client.ok('GET', read)
      const path = pathOf(item, tag!)
      const refused = await send(method, path, body, { 'if-match': old })
      expect([refused.status, refused.body.error, refused.body.details.current]).toEqual([
        412,
        'PreconditionFailed',
        current,
      ])
      expect(await client.ok('GET', read)).toEqual(current)
      const taken = await send(method, path, body, { 'if-match': `"x", "${current.updated_at}"` })
      expect(taken.status).toBe(200)
    })

  it('is for tags and views too', async () => {
    const { tag_id, updated_at } = await client.ok('POST', '/api/tags', { name: 'Other', fields: {} })
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'V',
      view_type: 'list',
      filter: { search: '' },
    })
    const stale = { 'if-match': '"2020-01-01T00:00:00.000Z"' }
    for (const [method, path] of [
      ['PUT', `/api/tags/${tag_id}`],
      ['DELETE', `/api/tags/${tag_id}`],
      ['PUT', `/api/views/${view_id}`],
      ['DELETE', `/api/views/${view_id}`],
    ] as const) {
      const body =
        method === 'PUT'
          ? { name: 'X', icon: '📋', ...(path.includes('views') && { filter: { search: '' } }) }
          : undefined
      const sent = path.includes('tags') && body ? { name: 'X' } : body
      const { status, body: refusal } = await send(method, path, sent, stale)
      expect([path, status, refusal.details.current]).toEqual([path, 412, await client.ok('GET', path)])
    }
    expect(
      (await send('DELETE', `/api/tags/${tag_id}`, undefined, { 'if-match': `"${updated_at}"` })).status,
    ).toBe(200)
    expect((await send('DELETE', `/api/views/${view_id}`, undefined, { 'if-match': '*' })).status).toBe(200)
    expect((await send('DELETE', `/api/views/${view_id}`, undefined, { 'if-match': '*' })).status).toBe(404)
  })

  it('never takes a weak tag, and refuses what is none', async () => {
    const path = `/api/items/${await newItem()}`
    const etag = await etagOf(path)
    expect((await send('PUT', path, { name: 'X' }, { 'if-match': `W/${etag}` })).status).toBe(412)
    expect((await send('PUT', path, { name: 'X' }, { 'if-match': 'x' })).status).toBe(400)
  })

  it('lets one of many changes at once through', async () => {
    const path = `/api/items/${await newItem()}`
    const etag = await etagOf(path)
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) => send('PUT', path, { name: `Winner ${i}` }, { 'if-match': etag })),
    )
    expect(all.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 412),
    ])
  })

  it('is if_updated_at of the tools', async () => {
    const item_id = await newItem(TAGGED)
    const { updated_at, data } = await client.ok('GET', `/api/items/${item_id}`)
    const [tag_id] = Object.keys(data)
    const stale = '2020-01-01T00:00:00.000Z'
    for (const [name, args] of [
      ['edit_item', { item_id, name: 'X' }],
      ['update_tag_field_values', { item_id, tag_id, field_values: { effort: 9 } }],
      ['delete_item', { item_id }],
    ] as const) {
      const refused = await tool(name, { ...args, if_updated_at: stale })
      expect(refused.isError).toBe(true)
      const text = refused.content[0]!.text
      expect(text).toContain('changed since it was read')
      const present = await client.ok('GET', `/api/items/${item_id}`)
      expect(JSON.parse(text.split('\n').at(-1)!)).toEqual({ details: { current: present } })
    }
    await client.ok('PUT', `/api/items/${item_id}`, { description: 'x'.repeat(40_000) })
    const { content } = await tool('edit_item', { item_id, name: 'X', if_updated_at: stale })
    const told = JSON.parse(content[0]!.text.split('\n').at(-1)!).details
    expect(told).toEqual({
      current: expect.objectContaining({ item_id, updated_at: expect.any(String) }),
      truncated: true,
    })
    expect(told.current).not.toHaveProperty('description')
    const { updated_at: now } = await client.ok('GET', `/api/items/${item_id}`)
    expect(now).not.toBe(updated_at)
    const taken = await tool('edit_item', { item_id, name: 'X', if_updated_at: now })
    expect(taken.isError).toBeUndefined()
  })

  it('takes the time of if_updated_at as another program writes it', async () => {
    const item_id = await newItem(TAGGED)
    const { updated_at, data } = await client.ok('GET', `/api/items/${item_id}`)
    const offset = (time: string) =>
      new Date(Date.parse(time) + 7_200_000).toISOString().replace('Z', '000+02:00')
    const bulk = (if_updated_at: string) =>
      client.post('/api/items/bulk-update-fields', {
        filter: { id: item_id },
        tag_id: Object.keys(data)[0],
        field_values: { effort: 7 },
        if_updated_at: { [item_id]: if_updated_at },
      })
    for (const other of [offset(updated_at).replace('000+', '001+'), 'yesterday']) {
      expect((await tool('edit_item', { item_id, name: 'X', if_updated_at: other })).isError).toBe(true)
      expect((await bulk(other)).status).toBe(412)
    }
    const edited = await tool('edit_item', { item_id, name: 'X', if_updated_at: offset(updated_at) })
    expect(edited.isError).toBeUndefined()
    const now = await client.ok('GET', `/api/items/${item_id}`)
    expect((await bulk(offset(now.updated_at))).status).toBe(200)
  })

  it('is if_updated_at of a bulk update, for all of its items or none', async () => {
    const ids = [await newItem(TAGGED), await newItem(TAGGED), await newItem(TAGGED)]
    const read = async (id: string) => client.ok('GET', `/api/items/${id}`)
    const before = await Promise.all(ids.map(read))
    const [tag_id = ''] = Object.keys(before[0].data)
    const if_updated_at = Object.fromEntries(before.map(({ item_id, updated_at }) => [item_id, updated_at]))
    const update = (more: object) =>
      client.post('/api/items/bulk-update-fields', {
        filter: { id: { in: ids } },
        tag_id,
        field_values: { effort: 42 },
        if_updated_at,
        ...more,
      })
    await client.ok('PUT', `/api/items/${ids[1]}`, { name: 'Changed meanwhile' })
    await client.ok('DELETE', `/api/items/${ids[2]}`)
    const now = await read(ids[1]!)
    for (const dry_run of [true, false]) {
      const { status, body } = await update({ dry_run })
      expect([status, body.error]).toEqual([412, 'PreconditionFailed'])
      expect(body.details).toEqual({ current: { [ids[1]!]: now, [ids[2]!]: null }, differing_count: 2 })
    }
    expect(await read(ids[0]!)).toEqual(before[0])
    const fresh = { [ids[0]!.toLowerCase()]: before[0].updated_at, [ids[1]!]: now.updated_at }
    const { body } = await update({ if_updated_at: fresh })
    expect(body).toMatchObject({ affected_count: 2, changed_count: 2 })
    const wrong = await update({ if_updated_at: { [ids[0]!]: 5 } })
    expect(wrong.status).toBe(400)
  })

  it.each([
    ['bulk-delete', {}],
    ['bulk-remove-tag', { tag_id: 'Task' }],
    ['bulk-apply-tag', { tag: { tag_ref: { Existing: 'Task' } } }],
  ])('is no if_updated_at of %s, which says so', async (route, more) => {
    const body = { filter: { name: 'Item' }, if_updated_at: {}, ...more }
    expect(await client.post(`/api/items/${route}`, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('if_updated_at: unknown property') },
    })
  })
})

describe('an Idempotency-Key', () => {
  let keys = 0
  const newKey = () => `key ${++keys}`
  const count = async (name: string) =>
    (await client.ok('POST', '/api/items/search', { filter: { name } })).length as number

  it('lets a request that is sent again be carried out once', async () => {
    const key = newKey()
    const first = await send('POST', '/api/items', { name: 'Once' }, { 'idempotency-key': key })
    const again = await send('POST', '/api/items', { name: 'Once' }, { 'idempotency-key': key })
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, null])
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(first.body)
    expect(await count('Once')).toBe(1)
    const other = await send('POST', '/api/items', { name: 'Other' }, { 'idempotency-key': key })
    expect([other.status, other.body.error]).toEqual([422, 'UnprocessableEntity'])
    expect(await count('Other')).toBe(0)
  })

  it('counts for a batch and an undo too', async () => {
    const key = newKey()
    const operations = [{ operation: 'createItem', input: { name: 'In a batch' } }]
    const headers = { 'idempotency-key': key }
    const first = await send('POST', '/api/batch', { operations }, headers)
    const again = await send('POST', '/api/batch', { operations }, headers)
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      200,
      'true',
    ])
    expect(again.body).toEqual(first.body)
    expect(await count('In a batch')).toBe(1)
    const idempotency_key = newKey()
    const [one, two] = [
      await tool('batch', { operations, idempotency_key }),
      await tool('batch', { operations, idempotency_key }),
    ]
    expect(two.content[0]).toEqual(one.content[0])
    expect(await count('In a batch')).toBe(2)

    const body = { change_ids: [first.body.change_id] }
    const undoing = { 'idempotency-key': newKey() }
    const undone = await send('POST', '/api/changes/undo', body, undoing)
    const undoneAgain = await send('POST', '/api/changes/undo', body, undoing)
    expect([undone.status, undoneAgain.status]).toEqual([200, 200])
    expect(undoneAgain.body).toEqual(undone.body)
    expect((await send('POST', '/api/changes/undo', body, { 'idempotency-key': newKey() })).status).toBe(409)
    const other = await send('POST', '/api/batch', { operations: [...operations, ...operations] }, headers)
    expect(other.status).toBe(422)
  })

  it('is the account’s own', async () => {
    const key = newKey()
    const stranger = await service.user()
    await send('POST', '/api/items', { name: 'Shared key' }, { 'idempotency-key': key })
    await stranger.post('/api/items', { name: 'Shared key' }, { 'idempotency-key': key })
    expect(await count('Shared key')).toBe(2)
  })

  it('keeps a refusal too, but none that can be mended', async () => {
    const item_id = await newItem()
    const path = `/api/items/${item_id}/tags`
    const body = { tag: { tag_ref: { Existing: 'Task' } } }
    await client.ok('POST', path, body)
    const key = newKey()
    const first = await send('POST', path, body, { 'idempotency-key': key })
    await client.ok(
      'DELETE',
      `${path}/${Object.keys((await client.ok('GET', `/api/items/${item_id}`)).data)[0]}`,
    )
    const again = await send('POST', path, body, { 'idempotency-key': key })
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([
      409,
      409,
      'true',
    ])
    expect(again.body).toEqual(first.body)
    const faulty = newKey()
    expect((await send('POST', '/api/items', { name: '' }, { 'idempotency-key': faulty })).status).toBe(400)
    expect((await send('POST', '/api/items', { name: 'Mended' }, { 'idempotency-key': faulty })).status).toBe(
      200,
    )
    const stale = newKey()
    const conditions = { 'idempotency-key': stale, 'if-match': '"x"' }
    expect((await send('PUT', `/api/items/${item_id}`, { name: 'Y' }, conditions)).status).toBe(412)
    const mended = await send(
      'PUT',
      `/api/items/${item_id}`,
      { name: 'Y' },
      { ...conditions, 'if-match': '*' },
    )
    expect(mended.status).toBe(200)
  })

  it('makes one item of many requests at once', async () => {
    const key = newKey()
    const all = await Promise.all(
      Array.from({ length: 10 }, () =>
        send('POST', '/api/items', { name: 'At once' }, { 'idempotency-key': key }),
      ),
    )
    for (const { status, headers } of all)
      if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([409, '1'])
    expect(all.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(await count('At once')).toBe(1)
  })

  it('is one of PUT and DELETE too, and of one method and path', async () => {
    const [first, second] = [await newItem(), await newItem()]
    const key = { 'idempotency-key': newKey() }
    const changed = await send('PUT', `/api/items/${first}`, { name: 'Put once' }, key)
    await client.ok('PUT', `/api/items/${first}`, { name: 'Since' })
    const again = await send('PUT', `/api/items/${first}`, { name: 'Put once' }, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(again.body).toEqual(changed.body)
    expect((await client.ok('GET', `/api/items/${first}`)).name).toBe('Since')
    for (const [method, path, body] of [
      ['PUT', `/api/items/${second}`, { name: 'Put once' }],
      ['DELETE', `/api/items/${first}`],
      ['POST', '/api/items', { name: 'Put once' }],
    ] as const)
      expect((await send(method, path, body, key)).status, `${method} ${path}`).toBe(422)
    const deleting = { 'idempotency-key': newKey() }
    for (const replayed of [null, 'true']) {
      const answer = await send('DELETE', `/api/items/${first}`, undefined, deleting)
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, replayed])
    }
  })

  it('says nothing to anyone who may not ask any more', async () => {
    const guest = await service.user('guest@example.org')
    const key = { 'idempotency-key': newKey() }
    const create = () => guest.send('POST', '/api/items', { name: 'By a guest' }, key)
    expect((await create()).status).toBe(200)
    const { user_id } = await guest.ok('GET', '/api/auth/me')
    await client.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
    const refused = await create()
    expect([refused.status, refused.headers.get('idempotency-replayed')]).toEqual([403, null])
    await client.ok('PUT', `/api/users/${user_id}`, { role: 'editor' })
    expect((await create()).headers.get('idempotency-replayed')).toBe('true')
    await client.ok('PUT', `/api/users/${user_id}`, { disabled: true })
    expect((await create()).status).toBe(401)
  })

  it('is retained for a day', async () => {
    const clock = new TestClock()
    const day = await startService({ clock: clock.now })
    try {
      const user = await day.user()
      const create = async () => {
        const headers = { 'idempotency-key': 'daily' }
        const answer = await user.send('POST', '/api/items', { name: 'Daily' }, headers)
        return [answer.headers.get('idempotency-replayed'), answer.body.item_id]
      }
      const [, first] = await create()
      clock.move({ hours: 23, minutes: 59 })
      expect(await create()).toEqual(['true', first])
      clock.move({ minutes: 2 })
      const [replayed, second] = await create()
      expect(replayed).toBeNull()
      expect(second).not.toBe(first)
      expect(await create()).toEqual(['true', second])
    } finally {
      await day.close()
    }
  })

  it('is ignored by reads and dry runs, and refused where it is none', async () => {
    const key = { 'idempotency-key': newKey() }
    for (let i = 0; i < 2; i++) {
      const found = await send('POST', '/api/items/search', { limit: 1 + i }, key)
      expect([found.status, found.headers.get('idempotency-replayed')]).toEqual([200, null])
      const dry = await send(
        'POST',
        '/api/items/bulk-delete',
        { filter: { name: `${i}` }, dry_run: true },
        key,
      )
      expect([dry.status, dry.headers.get('idempotency-replayed')]).toEqual([200, null])
    }
    for (const none of ['x'.repeat(256), '', 'caf\u00e9', 'a\tb']) {
      const refused = await send('POST', '/api/items', { name: 'Odd key' }, { 'idempotency-key': none })
      expect([none, refused.status]).toEqual([none, 400])
      expect(refused.body.message).toContain('expected 1 to 255 printable ASCII characters')
    }
    expect(await count('Odd key')).toBe(0)
  })

  it('is idempotency_key of the tools', async () => {
    const args = { name: 'By a tool', idempotency_key: newKey() }
    const [first, again] = [await tool('add_item', args), await tool('add_item', args)]
    expect(again.content[0]).toEqual(first.content[0])
    expect(await count('By a tool')).toBe(1)
    for (const [name, more] of [
      ['bulk_add_items', { items: ['By a bulk tool'] }],
      ['upsert_items', { match_by: 'name', items: [{ name: 'By an upsert' }] }],
    ] as const) {
      const twice = { ...more, idempotency_key: newKey() }
      const [one, two] = [await tool(name, twice), await tool(name, twice)]
      expect(one.isError, one.content[0]!.text).toBeUndefined()
      expect(two.content[0]).toEqual(one.content[0])
    }
    const { text } = (await tool('add_item', { ...args, name: 'Another' })).content[0]!
    expect(text).toContain(`The idempotency_key '${args.idempotency_key}' belongs to another request`)
    expect((await tool('add_item', { name: 'X', idempotency_key: 7 })).isError).toBe(true)
    expect((await tool('edit_item', { item_id: 'x', idempotency_key: 'k' })).content[0]!.text).toContain(
      'idempotency_key',
    )
  })
})
