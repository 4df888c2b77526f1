import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let now = Date.parse('2026-01-31T09:30:00.000Z')

beforeAll(async () => {
  service = await startService({ clock: () => (now += 10) })
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'Task', fields: { a: 'Number', b: 'String' } })
})
afterAll(() => service.close())

/** The id of the change that a call was. */
async function change(method: string, path: string, body?: unknown, by: Client = client): Promise<string> {
  const answer = await by.send(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.headers.get('x-change-id')!
}
const undo = (body: object) => client.ok('POST', '/api/changes/undo', body)
const read = (id: string) => client.ok('GET', `/api/items/${id}`)
const make = fixtures(() => client)
const newItem = (tags: object[] = []) => make.newItem({ name: 'Item', tags })
const task = (field_values: object) => ({ tag_ref: { Existing: 'Task' }, field_values })
const tagId = async () =>
  (await client.ok('GET', '/api/tags')).find((tag: { name: string }) => tag.name === 'Task').tag_id

describe('undo is refused, and says why,', () => {
  const rows: [what: string, make: () => Promise<string>, conflict: object][] = [
    [
      'where a field has another value now',
      async () => {
        const id = await newItem([task({ a: 1 })])
        const path = `/api/items/${id}/tags/${await tagId()}`
        const changed = await change('PUT', path, { field_values: { a: 2 } })
        await change('PUT', path, { field_values: { a: 3 } })
        return changed
      },
      { path: 'Task.a', reason: 'It has another value now', item_name: 'Item', present: 3, restored: 1 },
    ],
    [
      'where an item has another name now',
      async () => {
        const id = await newItem()
        const changed = await change('PUT', `/api/items/${id}`, { name: 'Once' })
        await change('PUT', `/api/items/${id}`, { name: 'Twice' })
        return changed
      },
      {
        path: 'name',
        reason: 'It has another value now',
        item_name: 'Twice',
        present: 'Twice',
        restored: 'Item',
      },
    ],
    [
      'where an item that it made has been given a tag since',
      async () => {
        const answer = await client.post('/api/items', { name: 'Made' })
        await change('POST', `/api/items/${answer.body.item_id}/tags`, { tag: task({}) })
        return answer.headers.get('x-change-id')!
      },
      { path: 'Task', tag_id: expect.any(String), reason: 'The item has been given this tag since' },
    ],
    [
      'where an item that it made has been given values since',
      async () => {
        const answer = await client.post('/api/items', { name: 'Made', tags: [task({ a: 1 })] })
        const path = `/api/items/${answer.body.item_id}/tags/${await tagId()}`
        await change('PUT', path, { field_values: { a: 2 } })
        return answer.headers.get('x-change-id')!
      },
      {
        path: 'Task',
        tag_id: expect.any(String),
        reason: 'It has another value now',
        item_name: 'Made',
        present: { a: 2 },
      },
    ],
    [
      'where a tag is to be taken off and its values have changed since',
      async () => {
        const id = await newItem()
        const applied = await change('POST', `/api/items/${id}/tags`, { tag: task({ a: 1 }) })
        await change('PUT', `/api/items/${id}/tags/${await tagId()}`, { field_values: { a: 1, b: 'x' } })
        return applied
      },
      {
        path: 'Task',
        reason: 'The tag would be taken off, and its values have changed since',
        present: { a: 1, b: 'x' },
        restored: null,
      },
    ],
    [
      'where its target is purged',
      async () => {
        const id = await newItem()
        const renamed = await change('PUT', `/api/items/${id}`, { name: 'Gone' })
        await change('DELETE', `/api/items/${id}`)
        await change('POST', '/api/items/purge', { item_ids: [id] })
        return renamed
      },
      { path: null, reason: 'The item has been purged', item_name: null, present: null, restored: null },
    ],
    [
      'where the name of a deleted tag is taken',
      async () => {
        const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Taken', fields: {} })
        const deleted = await change('DELETE', `/api/tags/${tag_id}`)
        await change('POST', '/api/tags', { name: 'Taken', fields: {} })
        return deleted
      },
      { path: 'name', reason: "Another tag is named 'Taken' now" },
    ],
    [
      'where the old name of a tag is taken',
      async () => {
        const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Old name', fields: {} })
        const renamed = await change('PUT', `/api/tags/${tag_id}`, { name: 'New name' })
        await change('POST', '/api/tags', { name: 'Old name', fields: {} })
        return renamed
      },
      {
        path: 'name',
        reason: "Another tag is named 'Old name' now",
        item_name: null,
        present: 'New name',
        restored: 'Old name',
      },
    ],
  ]
  it.each(rows)('%s', async (_, make, conflict) => {
    const change_id = await make()
    const told = {
      change_id,
      event_id: expect.any(String),
      suggestion: expect.any(String),
      ...conflict,
    }
    const { status, body } = await client.post('/api/changes/undo', { change_ids: [change_id] })
    expect({ status, error: body.error }).toEqual({ status: 409, error: 'Conflict' })
    expect(body.details.conflicts).toEqual([expect.objectContaining(told)])
    const dry = await undo({ change_ids: [change_id], dry_run: true })
    expect(dry).toMatchObject({ change_id: null, conflicts: body.details.conflicts, dry_run: true })
    const skipped = await undo({ change_ids: [change_id], on_conflict: 'skip' })
    expect(skipped.conflicts).toEqual(body.details.conflicts)
  })
})

describe('undo', () => {
  it('of a time takes back what an undoing of that time had to leave out', async () => {
    await newItem()
    const filter = { after_time: new Date(now).toISOString() }
    const made = { operation: 'createItem', input: { name: 'Made' }, as: 'made' }
    const described = { operation: 'updateItem', input: { item_id: { $: 'made' }, description: 'x' } }
    const batch = await client.post('/api/batch', { operations: [made, described] })
    const { item_id } = batch.body.results[0]
    await client.ok('POST', `/api/items/${item_id}/tags`, { tag: task({ a: 1 }) })
    const { change_id } = batch.body
    expect(await undo({ change_ids: [change_id], on_conflict: 'skip' })).toMatchObject({
      undone_events: 1,
      conflicts: [{ item_id, reason: expect.any(String) }],
    })
    const undone = await undo({ filter })
    expect(undone).toMatchObject({ affected_item_ids: [item_id], conflicts: [] })
    expect((await client.get(`/api/items/${item_id}`)).status).toBe(404)
    await undo({ change_ids: [undone.change_id] })
    expect(await read(item_id)).toMatchObject({ name: 'Made', description: null })
  })

  it('leaves no sub-field with a value whose variant is not chosen', async () => {
    const { tag_id, name } = await make.createTag({
      how: {
        type: 'Select',
        variants: [
          { name: 'post', fields: { box: 'String' } },
          { name: 'mail', fields: { to: 'String' } },
          'x',
        ],
      },
      n: 'Number',
    })
    const path = (id: string) => `/api/items/${id}/tags/${tag_id}`
    const set = (id: string, field_values: object) => change('PUT', path(id), { field_values, merge: true })
    const how = (variant: string) => ({ how: { variant } })
    const skip = async (change_id: string) => {
      const { conflicts } = await undo({ change_ids: [change_id], on_conflict: 'skip' })
      return conflicts.map((each: { path: string }) => each.path.replace(`${name}.`, ''))
    }
    const values = async (id: string) => (await read(id)).data[tag_id].field_values
    const tagged = (field_values: object) => newItem([{ tag_ref: { Existing: tag_id }, field_values }])

    const first = await tagged({ ...how('post'), box: '12', n: 1 })
    const away = await set(first, { ...how('mail'), n: 2 })
    await set(first, how('x'))
    expect(await skip(away)).toEqual(['how', 'box'])
    expect(await values(first)).toEqual({ ...how('x'), n: 1 })

    const second = await tagged({ ...how('post'), n: 1 })
    const mailed = await set(second, { ...how('mail'), n: 2 })
    await set(second, { to: 'ann@example.org' })
    expect(await skip(mailed)).toEqual(['how'])
    expect(await values(second)).toEqual({ ...how('mail'), to: 'ann@example.org', n: 1 })

    const third = await tagged({ ...how('post'), box: '12' })
    expect(await skip(await set(third, { ...how('mail'), to: 'x' }))).toEqual([])
    expect(await values(third)).toEqual({ ...how('post'), box: '12' })
  })

  it('brings old values back though the present schema would refuse them', async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', {
      name: 'Strict',
      fields: { left: 'Number', kind: { type: 'Select', variants: [{ name: 'x' }, { name: 'y' }] } },
    })
    const values = { left: 5, kind: { variant: 'x' } }
    const id = await newItem([{ tag_ref: { Existing: 'Strict' }, field_values: values }])
    const before = await read(id)
    const cleared = await change('PUT', `/api/items/${id}/tags/${tag_id}`, { field_values: {} })
    await change('PUT', `/api/tags/${tag_id}`, {
      fields: { kind: { type: 'Select', variants: [{ name: 'y' }] } },
    })
    const refused = await client.put(`/api/items/${id}/tags/${tag_id}`, { field_values: values })
    expect(refused.status).toBe(400)
    expect(await undo({ change_ids: [cleared] })).toMatchObject({ undone_events: 1, conflicts: [] })
    expect((await read(id)).data[tag_id].field_values).toEqual(before.data[tag_id].field_values)
  })

  it('takes the changes of a time, a user, a source and a client', async () => {
    const ben = await service.user('ben@example.org')
    const { key_id, key } = await client.ok('POST', '/api/keys', { name: 'robot', scope: 'write' })
    const robot = service.client()
    const byKey = { authorization: `Bearer ${key}` }
    const ids = [await newItem(), await newItem(), await newItem(), await newItem()]
    const path = (i: number) => `/api/items/${ids[i]!}`
    const after_time = new Date(now).toISOString()
    await change('PUT', path(0), { name: 'By Ben' }, ben)
    await robot.send('PUT', path(1), { name: 'By the robot' }, byKey)
    const between = new Date(now + 5).toISOString()
    await change('PUT', path(2), { name: 'By me' })
    const edit = { name: 'edit_item', arguments: { item_id: ids[3], name: 'By a tool' } }
    await client.ok('POST', '/api/mcp/message', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: edit,
    })
    const { user_id } = await ben.ok('GET', '/api/auth/me')
    const dry = async (filter: object) =>
      (await undo({ filter: { after_time, ...filter }, dry_run: true })).affected_item_ids.toSorted()
    expect(await dry({})).toEqual(ids.toSorted())
    expect(await dry({ user_id })).toEqual([ids[0]])
    expect(await dry({ client_id: key_id })).toEqual([ids[1]])
    expect(await dry({ before_time: between })).toEqual(ids.slice(0, 2).toSorted())
    expect(await dry({ source: 'mcp' })).toEqual([ids[3]])
    expect(await dry({ item_ids: [ids[2]] })).toEqual([ids[2]])
    expect(await dry({ user_id, source: 'mcp' })).toEqual([])
    const filter = { after_time, source: 'mpc', user_id: 'ada' }
    const none = await client.post('/api/changes/undo', { filter, dry_run: true })
    expect([none.body.affected_item_ids, none.headers.get('x-filter-warnings')]).toEqual([
      [],
      `["filter.source: there is no source 'mpc'; did you mean 'mcp'?","filter.user_id: there is no account 'ada'"]`,
    ])
    const found = await client.ok('POST', '/api/changes/search', { after_time, client_id: key_id })
    expect(found).toMatchObject([{ client: { kind: 'key', id: key_id, name: 'robot' } }])
    const events = await client.ok('POST', '/api/audit-log/search', { client_id: key_id })
    expect(events).toMatchObject([{ item_id: ids[1], change_id: found[0].change_id }])
  })

  it('is reported in both changes, and not any more when it is undone itself', async () => {
    const change_id = await change('PUT', `/api/items/${await newItem()}`, { name: 'Other' })
    const told = async (id: string) =>
      (await client.ok('POST', '/api/changes/search', { limit: 50 })).find(
        (each: { change_id: string }) => each.change_id === id,
      )
    const undone = await undo({ change_ids: [change_id] })
    expect(await told(change_id)).toMatchObject({ undoes: [], undone_by: undone.change_id })
    expect(await told(undone.change_id)).toMatchObject({ undoes: [change_id], undone_by: null })
    const again = await undo({ change_ids: [undone.change_id] })
    expect(await told(undone.change_id)).toMatchObject({ undone_by: again.change_id })
    expect(await told(change_id)).toMatchObject({ undone_by: null })
  })

  it('is within reach of a tool, whose second block names the change', async () => {
    const tool = async (name: string, args: object) => {
      const params = { name, arguments: args }
      const { result } = await client.ok('POST', '/api/mcp/message', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params,
      })
      return result.content.map(({ text }: { text: string }) => JSON.parse(text))
    }
    const [{ item_id }, notes] = await tool('add_item', { name: 'By an agent' })
    const [[newest]] = await tool('list_changes', { limit: 1 })
    expect(newest).toMatchObject({ change_id: notes.change_id, operation: 'createItem', source: 'mcp' })
    const [undone, more] = await tool('undo_changes', { change_ids: [notes.change_id] })
    expect(undone).toMatchObject({ affected_item_ids: [item_id], conflicts: [] })
    expect(more.change_id).toBe(undone.change_id)
    expect((await client.get(`/api/items/${item_id}`)).status).toBe(404)
  })
})
