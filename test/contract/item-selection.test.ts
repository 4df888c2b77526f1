import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let ids: Record<string, string>

const make = async (name: string, tag: string, field_values: object) =>
  (await client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: tag }, field_values }] }))
    .item_id as string

const found = (body: object) => client.ok('POST', '/api/items/search', body)
const tool = async (name: string, args: object) => {
  const { result } = await client.ok('POST', '/api/mcp/message', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  return result.content.map(({ text }: { text: string }) => JSON.parse(text))
}

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'Team', fields: { city: 'String', lead: 'Reference' } })
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      effort: 'Number',
      team: 'Reference',
      watchers: 'MultiReference',
      status: { type: 'Select', variants: ['open', 'done'] },
    },
  })
  const ann = (await client.ok('POST', '/api/items', { name: 'Ann' })).item_id
  const blue = await make('Blue', 'Team', { city: 'Graz', lead: ann })
  const red = await make('Red', 'Team', { city: 'Wien' })
  const gone = await make('Gone', 'Team', { city: 'Linz' })
  ids = {
    ann,
    blue,
    red,
    gone,
    one: await make('One', 'Task', {
      effort: 3,
      team: blue,
      watchers: [red, gone, blue],
      status: { variant: 'open' },
    }),
    two: await make('Two', 'Task', { team: gone, watchers: [] }),
  }
  await client.ok('DELETE', `/api/items/${gone}`)
})
afterAll(() => service.close())

describe('fields', () => {
  it('are properties and values at paths, flat, null where there is nothing', async () => {
    const fields = [
      'name',
      'Task.effort',
      'Task.status',
      'Task.team->name',
      'Task.team->Team.lead->name',
      'Team.city',
    ]
    expect(await found({ filter: { has_tag: 'Task' }, fields })).toEqual([
      {
        name: 'One',
        'Task.effort': 3,
        'Task.status': { variant: 'open' },
        'Task.team->name': 'Blue',
        'Task.team->Team.lead->name': 'Ann',
        'Team.city': null,
      },
      {
        name: 'Two',
        'Task.effort': null,
        'Task.status': null,
        'Task.team->name': null,
        'Task.team->Team.lead->name': null,
        'Team.city': null,
      },
    ])
  })

  it('are arrays over a MultiReference, in its order, without what is deleted', async () => {
    const fields = ['Task.watchers->Team.city', 'Task.watchers->Team.lead', 'Task.watchers']
    expect(await found({ filter: { has_tag: 'Task' }, fields })).toEqual([
      {
        'Task.watchers->Team.city': ['Wien', 'Graz'],
        'Task.watchers->Team.lead': [null, ids.ann],
        'Task.watchers': [ids.red, ids.gone, ids.blue],
      },
      { 'Task.watchers->Team.city': [], 'Task.watchers->Team.lead': [], 'Task.watchers': [] },
    ])
  })

  it('are the same for tools, lists by query and streamed lists', async () => {
    const fields = ['item_id', 'Task.effort']
    const wanted = await found({ fields })
    expect(wanted).toHaveLength(5)
    expect((await tool('get_items', { fields, sort: [{ by: 'created_at' }] }))[0]).toEqual(wanted)
    expect(await client.ok('GET', '/api/items?fields=item_id&fields=Task.effort')).toEqual(wanted)
    expect(await client.ok('GET', '/api/items?fields=name,item_id&limit=1')).toEqual([
      { name: 'Ann', item_id: ids.ann },
    ])
    for (const list of ['item_id,Task.effort', 'Task.effort,item_id'])
      expect(await client.ok('GET', `/api/items?fields=${list}`)).toEqual(wanted)
    expect(await found({ fields: ['item_id', ...Array(99).fill('Task.effort')] })).toEqual(wanted)
    const long = await client.get(`/api/items?fields=item_id${',Task.effort'.repeat(100)}`)
    expect(long.body.message).toBe('fields: must have at most 100 elements')
    expect((await client.get('/api/items?fields=name,Task.efort')).body.details.errors[0].path).toBe(
      'fields[1]',
    )
  })

  it('are properties of all other lists over REST too', async () => {
    expect(await client.ok('GET', '/api/tags?fields=name')).toEqual([{ name: 'Team' }, { name: 'Task' }])
    const both = await client.ok('GET', '/api/tags?fields=name&fields=tag_id')
    expect(await client.ok('GET', '/api/tags?fields=name,tag_id')).toEqual(both)
    expect((await client.get('/api/tags?fields=name,nme')).body.details.errors[0].path).toBe('fields[1]')
    expect(await client.ok('POST', '/api/tags/search', { fields: ['name'], limit: 1 })).toEqual([
      { name: 'Team' },
    ])
    const events = await client.ok('POST', '/api/audit-log/search', { fields: ['event_type'], limit: 1 })
    expect(events).toEqual([{ event_type: 'item_deleted' }])
    expect((await client.post('/api/tags/search', { fields: ['nam'] })).status).toBe(400)
  })

  const faults: [string[], string][] = [
    [['nam'], "fields[0]: an item has no property 'nam'; did you mean 'name'?"],
    [['name', 'Task.efort'], "fields[1]: Tag 'Task' has no field 'efort'; did you mean 'Task.effort'?"],
    [['Task.effort->name'], "fields[0]: '->' must follow a Reference field, and 'Task.effort' is a Number"],
  ]
  for (const [fields, message] of faults)
    it(`refuse ${JSON.stringify(fields)}`, async () => {
      const { status, body } = await client.post('/api/items/search', { fields })
      expect([status, body.message]).toEqual([400, message])
    })

  it('are paths of tags with commas in their names', async () => {
    const fields = ['name', 'Who, what.n']
    await client.ok('POST', '/api/tags', { name: 'Who, what', fields: { n: 'Number' } })
    await make('Comma', 'Who, what', { n: 1 })
    const filter = { has_tag: 'Who, what' }
    expect(await found({ filter, fields })).toEqual([{ name: 'Comma', 'Who, what.n': 1 }])
    const query = `search=Comma&fields=${encodeURIComponent('Who, what.n')}`
    expect(await client.ok('GET', `/api/items?${query}`)).toEqual([{ 'Who, what.n': 1 }])
  })
})

