import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const START = Date.parse('2026-01-31T09:30:00.000Z')
let service: Service
let client: Client
let now = START

beforeAll(async () => {
  service = await startService({ clock: () => (now += 10) })
  client = await service.user()
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { a: 'Number', b: 'String', who: 'Reference' },
  })
})
afterAll(() => service.close())

/** The id of the change that a call was. */
async function change(method: string, path: string, body?: unknown): Promise<string> {
  const answer = await client.send(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.headers.get('x-change-id')!
}
const undo = (...change_ids: string[]) => client.ok('POST', '/api/changes/undo', { change_ids })
const refused = async (...change_ids: string[]) => {
  const { status, body } = await client.post('/api/changes/undo', { change_ids })
  expect(status).toBe(409)
  return body
}
const item = (id: string) => client.ok('GET', `/api/items/${id}`)
const withoutTime = (found: Record<string, unknown>) => ({ ...found, updated_at: null })
const make = fixtures(() => client)
const newItem = (name: string, values?: object) => make.createItem(name, values && 'Task', values)
const tagId = async () =>
  (await client.ok('GET', '/api/tags')).find((tag: { name: string }) => tag.name === 'Task').tag_id

describe('a change', () => {
  it('is one for all events of a call, and is in the header', async () => {
    const answer = await client.post('/api/items', { name: 'A', tags: [{ tag_ref: { Existing: 'Task' } }] })
    const change_id = answer.headers.get('x-change-id')
    const events = await client.ok('POST', '/api/audit-log/search', { item_ids: [answer.body.item_id] })
    expect(events.map((event: { change_id: string }) => event.change_id)).toEqual([change_id, change_id])
    const [newest] = await client.ok('POST', '/api/changes/search', { limit: 1 })
    expect(newest).toMatchObject({
      change_id,
      operation: 'createItem',
      summary: "Created item 'A' with Task",
      source: 'rest',
      client: { kind: 'session' },
      counts: { item_created: 1, tag_applied: 1 },
      undoes: [],
      undone_by: null,
    })
  })

  it('is none where nothing changed', async () => {
    const id = await newItem('Same')
    const answer = await client.put(`/api/items/${id}`, { name: 'Same' })
    expect(answer.headers.get('x-change-id')).toBeNull()
  })

  it('is found by time, user, source, item, tag and operation, page by page', async () => {
    const from = new Date(now).toISOString()
    const id = await newItem('Found', { a: 1 })
    const change_id = await change('PUT', `/api/items/${id}/tags/${await tagId()}`, {
      field_values: { a: 2 },
    })
    const me = await client.ok('GET', '/api/auth/me')
    const [{ client: session }] = await client.ok('POST', '/api/audit-log/search', { change_id })
    const search = (body: object) => client.ok('POST', '/api/changes/search', { after_time: from, ...body })
    for (const body of [
      { operation: 'updateTagValues' },
      { operation: 'updateTagValues', user_id: me.user_id.toLowerCase(), source: 'rest' },
      { operation: 'updateTagValues', client_id: session.id.toLowerCase() },
      { item_ids: [id], limit: 1 },
      { tag_ids: [await tagId()], limit: 1 },
    ])
      expect((await search(body)).map((each: { change_id: string }) => each.change_id)).toEqual([change_id])
    for (const body of [{ source: 'mcp' }, { user_id: id }, { item_ids: [] }, { before_time: from }])
      expect(await search(body)).toEqual([])
    const first = await client.post('/api/changes/search', { after_time: from, limit: 1 })
    const after = first.headers.get('x-next-cursor')
    expect(await search({ limit: 10, after })).toHaveLength(1)
    expect((await client.post('/api/changes/search', { after_time: 'yesterday' })).status).toBe(400)
  })

  it('names an operation, a source and a tag that no change has', async () => {
    await newItem('Named', { a: 1 })
    const warningsOf = async (body: object) => {
      const { body: found, headers } = await client.post('/api/changes/search', { limit: 5, ...body })
      return [found.length > 0, JSON.parse(headers.get('x-filter-warnings') ?? '[]')]
    }
    expect(await warningsOf({ operation: 'creteItem' })).toEqual([
      false,
      ["operation: there is no change by an operation 'creteItem'; did you mean 'createItem'?"],
    ])
    expect(await warningsOf({ source: 'web', tag_ids: ['None'] })).toEqual([
      false,
      [
        "source: there is no source 'web'; expected one of: rest, mcp, chat",
        "tag_ids[0]: there is no tag 'None'",
      ],
    ])
    expect(await warningsOf({ user_id: 'ada@example.org', item_ids: ['Named'] })).toEqual([
      false,
      ["user_id: there is no account 'ada@example.org'", "item_ids[0]: there is no item 'Named'"],
    ])
    expect(await warningsOf({ operation: 'createItem', before_time: '1999-01-01' })).toEqual([false, []])
    expect(await warningsOf({ operation: 'createItem', source: 'rest' })).toEqual([true, []])
  })
})

describe('undo', () => {
  const rows: [what: string, act: (id: string, tag: string) => Promise<string>][] = [
    [
      'a new name and description',
      (id) => change('PUT', `/api/items/${id}`, { name: 'New', description: 'x' }),
    ],
    ['a deletion', (id) => change('DELETE', `/api/items/${id}`)],
    [
      'new values',
      (id, tag) => change('PUT', `/api/items/${id}/tags/${tag}`, { field_values: { b: 'x', a: null } }),
    ],
    ['a tag that was taken off', (id, tag) => change('DELETE', `/api/items/${id}/tags/${tag}`)],
    ['a tag that was deleted', (_, tag) => change('DELETE', `/api/tags/${tag}`)],
    [
      'a bulk update',
      (id) =>
        change('POST', '/api/items/bulk-update-fields', {
          filter: { id },
          tag_id: 'Task',
          field_values: { a: 9 },
        }),
    ],
    ['a bulk deletion', (id) => change('POST', '/api/items/bulk-delete', { filter: { id } })],
    [
      'a bulk removal',
      (id) => change('POST', '/api/items/bulk-remove-tag', { filter: { id }, tag_id: 'Task' }),
    ],
  ]
  it.each(rows)('brings back %s, and is undone itself', async (_, act) => {
    const id = await newItem('Row', { a: 1, b: 'one', who: null })
    const tag = await tagId()
    const before = await item(id)
    const change_id = await act(id, tag)
    const answer = await client.get(`/api/items/${id}`)
    const undone = await undo(change_id)
    expect(undone).toMatchObject({ conflicts: [], dry_run: false })
    expect(undone.affected_item_ids).toContain(id)
    expect(withoutTime(await item(id))).toEqual(withoutTime(before))
    expect(
      (await client.ok('POST', '/api/items/search', { filter: { 'Task.b': 'one' } })).some(
        (each: { item_id: string }) => each.item_id === id,
      ),
    ).toBe(true)
    const [latest] = await client.ok('POST', '/api/changes/search', { limit: 1 })
    expect(latest).toMatchObject({
      change_id: undone.change_id,
      operation: 'undoChanges',
      undoes: [change_id],
    })
    expect((await refused(change_id)).message).toContain('undone already')
    await undo(undone.change_id)
    const again = await client.get(`/api/items/${id}`)
    expect(again.status).toBe(answer.status)
    if (again.status === 200) expect(withoutTime(again.body)).toEqual(withoutTime(answer.body))
    // The undo was undone, so the change is in force and can be undone once more.
    await undo(change_id)
    expect(withoutTime(await item(id))).toEqual(withoutTime(before))
  })

  it('deletes what was created, and keeps its tags in the trash', async () => {
    const answer = await client.post('/api/items', {
      name: 'Made',
      tags: [
        { tag_ref: { Existing: 'Task' }, field_values: { a: 5 } },
        { tag_ref: { New: { name: 'Made', fields: { x: 'String' } } } },
      ],
    })
    const { item_id } = answer.body
    const before = await item(item_id)
    const undone = await undo(answer.headers.get('x-change-id')!)
    expect((await client.get(`/api/items/${item_id}`)).status).toBe(404)
    expect(undone.affected_tag_ids).toHaveLength(1)
    await undo(undone.change_id)
    expect(withoutTime(await item(item_id))).toEqual(withoutTime(before))
  })

  it('takes a tag back whose items are in the trash, which lose it, and gives it back to them', async () => {
    const tag = await client.post('/api/tags', { name: 'Short', fields: { a: 'Number' } })
    const { tag_id } = tag.body
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { a: 5 } }]
    const made = await client.post('/api/items', { name: 'In the trash', tags })
    const live = await client.post('/api/items', { name: 'Live', tags })
    await undo(made.headers.get('x-change-id')!)
    const change_id = tag.headers.get('x-change-id')!
    expect((await refused(change_id)).details.conflicts).toMatchObject([
      { reason: expect.stringContaining('Items have the tag now') },
    ])
    await undo(live.headers.get('x-change-id')!)
    const undone = await undo(change_id)
    expect(undone.affected_tag_ids).toEqual([tag_id])
    const { item_id } = made.body
    await client.ok('POST', `/api/items/${item_id}/restore`)
    expect((await item(item_id)).data).toEqual({})
    await client.ok('DELETE', `/api/items/${item_id}`)
    await undo(undone.change_id)
    await client.ok('POST', `/api/items/${item_id}/restore`)
    expect((await item(item_id)).data[tag_id].field_values).toEqual({ a: 5 })
  })

  it('brings back a tag as it was, with a new version of its schema', async () => {
    const tag = await client.ok('POST', '/api/tags', {
      name: 'Old',
      description: 'd',
      fields: { z: 'String', y: 'Number' },
    })
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'I',
      tags: [{ tag_ref: { Existing: 'Old' }, field_values: { z: '5' } }],
    })
    const change_id = await change('PUT', `/api/tags/${tag.tag_id}`, {
      name: 'New name',
      description: null,
      fields: { z: 'Number' },
      extends: ['Task'],
    })
    await undo(change_id)
    const after = await client.ok('GET', `/api/tags/${tag.tag_id}`)
    expect(after).toMatchObject({
      name: 'Old',
      description: 'd',
      fields: tag.fields,
      extends: [],
      schema_version: 3,
    })
    expect(Object.keys(after.fields)).toEqual(['z', 'y'])
    expect(await client.ok('POST', '/api/items/search', { filter: { 'Old.z': '5' } })).toMatchObject([
      { item_id },
    ])
  })

  it('refuses what has changed since, says where, and skips it on request', async () => {
    const id = await newItem('C', { a: 1, b: 'one' })
    const tag = await tagId()
    const set = (field_values: object) =>
      change('PUT', `/api/items/${id}/tags/${tag}`, { field_values, merge: true })
    const change_id = await set({ a: 2, b: 'two' })
    await set({ a: 3 })
    const { details } = await refused(change_id)
    expect(details.conflicts).toEqual([
      {
        change_id,
        event_id: expect.any(String),
        item_id: id,
        tag_id: tag,
        path: 'Task.a',
        reason: 'It has another value now',
        suggestion: expect.any(String),
        item_name: 'C',
        present: 3,
        restored: 1,
      },
    ])
    expect((await item(id)).data[tag].field_values).toEqual({ a: 3, b: 'two' })
    const dry = await client.ok('POST', '/api/changes/undo', {
      change_ids: [change_id],
      dry_run: true,
      on_conflict: 'skip',
    })
    expect(dry).toMatchObject({ change_id: null, undone_events: 1, dry_run: true })
    const skipped = await client.ok('POST', '/api/changes/undo', {
      change_ids: [change_id],
      on_conflict: 'skip',
    })
    expect(skipped).toMatchObject({ undone_events: 1, conflicts: [{ path: 'Task.a' }] })
    expect((await item(id)).data[tag].field_values).toEqual({ a: 3, b: 'one' })
  })

  it('does not delete an item that has been given something since', async () => {
    const answer = await client.post('/api/items', { name: 'G' })
    const made = answer.headers.get('x-change-id')!
    const given = await change('POST', `/api/items/${answer.body.item_id}/tags`, {
      tag: { tag_ref: { Existing: 'Task' } },
    })
    expect((await refused(made)).details.conflicts).toMatchObject([{ path: 'Task' }])
    await undo(made, given)
    expect((await client.get(`/api/items/${answer.body.item_id}`)).status).toBe(404)
  })

  it('cannot bring back what is purged', async () => {
    const id = await newItem('P')
    const deleted = await change('DELETE', `/api/items/${id}`)
    const purged = await change('POST', '/api/items/purge', { item_ids: [id] })
    expect(await refused(purged)).toMatchObject({
      message: expect.stringContaining('A purge cannot be undone'),
      suggestion: 'Leave this change out, or undo the rest with on_conflict: "skip"',
    })
    expect((await refused(deleted)).details.conflicts).toMatchObject([{ reason: 'The item has been purged' }])
    const skip = { change_ids: [purged], on_conflict: 'skip' }
    expect(await client.ok('POST', '/api/changes/undo', skip)).toMatchObject({
      change_id: null,
      undone_events: 0,
    })
  })

  it('takes a filter, and leaves out what is undone already', async () => {
    const id = await newItem('F', { a: 1 })
    const from = new Date(now).toISOString()
    const before = await item(id)
    const tag = await tagId()
    const first = await change('PUT', `/api/items/${id}`, { name: 'F2' })
    await change('PUT', `/api/items/${id}/tags/${tag}`, { field_values: { a: 2 } })
    await undo(first)
    const filter = { after_time: from, item_ids: [id] }
    expect(await client.ok('POST', '/api/changes/undo', { filter })).toMatchObject({ undone_events: 1 })
    expect(withoutTime(await item(id))).toEqual(withoutTime(before))
    expect(await client.ok('POST', '/api/changes/undo', { filter })).toMatchObject({
      change_id: null,
      undone_events: 0,
    })
  })

  it('says what is wrong with what it is asked', async () => {
    const filter = { after_time: '2026-01-01' }
    for (const [body, status] of [
      [{}, 400],
      [{ change_ids: ['01JJXZ5T7GQ3M8K4B9R2C6D0EF'], filter }, 400],
      [{ change_ids: [] }, 400],
      [{ filter: {} }, 400],
      [{ change_ids: ['x'] }, 404],
      [{ change_ids: ['01JJXZ5T7GQ3M8K4B9R2C6D0EF'] }, 404],
    ] as const)
      expect((await client.post('/api/changes/undo', body)).status, JSON.stringify(body)).toBe(status)
  })

  it('records items and their tags in one order, which is that of the change, whatever the engine', async () => {
    const { tag_id } = await make.createTag({ a: 'Number' })
    const tags = [tag_id, 'Task'].map((Existing) => ({ tag_ref: { Existing }, field_values: { a: 1 } }))
    const ids: string[] = []
    for (let i = 0; i < 8; i++)
      ids.push((await client.ok('POST', '/api/items', { name: `Ordered ${i}`, tags })).item_id)
    const filter = { has_tag: tag_id }
    const told = async (change_id: string) =>
      (await client.ok('POST', '/api/audit-log/search', { change_id, limit: 100 }))
        .map((event: { item_id: string }) => event.item_id)
        .toReversed()
    const deleting = await change('POST', '/api/items/bulk-delete', { filter })
    expect(await told(deleting)).toEqual(ids)
    const restoring = (await undo(deleting)).change_id
    expect(await told(restoring)).toEqual(ids)
    expect(await told((await undo(restoring)).change_id)).toEqual(ids)
  })
})

