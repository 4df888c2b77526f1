import { describe, expect, it } from 'vitest'
import type { FilterPlan, SearchPart } from '#src/filter/meaning/plan.ts'
import {
  isImplied,
  reachedTiers,
  type Relevance,
  type Tier,
  tierPlan,
} from '#src/storage/search/relevance.ts'

const search = (text: string, part?: SearchPart): FilterPlan => ({
  kind: 'search',
  text,
  ...(part && { part }),
})
const and = (...children: FilterPlan[]): FilterPlan => ({ kind: 'and', children })
const not = (child: FilterPlan): FilterPlan => ({ kind: 'not', child })
const or = (...children: FilterPlan[]): FilterPlan => ({ kind: 'or', children })

describe('a search that a tier says already', () => {
  it.each<[FilterPlan, FilterPlan, boolean]>([
    [search('a'), search('a', 'name'), true],
    [search('a'), search('b', 'name'), false],
    [search('a', 'name'), search('a', 'name'), true],
    [search('a', 'name'), search('a', 'word_start'), true],
    [search('a', 'name'), search('b', 'name'), false],
    [search('a', 'name'), search('a', 'description'), false],
    [search('a', 'name'), search('a'), false],
    [search('a', 'name_start'), search('a', 'whole_name'), true],
    [search('a', 'whole_name'), search('a', 'name_start'), false],
    [search('a'), or(search('a', 'name'), search('a', 'description')), true],
    [search('a'), or(search('a', 'name'), search('b', 'name')), false],
    [or(search('a')), search('a'), false],
    [search('a'), { kind: 'always' }, false],
    [{ kind: 'values', text: 'a', fields: [1] }, search('a'), false],
    [{ kind: 'and', children: [search('a')] }, search('a'), false],
  ])('%j by %j: %j', (plan, tier, implied) => {
    expect(isImplied(plan, [{ kind: 'always' }, tier])).toBe(implied)
  })
})

describe('the plan of a tier', () => {
  const inName = (text: string) => ({ text, places: ['name'] as const })
  const anywhere = (text: string) => ({ text, places: ['name', 'description'] as const })
  const whole = (text: string) => search(text, 'whole_name')
  const start = (text: string) => search(text, 'name_start')
  const within = (text: string) => or(search(text, 'name'), search(text, 'description'))

  it.each<[string, Relevance, Tier, FilterPlan | undefined]>([
    ['one text', [[[inName('a')]]], 1, whole('a')],
    ['one text', [[[inName('a')]]], 2, and(start('a'), not(whole('a')))],
    ['one text', [[[inName('a')]]], 3, and(search('a', 'word_start'), not(start('a')))],
    [
      'one text',
      [[[inName('a')]]],
      4,
      and(search('a', 'name'), not(or(start('a'), search('a', 'word_start')))),
    ],
    [
      'one text in both places',
      [[[anywhere('a')]]],
      5,
      and(search('a', 'description'), not(search('a', 'name'))),
    ],
    ['one text', [[[inName('a')]]], 6, and({ kind: 'always' }, not(search('a', 'name')))],
    ['a text of values', [[[{ text: 'a', places: ['values'] }]]], 1, undefined],
    ['a text of values', [[[{ text: 'a', places: ['values'] }]]], 2, undefined],
    ['a text of values', [[[{ text: 'a', places: ['values'] }]]], 6, { kind: 'always' }],
    [
      'two searches',
      [[[inName('a'), inName('b')]], [[inName('c')]]],
      1,
      and(whole('a'), whole('b'), whole('c')),
    ],
    [
      'a search for either of two',
      [[[inName('a'), inName('b')], [inName('c')]]],
      1,
      or(and(whole('a'), whole('b')), whole('c')),
    ],
    [
      'either of two in different places',
      [[[inName('a')], [anywhere('b')]]],
      5,
      and(within('b'), not(or(search('a', 'name'), search('b', 'name')))),
    ],
  ])('of %s: %j in tier %d', (_, relevance, tier, plan) => {
    const found = tierPlan(relevance, tier)
    // What is always true beside another part says nothing.
    const expected =
      plan?.kind === 'and'
        ? { ...plan, children: plan.children.filter(({ kind }) => kind !== 'always') }
        : plan
    expect(found).toEqual(expected)
  })

  it('is there for the tiers that a text may be in', () => {
    const tiersOf = (relevance: Relevance) => reachedTiers(relevance).map(({ tier }) => tier)
    expect(tiersOf([[[inName('a')]]])).toEqual([1, 2, 3, 4, 5])
    expect(tiersOf([[[{ text: 'a', places: ['description'] }]]])).toEqual([5])
    expect(tiersOf([[[{ text: 'a', places: ['values'] }]]])).toEqual([])
  })
})
