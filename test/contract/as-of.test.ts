import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { openLive } from '#test/support/live-stream.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

// The base as it was (further §20). Histories of all kinds: test/as-of.test.ts.
let service: Service
let client: Client
const ids: Record<string, string> = {}
const tags: Record<string, string> = {}
/** When there was an item, and no tag yet. */
let untagged: string
/** Between the beginning and the changes. */
let then: string
let view_id: string

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
/** A moment that has events before and after it alone. */
async function moment(): Promise<string> {
  await wait(5)
  const now = new Date().toISOString()
  await wait(5)
  return now
}
const task = (values: object) => ({ tag_ref: { Existing: 'Task' }, field_values: values })

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'First', fields: {} })
  untagged = await moment()
  const fields = { status: { type: 'Select', variants: ['open', 'done'] }, hours: 'Number', of: 'Reference' }
  tags.Task = (await client.ok('POST', '/api/tags', { name: 'Task', fields })).tag_id
  tags.Home = (await client.ok('POST', '/api/tags', { name: 'Home', fields: {} })).tag_id
  const add = async (name: string, ...given: object[]) => {
    ids[name] = (
      await client.ok('POST', '/api/items', { name, description: `<p>of ${name}</p>`, tags: given })
    ).item_id
  }
  await add('House', { tag_ref: { Existing: 'Home' } })
  await add('Roof', task({ status: { variant: 'open' }, hours: 3, of: ids.House }))
  await add('Door', task({ status: { variant: 'open' }, hours: 5, of: ids.House }))
  await add('Wall', task({ status: { variant: 'done' }, hours: 8 }))
  await add('Lamp')
  view_id = (await client.ok('POST', '/api/views', { name: 'Open', filter: { 'Task.status': 'open' } }))
    .view_id
  then = await moment()

  await client.ok('PUT', `/api/items/${ids.House}`, { name: 'Castle' })
  const done = { field_values: { status: { variant: 'done' } }, merge: true }
  await client.ok('PUT', `/api/items/${ids.Roof}/tags/${tags.Task}`, done)
  await client.ok('DELETE', `/api/items/${ids.Wall}`)
  await client.ok('DELETE', `/api/items/${ids.Lamp}`)
  await client.ok('POST', '/api/items/purge', { item_ids: [ids.Lamp] })
  await client.ok('PUT', `/api/tags/${tags.Task}`, {
    name: 'Job',
    rename_fields: { status: 'state' },
    rename_variants: { state: { open: 'waiting' } },
    fields: {
      state: { type: 'Select', variants: ['waiting', 'done'] },
      hours: 'Number',
      of: 'Reference',
      due: 'Date',
    },
  })
  await add('Gate', { tag_ref: { Existing: 'Job' }, field_values: { state: { variant: 'waiting' } } })
})
afterAll(() => service.close())

interface Found {
  name: string
  tags: Record<string, { tag_name: string; schema_version: number; field_values: object }>
}
const search = (body: object, as_of = then) => client.post('/api/items/search', { limit: 50, as_of, ...body })
const names = async (body: object, as_of?: string): Promise<string[]> => {
  const { status, body: list } = await search(body, as_of)
  expect(status, JSON.stringify(list)).toBe(200)
  return list.map(({ name }: Found) => name)
}

