import { describe, expect, it } from 'vitest'
import type { FilterPlan, SearchPart } from '#src/filter/meaning/plan.ts'
import { isImplied } from '#src/storage/search/relevance.ts'

const search = (text: string, part?: SearchPart): FilterPlan => ({
  kind: 'search',
  text,
  ...(part && { part }),
})
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
  ])('%j by %j: %j', (plan, tier, implied) => {
    expect(isImplied(plan, [{ kind: 'always' }, tier])).toBe(implied)
  })
})
