import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { createSearchWorld, NAMES, type SearchWorld } from '#test/support/search-world.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let world: SearchWorld
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  world = await createSearchWorld(client)
})
afterAll(() => service.close())

const exported = (body: object) => client.post('/api/items/export', body)
const csv = async (body: object = {}) => {
  const { status, body: text } = await exported({ format: 'csv', ...body })
  expect([status, text]).toEqual([200, expect.any(String)])
  return parse(String(text).trimEnd(), { relax_column_count: true })
}
const jsonl = async (body: object = {}) => {
  const { body: text } = await exported({ format: 'jsonl', ...body })
  return String(text)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
const names = (rows: string[][]) => rows.slice(1).map(([, name]) => name)

describe('a CSV file', () => {
  it('has all items, without a filter: id, name and description', async () => {
    const { headers } = await exported({ format: 'csv' })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="items.csv"')
    const rows = await csv()
    expect(rows[0]).toEqual(['item_id', 'name', 'description'])
    expect(names(rows)).toEqual(NAMES)
    expect(rows.find(([id]) => id === world.ids['Water roses'])![2]).toBe('<p>Every MORNING</p>')
  })

  it('has all fields of the tags that the filter names, names for references, lists in a cell', async () => {
    const rows = await csv({ filter: { has_tag: 'Task' } })
    expect(rows[0]!.slice(3)).toEqual(
      ['title', 'points', 'urgent', 'due', 'owner', 'state', 'finished', 'labels'].map((f) => `Task.${f}`),
    )
    expect(rows[1]!.slice(1)).toEqual([
      'Water roses',
      '<p>Every MORNING</p>',
      'water',
      '3',
      'true',
      '2026-02-01',
      'Bob',
      'doing',
      '',
      'garden, home',
    ])
    const people = await csv({ filter: { not: { 'Person.age': { gt: 40 } } }, fields: undefined })
    expect(people[0]!.slice(3)).toEqual(['email', 'age', 'manager', 'active'].map((f) => `Person.${f}`))
  })

  it('has the fields that are asked for, over references too, in the order of sort', async () => {
    const fields = ['name', 'Task.owner->Person.manager', 'Task.owner', 'tags', 'Task.owner->Person.age']
    const rows = await csv({ filter: { has_tag: 'Task' }, fields, sort: [{ by: 'name', direction: 'desc' }] })
    expect(rows[0]).toEqual(['item_id', 'name', 'description', ...fields.slice(1)])
    expect(names(rows)[0]).toBe('Élan vital')
    expect(rows.find(([, name]) => name === 'Water roses')!.slice(3)).toEqual(['Ada', 'Bob', 'Task', '41'])
    // What it refers to is deleted, and still has a name.
    expect(rows.find(([, name]) => name === 'Orphan')![4]).toBe('Gone')
  })

  it('takes a view, and with it a filter', async () => {
    const { view_id } = await client.ok('POST', '/api/views', { name: 'All', filter: { has_tag: 'Task' } })
    const whole = await csv({ view_id })
    expect([whole.length, whole[0]![3]]).toEqual([6, 'Task.title'])
    expect(names(await csv({ view_id, filter: { name: 'Fix ROOF' } }))).toEqual(['Fix ROOF'])
  })

  it('marks what a spreadsheet would compute, and quotes what parts cells', async () => {
    await client.ok('POST', '/api/tags', {
      name: '=Evil',
      fields: { '@f': 'String', n: 'Number', many: 'MultiReference' },
    })
    const make = (name: string, values: object = {}, description?: string) =>
      client.ok('POST', '/api/items', {
        name,
        description,
        tags: [{ tag_ref: { Existing: tagId }, field_values: values }],
      })
    const tagId = (await client.ok('GET', '/api/tags')).find(
      (t: { name: string }) => t.name === '=Evil',
    ).tag_id
    const a = await make("'quoted")
    const b = await make('a, "b"\nc')
    await make('=1+1', { '@f': '\tx', n: -5, many: [b.item_id, a.item_id] }, '-d')
    const { body } = await exported({ format: 'csv', filter: { has_tag: '=Evil' }, sort: [{ by: 'name' }] })
    const rows = parse(String(body), { skip_empty_lines: true })
    expect(rows[0]!.slice(3)).toEqual(["'=Evil.@f", "'=Evil.n", "'=Evil.many"])
    expect(rows.map(([, name]) => name).slice(1)).toEqual(["''quoted", "'=1+1", 'a, "b"\nc'])
    expect(rows[2]!.slice(2)).toEqual(["'-d", "'\tx", '-5', '"a, ""b""\nc", \'quoted'])
    expect(body).toContain('\r\n')
  })
})

describe('JSON Lines', () => {
  it('are what a search answers, a line each', async () => {
    const filter = { has_tag: 'Task' }
    expect(await jsonl({ filter })).toEqual(await client.ok('POST', '/api/items/search', { filter }))
    const fields = ['name', 'Task.due']
    expect(await jsonl({ filter, fields })).toEqual(
      await client.ok('POST', '/api/items/search', { filter, fields }),
    )
    const { headers } = await exported({ format: 'jsonl', filter })
    expect(headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  })
})

describe('a request for an export', () => {
  it.each([
    [{}, 'format'],
    [{ format: 'pdf' }, 'format'],
    [{ format: 'csv', filter: {} }, 'Filter object cannot be empty'],
    [{ format: 'csv', fields: ['Task.nope'] }, "has no field 'nope'"],
    [{ format: 'jsonl', fields: ['Task.nope'] }, "has no field 'nope'"],
    [{ format: 'csv', sort: [{ by: 'Nope.x' }] }, 'Nope'],
    [{ format: 'csv', surplus: 1 }, 'surplus'],
  ])('is refused: %j', async (body, said) => {
    const answer = await exported(body)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(said)])
  })

  it('is of a view that one can read, and of the account signed in', async () => {
    const view_id = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
    expect((await exported({ format: 'csv', view_id })).status).toBe(404)
    expect((await service.client().post('/api/items/export', { format: 'csv' })).status).toBe(401)
  })

  it('says that notes have all fields, whichever are asked for', async () => {
    const warned = async (format: string) => {
      const { headers } = await exported({
        format,
        fields: ['name'],
        filter: { search: 'nothing of the kind' },
      })
      return headers.get('x-filter-warnings')
    }
    expect(await warned('markdown')).toContain('have all fields')
    expect([await warned('csv'), await warned('jsonl')]).toEqual([null, null])
  })

  it('names what can never match', async () => {
    const { headers } = await exported({ format: 'csv', filter: { 'Task.state': 'dnoe' } })
    expect(headers.get('x-filter-warnings')).toContain('dnoe')
  })
})