describe('a search as of a moment', () => {
  it('finds what it would have found, by the names and values of then', async () => {
    expect(await names({})).toEqual(['House', 'Roof', 'Door', 'Wall'])
    expect(await names({ filter: { 'Task.status': 'open' } })).toEqual(['Roof', 'Door'])
    expect(await names({ filter: { 'Task.of->name': 'House' } })).toEqual(['Roof', 'Door'])
    expect(
      await names({ filter: { '<-Task.of': { filter: { 'Task.status': 'open' }, count: { eq: 2 } } } }),
    ).toEqual(['House'])
    expect(await names({ filter: { search: 'of wall' } })).toEqual(['Wall'])
    expect(await names({ sort: [{ by: 'Task.hours', direction: 'desc' }], skip: 1, limit: 2 })).toEqual([
      'Door',
      'Roof',
    ])
    const { headers, body } = await search({ filter: { has_tag: 'Task' }, limit: 0, count: true })
    expect([headers.get('x-total-count'), body]).toEqual(['3', []])
  })

  it('finds by patterns, counted too', async () => {
    const filter = { or: [{ name: { matches: '^[HCG]' } }, { description: { matches: 'of (Door|Gate)' } }] }
    for (const [as_of, found] of [
      [then, ['House', 'Door']],
      [new Date().toISOString(), ['Castle', 'Door', 'Gate']],
    ] as const) {
      expect(await names({ filter }, as_of)).toEqual(found)
      const { headers } = await search({ filter, limit: 0, count: true }, as_of)
      expect(headers.get('x-total-count')).toBe(String(found.length))
    }
  })

  it('says from which event on a stream tells what has become of it', async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Log', fields: { n: 'Number' } })
    const add = (name: string, n: number) =>
      client.ok('POST', '/api/items', {
        name,
        tags: [{ tag_ref: { Existing: tag_id }, field_values: { n } }],
      })
    const view = await client.ok('POST', '/api/views', { name: 'Logs', filter: { 'Log.n': { gt: 5 } } })
    const [gone, stays] = [await add('Gone', 8), await add('Stays', 9)]
    const as_of = await moment()
    await client.ok('DELETE', `/api/items/${gone.item_id}`)
    const comes = await add('Comes', 3)
    const filter = { 'Log.n': { gt: 2 } }
    await client.ok('PUT', `/api/views/${view.view_id}`, { name: 'Logs', icon: '📋', filter })
    for (const given of [{ filter: { has_tag: tag_id } }, { view_id: view.view_id }]) {
      const found = await client.post('/api/items/search', { as_of, fields: ['item_id'], ...given })
      expect(found.body).toEqual([{ item_id: gone.item_id }, { item_id: stays.item_id }])
      const leaving = new AbortController()
      const stream = await openLive(
        client,
        'view_id' in given ? `/api/views/${given.view_id}/stream` : given,
        { 'last-event-id': found.headers.get('x-event-id')! },
        leaving,
      )
      const told = await stream.take(2)
      const who = told.map(({ kind, item, item_id }) => [kind, item?.item_id ?? item_id])
      expect(Object.fromEntries(who)).toEqual({ enter: comes.item_id, leave: gone.item_id })
      stream.leave()
    }
    const nothing = await search({}, '2020-01-01')
    expect(nothing.headers.get('x-event-id')).toBe('0'.repeat(26))
  })

  it('shows items with the names, versions and references of then', async () => {
    const { body } = await search({ filter: { name: 'Roof' }, expand: true })
    const [roof] = body
    expect(roof.tags[tags.Task!]).toEqual({
      tag_name: 'Task',
      schema_version: 1,
      field_values: { status: { variant: 'open' }, hours: 3, of: ids.House },
    })
    expect(roof.references).toEqual({ [ids.House!]: { name: 'House', deleted: false } })
    const single = await client.ok('GET', `/api/items/${ids.Roof}?as_of=${then}`)
    expect(roof.updated_at).toBe(single.updated_at)
    // What has no event of its own was moved by the rename all the same.
    const [door] = (await search({ filter: { name: 'Door' } })).body
    expect(door.updated_at).toBe((await client.ok('GET', `/api/items/${ids.Door}?as_of=${then}`)).updated_at)
    const fields = ['name', 'Task.status', 'Task.of->name']
    expect((await search({ filter: { 'Task.hours': 5 }, fields })).body).toEqual([
      { name: 'Door', 'Task.status': { variant: 'open' }, 'Task.of->name': 'House' },
    ])
  })

  it('knows when a rename moved an item whose tag was gone already', async () => {
    const add = { name: 'Note', fields: { text: 'String' } }
    const { tag_id } = await client.ok('POST', '/api/tags', add)
    const tag = { tag_ref: { Existing: 'Note' }, field_values: { text: 'a' } }
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Memo', tags: [tag] })
    await client.ok('PUT', `/api/tags/${tag_id}`, { rename_fields: { text: 'words' } })
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    const { updated_at } = await client.ok('GET', `/api/items/${item_id}`)
    const gone = await moment()
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Memo 2' })
    const [deleted] = (await search({ filter: { name: 'Memo' } }, gone)).body
    expect(deleted.updated_at).toBe(updated_at)
    await client.ok('POST', '/api/items/purge', { tag_ids: [tag_id] })
    const [purged] = (await search({ filter: { name: 'Memo' } }, gone)).body
    expect(purged.updated_at).toBe(updated_at)
  })

  it('goes on from page to page', async () => {
    const found: string[] = []
    for (let after: string | null = null; ;) {
      const sort = [{ by: 'name' }]
      const { headers, body } = await search({ sort, limit: 1, ...(after !== null && { after }) })
      found.push(body[0].name)
      after = headers.get('x-next-cursor')
      if (after === null) break
    }
    expect(found).toEqual(['Door', 'House', 'Roof', 'Wall'])
  })

  it('ranks by any word, of then', async () => {
    const any = (text: string) => ({ filter: { search: { text, match: 'any' } } })
    expect(await names(any('house wall'))).toEqual(expect.arrayContaining(['House', 'Wall']))
    expect(await names(any('castle'))).toEqual([])
    expect(await names({ ...any('house roof'), sort: [{ by: 'relevance' }], limit: 1 })).toHaveLength(1)
  })

  it('follows the fields of a view back, which are of today, and says what was not there', async () => {
    expect(await names({ view_id })).toEqual(['Roof', 'Door'])
    const filter = { or: [{ 'Job.due': null }, { 'Job.state': 'done' }] }
    const { view_id: later } = await client.ok('POST', '/api/views', { name: 'Later', filter })
    const { headers, body } = await search({ view_id: later, filter: { has_tag: 'Task' } })
    expect(body).toHaveLength(3)
    expect(headers.get('x-filter-warnings')).toContain("'Task.due' was not there then")
  })

  it('says how many are purged that lived then', async () => {
    const { headers } = await search({})
    expect(headers.get('x-filter-warnings')).toContain(
      '1 item lived then and has been purged since: left out',
    )
  })

  it('finds nothing before the base, and in the future what there is', async () => {
    expect(await names({}, '2001-01-01')).toEqual([])
    expect(await names({ filter: { has_tag: 'Job' } }, '2001-01-01')).toEqual([])
    expect(await names({ filter: { 'Job.state': 'waiting' } }, '9999-12-31')).toEqual(['Door', 'Gate'])
  })

  it('has relative times go from it', async () => {
    const filter = { created_at: { gt: { now: 'PT0S' } } }
    expect(await names({ filter })).toEqual([])
    const early = { changed_between: [{ now: '-PT1H' }, { now: 'PT1H' }] }
    expect(await names({ filter: early })).toEqual(['House', 'Roof', 'Door', 'Wall'])
  })

  it('names what is wrong', async () => {
    const { status, body } = await search({}, 'yesterday')
    expect([status, body.details.errors[0].path]).toEqual([400, 'as_of'])
    const job = await search({ filter: { has_tag: 'Job' } })
    expect([job.status, job.body.message]).toEqual([400, "Tag 'Job' not found"])
  })
})

