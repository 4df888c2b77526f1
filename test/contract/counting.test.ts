import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { type Service, startService } from '#test/support/service.ts'

// Where what is counted meets the newer types, the limits, and the tools (additions §7, §8, §12).
let service: Service
let client: Client
let task_id: string
let ids: Record<string, string>

const make = async (name: string, field_values?: object): Promise<string> =>
  (
    await client.ok('POST', '/api/items', {
      name,
      tags: field_values ? [{ tag_ref: { Existing: 'Task' }, field_values }] : [],
    })
  ).item_id
const aggregate = (body: object) => client.ok('POST', '/api/items/aggregate', body)
const names = async (filter: object) =>
  (await client.ok('POST', '/api/items/search', { filter })).map(({ name }: { name: string }) => name)

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ tag_id: task_id } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { people: 'MultiReference', at: 'DateTime', n: 'Number' },
  }))
  const ada = await make('Ada')
  const bob = await make('Bob')
  ids = {
    ada,
    bob,
    both: await make('both', { people: [bob, ada], at: '2026-01-31T23:30:00Z', n: 1 }),
    one: await make('one', { people: [bob], at: '2026-02-01T05:00:00+02:00', n: 3 }),
    none: await make('none', { people: [] }),
  }
})
afterAll(() => service.close())

describe('a MultiReference', () => {
  it('counts an item in each item that it names', async () => {
    const answer = await aggregate({
      filter: { has_tag: 'Task' },
      group_by: ['Task.people'],
      metrics: [{ sum: 'Task.n' }, { count_distinct: 'Task.people' }],
    })
    expect(answer).toEqual({
      groups: [
        { key: [{ item_id: ids.bob, name: 'Bob' }], count: 2, metrics: [4, 2] },
        { key: [{ item_id: ids.ada, name: 'Ada' }], count: 1, metrics: [1, 2] },
        { key: [null], count: 1, metrics: [null, 0] },
      ],
      total_items: 3,
      total_groups: 3,
      truncated: false,
    })
    const { groups } = await aggregate({ filter: { 'Task.n': 3 }, group_by: ['Task.people->name'] })
    expect(groups).toEqual([{ key: ['Bob'], count: 1, metrics: [] }])
  })

  it('has backlinks and reverse filters that count', async () => {
    const links = await client.ok('GET', `/api/items/${ids.bob}/backlinks`)
    expect(links.map(({ name, field }: { name: string; field: string }) => [name, field])).toEqual([
      ['both', 'people'],
      ['one', 'people'],
    ])
    expect(await names({ '<-Task.people': { has_tag: 'Task' } })).toEqual(['Ada', 'Bob'])
    for (const [count, found] of [
      [{ gte: 2 }, ['Bob']],
      [{ lt: 2 }, ['Ada', 'both', 'one', 'none']],
      [{ eq: 1 }, ['Ada']],
      [{ neq: 0 }, ['Ada', 'Bob']],
    ] as const)
      expect(await names({ '<-Task.people': { count } })).toEqual(found)
    expect(await names({ '<-Task.people': { filter: { 'Task.n': 3 }, count: { lte: 1 } } })).toContain('Ada')
  })
})

