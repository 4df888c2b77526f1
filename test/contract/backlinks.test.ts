import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let tag_id: string
let target: string

const refer = async (name: string, field_values: object) =>
  (
    await client.ok('POST', '/api/items', {
      name,
      tags: [{ tag_ref: { Existing: 'Task' }, field_values }],
    })
  ).item_id as string
const backlinks = (query = '') => client.ok('GET', `/api/items/${target}/backlinks${query}`)
const pairs = (links: { name: string; field: string }[]) => links.map(({ name, field }) => [name, field])

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      project: 'Reference',
      after: 'Reference',
      effort: 'Number',
      status: { type: 'Select', variants: ['open', { name: 'done', fields: { by: 'Reference' } }] },
    },
  }))
  ;({ item_id: target } = await client.ok('POST', '/api/items', { name: 'Target' }))
})
afterAll(() => service.close())

describe('backlinks', () => {
  it('are the living items that refer to an item, oldest first, once for each field', async () => {
    expect(await backlinks()).toEqual([])
    const item_id = await refer('both', { project: target, after: target })
    await refer('neither', { effort: 7 })
    await refer('in a variant', { status: { variant: 'done' }, by: target })
    const gone = await refer('deleted', { project: target })
    await client.ok('DELETE', `/api/items/${gone}`)
    const links = await backlinks()
    expect(pairs(links)).toEqual([
      ['both', 'project'],
      ['both', 'after'],
      ['in a variant', 'by'],
    ])
    expect(links[0]).toEqual({ item_id, name: 'both', tag_id, tag_name: 'Task', field: 'project' })
  })

  it('come in pages, and are counted where that is asked for', async () => {
    const first = await client.get(`/api/items/${target}/backlinks?limit=1&count=true`)
    expect(first.headers.get('x-total-count')).toBe('3')
    const next = first.headers.get('x-next-cursor')!
    const second = await client.get(`/api/items/${target}/backlinks?limit=2&after=${next}`)
    expect(pairs([...first.body, ...second.body])).toEqual(pairs(await backlinks()))
    expect(second.headers.get('x-next-cursor')).toBeNull()
    expect((await client.get(`/api/items/${target}/backlinks?after=x`)).status).toBe(400)
  })

  it('know what a schema has lost and got back', async () => {
    const fields = (await client.ok('GET', `/api/tags/${tag_id}`)).fields
    const { project: _, ...rest } = fields
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields: rest })
    expect(pairs(await backlinks())).toEqual([
      ['both', 'after'],
      ['in a variant', 'by'],
    ])
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields })
    expect(pairs(await backlinks())).toHaveLength(3)
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    expect(await backlinks()).toEqual([])
    await client.ok('POST', `/api/tags/${tag_id}/restore`)
  })

  it('are not of an item that is not there', async () => {
    expect((await client.get('/api/items/01JJXZ5T7GQ3M8K4B9R2C6D0EF/backlinks')).status).toBe(404)
    expect((await client.get('/api/items/x/backlinks')).status).toBe(404)
    const other = (await client.ok('POST', '/api/items', { name: 'Other' })).item_id
    await client.ok('DELETE', `/api/items/${other}`)
    expect((await client.get(`/api/items/${other}/backlinks`)).status).toBe(404)
  })
})
