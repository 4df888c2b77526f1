import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type LiveMessage, openLive } from '#test/support/live-stream.ts'
import { TokenClient } from '#test/support/token-client.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let now = Date.now()

beforeAll(async () => {
  service = await startService({ clock: () => Math.floor(now + performance.now() - began) })
  client = await service.user()
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { status: { type: 'Select', variants: ['open', 'done'] }, project: 'Reference', due: 'DateTime' },
  })
  await client.ok('POST', '/api/tags', { name: 'Project', fields: { active: 'Boolean' } })
})
const began = performance.now()
afterAll(() => service.close())

const OPEN = { 'Task.status': 'open' }

const listen = (given: object | string, headers: Record<string, string> = {}, by = client) =>
  openLive(by, given, headers)

const task = (name: string, field_values: object): Promise<{ item_id: string }> =>
  client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Task' }, field_values }] })
const set = async (item_id: string, tag: string, field_values: object): Promise<void> => {
  const tags = await client.ok('GET', '/api/tags')
  const { tag_id } = tags.find((each: { name: string }) => each.name === tag)
  await client.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values, merge: true })
}
const searched = async (filter: object): Promise<string> =>
  (await client.post('/api/items/search', { filter, limit: 1 })).headers.get('x-event-id')!
const brief = ({ kind, item, item_id }: LiveMessage): [string, string] => [kind, item?.name ?? item_id]

