import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { dumpTables } from '#test/support/dump-tables.ts'
import { ABSENT, fixtures, newName } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'

/* oxlint-disable typescript/no-explicit-any -- answers are looked at, not typed */
let service: Service
let client: Client
/** The account of `client`. */
let me: string
const make = fixtures(() => client)
const newTag = (fields: object = { n: 'Number', text: 'String', to: 'Reference' }) => make.createTag(fields)
const newItem = (name: string, tag: { tag_id: string }, field_values?: object) =>
  make.createItem(name, tag.tag_id, field_values)
const remove = (item_id: string, by = client) => by.ok('DELETE', `/api/items/${item_id}`)
const read = (id: string) => client.ok('GET', `/api/items/${id}`)
const find = (body: object) => client.ok('POST', '/api/items/deleted/search', body)
const namesOf = async (body: object) => (await find(body)).map(({ name }: any) => name)

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  me = (await client.ok('GET', '/api/auth/me')).user_id
})
afterAll(() => service.close())

describe('search of deleted items (additions §11)', () => {
  it('finds them by what they were, newest deletion first', async () => {
    const tag = await newTag()
    const [a, b, c] = [
      await newItem('Ärger', tag, { n: 1, text: 'x' }),
      await newItem('Beta', tag, { n: 2 }),
      await newItem('Gamma', tag, { n: 3 }),
    ]
    const before = await read(a)
    await remove(b)
    await remove(a)
    const { data, ...rest } = before
    const has_tag = tag.name
    const found = await find({ filter: { has_tag } })
    expect(found).toEqual([
      { ...rest, tags: data, deleted_at: expect.any(String), deleted_by: me },
      expect.objectContaining({ item_id: b }),
    ])
    expect(await namesOf({ tag_id: tag.tag_id })).toEqual(['Ärger', 'Beta'])
    expect(await namesOf({ tag_id: tag.name, search: 'ARGER' })).toEqual(['Ärger'])
    expect(await namesOf({ filter: { [`${has_tag}.n`]: { gte: 2 } } })).toEqual(['Beta'])
    expect(await namesOf({ filter: { [`${has_tag}.text`]: { regex: '^[xy]$' } } })).toEqual(['Ärger'])
    expect(await namesOf({ filter: { search: { text: 'X', in: ['values'] } }, tag_id: tag.tag_id })).toEqual([
      'Ärger',
    ])
    expect(await namesOf({ filter: { and: [{ has_tag }, { not: { name: 'Beta' } }] } })).toEqual(['Ärger'])
    const [newest] = found
    expect(await namesOf({ filter: { has_tag }, deleted_after: newest.deleted_at })).toEqual([])
    expect(await namesOf({ filter: { has_tag }, deleted_after: '9999-12-31T23:59-12:00' })).toEqual([])
    expect(await namesOf({ filter: { has_tag }, deleted_after: found[1].deleted_at })).toEqual(
      newest.deleted_at > found[1].deleted_at ? ['Ärger'] : [],
    )
    expect(await client.ok('POST', '/api/items/search', { filter: { has_tag } })).toEqual([
      expect.objectContaining({ item_id: c }),
    ])
  })

  it('knows who deleted, also by a bulk change and after a restoration', async () => {
    const tag = await newTag()
    const bob = await service.user()
    const bobs: string = (await bob.ok('GET', '/api/auth/me')).user_id
    const [a, b] = [await newItem('a', tag), await newItem('b', tag)]
    await remove(a)
    await bob.ok('POST', `/api/items/${a}/restore`)
    await bob.ok('POST', '/api/items/bulk-delete', { filter: { id: a } })
    await remove(b)
    const tag_id = tag.tag_id
    expect(await namesOf({ tag_id, deleted_by: bobs })).toEqual(['a'])
    expect(await namesOf({ tag_id, deleted_by: me })).toEqual(['b'])
    expect(await namesOf({ tag_id, deleted_by: ABSENT })).toEqual([])
  })

  it('follows references to what lives, and references from what lives', async () => {
    const tag = await newTag()
    const target = await newItem('target', tag, { n: 7 })
    const item = await newItem('item', tag, { to: target })
    const from = await newItem('from', tag, { to: item })
    await remove(item)
    const hop = { [`${tag.name}.to->${tag.name}.n`]: 7 }
    expect(await namesOf({ filter: hop })).toEqual(['item'])
    expect(await namesOf({ filter: { [`<-${tag.name}.to`]: { name: 'from' } } })).toEqual(['item'])
    await remove(target)
    expect(await namesOf({ filter: hop })).toEqual([])
    expect(await namesOf({ filter: { [`${tag.name}.to`]: { dangling: true } } })).toEqual(['item'])
    await remove(from)
    expect(await namesOf({ filter: { [`<-${tag.name}.to`]: { name: 'from' } } })).toEqual([])
  })

  it('comes in pages, counts, and streams whole', async () => {
    const tag = await newTag({})
    const tags = [{ tag_ref: { Existing: tag.tag_id } }]
    const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 250 }, (_, i) => ({ name: `P ${i}`, tags })),
    })
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: tag.name } })
    const all = made.map(({ item_id }) => item_id).toReversed()
    const body = { filter: { has_tag: tag.name } }
    expect((await find(body)).map(({ item_id }: any) => item_id)).toEqual(all)
    const found: string[] = []
    let after: string | undefined
    do {
      const answer = await client.post('/api/items/deleted/search', {
        ...body,
        limit: 70,
        count: true,
        ...(after && { after }),
      })
      expect(answer.headers.get('x-total-count')).toBe('250')
      found.push(...answer.body.map(({ item_id }: any) => item_id))
      after = answer.headers.get('x-next-cursor') ?? undefined
    } while (after)
    expect(found).toEqual(all)
    const counted = await client.post('/api/items/deleted/search', { ...body, limit: 0, count: true })
    expect([counted.body, counted.headers.get('x-total-count')]).toEqual([[], '250'])
  })

  for (const [words, body, status] of [
    ['a cursor of nothing', { after: 'x' }, 400],
    ['a time that is none', { deleted_after: 'yesterday' }, 400],
    ['an unknown tag', { tag_id: 'Nothing' }, 404],
    ['a wrong filter', { filter: { haz: 1 } }, 400],
    ['an unknown property', { skip: 1 }, 400],
  ] as const)
    it(`refuses ${words}`, async () => {
      expect((await client.post('/api/items/deleted/search', body)).status).toBe(status)
    })

  it('is the tool list_deleted_items, which reports tags too', async () => {
    const tag = await newTag()
    const other = await newTag()
    const item = await newItem('by a tool', tag, { n: 1 })
    await remove(item)
    await client.ok('DELETE', `/api/tags/${other.tag_id}`)
    const mcp = await connectMcp(client, 'streamable-http')
    const call = async (args: Record<string, unknown>) =>
      (await callTool(mcp, 'list_deleted_items', args)).value
    expect(await call({ filter: { [`${tag.name}.n`]: 1 } })).toEqual({
      items: [expect.objectContaining({ item_id: item, deleted_by: me })],
      tags: [],
    })
    const { items, tags } = (await call({ search: other.name })) as any
    expect([items, tags.map(({ name }: any) => name)]).toEqual([[], [other.name]])
    expect(await call({ deleted_by: ABSENT })).toEqual({ items: [], tags: [] })
    await mcp.close()
  })

  it('is a tool whose first page has the newest of both, however many items are deleted', async () => {
    const word = newName('Crowd')
    const items = Array.from({ length: 120 }, (_, i) => `${word} item ${i}`)
    await client.ok('POST', '/api/items/bulk', { items })
    for (let i = 0; i < 3; i++) {
      const tag = await client.ok('POST', '/api/tags', { name: `${word} tag ${i}`, fields: {} })
      await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    }
    await client.ok('POST', '/api/items/bulk-delete', { filter: { name: { starts_with: word } } })
    const mcp = await connectMcp(client, 'streamable-http')
    const first = (await callTool(mcp, 'list_deleted_items', {})).value as any
    expect(first.items[0].name).toContain(word)
    expect(first.tags[0].name).toBe(`${word} tag 2`)
    const pagesOf = async (limit: number) => {
      const pages: any[] = []
      for (let after: string | undefined; ;) {
        const page = { search: word, limit, ...(after !== undefined && { after }) }
        const { value, beside } = await callTool(mcp, 'list_deleted_items', page)
        pages.push(value)
        after = (beside as { next?: { after: string } } | undefined)?.next?.after
        if (after === undefined) return pages
      }
    }
    for (const limit of [1, 2, 3, 4, 100, 123, 124]) {
      const pages = await pagesOf(limit)
      const namesIn = (list: 'items' | 'tags') => pages.flatMap((page) => page[list]).map(({ name }) => name)
      expect(new Set(namesIn('items'))).toEqual(new Set(items))
      expect(namesIn('items')).toHaveLength(120)
      expect(namesIn('tags')).toEqual([2, 1, 0].map((i) => `${word} tag ${i}`))
      expect(pages).toHaveLength(Math.ceil(123 / limit))
    }
    await mcp.close()
  })
})

