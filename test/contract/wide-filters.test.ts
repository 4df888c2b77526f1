import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'

// As many words and comparisons as a filter may have: each answers, in time that grows with their number.

let service: Awaited<ReturnType<typeof startService>>
let client: Client

const WORDS = Array.from({ length: 100 }, (_, i) => `word${i}x`)
const FIELDS = Array.from({ length: 40 }, (_, i) => `s${i}`)

beforeAll(async () => {
  service = await startService({ env: { QUERY_TIMEOUT: '60s' } })
  client = await service.user()
  const fields = Object.fromEntries([...FIELDS, 'title'].map((name) => [name, 'String']))
  await client.ok('POST', '/api/tags', { name: 'T', fields })
  const items = Array.from({ length: 400 }, (_, i) => ({
    name: `Item ${i}`,
    description: `<p>${(i % 2 ? WORDS : WORDS.slice(i % 100)).join(' ')}</p>`,
    tags:
      i < 200
        ? [
            {
              tag_ref: { Existing: 'T' },
              field_values: {
                title: `value ${i}`,
                ...Object.fromEntries(FIELDS.map((name) => [name, 'some'])),
              },
            },
          ]
        : [],
  }))
  await client.ok('POST', '/api/items/bulk', { items })
})
afterAll(() => service.close())

const found = async (filter: object, sort?: object[]) =>
  (await client.ok('POST', '/api/items/search', { filter, limit: 1000, ...(sort && { sort }) })).length

describe('a search by words', () => {
  for (const words of [1, 8, 9, 10, 16, 17, 18, 30, 100])
    it(`takes ${words}`, async () => {
      const search = { search: { text: WORDS.slice(0, words).join(' '), match: 'words' } }
      const holding = 204
      expect(await found(search)).toBe(holding)
      expect(await found(search, [{ by: 'name', direction: 'asc' }])).toBe(holding)
      expect(await found(search, [{ by: 'relevance' }])).toBe(holding)
      expect(await found({ not: search })).toBe(400 - holding)
    })

  it('takes as many conditions on values beside it', async () => {
    const conditions = FIELDS.map((name) => ({ [`T.${name}`]: { contains: 'som' } }))
    expect(await found({ and: [{ search: 'word99x' }, ...conditions] })).toBe(200)
    expect(await found({ and: [{ search: 'word99x' }, ...conditions.map((each) => ({ not: each }))] })).toBe(
      200,
    )
  })
})

describe('a filter of many comparisons', () => {
  const comparisons = (count: number, contains: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => ({ 'T.title': { contains: contains(i) } }))
  const same = (i: number) => ['value', 'alue ', 'lue', 'ue', 'e', 'v', 'a', 'l', 'u'][i % 9]!
  const other = (i: number) => `none ${i}`

  for (const [what, filter, items] of [
    ['all true', (n: number) => ({ and: comparisons(n, same) }), 200],
    [
      'one of them true',
      (n: number) => ({ or: [...comparisons(n - 1, other), { 'T.title': { contains: 'e 7' } }] }),
      11,
    ],
    ['all false', (n: number) => ({ and: comparisons(n, other).map((each) => ({ not: each })) }), 400],
    ['one of them false', (n: number) => ({ or: comparisons(n, same).map((each) => ({ not: each })) }), 200],
    [
      'searches',
      (n: number) => ({ or: Array.from({ length: n }, (_, i) => ({ search: `word${i}x` })) }),
      400,
    ],
    [
      'searches in values',
      (n: number) => ({
        or: Array.from({ length: n }, (_, i) => ({ search: { text: `alue ${i}`, in: ['values'] } })),
      }),
      200,
    ],
  ] as const)
    it(`takes time that grows with their number: ${what}`, async () => {
      const worked = async (n: number) => {
        const { user, system } = process.cpuUsage()
        expect(await found(filter(n))).toBe(items)
        const spent = process.cpuUsage()
        return (spent.user + spent.system - user - system) / 1000
      }
      await worked(100)
      const few = await worked(240)
      const many = await worked(960)
      expect(many, `240 took ${few} ms`).toBeLessThan(10 * few + 1000)
    })
})