describe('groups as of a moment', () => {
  it('count what was there', async () => {
    const wanted = {
      filter: { has_tag: 'Task' },
      group_by: ['Task.status'],
      metrics: [{ sum: 'Task.hours' }],
      as_of: then,
    }
    const { groups, total_items } = await client.ok('POST', '/api/items/aggregate', wanted)
    expect(total_items).toBe(3)
    expect(groups).toEqual([
      { key: ['open'], count: 2, metrics: [8] },
      { key: ['done'], count: 1, metrics: [8] },
    ])
    const by = { group_by: ['Task.of', 'Task.of->name'], as_of: then, ids: true }
    const referred = await client.ok('POST', '/api/items/aggregate', by)
    expect(referred.groups[1]).toMatchObject({ key: [null, null], count: 2 })
    expect(referred.groups[0]).toEqual({
      key: [{ item_id: ids.House, name: 'House' }, 'House'],
      count: 2,
      metrics: [],
      ids: [ids.Roof, ids.Door],
    })
  })
})

describe('through tools and exports', () => {
  it('get_items and aggregate_items take it', async () => {
    const mcp = await connectMcp(client, 'streamable-http')
    const found = await callTool(mcp, 'get_items', { filter: { 'Task.status': 'done' }, as_of: then })
    expect(JSON.stringify(found)).toContain('Wall')
    const counted = await callTool(mcp, 'aggregate_items', { filter: { has_tag: 'Task' }, as_of: then })
    expect(JSON.stringify(counted)).toContain('total_items')
    await mcp.close()
  })

  it('an export is of then', async () => {
    const { body } = await client.post('/api/items/export', {
      format: 'csv',
      filter: { has_tag: 'Task' },
      fields: ['name', 'Task.of'],
      as_of: then,
    })
    expect(String(body)).toContain('House')
  })

  it('an export of a view has the columns of then', async () => {
    const header = async (as_of: string) => {
      const { status, body } = await client.post('/api/items/export', { format: 'csv', view_id, as_of })
      return [status, String(body).split('\r\n', 1)[0]?.split('\n', 1)[0]]
    }
    expect(await header(then)).toEqual([200, 'item_id,name,description,Task.status,Task.hours,Task.of'])
    expect(await header(untagged)).toEqual([200, 'item_id,name,description'])
    expect(await header(new Date().toISOString())).toEqual([
      200,
      'item_id,name,description,Job.state,Job.hours,Job.of,Job.due',
    ])
  })
})