describe('an item', () => {
  it('tells its history, also deleted, page by page', async () => {
    const id = await newItem('H', { a: 1 })
    const tag = await tagId()
    await change('PUT', `/api/items/${id}/tags/${tag}`, { field_values: { a: 2, b: 'x' } })
    await change('PUT', `/api/items/${id}`, { name: 'H2' })
    await change('DELETE', `/api/items/${id}`)
    const history = await client.ok('GET', `/api/items/${id}/history`)
    expect(
      history.map((each: { event_type: string; changes: unknown }) => [each.event_type, each.changes]),
    ).toEqual([
      ['item_deleted', []],
      ['item_updated', [{ path: 'name', old: 'H', new: 'H2' }]],
      [
        'tag_values_updated',
        [
          { path: 'Task.a', old: 1, new: 2 },
          { path: 'Task.b', old: null, new: 'x' },
        ],
      ],
      ['tag_applied', [{ path: 'Task', old: null, new: { a: 1 } }]],
      ['item_created', [{ path: 'name', old: null, new: 'H' }]],
    ])
    const page = await client.get(`/api/items/${id}/history?limit=2`)
    const next = await client.ok(
      'GET',
      `/api/items/${id}/history?limit=9&after=${page.headers.get('x-next-cursor')}`,
    )
    expect([...page.body, ...next]).toEqual(history)
    expect((await client.get('/api/items/01JJXZ5T7GQ3M8K4B9R2C6D0EF/history')).status).toBe(404)
  })

  it('is answered as it was at any time', async () => {
    const tag = await client.ok('POST', '/api/tags', { name: 'Then', fields: { a: 'Number' } })
    const start = new Date(now).toISOString()
    const id = (await client.ok('POST', '/api/items', { name: 'T', description: 'd' })).item_id
    const snapshots: [string, number, unknown][] = []
    const steps: [string, string, unknown?][] = [
      ['POST', `/api/items/${id}/tags`, { tag: { tag_ref: { Existing: 'Then' }, field_values: { a: 1 } } }],
      ['PUT', `/api/tags/${tag.tag_id}`, { name: 'Since', fields: { a: 'Number', b: 'String' } }],
      ['PUT', `/api/items/${id}/tags/${tag.tag_id}`, { field_values: { b: 'x' } }],
      ['PUT', `/api/items/${id}`, { name: 'T2', description: null }],
      ['DELETE', `/api/items/${id}`],
      ['POST', `/api/items/${id}/restore`],
      ['DELETE', `/api/items/${id}/tags/${tag.tag_id}`],
    ]
    for (const [method, path, body] of [['GET', `/api/items/${id}`] as const, ...steps]) {
      await client.ok(method, path, body)
      const { status, body: found } = await client.get(`/api/items/${id}`)
      snapshots.push([new Date(now).toISOString(), status, status === 200 ? found : null])
    }
    for (const [time, status, found] of snapshots) {
      const answer = await client.get(`/api/items/${id}?as_of=${time}`)
      expect(answer.status).toBe(status)
      if (status === 200) expect(answer.body).toEqual(found)
    }
    expect((await client.get(`/api/items/${id}?as_of=${start}`)).status).toBe(404)
    expect((await client.get(`/api/items/${id}?as_of=once`)).status).toBe(400)
  })
})

