import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService } from '#test/support/service.ts'

// As many words and comparisons as a filter may have: each answers, in time that grows with their number.

let service: Awaited<ReturnType<typeof startService>>
let client: Client

const WORDS = Array.from({ length: 100 }, (_, i) => `word${i}x`)
const FIELDS = Array.from({ length: 40 }, (_, i) => `s${i}`)

beforeAll(async () => {
  service = await startService()
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
      // 960 took 7 s, and take 0.3 to 1.8 s where nothing else goes on.
      expect(await worked(960)).toBeLessThan(5000)
    })
})
