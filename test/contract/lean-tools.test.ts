import type { Client as McpClient } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let mcp: McpClient
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  mcp = await connectMcp(client, 'streamable-http')
})
afterAll(async () => {
  await mcp.close()
  await service.close()
})
const { createItem, ...make } = fixtures(() => client)

describe('lean answers of tools (further §18)', () => {
  it('leave out hashes, doubled ids and empty metrics, and nothing that was stored', async () => {
    const tag = await make.createTag({ hash: 'String', id: 'String', item_id: 'String' })
    const values = { hash: 'mine', id: 'same', item_id: 'same' }
    const item = await createItem('One', tag.tag_id, values)
    const whole = await client.ok('GET', `/api/items/${item}`)
    const lean = await callTool(mcp, 'get_item', { item_id: item })
    const { id, ...rest } = whole
    expect(id).toBe(item)
    expect(lean.value).toMatchObject({ item_id: item, data: { [tag.tag_id]: { field_values: values } } })
    expect(lean.value).toEqual(rest)
    expect((await callTool(mcp, 'get_item', { item_id: item, proof: true })).value).toEqual(whole)

    const asked = { item_ids: [item], limit: 5 }
    const events = await client.ok('POST', '/api/audit-log/search', asked)
    expect(events[0]).toHaveProperty('details_hash')
    const told = (await callTool(mcp, 'query_audit_log', asked)).value as object[]
    const PROOF = ['hash', 'details_hash', 'details_salt']
    const withoutProof = (event: object) =>
      Object.fromEntries(Object.entries(event).filter(([name]) => !PROOF.includes(name)))
    expect(told).toEqual(events.map(withoutProof))
    expect((await callTool(mcp, 'query_audit_log', { ...asked, proof: true })).value).toEqual(events)

    const groups = await callTool(mcp, 'aggregate_items', { filter: { id: item } })
    expect(groups.value).toMatchObject({ groups: [{ key: [], count: 1 }] })
    expect((groups.value as { groups: object[] }).groups[0]).not.toHaveProperty('metrics')
    expect((await callTool(mcp, 'get_item', { item_id: item, proof: 1 })).error).toContain('proof')
    // Whoever mistypes it is told of it where it is taken.
    expect((await callTool(mcp, 'get_item', { item_id: item, prof: true })).error).toContain('proof')
    expect((await callTool(mcp, 'render_react', { code: 'x', prof: true })).error).not.toContain('proof')
  })

  it('give long texts in parts, where they are asked for, until their end', async () => {
    const description = '<p>"😀"\n</p>'.repeat(20_000)
    const tag = await make.createTag({ end: 'String' })
    const tags = [{ tag_ref: { Existing: tag.tag_id }, field_values: { end: 'last' } }]
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Long', description, tags })
    const { id: _, ...whole } = await client.ok('GET', `/api/items/${item_id}`)
    expect(await callTool(mcp, 'get_item', { item_id })).toEqual({ value: whole })
    let read = ''
    let next: object | undefined = { texts_from: 0 }
    while (next) {
      const { value, beside } = await callTool(mcp, 'get_item', { item_id, ...next })
      const part = value as typeof whole
      expect(part).toEqual({ ...whole, description: part.description })
      expect(JSON.stringify(part).length).toBeLessThanOrEqual(60_000)
      read += part.description
      expect(beside).toMatchObject({
        description: expect.stringMatching(/^characters \d+ to \d+ of 240000$/),
      })
      ;({ next } = beside as { next?: object })
    }
    expect(read).toBe(description)
    const at = (texts_from: unknown) => callTool(mcp, 'get_item', { item_id, texts_from })
    expect((await at(999_999)).beside).toEqual({ description: 'characters 240000 to 240000 of 240000' })
    expect(await at(null)).toEqual({ value: whole })
    for (const wrong of [-1, 0.5, '0']) expect((await at(wrong)).error).toContain('texts_from')
    // Of several the shortest comes first; `next` goes through all of them.
    const noted = await make.createTag({ a: 'String', b: 'String', c: 'String' })
    const values = { a: 'ä'.repeat(90_000), b: 'b'.repeat(3001), c: 'c'.repeat(3000) }
    const other = await client.ok('POST', '/api/items', {
      name: 'Notes',
      description: 'd'.repeat(50_000),
      tags: [{ tag_ref: { Existing: noted.tag_id }, field_values: values }],
    })
    const seen = []
    for (let more: object | undefined = { texts_from: 0 }; more;) {
      const { value, beside } = await callTool(mcp, 'get_item', { item_id: other.item_id, ...more })
      const { description: text, data } = value as typeof whole
      const { a, b, c } = data[noted.tag_id].field_values
      seen.push({ text: text.length, a: a.length, b: b.length, c: c.length })
      ;({ next: more } = beside as { next?: object })
    }
    expect(seen[0]).toMatchObject({ b: 3001, c: 3000, text: 50_000 })
    expect(seen.map(({ b, c }) => [b, c]).slice(1)).toEqual(seen.slice(1).map(() => [0, 3000]))
    expect(seen.reduce((sum, each) => sum + each.a, 0)).toBe(90_000)
    // What is short comes whole.
    const short = await createItem('Short', tag.tag_id, { end: 'x' })
    expect(await callTool(mcp, 'get_item', { item_id: short, texts_from: 0 })).toEqual(
      await callTool(mcp, 'get_item', { item_id: short }),
    )
  })

  it('say why a page ends early, and name the field of a variant that is written too long', async () => {
    const tag = `P ${crypto.randomUUID()}`
    const state = { type: 'Select', variants: ['open', { name: 'paused', fields: { until: 'Date' } }] }
    await client.ok('POST', '/api/tags', { name: tag, fields: { state } })
    const items = Array.from({ length: 60 }, (_, i) => ({
      name: `${tag} ${i}`,
      description: 'x'.repeat(3000),
    }))
    await client.ok('POST', '/api/items/bulk', { items })
    const filter = { name: { starts_with: tag } }
    const early = await callTool(mcp, 'get_items', { filter, limit: 50 })
    const { length } = early.value as object[]
    expect(length).toBeLessThan(50)
    expect(early.beside).toMatchObject({ ended: `after ${length} of at most 50, a page holds no more` })
    const full = await callTool(mcp, 'get_items', { filter, limit: 50, fields: ['name'] })
    expect(full.beside).toEqual({ next: { after: expect.any(String) } })
    for (const long of [`${tag}.paused.until`, `${tag}.state.paused.until`]) {
      const { body } = await client.post('/api/items/search', { filter: { [long]: '2026-01-01' } })
      expect(body).toMatchObject({
        error: 'BadRequest',
        message: `Invalid dot-notation: '${long}'`,
        suggestion: `Did you mean '${tag}.until'?`,
      })
    }
  })

  it('of bulk changes hold as many examples as are asked for', async () => {
    const { tag_id } = await make.createTag({ n: 'Number' })
    for (let n = 0; n < 3; n++) await createItem(`Item ${n}`, tag_id, { n })
    const body = { filter: { has_tag: tag_id }, dry_run: true }
    for (const [sample, length] of [
      [undefined, 3],
      [2, 2],
      [0, 0],
    ] as const) {
      const answer = await client.ok('POST', '/api/items/bulk-delete', { ...body, sample })
      expect(answer.sample, String(sample)).toHaveLength(length)
      expect(answer.changed_count).toBe(3)
    }
    expect((await client.post('/api/items/bulk-delete', { ...body, sample: 21 })).status).toBe(400)
  })
})

