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

type Sort = { by: string; direction?: 'asc' | 'desc' }[]
interface Body {
  filter?: object
  sort?: Sort
  limit: number
}

const page = async (body: Body, after?: string | null) => {
  const {
    status,
    body: items,
    headers,
  } = await client.post('/api/items/search', { ...body, ...(after && { after }) })
  expect(status).toBe(200)
  return {
    names: items.map(({ name }: { name: string }) => name) as string[],
    next: headers.get('x-next-cursor'),
  }
}

/** Names on all pages; `between` is done after each of them. */
async function walk(body: Body, between?: (names: string[], pages: number) => Promise<unknown>) {
  const names: string[] = []
  let next: string | null = null
  let pages = 0
  do {
    const each: Awaited<ReturnType<typeof page>> = await page(body, next)
    expect(each.names.length).toBeLessThanOrEqual(body.limit)
    names.push(...each.names)
    next = each.next
    await between?.(each.names, ++pages)
  } while (next !== null)
  return names
}

const REVERSED = NAMES.toReversed()
const TASKS = ['Water roses', 'Fix ROOF', 'Write report', 'Élan vital', 'Orphan']
const without = (names: string[], ...left: string[]) => names.filter((name) => !left.includes(name))

const ORDERS: [sort: Sort, filter: object | undefined, names: string[]][] = [
  [[], undefined, NAMES],
  [[{ by: 'created_at' }], undefined, NAMES],
  [[{ by: 'created_at', direction: 'desc' }], undefined, REVERSED],
  [[{ by: 'updated_at', direction: 'desc' }], { has_tag: 'Thing' }, TASKS.toReversed()],
  [
    [{ by: 'name' }],
    undefined,
    ['Ada', 'Bob', 'Cyd', 'Fix ROOF', 'Loose note', 'Orphan', 'Water roses', 'Write report', 'Élan vital'],
  ],
  [[{ by: 'name', direction: 'desc' }], { has_tag: 'Person' }, ['Cyd', 'Bob', 'Ada']],
  [
    [{ by: 'Task.points' }],
    undefined,
    ['Water roses', 'Write report', 'Fix ROOF', ...without(NAMES, 'Water roses', 'Write report', 'Fix ROOF')],
  ],
  [
    [{ by: 'Task.points', direction: 'desc' }],
    undefined,
    [
      'Fix ROOF',
      'Write report',
      'Water roses',
      ...without(REVERSED, 'Water roses', 'Write report', 'Fix ROOF'),
    ],
  ],
  [
    [{ by: 'Task.state' }],
    { has_tag: 'Task' },
    ['Fix ROOF', 'Water roses', 'Write report', 'Élan vital', 'Orphan'],
  ],
  [
    [{ by: 'Task.state', direction: 'desc' }],
    { has_tag: 'Task' },
    ['Write report', 'Water roses', 'Fix ROOF', 'Orphan', 'Élan vital'],
  ],
  [
    [{ by: 'Task.urgent' }],
    { has_tag: 'Task' },
    ['Fix ROOF', 'Water roses', 'Write report', 'Élan vital', 'Orphan'],
  ],
  [[{ by: 'Task.due' }, { by: 'name' }], { 'Task.due': { exists: true } }, ['Water roses', 'Fix ROOF']],
  [
    [{ by: 'Task.owner', direction: 'desc' }],
    { 'Task.owner': { exists: true } },
    ['Orphan', 'Water roses', 'Fix ROOF'],
  ],
  [
    [{ by: 'Person.active', direction: 'desc' }, { by: 'Task.urgent' }, { by: 'name', direction: 'desc' }],
    undefined,
    ['Ada', 'Bob', 'Fix ROOF', 'Water roses', 'Élan vital', 'Write report', 'Orphan', 'Loose note', 'Cyd'],
  ],
  [
    [{ by: 'Person.email' }, { by: 'Person.age', direction: 'desc' }],
    { has_tag: 'Person' },
    ['Ada', 'Bob', 'Cyd'],
  ],
]

describe.each(ORDERS)('sorted by %j, filtered by %j', (sort, filter, names) => {
  it.each([1, 2, 3, 1000])('pages of %i have all, each once', async (limit) => {
    expect(await walk({ sort, limit, ...(filter && { filter }) })).toEqual(names)
  })

  it('has the same without pages', async () => {
    const body = { sort, ...(filter && { filter }) }
    const items = await client.ok('POST', '/api/items/search', body)
    expect(items.map(({ name }: { name: string }) => name)).toEqual(names)
  })
})