describe('POST /api/items/search/stream', () => {
  it('tells what enters, changes and leaves, with the event that did it', async () => {
    const stream = await listen({ filter: OPEN })
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const { item_id } = await task('One', { status: { variant: 'open' } })
    const entered = await stream.next()
    expect(entered).toMatchObject({ kind: 'enter', item: { item_id, name: 'One' } })
    expect(entered.id).toBe(entered.event_id)
    const [listed] = await client.ok('POST', '/api/items/search', { filter: { id: item_id } })
    expect(entered.item).toEqual(listed)
    await task('Beside', { status: { variant: 'done' } })
    const { headers } = await client.put(`/api/items/${item_id}`, { name: 'Two' })
    expect(await stream.next()).toMatchObject({
      kind: 'change',
      item: { name: 'Two' },
      change_id: headers.get('x-change-id'),
    })
    await set(item_id, 'Task', { status: { variant: 'done' } })
    expect(await stream.next()).toEqual({
      kind: 'leave',
      item_id,
      id: expect.any(String),
      event_id: expect.any(String),
      change_id: expect.any(String),
    })
    await set(item_id, 'Task', { status: { variant: 'open' } })
    expect(brief(await stream.next())).toEqual(['enter', 'Two'])
    const changed = await client.delete(`/api/items/${item_id}`)
    expect(brief(await stream.next())).toEqual(['leave', item_id])
    await client.ok('POST', '/api/changes/undo', { change_ids: [changed.headers.get('x-change-id')] })
    expect(brief(await stream.next())).toEqual(['enter', 'Two'])
    stream.leave()
  })

  it('gives chosen fields alone, and names what can never match', async () => {
    const filter = { or: [OPEN, { 'Task.nothing': 1 }] }
    const stream = await listen({ filter, fields: ['name', 'Task.status'] })
    expect(stream.response.headers.get('x-filter-warnings')).toContain('nothing')
    await task('Chosen', { status: { variant: 'open' } })
    const { item } = await stream.next()
    expect(item).toEqual({ name: 'Chosen', 'Task.status': { variant: 'open' } })
    stream.leave()
  })

  it('follows references, forth and back', async () => {
    const project: { item_id: string } = await client.ok('POST', '/api/items', {
      name: 'P',
      tags: [{ tag_ref: { Existing: 'Project' }, field_values: { active: false } }],
    })
    const { item_id } = await task('Of P', { project: project.item_id, status: { variant: 'done' } })
    const forth = await listen({ filter: { 'Task.project->Project.active': true } })
    const back = await listen({ filter: { '<-Task.project': OPEN } })
    await set(project.item_id, 'Project', { active: true })
    expect(await forth.next()).toMatchObject({ kind: 'enter', item: { item_id } })
    await set(item_id, 'Task', { status: { variant: 'open' } })
    expect(await back.next()).toMatchObject({ kind: 'enter', item: { name: 'P' } })
    expect(brief(await forth.next())).toEqual(['change', 'Of P'])
    await client.ok('DELETE', `/api/items/${project.item_id}`)
    expect(brief(await forth.next())).toEqual(['leave', item_id])
    expect(brief(await back.next())).toEqual(['leave', project.item_id])
    forth.leave()
    back.leave()
  })

  it('goes on from a search, or from the last id, with the net effect', async () => {
    const after = await searched(OPEN)
    const stays = await task('Stays', { status: { variant: 'open' } })
    const goes = await task('Goes', { status: { variant: 'open' } })
    await set(goes.item_id, 'Task', { status: { variant: 'done' } })
    await client.ok('PUT', `/api/items/${stays.item_id}`, { name: 'Stays here' })
    const first = await listen({ filter: OPEN, after })
    const [entered] = await first.take(1)
    expect(brief(entered)).toEqual(['enter', 'Stays here'])
    first.leave()
    await client.ok('PUT', `/api/items/${stays.item_id}`, { description: 'x' })
    const again = await listen({ filter: OPEN, after }, { 'last-event-id': entered.id })
    expect(brief(await again.next())).toEqual(['change', 'Stays here'])
    again.leave()
  })

  it('tells what the time does, with ids of moments that one goes on from', async () => {
    const due = new Date(Math.floor(now + performance.now() - began) + 60_000).toISOString()
    const filter = { 'Task.due': { lte: { now: 'PT0S' } } }
    const stream = await listen({ filter })
    const { item_id } = await task('Due', { due })
    now += 70_000
    const entered = await stream.next()
    expect(entered).toMatchObject({ kind: 'enter', item: { item_id }, event_id: null, change_id: null })
    stream.leave()
    await client.ok('DELETE', `/api/items/${item_id}`)
    const again = await listen({ filter }, { 'last-event-id': entered.id })
    expect(brief(await again.next())).toEqual(['leave', item_id])
    again.leave()
    const seen = await searched(filter)
    expect(seen.slice(0, 26)).toBe((await client.ok('GET', '/api/audit-log/head')).event_id)
  })

  it('is true of nothing for a tag that is deleted, until it is restored', async () => {
    const tag = await client.ok('POST', '/api/tags', { name: 'Gone', fields: { n: 'Number' } })
    const stream = await listen({ filter: { or: [{ has_tag: 'Gone' }, { name: 'Kept' }] } })
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'G',
      tags: [{ tag_ref: { Existing: 'Gone' }, field_values: { n: 1 } }],
    })
    expect(brief(await stream.next())).toEqual(['enter', 'G'])
    const deleted = await client.delete(`/api/tags/${tag.tag_id}`)
    const left = await stream.next()
    expect(brief(left)).toEqual(['leave', item_id])
    const again = await listen({ filter: { has_tag: 'Gone' } }, { 'last-event-id': left.id })
    await client.ok('POST', '/api/items', { name: 'Kept' })
    expect(brief(await stream.next())).toEqual(['enter', 'Kept'])
    await client.ok('POST', '/api/changes/undo', { change_ids: [deleted.headers.get('x-change-id')] })
    expect(brief(await stream.next())).toEqual(['enter', 'G'])
    expect(brief(await again.next())).toEqual(['enter', 'G'])
    stream.leave()
    again.leave()
  })

  it('follows a change of a schema, and new names', async () => {
    const tag = await client.ok('POST', '/api/tags', { name: 'Shape', fields: { a: 'String' } })
    await client.ok('POST', '/api/items', {
      name: 'S',
      tags: [{ tag_ref: { Existing: 'Shape' }, field_values: { a: 'x' } }],
    })
    const stream = await listen({ filter: { 'Shape.a': { outdated: true } } })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { a: 'Number' } })
    expect(brief(await stream.next())).toEqual(['enter', 'S'])
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { rename_fields: { a: 'b' } })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { b: 'String' } })
    expect(brief(await stream.next())[0]).toBe('leave')
    stream.leave()
  })

  it('says how many where too much has changed', async () => {
    const after = await searched({ name: 'Many' })
    const items = Array.from({ length: 5001 }, () => ({ name: 'Many' }))
    for (let i = 0; i < 2; i++) await client.ok('POST', '/api/items/bulk', { items })
    const stream = await listen({ filter: { name: 'Many' }, after })
    const reset = await stream.next()
    expect(reset).toEqual({ kind: 'reset', count: 10_002, id: expect.any(String) })
    await client.ok('POST', '/api/items', { name: 'Many' })
    expect((await stream.next()).kind).toBe('enter')
    stream.leave()
  }, 30_000)

  for (const [body, fault] of [
    [{}, 'filter'],
    [{ filter: { 'Nobody.x': 1 } }, "Tag 'Nobody' not found"],
    [{ filter: OPEN, fields: ['nam'] }, "did you mean 'name'"],
    [{ filter: OPEN, time_zone: 'Nowhere' }, 'no time zone'],
    [{ filter: OPEN, after: 'yesterday' }, 'after: expected the id of an event or a moment'],
    [{ filter: OPEN, since: 1 }, 'since'],
  ] as const)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await client.post('/api/items/search/stream', body)
      expect({ status: answer.status, body: JSON.stringify(answer.body) }).toEqual({
        status: 400,
        body: expect.stringContaining(fault),
      })
    })
})