describe('the tools of a connection', () => {
  const list = async (query: string) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const response = await client.fetch(`/api/mcp${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    })
    return { status: response.status, text: await response.text() }
  }
  const namesOf = (text: string) =>
    [...text.matchAll(/"name":"(\w+)","description"/g)].map(([, name]) => name)

  it('are those of its set', async () => {
    const all = namesOf((await list('')).text)
    expect(namesOf((await list('?tools=all')).text)).toEqual(all)
    const read = namesOf((await list('?tools=read')).text)
    expect(read).toContain('get_items')
    expect(read).not.toContain('add_item')
    const core = namesOf((await list('?tools=core')).text)
    expect(core).toEqual(expect.arrayContaining(['get_items', 'add_item', 'batch', 'undo_changes']))
    expect(core.length).toBeLessThan(all.length)
    const wrong = await list('?tools=some')
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('read, core, all')
  })

  it('are listed in few tokens', async () => {
    const tokens = async (query: string) => Buffer.byteLength((await list(query)).text) / 4
    expect(await tokens('?tools=all')).toBeLessThanOrEqual(9_000)
    expect(await tokens('?tools=core')).toBeLessThanOrEqual(4_000)
  })

  it('are the only ones that are known', async () => {
    const call = async (query: string) => {
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'add_item', arguments: { name: 'x' } },
      }
      const response = await client.fetch(`/api/mcp${query}`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      })
      return response.text()
    }
    expect(await call('?tools=read')).toContain('-32602')
    expect(await call('?tools=core')).toContain('item_id')
  })
})

describe('warnings of filters (further §18)', () => {
  it('keep a tool from changing, unless it allows them, in bulk changes as in a batch', async () => {
    const tag = await make.createTag({ state: { type: 'Select', variants: ['open'] } })
    await createItem('One', tag.tag_id, { state: { variant: 'open' } })
    const filter = { or: [{ [`${tag.name}.state`]: 'gone' }, { [`${tag.name}.state`]: 'open' }] }
    const given = { filter, tag_id: tag.name, field_values: {}, merge: true }
    const operations = [{ operation: 'bulkUpdateFields', input: given }]
    for (const [tool, args] of [
      ['bulk_update_field_values', given],
      ['batch', { operations }],
    ] as const) {
      expect((await callTool(mcp, tool, args)).error, tool).toContain('warnings')
      expect((await callTool(mcp, tool, { ...args, dry_run: true })).error, tool).toBeUndefined()
      expect((await callTool(mcp, tool, { ...args, allow_warnings: true })).error, tool).toBeUndefined()
    }
  })

  it('leave the results of a dry batch honest', async () => {
    const tag = await make.createTag({ n: 'Number' })
    const item = await createItem('One', tag.tag_id, { n: 1 })
    const answer = await client.ok('POST', '/api/batch', {
      dry_run: true,
      operations: [
        { operation: 'bulkDelete', input: { filter: { id: item } } },
        { operation: 'createItem', input: { name: 'Two' } },
        {
          operation: 'mergeItems',
          input: {
            item_id: await createItem('Three', tag.tag_id),
            from: [await createItem('Four', tag.tag_id)],
          },
        },
      ],
    })
    expect(answer).toMatchObject({ dry_run: true, change_id: null })
    for (const result of answer.results) {
      expect(result).toMatchObject({ dry_run: true })
      expect(result).not.toHaveProperty('change_id')
    }
  })
})

describe('the trash and the log', () => {
  it('are chosen from by time and by change', async () => {
    const { tag_id } = await make.createTag({})
    const [a, b, c] = [
      await createItem('A', tag_id),
      await createItem('B', tag_id),
      await createItem('C', tag_id),
    ]
    const remove = async (id: string) =>
      (await client.fetch(`/api/items/${id}`, { method: 'DELETE' })).headers.get('x-change-id')!
    const first = await remove(a)
    const second = await remove(b)
    const names = async (body: object) =>
      (await client.ok('POST', '/api/items/deleted/search', { tag_id, ...body })).map(
        ({ name }: { name: string }) => name,
      )
    expect(await names({ change_id: first })).toEqual(['A'])
    expect(await names({ deleted_before: '2000-01-01' })).toEqual([])
    expect(await names({ deleted_before: '2999-01-01' })).toEqual(['B', 'A'])
    // In UTC that is the year 10000.
    expect(await names({ deleted_before: '9999-12-31T23:59-12:00' })).toEqual(['B', 'A'])
    const log = await client.ok('POST', '/api/audit-log/search', { change_ids: [first, second] })
    expect(log.map((event: { item_id: string }) => event.item_id)).toEqual([b, a])
    expect(await client.ok('POST', '/api/audit-log/search', { change_ids: [] })).toEqual([])

    const third = await remove(c)
    const body = { change_id: third, deleted_after: '2000-01-01' }
    expect(await client.ok('POST', '/api/items/restore', { ...body, dry_run: true })).toMatchObject({
      affected_ids: [c],
    })
    expect(await client.ok('POST', '/api/items/restore', body)).toMatchObject({ affected_ids: [c] })
    expect(await client.ok('POST', '/api/items/restore', { tag_id, search: 'a' })).toMatchObject({
      affected_ids: [a],
    })
    expect((await client.post('/api/items/restore', {})).status).toBe(400)
    expect((await client.post('/api/items/restore', { item_ids: [b], tag_id })).status).toBe(400)
    const listed = await callTool(mcp, 'list_deleted_items', { change_id: second })
    expect(listed.value).toMatchObject({ items: [{ name: 'B' }], tags: [] })
  })
})