describe('expand', () => {
  it('names all that an item refers to, deleted and purged items too', async () => {
    const references = {
      [ids.blue!]: { name: 'Blue', deleted: false },
      [ids.red!]: { name: 'Red', deleted: false },
      [ids.gone!]: { name: 'Gone', deleted: true },
    }
    const [one, two] = await found({ filter: { has_tag: 'Task' }, expand: true })
    expect(one.references).toEqual(references)
    expect(two.references).toEqual({ [ids.gone!]: { name: 'Gone', deleted: true } })
    expect((await client.ok('GET', `/api/items/${ids.one}?expand=true`)).references).toEqual(references)
    expect((await client.ok('GET', `/api/items/${ids.ann}?expand=true`)).references).toEqual({})
    expect(await client.ok('GET', `/api/items/${ids.one}`)).not.toHaveProperty('references')
    expect((await found({ filter: { name: 'Ann' }, expand: true }))[0].references).toEqual({})
    expect(await found({ filter: { name: 'Two' }, expand: true, fields: ['references'] })).toEqual([
      { references: two.references },
    ])
  })
})

describe('view_id', () => {
  it('narrows a search by the filter of a view', async () => {
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'Tasks',
      view_type: 'list',
      filter: { has_tag: 'Task' },
    })
    expect(await found({ view_id, fields: ['name'] })).toEqual([{ name: 'One' }, { name: 'Two' }])
    expect(await found({ view_id, filter: { 'Task.effort': 3 }, fields: ['name'] })).toEqual([
      { name: 'One' },
    ])
    const stranger = await service.user()
    expect((await stranger.post('/api/items/search', { view_id })).status).toBe(404)
  })
})

describe('a page for a model', () => {
  it('ends before its text grows past 60,000 characters, and says how to go on', async () => {
    await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 9 }, (_, i) => ({ name: `Long ${i}`, description: 'x'.repeat(20_000) })),
    })
    const filter = { name: { starts_with: 'Long' } }
    const names: string[] = []
    let after: string | undefined
    do {
      const [items, beside] = await tool('get_items', {
        filter,
        sort: [{ by: 'name' }],
        ...(after && { after }),
      })
      expect(JSON.stringify(items).length).toBeLessThanOrEqual(60_000)
      names.push(...items.map(({ name }: { name: string }) => name))
      after = beside?.next?.after
    } while (after)
    expect(names).toEqual(Array.from({ length: 9 }, (_, i) => `Long ${i}`))
    await client.ok('POST', '/api/items', { name: 'Very long', description: 'x'.repeat(100_000) })
    const [items] = await tool('get_items', { filter: { name: 'Very long' } })
    expect(items).toHaveLength(1)
  })
})