describe('many parts that are looked for at one pass', () => {
  const parts = (count: number, last: string) =>
    Array.from({ length: count }, (_, i) => (i === count - 1 ? last : `${i} not there`))
  const anyOf = (column: string, last: string, count = 999) => ({
    or: parts(count, last).map((text) => ({ [column]: { contains: text } })),
  })

  beforeAll(async () => {
    const fields = { to: 'Reference', note: 'String' }
    await client.ok('POST', '/api/tags', { name: 'P', description: 'x < y & [z]', fields })
    const named = (name: string, description: string | null, field_values: object = {}) => ({
      name,
      description,
      tags: [{ tag_ref: { Existing: 'P' }, field_values }],
    })
    const items = [
      named('alpha (one)', '<p>über 𝒳 and <b>bold</b></p>', { note: 'red hot, icy cold' }),
      named('beta.*', '<p>x &lt; y</p>', { note: 'icy cold' }),
      named('gamma', null),
    ]
    const [alpha] = await client.ok('POST', '/api/items/bulk', { items })
    await client.ok('POST', '/api/items/bulk', { items: [named('delta', '<p>d</p>', { to: alpha.item_id })] })
  })

  const names = async (filter: object, more: object = {}) => {
    const own = { and: [{ has_tag: 'P' }, filter] }
    const items = await client.ok('POST', '/api/items/search', { filter: own, ...more })
    return items.map(({ name }: { name: string }) => name).toSorted()
  }

  it('finds them in names, descriptions, values and behind references', async () => {
    expect(await names(anyOf('name', 'ha (o'))).toEqual(['alpha (one)'])
    expect(await names(anyOf('name', 'a.*'))).toEqual(['beta.*'])
    expect(await names(anyOf('name', 'ALPHA'))).toEqual([])
    expect(await names(anyOf('description', 'ber 𝒳 and <b>'))).toEqual(['alpha (one)'])
    expect(await names(anyOf('description', '&lt;'))).toEqual(['beta.*'])
    expect(await names(anyOf('P.note', 'cy c'))).toEqual(['alpha (one)', 'beta.*'])
    expect(await names(anyOf('P.to->P.note', 'd h'))).toEqual(['delta'])
  })

  it('finds what has none of them, also where there is no text', async () => {
    const none = (column: string, last: string) => ({
      and: parts(990, last).map((text) => ({ not: { [column]: { contains: text } } })),
    })
    expect(await names(none('description', 'ber'))).toEqual(['beta.*', 'delta', 'gamma'])
    expect(await names(none('P.note', 'red'))).toEqual(['beta.*', 'delta', 'gamma'])
    expect(await names({ not: anyOf('P.note', 'hot', 990) })).toEqual(['beta.*', 'delta', 'gamma'])
  })

  it('goes on page by page, and groups', async () => {
    const filter = anyOf('P.note', ' ')
    const page = (more: object) =>
      names(filter, { limit: 1, sort: [{ by: 'name', direction: 'asc' }], ...more })
    expect(await page({ skip: 1 })).toEqual(['beta.*'])
    const groups = await client.ok('POST', '/api/items/aggregate', { filter, group_by: ['P.note'] })
    expect(groups.groups).toHaveLength(2)
  })

  it('finds tags, and what was deleted', async () => {
    const tags = await client.ok('POST', '/api/tags/search', { filter: anyOf('description', '< y & [') })
    expect(tags.map(({ name }: { name: string }) => name)).toEqual(['P'])
    const [gone] = await client.ok('POST', '/api/items/search', { filter: anyOf('name', 'elt') })
    await client.ok('DELETE', `/api/items/${gone.item_id}`)
    const deleted = async (filter: object) =>
      (await client.ok('POST', '/api/items/deleted/search', { filter })).length
    expect(await deleted(anyOf('name', 'elt'))).toBe(1)
    expect(await deleted(anyOf('description', '<p>d'))).toBe(1)
    expect(await deleted(anyOf('P.to->P.note', 'd h'))).toBe(1)
    expect(await deleted(anyOf('name', 'alph'))).toBe(0)
  })
})