describe('aggregates', () => {
  it('groups moments in the time zone of the request', async () => {
    const days = async (time_zone?: string) =>
      (
        await aggregate({
          filter: { 'Task.at': { exists: true } },
          group_by: [{ by: 'Task.at', bucket: 'day' }],
          sort: [{ by: 'key' }],
          time_zone,
        })
      ).groups.map(({ key, count }: { key: string[]; count: number }) => [key[0], count])
    expect(await days()).toEqual([
      ['2026-01-31', 1],
      ['2026-02-01', 1],
    ])
    expect(await days('Europe/Vienna')).toEqual([['2026-02-01', 2]])
    const ofItem = await aggregate({ group_by: [{ by: 'updated_at', bucket: 'year' }] })
    expect(ofItem.groups).toEqual([{ key: [String(new Date().getUTCFullYear())], count: 5, metrics: [] }])
  })

  it('groups numbers by the lower bound of their width, however small or large that is', async () => {
    await client.ok('POST', '/api/tags', { name: 'Size', fields: { m: 'Number' } })
    const sizes = [1, 2.5, -3, 1e308, 0, 5e-324]
    await client.ok('POST', '/api/items/bulk', {
      items: [...sizes, null].map((m) => ({
        name: `Size ${m}`,
        tags: [{ tag_ref: { Existing: 'Size' }, field_values: { m } }],
      })),
    })
    const group = async (width: number, filter: object = { has_tag: 'Size' }) =>
      (await aggregate({ filter, group_by: [{ by: 'Size.m', width }], sort: [{ by: 'key' }] })).groups.map(
        ({ key, count }: { key: unknown[]; count: number }) => [key[0], count],
      )
    expect(await group(2)).toEqual([
      [-4, 1],
      [0, 3],
      [2, 1],
      [1e308, 1],
      [null, 1],
    ])
    expect(await group(1e308)).toEqual([
      [-1e308, 1],
      [0, 4],
      [1e308, 1],
      [null, 1],
    ])
    const own = sizes.toSorted((a, b) => a - b).map((size) => [size, 1])
    expect(await group(5e-324)).toEqual([...own, [null, 1]])
    // Of few items the statements work it out.
    expect(await group(5e-324, { 'Size.m': { gt: 1 } })).toEqual([
      [2.5, 1],
      [1e308, 1],
    ])
  })

  const refused: [body: object, path: string][] = [
    [{ group_by: Array(4).fill('Task.n') }, 'group_by'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 1001 }, 'limit'],
    [{ group_by: [{ by: 'Task.n', width: 0 }] }, 'group_by[0].width'],
    [{ group_by: [{ by: 'Task.n', width: 1, bucket: 'day' }] }, 'group_by[0].by'],
    [{ metrics: [{ sum: 'Task.n', count: true }] }, 'metrics[0]'],
  ]
  it('keeps limits', async () => {
    for (const [body, path] of refused) {
      const { status, body: answer } = await client.post('/api/items/aggregate', body)
      expect([status, answer.details.errors[0].path], JSON.stringify(body)).toEqual([400, path])
    }
  })
})

describe('tools', () => {
  it('refuses a real run of a bulk tool whose filter has warnings', async () => {
    const mcp = await connectMcp(client, 'streamable-http')
    const filter = { or: [{ 'Task.n': 'one' }, { 'Task.n': 1 }] }
    const calls: [tool: string, args: object][] = [
      ['bulk_delete_items', {}],
      ['bulk_apply_tag', { tag: { tag_ref: { Existing: 'Task' } } }],
      ['bulk_remove_tag', { tag_id: 'Task' }],
      ['bulk_update_field_values', { tag_id: 'Task', field_values: { n: 2 }, merge: true }],
    ]
    for (const [tool, args] of calls) {
      const { error } = await callTool(mcp, tool, { filter, ...args })
      expect(error, tool).toMatch(/Task\.n is a Number and never equals or compares with "one"/)
      const { value } = await callTool(mcp, tool, { filter, ...args, dry_run: true })
      expect(value, tool).toMatchObject({ warnings: [expect.any(String)] })
    }
    expect(await names({ 'Task.n': 1 })).toEqual(['both'])
    await mcp.close()
  })

  it('takes the name of a tag for its id, and an id first', async () => {
    const body = { filter: { name: 'one' }, field_values: { n: 4 }, merge: true, dry_run: true }
    const update = (tag_id: string) => client.post('/api/items/bulk-update-fields', { ...body, tag_id })
    expect((await update('Task')).body).toEqual((await update(task_id)).body)
    // A tag whose name is the id of another is not meant by that.
    await client.ok('POST', '/api/tags', { name: task_id, fields: {} })
    expect((await update(task_id)).body).toMatchObject({ changed_count: 1 })
  })

  it('tells agents what not, neq, a missing value and contains do', async () => {
    const { result } = await client.ok('POST', '/api/mcp/message', {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    })
    for (const word of [/\bnot inverts exactly/, /\bneq\b/, /No value:/, /contains minds case/, /search/])
      expect(result.instructions).toMatch(word)
  })
})