describe('an order by a Select', () => {
  it('is that of the variants, however many there are', async () => {
    const variants = Array.from({ length: 40_000 }, (_, i) => `variant ${i}`)
    const tag = { name: 'Wide', fields: { pick: { type: 'Select', variants } } }
    const { tag_id } = await client.ok('POST', '/api/tags', tag)
    const picks = [39_999, 0, 20_000, 3]
    await client.ok('POST', '/api/items/bulk', {
      items: picks.map((i) => ({
        name: `wide ${i}`,
        tags: [{ tag_ref: { Existing: 'Wide' }, field_values: { pick: { variant: `variant ${i}` } } }],
      })),
    })
    const body = { filter: { has_tag: 'Wide' }, sort: [{ by: 'Wide.pick' }], limit: 3 }
    expect(await walk(body)).toEqual(['wide 0', 'wide 3', 'wide 20000', 'wide 39999'])
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Wide' } })
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    await client.ok('POST', '/api/items/purge')
  })
})

describe('while items change between pages', () => {
  const tagName = 'Step'
  const ids = new Map<string, string>()
  beforeAll(() =>
    client.ok('POST', '/api/tags', { name: tagName, fields: { rank: 'Number', kind: 'String' } }),
  )

  /** Ten items whose rank is their number. */
  async function tenItems() {
    const items = Array.from({ length: 10 }, (_, i) => ({
      name: `s${i}`,
      tags: [{ tag_ref: { Existing: tagName }, field_values: { rank: i, kind: i % 2 ? 'odd' : 'even' } }],
    }))
    const created = await client.ok('POST', '/api/items/bulk', { items })
    created.forEach(({ item_id }: { item_id: string }, i: number) => ids.set(`s${i}`, item_id))
    return items.map(({ name }) => name)
  }
  const removeAll = async () => {
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: tagName } })
    await client.ok('POST', '/api/items/purge', {})
  }
  const remove = (name: string) => client.ok('DELETE', `/api/items/${ids.get(name)}`)
  const rank = async (name: string, value: number) =>
    client.ok('PUT', `/api/items/${ids.get(name)}/tags/${await stepId()}`, {
      field_values: { rank: value },
      merge: true,
    })
  const stepId = async () =>
    (await client.ok('POST', '/api/tags/search', { filter: { name: tagName } }))[0].tag_id
  const filter = { has_tag: tagName }
  const BY_RANK: Sort = [{ by: `${tagName}.rank` }]

  for (const sort of [[], BY_RANK, [{ by: 'name' }], [{ by: `${tagName}.kind` }, { by: 'name' }]] as Sort[])
    it(`deleting what was read leaves the place, sorted by ${JSON.stringify(sort)}`, async () => {
      const names = await tenItems()
      const read = await walk({ filter, sort, limit: 2 }, (page) => Promise.all(page.map(remove)))
      expect(read.toSorted()).toEqual(names)
      await removeAll()
    })

  it('purging what was read leaves the place in order of creation', async () => {
    const names = await tenItems()
    const read = await walk({ filter, limit: 3 }, async (page) => {
      await Promise.all(page.map(remove))
      await client.ok('POST', '/api/items/purge', {})
    })
    expect(read).toEqual(names)
    await removeAll()
  })

  it('new items come where they belong', async () => {
    await tenItems()
    const read = await walk({ filter, sort: BY_RANK, limit: 4 }, async (_, pages) => {
      if (pages !== 1) return
      for (const [name, value] of [
        ['before', 1.5],
        ['behind', 6.5],
      ] as const) {
        const tags = [{ tag_ref: { Existing: tagName }, field_values: { rank: value } }]
        await client.ok('POST', '/api/items', { name, tags })
      }
    })
    expect(read).toEqual(['s0', 's1', 's2', 's3', 's4', 's5', 's6', 'behind', 's7', 's8', 's9'])
    await removeAll()
  })

  it('the last item of a page may move: the one before it holds the place', async () => {
    await tenItems()
    const first = await page({ filter, sort: BY_RANK, limit: 4 })
    await rank('s3', 100)
    const rest = await page({ filter, sort: BY_RANK, limit: 100 }, first.next)
    expect(rest.names).toEqual(['s4', 's5', 's6', 's7', 's8', 's9', 's3'])
    await removeAll()
  })

  it('pages of one remember the items of the pages before', async () => {
    await tenItems()
    const first = await page({ filter, sort: BY_RANK, limit: 1 })
    const second = await page({ filter, sort: BY_RANK, limit: 1 }, first.next)
    await rank('s1', 100)
    const rest = await page({ filter, sort: BY_RANK, limit: 2 }, second.next)
    expect(rest.names).toEqual(['s2', 's3'])
    await removeAll()
  })

  it('a place that is lost is said, with the way out', async () => {
    await tenItems()
    const { next } = await page({ filter, sort: BY_RANK, limit: 4 })
    for (const name of ['s1', 's2', 's3']) await rank(name, 100)
    expect(await client.post('/api/items/search', { filter, sort: BY_RANK, after: next })).toMatchObject({
      status: 400,
      body: {
        error: 'BadRequest',
        message:
          'The place that the cursor marks is lost: its items have other values now, or the sort is another',
        suggestion: expect.stringContaining('Start again without `after`'),
      },
    })
    await removeAll()
  })
})

