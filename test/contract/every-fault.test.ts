import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'Task', fields: { n: 'Number' } })
  await client.ok('POST', '/api/tags', { name: '<-Task', fields: { n: 'Number' } })
})
afterAll(() => service.close())

const serch = { and: [{ serch: 'x' }, { name: { gtt: 1 } }] }
const inSerch = ['filter.and[0].serch', 'filter.and[1].name.gtt']

// decisions §3: "A validation failure lists every fault at once".
describe('a request is told every fault at once', () => {
  it.each([
    ['a tag', '/api/tags', { name: '', fields: { a: 'Nope' }, x: 1 }, ['x', 'name', 'fields.a']],
    [
      'a tag with variants',
      '/api/tags',
      { name: 5, fields: { a: { type: 'Select', variants: [] }, b: { type: 'String', of: [] } } },
      ['name', 'fields.a.variants', 'fields.b.of'],
    ],
    ['a view', '/api/views', { name: ' ', filter: serch }, ['name', ...inSerch]],
    ['a bulk change', '/api/items/bulk-delete', { filter: serch, dry_run: 1 }, ['dry_run', ...inSerch]],
    [
      'a search',
      '/api/items/search',
      { filter: serch, limit: 0, skip: 1, after: 'x', sort: [{ by: 'nme' }], fields: ['item_id', 'Tusk.n'] },
      ['skip', 'limit', ...inSerch, 'sort[0].by', 'fields[1]'],
    ],
    [
      'a search that asks for relevance',
      '/api/items/search',
      { filter: serch, sort: [{ by: 'relevance' }] },
      inSerch,
    ],
    ['groups', '/api/items/aggregate', { filter: serch, group_by: ['Task.x'] }, [...inSerch, 'group_by[0]']],
    [
      'an export',
      '/api/items/export',
      { filter: serch, format: 'csv', fields: ['Task.x'] },
      [...inSerch, 'fields[0]'],
    ],
    [
      'a search of tags',
      '/api/tags/search',
      { filter: { serch: 'x' }, limit: 0, sort: [{ by: 'Task.n' }] },
      ['limit', 'filter.serch', 'sort[0].by'],
    ],
  ])('of %s', async (_, url, input, paths) => {
    const { status, body } = await client.post(url, input)
    expect({ status, paths: body.details.errors.map(({ path }: { path: string }) => path) }).toEqual({
      status: 400,
      paths,
    })
    const [{ path, message }] = body.details.errors
    expect(body.message).toBe(
      `${path}: ${message} (and ${paths.length - 1} more, see details.errors)`.replace(/^filter\.\S+: /, ''),
    )
  })

  it('but of a filter those alone that hold whatever tags there are', async () => {
    const { body } = await client.post('/api/items/bulk-delete', { filter: { '<-Task.n': 5 }, dry_run: 1 })
    expect(body.details.errors).toEqual([{ path: 'dry_run', message: 'expected true or false' }])
  })

  it('but of a large filter, which is gone through in a thread, once the rest is right', async () => {
    const ask = (letters: number) =>
      client.post('/api/items/bulk-delete', {
        filter: { and: [{ serch: 'x' }, { search: 'x'.repeat(letters) }] },
        dry_run: 1,
      })
    const paths = async (letters: number) =>
      (await ask(letters)).body.details.errors.map(({ path }: { path: string }) => path)
    expect(await paths(8000)).toEqual(['dry_run', 'filter.and[0].serch'])
    expect(await paths(9000)).toEqual(['dry_run'])
  })

  it('before it is told what there is not', async () => {
    const { status, body } = await client.post('/api/items/search', { view_id: '0'.repeat(26), limit: 0 })
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'limit: must be at least 1 (0 goes with "count": true)',
    })
  })

  it('with no more than a hundred of them', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`f${i}`, 'Nope']))
    const { body } = await client.post('/api/tags', { name: '', fields })
    expect(body.details.errors).toHaveLength(101)
    expect(body.message).toMatch(/^name: must not be empty \(and at least 10\d more, see details\.errors\)$/)
  })
})