describe('a batch', () => {
  const run = (operations: object[], more: object = {}) => client.post('/api/batch', { operations, ...more })

  it('is one change in order, whose parts name what others made', async () => {
    const { status, body, headers } = await run([
      { operation: 'createItem', input: { name: 'Garden' }, as: 'garden' },
      {
        operation: 'createItem',
        input: {
          name: 'Dig',
          tags: [{ tag_ref: { Existing: 'Task' }, field_values: { who: { $: 'garden' } } }],
        },
      },
      { operation: 'updateItem', input: { item_id: { $: 'garden' }, name: 'The garden' } },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    const [garden, dig] = body.results
    expect(body).toMatchObject({ change_id: headers.get('x-change-id'), dry_run: false })
    expect((await item(garden.item_id)).name).toBe('The garden')
    expect((await item(dig.item_id)).data[await tagId()].field_values).toEqual({ who: garden.item_id })
    const [newest] = await client.ok('POST', '/api/changes/search', { limit: 1 })
    expect(newest).toMatchObject({ operation: 'batch', counts: { item_created: 2, item_updated: 1 } })
    await undo(body.change_id)
    for (const { item_id } of [garden, dig])
      expect((await client.get(`/api/items/${item_id}`)).status).toBe(404)
  })

  it('takes whatever changes the base, with the states that a part is meant for', async () => {
    const id = await newItem('Kept', { a: 1 })
    const [twin, gone] = [await newItem('Twin', { b: 'x' }), await newItem('Gone', { a: 9 })]
    await client.ok('DELETE', `/api/items/${gone}`)
    const { updated_at } = await item(id)
    const tag_id = await tagId()
    const deleting = {
      operation: 'deleteItem',
      input: { item_id: id, if_updated_at: '2020-01-01T00:00:00.000Z' },
    }
    const stale = await run([{ operation: 'updateItem', input: { item_id: id, name: 'No' } }, deleting])
    expect([stale.status, stale.body.details.errors[0].path]).toEqual([412, 'operations[1]'])
    expect((await item(id)).updated_at).toBe(updated_at)
    const { status, body } = await run([
      { operation: 'upsertItem', input: { match: { name: 'Kept' }, description: 'd' }, as: 'kept' },
      { operation: 'mergeItems', input: { item_id: { $: 'kept' }, from: [twin] } },
      { operation: 'bulkRestore', input: { item_ids: [gone] } },
      { operation: 'upsertItems', input: { match_by: 'name', items: [{ name: 'Fresh' }, { name: 'Gone' }] } },
      { operation: 'migrateTagValues', input: { tag_id } },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.results[3].map(({ created }: { created: boolean }) => created)).toEqual([true, false])
    expect(await item(id)).toMatchObject({
      description: 'd',
      data: { [tag_id]: { field_values: { a: 1, b: 'x' } } },
    })
    await undo(body.change_id)
    expect(withoutTime(await item(id))).toMatchObject({
      description: null,
      data: { [tag_id]: { field_values: { a: 1 } } },
    })
    expect((await client.get(`/api/items/${gone}`)).status).toBe(404)
    expect((await item(twin)).name).toBe('Twin')
  })

  it('does nothing in a dry run, and nothing where one part fails', async () => {
    const count = async () => (await client.ok('GET', '/api/items')).length
    const before = await count()
    const fine = { operation: 'createItem', input: { name: 'X' }, as: 'x' }
    const dry = await run([fine], { dry_run: true })
    expect(dry.body).toMatchObject({
      results: [{ item_id: expect.any(String) }],
      change_id: null,
      dry_run: true,
    })
    const cases: [object[], number, string][] = [
      [[fine, { operation: 'createItem', input: { name: '' } }], 400, 'operations[1].input.name'],
      [
        [fine, { operation: 'deleteItem', input: { item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' } }],
        404,
        'operations[1]',
      ],
      [
        [fine, { operation: 'deleteItem', input: { item_id: { $: 'y' } } }],
        400,
        'operations[1].input.item_id',
      ],
      [[{ operation: 'createView', input: {} }], 400, 'operations[0].operation'],
      [[{ operation: 'batch', input: {} }], 400, 'operations[0].operation'],
      [[fine, fine], 400, 'operations[1].as'],
      [
        [{ operation: 'bulkDelete', input: { filter: {}, dry_run: true } }],
        400,
        'operations[0].input.dry_run',
      ],
    ]
    for (const [operations, status, path] of cases) {
      const answer = await run(operations)
      expect(answer.status, JSON.stringify(answer.body)).toBe(status)
      expect(answer.body.details.errors[0].path).toBe(path)
    }
    expect(await count()).toBe(before)
  })
})

describe('the audit log', () => {
  it('takes change, user, source, client and paths, and is read whole from event to event', async () => {
    const from = new Date(now).toISOString()
    const id = await newItem('L', { a: 1 })
    const tag = await tagId()
    const set = (field_values: object) =>
      change('PUT', `/api/items/${id}/tags/${tag}`, { field_values, merge: true })
    const change_id = await set({ a: 2 })
    await set({ b: 'x' })
    await change('PUT', `/api/items/${id}`, { name: 'L2' })
    const me = await client.ok('GET', '/api/auth/me')
    const types = async (body: object) =>
      (await client.ok('POST', '/api/audit-log/search', { after: from, ...body })).map(
        (event: { event_type: string }) => event.event_type,
      )
    expect(await types({ change_id })).toEqual(['tag_values_updated'])
    expect(await types({ paths: ['Task.a'] })).toEqual(['tag_values_updated', 'tag_applied'])
    expect(await types({ paths: ['Task.b', 'name'] })).toEqual([
      'item_updated',
      'tag_values_updated',
      'item_created',
    ])
    expect(await types({ paths: ['Nothing.here'] })).toEqual([])
    expect(await types({ user_id: me.user_id, source: 'rest', limit: 1 })).toEqual(['item_updated'])
    expect(await types({ source: 'mcp' })).toEqual([])
    expect(await types({ client_id: 'none' })).toEqual([])

    const all = await client.ok('POST', '/api/audit-log/search', { limit: 1000 })
    expect(await types({ client_id: all[0].client.id.toLowerCase(), limit: 1 })).toEqual(['item_updated'])
    const read: object[] = []
    for (let after_event: string | null = '0'.repeat(26); after_event;) {
      const page = await client.post('/api/audit-log/search', { after_event, limit: 50 })
      read.push(...page.body)
      after_event = page.headers.get('x-next-cursor')
    }
    expect(read.toReversed()).toEqual(all)
    const older = await client.ok('POST', '/api/audit-log/search', {
      before_event: all[3].event_id,
      limit: 2,
    })
    expect(older).toEqual(all.slice(4, 6))
    expect((await client.post('/api/audit-log/search', { before_event: 'x' })).status).toBe(400)
  })
})