describe('GET /api/views/{view_id}/stream', () => {
  it('tells what differs where its filter changes, and ends with the view', async () => {
    const { item_id } = await task('In view', { status: { variant: 'open' } })
    const view = { name: 'V', icon: '📋', filter: { and: [OPEN, { name: 'In view' }] } }
    const { view_id } = await client.ok('POST', '/api/views', { ...view, shared: true })
    const eva = await service.user('eva@example.org')
    const stream = await listen(`/api/views/${view_id}/stream?fields=name`)
    const hers = await listen(`/api/views/${view_id}/stream`, {}, eva)
    await client.ok('PUT', `/api/views/${view_id}`, { ...view, filter: { name: 'Nothing' } })
    expect(await stream.next()).toMatchObject({ kind: 'leave', item_id, event_id: null, change_id: null })
    await client.ok('PUT', `/api/views/${view_id}`, { ...view, shared: false })
    expect(await stream.next()).toMatchObject({ kind: 'enter', item: { name: 'In view' }, event_id: null })
    expect((await hers.take(2))[1]).toEqual({ kind: 'end', view_id, reason: 'not_shared' })
    expect(await hers.next()).toBeUndefined()
    await client.ok('DELETE', `/api/views/${view_id}`)
    expect(await stream.next()).toEqual({ kind: 'end', view_id, reason: 'deleted' })
    expect(await stream.next()).toBeUndefined()
    expect((await client.get(`/api/views/${view_id}/stream`)).status).toBe(404)
  })

  it('ends with sharing within a second', async () => {
    const eva = await service.user()
    const view = { name: 'V', icon: '📋', filter: { name: 'Nothing' }, shared: true }
    const endsWithin = async () => {
      const { view_id } = await client.ok('POST', '/api/views', view)
      const hers = await listen(`/api/views/${view_id}/stream`, {}, eva)
      await delay(50)
      const asked = performance.now()
      await client.ok('PUT', `/api/views/${view_id}`, { ...view, shared: false })
      expect(await hers.next()).toEqual({ kind: 'end', view_id, reason: 'not_shared' })
      return performance.now() - asked
    }
    let fastest = Infinity
    for (let i = 0; i < 5 && fastest > 1500; i++) fastest = Math.min(fastest, await endsWithin())
    expect(fastest).toBeLessThan(1500)
  })

  it('tells what another filter of a view changed while nobody listened, once', async () => {
    const [a, b] = [await task('Left A', {}), await task('Left B', {})]
    const view = { name: 'Away', icon: '📋', filter: { name: 'Left A' } }
    const { view_id } = await client.ok('POST', '/api/views', view)
    const path = `/api/views/${view_id}/stream`
    const put = (filter: object) => client.ok('PUT', `/api/views/${view_id}`, { ...view, filter })
    const first = await listen(path)
    await client.ok('PUT', `/api/items/${a.item_id}`, { description: 'Changed' })
    const { id } = await first.next()
    first.leave()

    // With no event after it, and with one.
    await put({ name: 'Left B' })
    const back = { 'last-event-id': id }
    for (const more of [false, true]) {
      if (more) await client.ok('PUT', `/api/items/${b.item_id}`, { description: 'Changed' })
      const again = await listen(path, back)
      const told = await again.take(2)
      again.leave()
      expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['enter', 'leave']))
      expect(told.find(({ kind }) => kind === 'leave')).toMatchObject({ item_id: a.item_id })
      expect(told.find(({ kind }) => kind === 'enter').item.item_id).toBe(b.item_id)
      // Told, and not once more by who goes on from there.
      const after = { 'last-event-id': told[1].id }
      const later = await listen(path, after)
      await client.ok('PUT', `/api/items/${b.item_id}`, { description: `More ${more}` })
      expect(await later.next()).toMatchObject({ kind: 'change', item: { item_id: b.item_id } })
      later.leave()
    }

    // A search knows which filter it went by, also where nothing has happened since.
    await put({ name: 'Left A' })
    const search = await client.post('/api/items/search', { view_id, limit: 1 })
    const searched = await listen(`${path}?after=${search.headers.get('x-event-id')}`)
    await client.ok('PUT', `/api/items/${a.item_id}`, { description: 'And now' })
    expect(await searched.next()).toMatchObject({ kind: 'change', item: { item_id: a.item_id } })
    searched.leave()
    await put({ name: 'Left B' })
    await put({ name: 'Left A' })
    const same = await listen(path, { 'last-event-id': search.headers.get('x-event-id')! })
    expect(await same.next()).toMatchObject({ kind: 'change', item: { item_id: a.item_id } })
    same.leave()
  })

  it('counts to the hundred streams of a user', async () => {
    const dan = await service.user('dan@example.org')
    const streams = await Promise.all(Array.from({ length: 100 }, () => listen({ filter: OPEN }, {}, dan)))
    expect((await dan.get('/api/changes/stream')).status).toBe(429)
    expect((await dan.post('/api/items/search/stream', { filter: OPEN })).status).toBe(429)
    for (const each of streams) each.leave()
  })
})