describe('a long export', () => {
  const MANY = 3000
  beforeAll(async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Row', fields: { text: 'String' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { text: 'x'.repeat(2500) } }]
    const items = Array.from({ length: MANY }, (_, i) => ({ name: `row ${i}`, tags }))
    await client.ok('POST', '/api/items/bulk', { items })
  })

  it('has every item once', async () => {
    const rows = await csv({ filter: { has_tag: 'Row' } })
    expect(new Set(names(rows)).size).toBe(MANY)
    expect(await jsonl({ filter: { has_tag: 'Row' }, fields: ['name'] })).toHaveLength(MANY)
  })

  /** A client that reads no further than the beginning. */
  async function halted(): Promise<Socket> {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ format: 'csv', filter: { has_tag: 'Row' } })
    socket.write(
      `POST /api/items/export HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: ${client.cookieHeader}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
    )
    await once(socket, 'readable')
    return socket.pause()
  }

  it('waits for a client that reads slowly', async () => {
    const socket = await halted()
    expect((await client.get('/api/service')).status).toBe(200)
    let text = ''
    for await (const piece of socket.setEncoding('latin1')) text += piece as string
    expect(text.endsWith('0\r\n\r\n')).toBe(true)
    expect(text.match(/,row \d+,/g)).toHaveLength(MANY)
  })

  it('is refused before anything is read where its account has five under way; others export', async () => {
    const sockets = await Promise.all(Array.from({ length: 5 }, halted))
    // That the view is not there would be known only by reading.
    const surplus = { format: 'csv', view_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF' }
    const refused = await exported(surplus)
    expect([refused.status, refused.body.message]).toEqual([429, expect.stringContaining('5 exports')])
    expect(refused.headers.get('retry-after')).toBe('30')
    const other = await service.user()
    expect((await other.post('/api/items/export', { format: 'csv' })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await exported(surplus)).status).toBe(404)
    // One that is wrong keeps no place.
    for (let i = 0; i < 6; i++) expect((await exported(surplus)).status).toBe(404)
  })

  it('is answered with an error where its session ends before the first byte', async () => {
    const leaver = await service.user()
    await client.ok('POST', '/api/items', { name: 'long', description: 'xy'.repeat(100_000) })
    // A pattern that takes a long time on a long text.
    const filter = { description: { matches: `${'\\pL{0,1000}'.repeat(4)}\\pN` } }
    const answer = leaver.post('/api/items/export', { format: 'csv', filter })
    await new Promise((resume) => setTimeout(resume, 300))
    await leaver.ok('POST', '/api/auth/logout')
    const { status, body } = await answer
    expect([status, body.message]).toEqual([401, 'Your session, or your key, ended before the answer began'])
  })
})