describe('bulk restore (additions §7)', () => {
  const restore = async (body: object) => {
    const before = await dumpTables(service)
    const dry = await client.ok('POST', '/api/items/restore', { ...body, dry_run: true })
    expect(await dumpTables(service)).toEqual(before)
    const real = await client.ok('POST', '/api/items/restore', body)
    const { sample, ...told } = dry
    expect(told).toEqual({ ...real, dry_run: true })
    return { ...real, sample }
  }

  it('brings back items by id or by a filter of what they were, as one change', async () => {
    const tag = await newTag()
    const ids = [
      await newItem('a', tag, { n: 1 }),
      await newItem('b', tag, { n: 2 }),
      await newItem('c', tag, { n: 3 }),
    ]
    const before = await Promise.all(ids.map(read))
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: tag.name } })
    const answer = await restore({ filter: { [`${tag.name}.n`]: { lte: 2 } } })
    expect(answer).toEqual({
      matched_count: 2,
      affected_count: 2,
      changed_count: 2,
      affected_ids: ids.slice(0, 2),
      dry_run: false,
      sample: [
        { item_id: ids[0], name: 'a', before: null, after: { [tag.name]: { n: 1 } } },
        { item_id: ids[1], name: 'b', before: null, after: { [tag.name]: { n: 2 } } },
      ],
    })
    expect((await restore({ item_ids: [ids[2]!.toLowerCase(), ids[2]!] })).affected_ids).toEqual([ids[2]])
    expect(await Promise.all(ids.map(read))).toEqual(before)
    const found = await client.ok('POST', '/api/items/search', { filter: { [`${tag.name}.n`]: { lte: 2 } } })
    expect(found).toHaveLength(2)
    const [change] = await client.ok('POST', '/api/changes/search', { limit: 2 })
    expect(change).toMatchObject({ operation: 'bulkRestore', summary: `Restored item 'c'` })
    await client.ok('POST', '/api/changes/undo', { change_ids: [change.change_id] })
    expect((await client.get(`/api/items/${ids[2]}`)).status).toBe(404)
  })

  for (const [words, body, status] of [
    ['nothing', {}, 400],
    ['both', { item_ids: [], filter: { search: '' } }, 400],
    ['an id of nothing', { item_ids: [ABSENT, 'x'] }, 404],
    ['a wrong filter', { filter: {} }, 400],
  ] as const)
    it(`refuses ${words}`, async () => {
      const answer = await client.post('/api/items/restore', body)
      expect(answer.status).toBe(status)
      if (status === 404) expect(answer.body.details.errors).toHaveLength(2)
    })

  it('takes no live item, and no item for a filter with warnings through a tool', async () => {
    const tag = await newTag()
    const item = await newItem('a', tag)
    const live = await client.post('/api/items/restore', { item_ids: [item] })
    expect([live.status, live.body.details.errors[0].path]).toEqual([404, 'item_ids[0]'])
    await remove(item)
    const filter = { or: [{ has_tag: tag.name }, { [`${tag.name}.n`]: 'one' }] }
    const mcp = await connectMcp(client, 'streamable-http')
    expect((await callTool(mcp, 'bulk_restore_items', { filter })).error).toMatch(/never equals/)
    expect((await callTool(mcp, 'bulk_restore_items', { filter, dry_run: true })).value).toMatchObject({
      changed_count: 1,
      warnings: [expect.any(String)],
    })
    await mcp.close()
  })
})
