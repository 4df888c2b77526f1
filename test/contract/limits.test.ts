import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { registeredApp } from '#test/support/oauth-app.ts'
import { type Service, startService } from '#test/support/service.ts'
import { postMessage } from '#test/support/mcp.ts'
import { TokenClient } from '#test/support/token-client.ts'

const HIDDEN = 'Zebra'

describe('a key that sees a part (further §17)', () => {
  let service: Service
  let owner: Client
  const tags: Record<string, string> = {}
  const items: Record<string, string> = {}
  beforeAll(async () => {
    service = await startService()
    owner = await service.user()
    const tag = async (name: string, fields: object, more: object = {}) => {
      tags[name] = (await owner.ok('POST', '/api/tags', { name, fields, ...more })).tag_id
    }
    await tag(HIDDEN, { stripes: 'Number', note: 'String', task: 'Reference' })
    await tag(
      'Task',
      {
        status: { type: 'Select', variants: ['open', 'done'] },
        about: 'Reference',
        also: { type: 'MultiReference', of: [tags[HIDDEN]] },
        note: 'String',
      },
      { extends: [tags[HIDDEN]] },
    )
    await tag('Bug', { cause: 'String' }, { extends: [tags.Task] })
    const item = async (name: string, applied: Record<string, object>, description?: string) => {
      const given = Object.entries(applied).map(([Existing, field_values]) => ({
        tag_ref: { Existing },
        field_values,
      }))
      items[name] = (await owner.ok('POST', '/api/items', { name, description, tags: given })).item_id
    }
    await item('stable', { [HIDDEN]: { stripes: 4, note: 'striped' } }, 'a stable of hay')
    await item('feed', {
      Task: { status: { variant: 'open' }, about: items.stable, note: 'hay' },
      [HIDDEN]: { note: 'secretword' },
    })
    await item('groom', { Task: { status: { variant: 'done' }, also: [items.stable, items.feed] } })
    await item('escape', { Bug: { cause: 'open gate' } })
    await item('paddock', { [HIDDEN]: { task: items.feed } })
  })
  afterAll(() => service.close())

  const keyWith = async (limit: object, scope = 'write') => {
    const made = await owner.ok('POST', '/api/keys', { name: 'part', scope, limit })
    return new TokenClient(service.url, made.key)
  }
  const named = (list: { name: string }[]) => list.map(({ name }) => name)
  const search = (client: Client, body: object) => client.ok('POST', '/api/items/search', body)

  it('is made with a limit that can never match, and its answer says so', async () => {
    const limit = { filter: { 'Task.status': 'opne' } }
    const { status, headers } = await owner.post('/api/keys', { name: 'none', scope: 'read', limit })
    expect(status).toBe(200)
    expect(JSON.parse(headers.get('x-filter-warnings')!)).toEqual([
      'Task.status has no variant "opne"; it has: "open", "done"',
    ])
    const good = { filter: { 'Task.status': 'open' } }
    const made = await owner.post('/api/keys', { name: 'some', scope: 'read', limit: good })
    expect(made.headers.get('x-filter-warnings')).toBeNull()
  })

  it.each([
    { search: { text: 'meadow', match: 'any' } },
    { search: { text: 'meadow', in: ['name', 'values'] } },
    { name: { regex: '(?i)meadow' } },
    { or: [{ name: { regex: '(?i)meadow' } }, { 'Task.about->name': { regex: '(?i)meadow' } }] },
  ])('makes and changes what %j finds, and nothing goes out of its sight', async (filter) => {
    const key = await keyWith({ filter })
    const about = (await owner.ok('POST', '/api/items', { name: 'Meadow' })).item_id
    const task = { tag_ref: { Existing: 'Task' }, field_values: { about } }
    const made = await key.ok('POST', '/api/items', { name: 'mow the meadow', tags: [task] })
    await key.ok('PUT', `/api/items/${made.item_id}`, { name: 'mow a meadow' })
    expect((await key.send('POST', '/api/items', { name: 'mow' })).status).toBe(403)
    expect((await key.send('PUT', `/api/items/${about}`, { name: 'A field' })).status).toBe(403)
    expect((await owner.ok('GET', `/api/items/${about}`)).name).toBe('Meadow')
    expect((await key.send('DELETE', `/api/items/${made.item_id}`)).status).toBe(200)
    expect(named(await search(key, { filter: { id: about } }))).toEqual(['Meadow'])
    await owner.ok('DELETE', `/api/items/${about}`)
  })

  it('is made by tags, a filter or both, and shows its limit', async () => {
    const limit = { tag_ids: [tags.Task], filter: { 'Task.status': { match: 'open' } } }
    const made = await owner.ok('POST', '/api/keys', { name: 'a part', scope: 'read', limit })
    const shown = { tag_ids: [tags.Task], filter: { [`${tags.Task}.status`]: { match: 'open' } } }
    expect(made.limit).toEqual(shown)
    const [listed] = await owner.ok('GET', '/api/keys')
    expect(listed).toMatchObject({ key_id: made.key_id, limit: shown })
    const whole = await owner.ok('POST', '/api/keys', { name: 'whole', scope: 'read' })
    expect(whole).not.toHaveProperty('limit')
    for (const [wrong, path] of [
      [{}, 'limit'],
      [{ tag_ids: [] }, 'limit.tag_ids'],
      [{ tag_ids: ['Nonesuch'] }, 'limit.tag_ids[0]'],
      [{ filter: { has_tag: 'Nonesuch' } }, 'limit.filter'],
      [{ filter: { 'Task.nonesuch': 1 } }, 'limit.filter'],
      [{ tag_ids: [tags.Task], more: 1 }, 'limit.more'],
    ] as const) {
      const { status, body } = await owner.post('/api/keys', { name: 'x', scope: 'read', limit: wrong })
      expect(status, JSON.stringify(wrong)).toBe(400)
      expect(body.details.errors[0].path.startsWith(path)).toBe(true)
    }
  })

  it('sees items of its tags, and of those that extend them, without entries of other tags', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    expect(named(await search(key, {}))).toEqual(['feed', 'groom', 'escape'])
    const { body, headers } = await key.post('/api/items/search', { count: true, limit: 1 })
    expect(headers.get('x-total-count')).toBe('3')
    expect(Object.keys(body[0].tags)).toEqual([tags.Task])
    expect(Object.keys((await key.ok('GET', `/api/items/${items.feed}`)).data)).toEqual([tags.Task])
    const ofNone = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    const [hidden, none] = await Promise.all(
      [items.stable!, ofNone].map(async (id) => {
        const { status, body: told } = await key.get(`/api/items/${id}`)
        return [status, JSON.stringify(told).replaceAll(id, 'x')]
      }),
    )
    expect(hidden).toEqual(none)
    expect(named(await key.ok('GET', '/api/tags'))).toEqual(['Task', 'Bug'])
    const task = await key.ok('GET', `/api/tags/${tags.Task}`)
    expect(task.extends).toEqual([])
    expect(task.fields.also).toEqual({ type: 'MultiReference' })
    expect((await key.get(`/api/tags/${tags[HIDDEN]}`)).status).toBe(404)
    expect((await owner.ok('GET', `/api/tags/${tags.Task}`)).extends).toEqual([tags[HIDDEN]])
  })

  it('gets references to what it does not see as references to purged items', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    const [feed] = await search(key, { filter: { name: 'feed' }, expand: true })
    expect(feed.references).toEqual({ [items.stable!]: { name: null, deleted: true } })
    expect(await search(key, { filter: { 'Task.about->name': 'stable' } })).toEqual([])
    expect(named(await search(key, { filter: { 'Task.about': { dangling: true } } }))).toEqual(['feed'])
    const { groups } = await key.ok('POST', '/api/items/aggregate', {
      group_by: ['Task.about->name'],
    })
    expect(groups).toEqual([{ key: [null], count: 3, metrics: [] }])
    expect(await key.ok('GET', `/api/items/${items.feed}/backlinks`)).toEqual([
      expect.objectContaining({ name: 'groom' }),
    ])
    const kept = await key.put(`/api/items/${items.feed}/tags/${tags.Task}`, {
      field_values: { about: items.stable, note: 'straw' },
      merge: true,
    })
    expect(kept.status).toBe(200)
    const written = await key.put(`/api/items/${items.groom}/tags/${tags.Task}`, {
      field_values: { about: items.stable },
      merge: true,
    })
    expect(written.status).toBe(400)
    expect(written.body.message).toContain('not found')
  })

  it('does not learn of other tags by names, errors or suggestions', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    for (const filter of [
      { has_tag: HIDDEN },
      { has_tag: 'Zebr' },
      { [`${HIDDEN}.stripes`]: 4 },
      { has_tag: tags[HIDDEN] },
    ]) {
      const { status, body } = await key.post('/api/items/search', { filter })
      expect(status).toBe(400)
      expect(JSON.stringify(body)).not.toContain(`mean '${HIDDEN}`)
    }
    for (const places of [['values'], ['name', 'description', 'values']])
      for (const match of ['any', 'words', 'phrase'])
        expect(await search(key, { filter: { search: { text: 'secretword', match, in: places } } })).toEqual(
          [],
        )
    expect(
      named(await search(key, { filter: { search: { text: 'straw', match: 'any', in: ['values'] } } })),
    ).toEqual(['feed'])
    const { groups } = await key.ok('POST', '/api/items/aggregate', { group_by: ['has_tag'] })
    expect(groups.map((each: { key: [{ name: string }] }) => each.key[0].name).toSorted()).toEqual([
      'Bug',
      'Task',
    ])
    const made = await key.post('/api/items', {
      name: 'new',
      tags: [{ tag_ref: { Existing: 'Task' } }, { tag_ref: { New: { name: HIDDEN, fields: {} } } }],
    })
    expect([made.status, JSON.stringify(made.body)]).toEqual([403, expect.not.stringContaining('exists')])
  })

  it('does not change what it would not see afterwards', async () => {
    const key = await keyWith({ filter: { 'Task.status': { match: 'open' } } })
    const other = await keyWith({ tag_ids: [tags.Task] })
    const task = (variant: string) => [
      { tag_ref: { Existing: 'Task' }, field_values: { status: { variant } } },
    ]
    const path = `/api/items/${items.feed}/tags/${tags.Task}`
    const done = { field_values: { status: { variant: 'done' } }, merge: true }
    const filter = { 'Task.status': { match: 'open' } }
    const before = await search(owner, { sort: [{ by: 'name' }] })
    for (const [client, method, route, body] of [
      [key, 'POST', '/api/items', { name: 'x' }],
      [key, 'POST', '/api/items', { name: 'x', tags: task('done') }],
      [other, 'POST', '/api/items', { name: 'x' }],
      [key, 'PUT', path, done],
      [key, 'DELETE', path, undefined],
      [other, 'DELETE', path, undefined],
      [key, 'POST', '/api/items/bulk-update-fields', { filter, tag_id: 'Task', ...done }],
      [key, 'POST', '/api/items/bulk-update-fields', { filter, tag_id: 'Task', ...done, dry_run: true }],
      [other, 'POST', '/api/items/bulk-remove-tag', { filter, tag_id: 'Task' }],
      [other, 'POST', '/api/items/bulk-remove-tag', { filter, tag_id: 'Task', dry_run: true }],
      [key, 'POST', '/api/items/bulk', { items: [{ name: 'x', tags: task('open') }, { name: 'y' }] }],
      [
        key,
        'POST',
        '/api/batch',
        {
          operations: [
            { operation: 'createItem', input: { name: 'x', tags: task('open') } },
            { operation: 'createItem', input: { name: 'y', tags: task('done') } },
          ],
        },
      ],
      [key, 'PUT', '/api/items/upsert', { match: { name: 'groomed' }, tags: task('done') }],
    ] as const) {
      const { status, body: told } = await client.send(method, route, body)
      expect([route, status], JSON.stringify(told)).toEqual([route, 403])
      expect(told.message).toContain('out of sight')
    }
    expect(await search(owner, { sort: [{ by: 'name' }] })).toEqual(before)
    const noted = { filter, tag_id: 'Task', field_values: { note: 'oats' }, merge: true, dry_run: true }
    const tried = await key.ok('POST', '/api/items/bulk-update-fields', noted)
    expect(tried).toMatchObject({ changed_count: 1, dry_run: true, sample: [{ item_id: items.feed }] })
    const warned = { ...noted, filter: { or: [filter, { 'Task.nonesuch': 1 }] } }
    const params = { name: 'bulk_update_field_values', arguments: warned }
    const asked = await postMessage(key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(asked.body.result.content[1].text).toContain("no field 'nonesuch'")
    expect(await search(owner, { sort: [{ by: 'name' }] })).toEqual(before)
    const made = await key.ok('POST', '/api/items', { name: 'water', tags: task('open') })
    expect(named(await search(key, {})).toSorted()).toEqual(['feed', 'water'])
    expect((await key.delete(`/api/items/${made.item_id}`)).status).toBe(200)
    expect((await key.get(`/api/items/${made.item_id}`)).status).toBe(404)
    for (const operation of ['restoreItem', 'updateTag', 'undoChanges']) {
      const { status } = await key.post('/api/batch', { operations: [{ operation, input: {} }] })
      expect([operation, status]).toEqual([operation, 403])
    }
  })

  it('meets by match_by only what it sees, and keeps what it does not see of an item', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    const upserted = await key.ok('PUT', '/api/items/upsert', {
      match: { name: 'stable' },
      tags: [{ tag_ref: { Existing: 'Task' }, field_values: {} }],
    })
    expect(upserted).toMatchObject({ created: true })
    await key.ok('DELETE', `/api/items/${upserted.item_id}`)
    await key.ok('PUT', `/api/items/${items.feed}`, { name: 'feed them' })
    const whole = await owner.ok('GET', `/api/items/${items.feed}`)
    expect(whole.data[tags[HIDDEN]!].field_values).toEqual({ note: 'secretword' })
    await key.ok('PUT', `/api/items/${items.feed}`, { name: 'feed' })
    expect((await key.get(`/api/items/${items.feed}`, { 'if-none-match': '"x"' })).status).toBe(200)
    // Else it would tell of tags that are gone and were never seen.
    const known = (await key.get(`/api/items/${items.feed}`)).headers.get('etag')!
    expect((await key.get(`/api/items/${items.feed}`, { 'if-none-match': known })).status).toBe(200)
    expect((await key.put(`/api/items/${items.stable}`, { name: 'x' }, { 'if-match': '*' })).status).toBe(404)
  })

  it('has stored answers of its own', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    const other = await keyWith({ tag_ids: [tags.Bug] })
    const body = { name: 'once', tags: [{ tag_ref: { Existing: 'Task' } }] }
    const headers = { 'idempotency-key': 'the same' }
    const first = await key.post('/api/items', body, headers)
    expect(first.status).toBe(200)
    expect((await key.post('/api/items', body, headers)).body).toEqual(first.body)
    expect((await other.post('/api/items', body, headers)).status).toBe(404)
    const own = await owner.post('/api/items', body, headers)
    expect([own.status, own.body.item_id === first.body.item_id]).toEqual([200, false])
    for (const item_id of [first.body.item_id, own.body.item_id])
      await owner.ok('DELETE', `/api/items/${item_id}`)
  })

  it('sees nothing where a tag or a field of its limit is gone or of another type; renames follow', async () => {
    const { tag_id } = await owner.ok('POST', '/api/tags', {
      name: 'Pen',
      fields: { colour: { type: 'Select', variants: ['red', 'blue'] }, length: 'Number' },
    })
    for (const variant of ['red', 'blue'])
      await owner.ok('POST', '/api/items', {
        name: `${variant} pen`,
        tags: [{ tag_ref: { Existing: tag_id }, field_values: { colour: { variant }, length: 5 } }],
      })
    const red = await keyWith({ filter: { 'Pen.colour': { match: 'red' } } })
    const long = await keyWith({ filter: { 'Pen.length': { gt: 3 } } })
    const both = await keyWith({ tag_ids: [tag_id, tags.Task] })
    expect(named(await search(red, {}))).toEqual(['red pen'])
    await owner.ok('PUT', `/api/tags/${tag_id}`, {
      name: 'Stylus',
      rename_fields: { colour: 'ink' },
      rename_variants: { ink: { red: 'crimson' } },
    })
    expect(named(await search(red, {}))).toEqual(['red pen'])
    await owner.ok('PUT', `/api/tags/${tag_id}`, {
      fields: { ink: { type: 'Select', variants: ['crimson', 'blue'] }, length: 'String' },
    })
    expect(await search(long, {})).toEqual([])
    expect(named(await search(red, {}))).toEqual(['red pen'])
    await owner.ok('PUT', `/api/tags/${tag_id}`, { fields: { length: 'Number' } })
    expect(await search(red, {})).toEqual([])
    expect(named(await search(long, {}))).toEqual(['red pen', 'blue pen'])
    expect(await search(both, { count: true })).not.toEqual([])
    await owner.ok('DELETE', `/api/tags/${tag_id}`)
    for (const key of [red, long, both]) {
      expect(await search(key, {})).toEqual([])
      expect(await key.ok('GET', '/api/tags')).toEqual([])
      expect((await key.post('/api/items', { name: 'x' })).status).toBe(403)
    }
    await owner.ok('POST', `/api/tags/${tag_id}/restore`, {})
    expect(await search(both, {})).not.toEqual([])
  })

  it('sees no more by a rename that gives a name of its limit, gone by then, to another field or variant', async () => {
    const room: { type: string; variants: string[] } = { type: 'Select', variants: ['open', 'secret'] }
    const kinds = { type: 'MultiSelect', variants: ['a', 'b'] }
    const { tag_id } = await owner.ok('POST', '/api/tags', {
      name: 'Room',
      fields: { shown: 'Boolean', internal: 'Boolean', room, kinds },
    })
    const path = `/api/tags/${tag_id}`
    const values = { internal: true, room: { variant: 'secret' }, kinds: ['b'] }
    const tag = { tag_ref: { Existing: tag_id }, field_values: values }
    await owner.ok('POST', '/api/items', { name: 'cellar', tags: [tag] })
    const limits = [{ 'Room.shown': true }, { 'Room.room': 'open' }, { 'Room.kinds': { match: 'a' } }]
    const keys = await Promise.all(limits.map((filter) => keyWith({ filter })))
    const url = 'https://example.com/'
    const filter = { or: limits }
    const { webhook_id } = await owner.ok('POST', '/api/webhooks', { url, filter })
    const seen = async () => Promise.all(keys.map(async (key) => named(await search(key, {}))))
    const stored = async () => {
      const all: { limit?: { filter?: object } }[] = await owner.ok('GET', '/api/keys')
      const own = all.flatMap(({ limit }) => (JSON.stringify(limit)?.includes(tag_id) ? [limit!.filter] : []))
      return [own, (await owner.ok('GET', `/api/webhooks/${webhook_id}`)).filter]
    }
    const none = [[], [], []]
    expect(await seen()).toEqual(none)
    await owner.ok('PUT', path, {
      fields: {
        internal: 'Boolean',
        room: { ...room, variants: ['secret'] },
        kinds: { ...kinds, variants: ['b'] },
      },
    })
    const before = await stored()
    const renamed = await owner.send('PUT', path, {
      rename_fields: { internal: 'shown' },
      rename_variants: { room: { secret: 'open' }, kinds: { b: 'a' } },
    })
    expect(renamed.status).toBe(200)
    expect(await seen()).toEqual(none)
    expect(JSON.stringify(await stored())).toContain(`${tag_id}.shown (earlier)\u{FDD0}`)
    const since = await keyWith({ filter: { and: limits } })
    expect(named(await search(since, {}))).toEqual(['cellar'])
    const change_ids = [renamed.headers.get('x-change-id')]
    await owner.ok('POST', '/api/changes/undo', { change_ids })
    expect(await seen()).toEqual(none)
    expect(named(await search(since, {}))).toEqual(['cellar'])
    const [own, hook] = await stored()
    expect([own!.filter((each: object) => !('and' in each)), hook]).toEqual(before)
    await owner.ok('DELETE', `/api/webhooks/${webhook_id}`)
    await owner.ok('DELETE', path)
  })

  it('by when items were changed sees what it makes, also where that is only tried out', async () => {
    const key = await keyWith({ filter: { changed_between: [{ today: -1 }, { today: 2 }] } })
    expect((await key.post('/api/items', { name: 'made' })).status).toBe(200)
    const operations = [
      { operation: 'createItem', input: { name: 'proposed' }, as: 'it' },
      { operation: 'updateItem', input: { item_id: { $: 'it' }, name: 'proposed twice' } },
    ]
    const newest = () => owner.ok('POST', '/api/audit-log/search', { limit: 1 })
    const before = await newest()
    expect((await key.post('/api/batch', { operations, dry_run: true })).status).toBe(200)
    const proposed = await key.post('/api/proposals', { operations })
    expect(proposed).toMatchObject({ status: 201, body: { changed_count: 1 } })
    expect(await newest()).toEqual(before)
    const { proposal_id } = proposed.body
    expect((await owner.post(`/api/proposals/${proposal_id}/accept`)).status).toBe(200)
    expect(named(await search(key, { filter: { name: { starts_with: 'proposed' } } }))).toEqual([
      'proposed twice',
    ])
    const past = await keyWith({ filter: { changed_between: [{ today: -9 }, { today: -8 }] } })
    expect((await past.post('/api/proposals', { operations })).status).toBe(403)
  })

  it('goes by the time of each call, in the time zone of the service', async () => {
    const key = await keyWith({ filter: { created_at: { gte: { today: 0 } } } })
    expect(named(await search(key, { filter: { name: 'stable' } }))).toEqual(['stable'])
    const yesterday = await keyWith({ filter: { created_at: { lt: { now: '-PT1H' } } } })
    expect(await search(yesterday, { time_zone: 'Pacific/Kiritimati' })).toEqual([])
  })

  it('reaches neither views nor the past, nor how a filter is carried out', async () => {
    const key = await keyWith({ tag_ids: [tags.Task] })
    const view_id = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    for (const [method, path, body] of [
      ['POST', '/api/items/search', { view_id }],
      ['POST', '/api/items/aggregate', { view_id }],
      ['POST', '/api/items', { name: 'x', view_id }],
      ['GET', `/api/items/${items.feed}?as_of=2026-01-01`, undefined],
      ['GET', `/api/items/${items.feed}/history`, undefined],
      ['POST', '/api/filters/explain', { filter: { has_tag: 'Task' }, plan: true }],
      ['POST', '/api/items/search', { filter: { changed_between: ['2026-01-01', '2027-01-01'] } }],
      ['GET', '/api/changes/stream', undefined],
      ['POST', '/api/changes/search', {}],
      ['GET', '/api/auth/me', undefined],
      ['GET', '/api/service', undefined],
    ] as const)
      expect([path, (await key.send(method, path, body)).status]).toEqual([path, 403])
    const { words } = await key.ok('POST', '/api/filters/explain', { filter: { has_tag: 'Task' } })
    expect(words).toContain('Task')
  })

  it('takes no cursor but its own, so that none asks after what is hidden', async () => {
    const read = await keyWith({ tag_ids: [tags.Task] })
    const write = await keyWith({ tag_ids: [tags.Task] }, 'propose')
    for (const name of ['one', 'two', 'three'])
      await write.send('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Task' } }] })
    const [{ proposal_id }] = await write.ok('GET', '/api/proposals')
    const any = { search: { text: 'feed groom escape', match: 'any' } }
    const lists = [
      ['POST', '/api/items/search', {}],
      ['POST', '/api/items/search', { sort: [{ by: 'name' }] }],
      ['POST', '/api/items/search', { filter: any }],
      ['GET', '/api/items', {}],
      ['POST', '/api/items/backlinks', {}],
      ['POST', '/api/tags/search', {}],
      ['POST', '/api/tags/search', { sort: [{ by: 'name' }] }],
      ['GET', '/api/tags', {}],
      ['GET', '/api/proposals', {}],
      ['GET', `/api/proposals/${proposal_id}`, {}],
    ] as const
    const page = (client: Client, [method, path, body]: (typeof lists)[number], after?: string) => {
      const url = path.replace('items/backlinks', `items/${items.feed}/backlinks`)
      const asked = { ...body, limit: 1, ...(after !== undefined && { after }) }
      return method === 'POST' && url === path
        ? client.send(method, url, asked)
        : client.send('GET', `${url}?${new URLSearchParams(asked as never).toString()}`)
    }
    const absent = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    const cursors = [items.paddock!, items.stable!, items.feed!, tags[HIDDEN]!, absent].flatMap((id) => [
      id,
      Buffer.from(id).toString('base64url'),
    ])
    for (const list of lists) {
      const key = list[1].includes('proposals') ? write : read
      const told = new Set<string>()
      const own = (await page(owner, list)).headers.get('x-next-cursor')
      for (const after of [...cursors, ...(own ? [own] : [])]) {
        const { status, body } = await page(key, list, after)
        told.add(`${status} ${JSON.stringify(body)}`)
      }
      expect([list, [...told]]).toEqual([list, [expect.stringMatching(/^400 .*not a cursor of this list/)]])
    }
  })

  it('goes from page to page by cursors that say nothing and are of no use to others', async () => {
    const [key, other] = [await keyWith({ tag_ids: [tags.Task] }), await keyWith({ tag_ids: [tags.Task] })]
    for (const more of [
      {},
      { sort: [{ by: 'name', direction: 'desc' }] },
      { filter: { search: { text: 'feed groom escape', match: 'any' } } },
    ]) {
      const whole = named(await search(key, more))
      const found: string[] = []
      const lengths = new Set<number>()
      for (let after: string | null | undefined; after !== null;) {
        const body = { ...more, limit: 1, ...(after && { after }) }
        const answer = await key.send('POST', '/api/items/search', body)
        found.push(...named(answer.body))
        if (after) expect((await other.send('POST', '/api/items/search', body)).status).toBe(400)
        after = answer.headers.get('x-next-cursor')
        if (!after) continue
        expect(Buffer.from(after, 'base64url').toString('latin1')).not.toContain(items[found.at(-1)!])
        lengths.add(after.length)
      }
      expect(found).toEqual(whole)
      expect(lengths.size).toBe(1)
    }
  })

  it('is chosen by the tags on the page where an app asks, and the same for its tools', async () => {
    const app = await registeredApp(service.url)
    const { location } = await app.ask(owner)
    const { html } = await app.answer(owner, location!, { decision: 'deny' })
    expect(html).toContain(`value="${tags[HIDDEN]}"`)
    const { access_token } = await app.tokens(owner, { tag_id: tags.Task! })
    const client = new TokenClient(service.url, access_token)
    expect(named(await search(client, {}))).toEqual(['feed', 'groom', 'escape'])
    const [listed] = await owner.ok('GET', '/api/auth/apps')
    expect(listed.limit).toEqual({ tag_ids: [tags.Task] })
    const params = { name: 'get_tags', arguments: {} }
    const answer = await postMessage(client, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    expect(JSON.stringify(answer)).toContain('Bug')
    expect(JSON.stringify(answer)).not.toContain(HIDDEN)
  })
})
