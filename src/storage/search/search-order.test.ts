import { describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import {
  LAST_TIER,
  reachedTiers,
  type Relevance,
  tierOf,
  tierPlan,
  tiersOf,
} from '#src/storage/search/relevance.ts'
import {
  bindSort,
  BY_SCORE,
  isByRank,
  isByScoreAlone,
  OLDEST_FIRST,
  type SearchOrder,
  usualOrder,
} from '#src/storage/search/search-order.ts'
import { CATALOG } from '#test/support/fixed-catalog.ts'
import { ALWAYS, and, not, or, search, tags } from '#test/support/plan-table.ts'

// The order that a search asks for, and the tiers of relevance: what is written down is accepted by
// `vitest run src/storage/search/search-order.test.ts -u`.

const bound = async (filter: unknown) => (await checkFilter(filter, CATALOG)).filter!

const FILTERS: Record<string, unknown> = {
  nothing: undefined,
  'a name': { name: 'a' },
  'a search': { search: 'Élan' },
  'a search of nothing': { search: '' },
  'two searches': { and: [{ search: 'a' }, { or: [{ search: 'b' }, { name: 'c' }] }] },
  'a search that is not': { not: { search: 'a' } },
  'a search of words in a place': { search: { text: ['b a b', 'c'], match: 'words', in: ['name'] } },
  'any words': { search: { text: 'a b', match: 'any' } },
  'any words, and a name': {
    and: [{ name: 'a' }, { or: [{ search: { text: 'a', match: 'any' } }, { name: 'b' }] }],
  },
  'not any words': { and: [{ name: 'a' }, { not: { search: { text: 'a', match: 'any' } } }] },
}
type Sort = Parameters<typeof bindSort>[0]
const SORTS: Sort[] = [
  [],
  [{ by: 'name' }],
  [{ by: 'name', direction: 'desc' }],
  [
    { by: 'updated_at', direction: 'desc' },
    { by: 'Task.effort', direction: 'asc' },
  ],
  [{ by: 'Task.effort' }, { by: 'created_at', direction: 'desc' }],
  [{ by: 'relevance' }],
  [{ by: 'relevance' }, { by: 'name' }],
  [{ by: 'name', direction: 'desc' }, { by: 'relevance' }],
  [{ by: 'name' }, { by: 'relevance' }, { by: 'Task.title', direction: 'desc' }],
  [{ by: 'relevance' }, { by: 'relevance' }],
  [{ by: 'nam' }],
  [{ by: 'x' }],
  [{ by: 'Task.titel' }],
  [{ by: 'Task.zzzzzz' }],
  [{ by: 'Tsk.title' }, { by: 'Task.labels' }, { by: 'Task.people' }, { by: 'Task.file' }],
]

const shown = (order: SearchOrder) =>
  JSON.stringify({
    ...order,
    keys: order.keys.map(({ column, field, tier, descending }) => [
      column ?? field?.name ?? tier,
      descending,
    ]),
    by_rank: isByRank(order),
    by_score_alone: isByScoreAlone(order),
  })

describe('the order of a search', () => {
  it('that is asked for is as written down', async () => {
    const lines: string[] = []
    for (const [title, given] of Object.entries(FILTERS)) {
      const filter = given === undefined ? undefined : await bound(given)
      for (const sort of SORTS) {
        const read = await bindSort(sort, CATALOG, filter).then(shown, (error: unknown) =>
          error instanceof ServiceError ? JSON.stringify(error.details ?? error.message) : String(error),
        )
        lines.push(
          `${title}, by ${sort.map(({ by, direction = '' }) => `${by} ${direction}`).join(', ')}: ${read}`,
        )
      }
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/orders/sorts.txt')
  })

  it('where none is asked for is that of creation, for tools the newest first, and by scores where there are some', async () => {
    const usual = async (given: unknown, source: 'rest' | 'mcp') =>
      usualOrder(given === undefined ? undefined : await bound(given), { source })
    for (const title of ['nothing', 'a name', 'a search', 'two searches', 'not any words']) {
      expect(await usual(FILTERS[title], 'rest')).toBe(OLDEST_FIRST)
      expect(await usual(FILTERS[title], 'mcp')).toEqual({
        keys: [{ column: 'created_at', descending: true }],
        descending: true,
      })
    }
    for (const title of ['any words', 'any words, and a name'])
      for (const source of ['rest', 'mcp'] as const)
        expect(await usual(FILTERS[title], source)).toBe(BY_SCORE)
  })
})

describe('the tiers of relevance', () => {
  const sought = (text: string, ...places: ('name' | 'description' | 'values')[]) => ({ text, places })
  const usual = (text: string) => sought(text, 'name', 'description')
  const RELEVANCES: Record<string, Relevance> = {
    nothing: [],
    'one text': [[[usual('ab')]]],
    'one text in names': [[[sought('ab', 'name')]]],
    'one text in descriptions': [[[sought('ab', 'description')]]],
    'one text in values': [[[sought('ab', 'values')]]],
    'two words': [[[usual('ab'), usual('cd')]]],
    'two alternatives': [[[usual('ab')], [usual('cd')]]],
    'two alternatives, one in values': [[[sought('ab', 'values')], [usual('cd')]]],
    'two searches': [[[usual('ab')]], [[sought('cd', 'name')]]],
    'two searches, one in values': [[[usual('ab')]], [[sought('cd', 'values')]]],
    'an empty text': [[[]]],
  }

  it('are plans as written down', async () => {
    const lines = Object.entries(RELEVANCES).flatMap(([title, relevance]) => [
      title,
      ...([1, 2, 3, 4, 5, 6] as const).map(
        (tier) => `  ${tier} ${JSON.stringify(tierPlan(relevance, tier))}`,
      ),
      `  reached ${JSON.stringify(reachedTiers(relevance))}`,
    ])
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/orders/tiers.txt')
    expect(LAST_TIER).toBe(6)
  })

  it.each([
    ['one text', search('ab'), false],
    ['one text', search('cd'), true],
    ['one text', and(search('ab'), tags(7)), false],
    ['one text', or(search('ab'), tags(7)), true],
    ['one text', not(search('ab')), true],
    ['one text', ALWAYS, true],
    ['two words', and(search('ab'), search('cd')), false],
    ['two words', search('ab'), true],
    ['two alternatives', and(search('ab'), search('cd')), true],
    ['two searches', and(search('ab'), search('cd')), false],
    ['two searches', search('ab'), true],
    ['nothing', ALWAYS, false],
  ])('of %s in %j have a last one: %j', (title, plan, last) => {
    expect(tiersOf(RELEVANCES[title]!, plan)).toEqual(last ? [1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5])
  })

  it.each([
    ['ab', null, 'one text', 1],
    ['ÁB', null, 'one text', 1],
    ['abx', null, 'one text', 2],
    ['x ab', null, 'one text', 3],
    ['x-abc', null, 'one text', 3],
    ['xab', null, 'one text', 4],
    ['x', 'y ab', 'one text', 5],
    ['x', '<p>ÁB</p>', 'one text', 5],
    ['x', null, 'one text', 6],
    ['x', 'y', 'one text', 6],
    ['x', 'ab', 'one text in names', 6],
    ['ab', null, 'one text in descriptions', 6],
    ['ab', 'ab', 'one text in descriptions', 5],
    ['ab', 'ab', 'one text in values', 6],
    ['ab cd', null, 'two words', 3],
    ['ab', 'cd', 'two words', 5],
    ['ab', null, 'two words', 6],
    ['abcd', null, 'two alternatives', 2],
    ['xab', 'cd', 'two alternatives', 4],
    ['ab', null, 'two alternatives', 1],
    ['ab', null, 'two searches', 6],
    ['abcd', null, 'two searches', 4],
    ['ab', null, 'nothing', 1],
    ['ab', null, 'an empty text', 1],
  ] as [string, string | null, string, number][])(
    'of "%s", %j for %s are %d',
    (name, description, title, tier) => {
      expect(tierOf(RELEVANCES[title]!, { name, description })).toBe(tier)
    },
  )
})
