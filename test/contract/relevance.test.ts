import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { byRelevance, isFound, type SearchedItem } from '#test/support/oracle-search.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { type Service, startService } from '#test/support/service.ts'

let service: Service
let client: Client
let items: (SearchedItem & { item_id: string })[]

const RELEVANCE = [{ by: 'relevance' }]
const NAMES = [
  'Vienna',
  'VIENNA',
  'Vienna Woods',
  'Viennaise',
  'Old Vienna',
  'Neo-Viénna',
  'New Old Vienna',
  'Novienna',
  'x',
  'yy',
  'Nothing of it',
  'Woods of Vienna',
]
const { createTag } = fixtures(() => client)
const search = (body: object) => client.post('/api/items/search', body)
const nameOf = ({ name }: { name: string }) => name

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  for (const [i, name] of NAMES.entries())
    await client.ok('POST', '/api/items', {
      name,
      description: i > 7 && i < 10 ? 'in <b>Vienna</b> woods' : null,
    })
  const listed = await client.ok('POST', '/api/items/search', {})
  items = listed.map((item: SearchedItem) => ({ ...item, values: () => [] }))
})
afterAll(() => service.close())

describe('sorting by relevance', () => {
  it('goes from the whole name to the description, shorter names and newer changes first', async () => {
    const found = await client.ok('POST', '/api/items/search', {
      filter: { search: 'vienna' },
      sort: RELEVANCE,
    })
    expect(found.map(nameOf)).toEqual([
      'VIENNA',
      'Vienna',
      'Viennaise',
      'Vienna Woods',
      'Neo-Viénna',
      'Old Vienna',
      'New Old Vienna',
      'Woods of Vienna',
      'Novienna',
      'x',
      'yy',
    ])
  })

  it.each([
    'vienna',
    'vi',
    'o',
    'woods',
    { text: 'woods vienna', match: 'words' },
    { text: 'vienna', in: ['description'] },
    { text: 'vienna', in: ['name', 'values'] },
    'nowhere',
  ])('agrees with the rule for %j', async (form) => {
    const { body } = await search({ filter: { search: form }, sort: RELEVANCE })
    const expected = byRelevance(
      items.toReversed().filter((item) => isFound(item, form)),
      form,
    )
    expect(body.map(nameOf)).toEqual(expected.map(nameOf))
  })

  it('takes the worst word of the best of several texts', async () => {
    for (const [name, description] of [
      ['Red', 'a car'],
      ['Automobile fair', null],
    ])
      await client.ok('POST', '/api/items', { name, description })
    const filter = { search: { text: ['red car', 'automobile fair'], match: 'words' } }
    const { body } = await search({ filter, sort: RELEVANCE })
    expect(body.map(nameOf)).toEqual(['Automobile fair', 'Red'])
    await client.ok('POST', '/api/items/bulk-delete', { filter })
  })

  it('takes the worst of several searches', async () => {
    const filter = { and: [{ search: 'vienna' }, { search: 'wood' }] }
    const { body } = await search({ filter, sort: RELEVANCE })
    expect(body.map(nameOf)).toEqual(['Vienna Woods', 'Woods of Vienna', 'x', 'yy'])
  })

  it('goes by other keys within what is equally relevant, over pages too', async () => {
    const body = { filter: { search: 'vienna' }, sort: [...RELEVANCE, { by: 'name', direction: 'desc' }] }
    const whole = await client.ok('POST', '/api/items/search', body)
    expect(whole.map(nameOf)).toEqual([
      'Vienna',
      'VIENNA',
      'Viennaise',
      'Vienna Woods',
      'Woods of Vienna',
      'Old Vienna',
      'New Old Vienna',
      'Neo-Viénna',
      'Novienna',
      'yy',
      'x',
    ])
    const paged: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const page = await search({ ...body, limit: 3, ...(after !== undefined && { after }) })
      paged.push(...page.body.map(nameOf))
      after = page.headers.get('x-next-cursor')
    }
    expect(paged).toEqual(whole.map(nameOf))
  })

  it.each(['vienna', { text: 'vienna', in: ['name', 'description', 'values'] }])(
    'orders what is equal in the keys before it, over pages too: %j',
    async (form) => {
      const { name } = await createTag({ n: 'Number' })
      for (const [at, { item_id }] of items.entries())
        await client.ok('POST', `/api/items/${item_id}/tags`, {
          tag: { tag_ref: { Existing: name }, ...(at % 3 && { field_values: { n: at % 3 } }) },
        })
      const place = ({ item_id }: { item_id: string }) =>
        [2, 0, 1][items.findIndex((each) => each.item_id === item_id) % 3]!
      const { body: ranked } = await search({ filter: { search: form }, sort: RELEVANCE })
      const expected = (ranked as { item_id: string; name: string }[])
        .toSorted((a, b) => place(a) - place(b))
        .map(nameOf)
      const body = { filter: { search: form }, sort: [{ by: `${name}.n` }, ...RELEVANCE] }
      expect((await search(body)).body.map(nameOf)).toEqual(expected)
      const paged: string[] = []
      for (let after: string | null | undefined; after !== null;) {
        const page = await search({ ...body, limit: 2, ...(after !== undefined && { after }) })
        paged.push(...page.body.map(nameOf))
        after = page.headers.get('x-next-cursor')
      }
      expect(paged).toEqual(expected)
    },
  )

  it('pages by cursor', async () => {
    const all = (await search({ filter: { search: 'vienna' }, sort: RELEVANCE })).body.map(nameOf)
    const paged: string[] = []
    let after: string | undefined
    do {
      const { body, headers } = await search({
        filter: { search: 'vienna' },
        sort: RELEVANCE,
        limit: 2,
        after,
      })
      paged.push(...body.map(nameOf))
      after = headers.get('x-next-cursor') ?? undefined
    } while (after !== undefined)
    expect(paged).toEqual(all)
  })

  it.each([
    [undefined, RELEVANCE, "'relevance' needs a 'search'"],
    [{ has_tag: null }, RELEVANCE, "'relevance' needs a 'search'"],
    [{ not: { search: 'x' } }, RELEVANCE, "'relevance' needs a 'search'"],
    [undefined, [{ by: 'name' }, ...RELEVANCE], "sort[1].by: 'relevance' needs a 'search'"],
    [{ search: 'x' }, [...RELEVANCE, ...RELEVANCE], "sort[1].by: 'relevance' is a sort key once"],
    [{ search: 'x' }, [...RELEVANCE, { by: 'nam' }], "sort[1].by: cannot sort by 'nam'"],
  ])('refuses %j', async (filter, sort, message) => {
    const { status, body } = await search({ ...(filter && { filter }), sort })
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('is equally good where everything is asked for', async () => {
    const { status, body } = await search({ filter: { search: '' }, sort: RELEVANCE, limit: 2 })
    expect([status, body.map(nameOf)]).toEqual([200, ['x', 'yy']])
  })
})