describe('of a change that the log has behind others of later times', () => {
  const BEGUN = Date.parse('2026-01-31T09:30:00.000Z')
  const at = (seconds: number) => new Date(BEGUN + seconds * 1000).toISOString()

  it('has what that change did by its own time, and nothing of the others', async () => {
    let seconds = 0
    const own = await startService({ clock: () => BEGUN + seconds * 1000 })
    try {
      const user = await own.user()
      const add = async (name: string, ...given: object[]): Promise<string> =>
        (await user.ok('POST', '/api/items', { name, tags: given })).item_id
      await user.ok('POST', '/api/tags', { name: 'Task', fields: { hours: 'Number' } })
      const roof = await add('Roof', task({ hours: 1 }))
      const door = await add('Door', task({ hours: 1 }))
      await add('Wall', task({ hours: 5 }))
      // What was begun at 10 is in the log behind what others did until 20.
      seconds = 20
      await add('Lamp', task({ hours: 2 }))
      await user.ok('PUT', `/api/items/${door}`, { name: 'Gate' })
      seconds = 10
      const set = { filter: { name: 'Roof' }, tag_id: 'Task', field_values: { hours: 2 } }
      await user.ok('POST', '/api/items/bulk-update-fields', set)
      const { updated_at } = await user.ok('GET', `/api/items/${roof}`)
      expect(updated_at).toBe(at(10))

      const names = async (as_of: string, filter?: object): Promise<string[]> =>
        (await user.ok('POST', '/api/items/search', { as_of, filter })).map(
          ({ name }: { name: string }) => name,
        )
      seconds = 60
      for (const moment of [at(10), at(15)]) {
        expect(await names(moment)).toEqual(['Roof', 'Door', 'Wall'])
        expect(await names(moment, { 'Task.hours': 2 })).toEqual(['Roof'])
        const counted = { as_of: moment, filter: { 'Task.hours': 1 }, limit: 0, count: true }
        const { headers } = await user.post('/api/items/search', counted)
        expect(headers.get('x-total-count')).toBe('1')
        const sorted = { as_of: moment, sort: [{ by: 'updated_at', direction: 'desc' }] }
        const [newest] = await user.ok('POST', '/api/items/search', sorted)
        const single = await user.ok('GET', `/api/items/${roof}?as_of=${moment}`)
        expect([newest.name, newest.updated_at, newest.tags]).toEqual(['Roof', at(10), single.data])
      }
      expect(await names(at(9), { 'Task.hours': 2 })).toEqual([])
      // It is found also where the base of then is kept from the search before.
      for (const [name, hours] of [
        ['Wall', 3],
        ['Roof', 4],
      ] as const) {
        expect(await names(at(15), { 'Task.hours': hours })).toEqual([])
        seconds = 10
        const more = { ...set, filter: { name }, field_values: { hours } }
        await user.ok('POST', '/api/items/bulk-update-fields', more)
        seconds = 60
        expect(await names(at(15), { 'Task.hours': hours })).toEqual([name])
      }
      expect(await names(at(20), { 'Task.hours': 2 })).toEqual(['Lamp'])
      expect(await names(at(20))).toEqual(['Roof', 'Gate', 'Wall', 'Lamp'])
    } finally {
      await own.close()
    }
  })
})