describe('a key that sees a part', () => {
  const keyWith = async (limit: object) => {
    const made = await client.ok('POST', '/api/keys', { name: 'part', scope: 'write', limit })
    return new TokenClient(service.url, made.key)
  }

  it('follows what it sees, and hears nothing of the rest', async () => {
    const { tag_id } = (await client.ok('GET', '/api/tags')).find((each: LiveMessage) => each.name === 'Task')
    const key = await keyWith({ tag_ids: [tag_id], filter: OPEN })
    const stream = await listen({ filter: { name: { starts_with: 'Seen' } } }, {}, key)
    const project = await client.ok('POST', '/api/items', {
      name: 'Seen project',
      tags: [{ tag_ref: { Existing: 'Project' }, field_values: { active: true } }],
    })
    const { item_id } = await task('Seen', { status: { variant: 'open' }, project: project.item_id })
    const entered = await stream.next()
    expect(entered).toMatchObject({ kind: 'enter', item: { item_id, name: 'Seen' } })
    expect(entered.item.tags[tag_id].field_values.project).toBe(project.item_id)
    expect(JSON.stringify(entered)).not.toContain('Seen project')
    // A tag that it does not know comes and goes; then the item leaves its sight.
    await client.ok('POST', `/api/items/${item_id}/tags`, {
      tag: { tag_ref: { Existing: 'Project' }, field_values: {} },
    })
    await set(item_id, 'Project', { active: false })
    await set(item_id, 'Task', { status: { variant: 'done' } })
    expect(await stream.next()).toMatchObject({ kind: 'leave', item_id })
    await set(item_id, 'Task', { status: { variant: 'open' } })
    const back = await stream.next()
    expect(Object.keys(back.item.tags)).toEqual([tag_id])
    stream.leave()
    const again = await listen({ filter: { name: { starts_with: 'Seen' } }, after: entered.id }, {}, key)
    expect(brief(await again.next())).toEqual(['change', 'Seen'])
    again.leave()
  })

  it('gets ids that say nothing, and goes on from them', async () => {
    const key = await keyWith({ filter: OPEN })
    const search = async () =>
      (await key.post('/api/items/search', { filter: OPEN, limit: 1 })).headers.get('x-event-id')!
    const [one, two] = [await search(), await search()]
    expect(one).not.toBe(two)
    expect(one).not.toContain((await searched(OPEN)).slice(0, 10))
    await task('Going on', { status: { variant: 'open' } })
    const stream = await listen({ filter: OPEN, after: one }, {}, key)
    expect(brief(await stream.next())).toEqual(['enter', 'Going on'])
    stream.leave()
    const other = await keyWith({ filter: OPEN })
    await expect(listen({ filter: OPEN, after: one }, {}, other)).rejects.toThrow('400')
  })

  it('goes on from an event that it does not see as from one that never was', async () => {
    const tag = (await client.ok('POST', '/api/tags', { name: 'Ledge', fields: {} })).tag_id
    const key = await keyWith({ tag_ids: [tag] })
    const add = (name: string, tags: object[] = []) => client.ok('POST', '/api/items', { name, tags })
    await add('Hidden before')
    const { event_id } = await client.ok('GET', '/api/audit-log/head')
    const none = `${event_id.slice(0, 20)}000000`
    await add('On the ledge', [{ tag_ref: { Existing: tag }, field_values: {} }])
    await add('Hidden after')
    for (const after of [event_id, none]) {
      const stream = await listen({ filter: { has_tag: 'Ledge' }, after }, {}, key)
      expect(brief(await stream.next())).toEqual(['enter', 'On the ledge'])
      stream.leave()
    }
    const { event_id: last } = await client.ok('GET', '/api/audit-log/head')
    for (const after of [last, `7${last.slice(1)}`]) {
      const stream = await listen({ filter: { has_tag: 'Ledge' }, after }, {}, key)
      await expect(Promise.race([stream.next(), delay(300).then(() => 'nothing')])).resolves.toBe('nothing')
      stream.leave()
    }
  })

  it('may neither follow a view nor ask what changed when', async () => {
    const key = await keyWith({ filter: OPEN })
    const filter = { changed_between: ['2026-01-01', '2027-01-01'] }
    await expect(listen({ filter }, {}, key)).rejects.toThrow('403')
    await expect(listen({ filter: { not: filter } }, {}, key)).rejects.toThrow('403')
    const view_id = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    await expect(listen(`/api/views/${view_id}/stream`, {}, key)).rejects.toThrow('403')
  })

  it('is asked to search again where what it may see changes with its tag', async () => {
    const made = await client.ok('POST', '/api/tags', { name: 'Shelf', fields: { n: 'Number' } })
    const key = await keyWith({ tag_ids: [made.tag_id] })
    const stream = await listen({ filter: { has_tag: 'Shelf' } }, {}, key)
    await client.ok('POST', '/api/tags', { name: 'Elsewhere', fields: { n: 'Number' } })
    const add = (name: string) =>
      client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Shelf' }, field_values: {} }] })
    await add('On the shelf')
    expect(brief(await stream.next())).toEqual(['enter', 'On the shelf'])
    await client.ok('DELETE', `/api/tags/${made.tag_id}`)
    expect(await stream.next()).toMatchObject({ kind: 'reset', count: 0 })
    await client.ok('POST', `/api/tags/${made.tag_id}/restore`, {})
    expect(await stream.next()).toMatchObject({ kind: 'reset', count: 0 })
    await add('Again on it')
    expect(brief(await stream.next())).toEqual(['enter', 'Again on it'])
    stream.leave()
  })
})