describe('long texts', () => {
  it('are paged through, each once, with others that begin like them', async () => {
    await client.ok('POST', '/api/tags', { name: 'Page', fields: { text: 'String' } })
    const begin = 'é'.repeat(700)
    const texts = ['a', begin.slice(0, 500), `${begin}1`, `${begin}2`, `${begin}3`, `${begin}4`, 'ê']
    const items = texts.map((text, i) => ({
      name: `page ${i}`,
      tags: [{ tag_ref: { Existing: 'Page' }, field_values: { text } }],
    }))
    await client.ok('POST', '/api/items/bulk', { items })
    const names = items.map(({ name }) => name)
    for (const limit of [1, 2, 3]) {
      const read = await walk({ filter: { has_tag: 'Page' }, sort: [{ by: 'Page.text' }], limit })
      expect(read.toSorted()).toEqual(names)
      expect([...read.slice(0, 2), read.at(-1)]).toEqual(['page 0', 'page 1', 'page 6'])
      const back = { sort: [{ by: 'Page.text', direction: 'desc' as const }], limit }
      expect(await walk({ filter: { has_tag: 'Page' }, ...back })).toEqual(read.toReversed())
    }
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Page' } })
  })

  it('go on in the middle of those that begin alike, among many others', async () => {
    await client.ok('POST', '/api/tags', { name: 'Leaf', fields: { text: 'String' } })
    const alike = Array.from({ length: 30 }, (_, i) => `b${'é'.repeat(700)}${i + 10}`)
    const texts = [...Array.from({ length: 500 }, (_, i) => `c${i + 100}`), ...alike]
    const items = texts.map((text) => ({
      name: text.slice(-3),
      tags: [{ tag_ref: { Existing: 'Leaf' }, field_values: { text } }],
    }))
    await client.ok('POST', '/api/items/bulk', { items })
    const read = await walk({ filter: { has_tag: 'Leaf' }, sort: [{ by: 'Leaf.text' }], limit: 8 })
    expect(read).toEqual(texts.toSorted().map((text) => text.slice(-3)))
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Leaf' } })
  })
})

describe('a cursor', () => {
  const broken = async (body: object) => {
    const answer = await client.post('/api/items/search', body)
    expect([answer.status, answer.body.details?.errors]).toEqual([
      400,
      [{ path: 'after', message: 'not a cursor of this search' }],
    ])
  }

  it.each(['x', 'nonsense', '%%%', 'é', 'A'.repeat(100), Buffer.from('0'.repeat(26)).toString('base64url')])(
    'of other text is refused: %s',
    (after) => broken({ after }),
  )

  it('of another order is refused', async () => {
    const { next: byId } = await page({ limit: 2 })
    const { next: byName } = await page({ limit: 2, sort: [{ by: 'name' }] })
    await broken({ after: byName })
    await broken({ after: byId, sort: [{ by: 'name' }] })
    const answer = await client.post('/api/items/search', {
      after: byName,
      sort: [{ by: 'name', direction: 'desc' }],
    })
    expect(answer.status).toBe(400)
  })

  it('holds ids alone, and fits a header whatever the values are', async () => {
    const name = '𝄞'.repeat(1000)
    const created = await client.ok('POST', '/api/items/bulk', { items: [name, name, name, name, name] })
    const { next } = await page({ filter: { name }, sort: [{ by: 'name' }], limit: 4 })
    expect(next).toMatch(/^[\w-]{1,200}$/)
    expect((await page({ filter: { name }, sort: [{ by: 'name' }], limit: 4 }, next)).names).toEqual([name])
    for (const { item_id } of created) await client.ok('DELETE', `/api/items/${item_id}`)
  })

  it('is not given with the last page', async () => {
    expect((await page({ filter: { has_tag: 'Person' }, limit: 3 })).next).toBeNull()
    expect((await page({ filter: { has_tag: 'Person' }, limit: 2 })).next).not.toBeNull()
    expect((await page({ filter: { name: 'nobody' }, limit: 2 })).next).toBeNull()
    expect(world.ids['Ada']).toBeDefined()
  })

  it('ends a page early whose text grows large, and goes on behind it', async () => {
    const description = 'x'.repeat(1024 * 1024)
    const items = Array.from({ length: 12 }, (_, i) => ({ name: `large ${i}`, description }))
    const created = await client.ok('POST', '/api/items/bulk', { items })
    const filter = { name: { starts_with: 'large' } }
    const names = items.map(({ name }) => name)
    expect(await walk({ filter, limit: 1000 })).toEqual(names)
    expect((await client.ok('POST', '/api/items/search', { filter })).length).toBe(12)
    for (const { item_id } of created) await client.ok('DELETE', `/api/items/${item_id}`)
  })
})
