import { describe, expect, it } from 'vitest'
import {
  MAX_IDS,
  MAX_LEAVES,
  MAX_NESTING,
  parseFilter,
  parseTagFilter,
} from '#src/filter/language/parse-filter.ts'

const UNKNOWN = 'Unknown filter. Expected: and, or, not, search, has_tag, name, description, or Tag.field'
const OPERATORS =
  'eq, neq, gt, gte, lt, lte, select_gt, select_gte, select_lt, select_lte, match, regex, matches, contains, starts_with, ends_with, in, exists, is_null, dangling, outdated'
const A_VALUE = 'a string, number, boolean, null, {variant} object, or array of strings'
const leaf = { name: 'x' }

const nested = (depth: number): unknown => (depth ? { not: nested(depth - 1) } : leaf)

it('parseFilter combines only what are keys of a filter, and names the others', () => {
  const long = 'k'.repeat(1000)
  for (const [filter, suggestion] of [
    [
      { field: 'Task.status', op: 'eq', value: 'open' },
      'Keep one condition: "field", "op", "value" are none',
    ],
    [{ and: [leaf, leaf], limit: 5 }, 'Keep one condition: "limit" is none'],
    [{ name: 'x', [long]: 5 }, `Keep one condition: "${long.slice(0, 100)}…" is none`],
  ] as const)
    expect(parseFilter(filter).faults).toEqual([
      { path: 'filter', message: 'Filter object must have exactly one key', suggestion },
    ])
})

it.each([10, 11])('parseFilter names ten keys of %d', (count) => {
  const filter = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
  const [fault] = parseFilter(filter).faults
  expect(fault?.suggestion).toBe(
    `Keep one condition: "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"${count > 10 ? ', …' : ''} are none`,
  )
})

it.each([
  ['<-Tag.f', 'field', 'x'],
  ['<-Tag.f->name', 'hop', 'x'],
  ['<-Tag.v.f', 'reverse', leaf],
  ['<-Other.f', 'reverse', leaf],
])('parseFilter takes %s for a %s where a tag is called <-Tag', (key, kind, value) => {
  const { tree, faults } = parseFilter({ [key]: value }, 'filter', new Set(['<-Tag']))
  expect({ faults, kind: tree?.kind }).toEqual({ faults: [], kind })
})

it('parseFilter says which tags would have to be there for a key to be one of their fields', () => {
  const filter = { or: ['<-Tag.f', '<-Tag', 'Tag.<-f', 'Tag.f'].map((key) => ({ [key]: leaf })) }
  expect(parseFilter(filter).possibleNames).toEqual(new Set(['<-Tag']))
})

describe('parseFilter says how to go on', () => {
  for (const { filter, suggestion } of [
    {
      filter: { 'A.b': { today: -7 } },
      suggestion: 'Compare with it: {"gte": {"today":-7}}',
    },
    { filter: { serch: 'x' }, suggestion: "Did you mean 'search'?" },
    { filter: { name: 'x', search: 'y' }, suggestion: 'Combine them: {"and": [{"name": …}, {"search": …}]}' },
    { filter: { has_tag: { name: 'A' } }, suggestion: 'Give the name or the id of a tag' },
    { filter: { 'A.b': { contain: 'x' } }, suggestion: "Did you mean 'contains'?" },
    {
      filter: { name: 'x', id: 'z', search: 'y' },
      suggestion: 'Combine them: {"and": [{"name": …}, {"id": …}, {"search": …}]}',
    },
    { filter: { 'A.b': { gt: 1, lt: 2 } }, suggestion: "Combine several with 'and'" },
    { filter: { 'A.b': {} }, suggestion: `Expected one of: ${OPERATORS}` },
    { filter: { 'A.b': ['x'] }, suggestion: expect.stringContaining('{"in": […]}') },
    {
      filter: { 'A.b': { variant: 'x' } },
      suggestion: `A Select is compared by the variant's name: {"eq": "x"}`,
    },
  ])
    it(`on ${JSON.stringify(filter)}`, () =>
      expect(parseFilter(filter).faults).toMatchObject([{ suggestion }]))
})

describe('parseFilter refuses', () => {
  for (const { filter, at, message } of [
    { filter: {}, at: 'filter', message: 'Filter object cannot be empty' },
    { filter: [], at: 'filter', message: 'Filter must be an object' },
    { filter: 'x', at: 'filter', message: 'Filter must be an object' },
    { filter: null, at: 'filter', message: 'Filter must be an object' },
    { filter: { name: 'x', search: 'y' }, at: 'filter', message: 'Filter object must have exactly one key' },
    { filter: { contains: 'x' }, at: 'filter.contains', message: UNKNOWN },
    { filter: { constructor: 'x' }, at: 'filter.constructor', message: UNKNOWN },
    { filter: { '': 'x' }, at: 'filter.', message: UNKNOWN },
    { filter: { and: [leaf] }, at: 'filter.and', message: "'and' requires at least 2 filters" },
    { filter: { or: [] }, at: 'filter.or', message: "'or' requires at least 2 filters" },
    { filter: { and: leaf }, at: 'filter.and', message: "'and' requires an array of at least 2 filters" },
    { filter: { and: [leaf, {}] }, at: 'filter.and[1]', message: 'Filter object cannot be empty' },
    { filter: { not: [leaf] }, at: 'filter.not', message: 'Filter must be an object' },
    { filter: { not: { or: [leaf, { x: 1 }] } }, at: 'filter.not.or[1].x', message: UNKNOWN },
    { filter: { search: 5 }, at: 'filter.search', message: "'search' requires a string" },
    { filter: { has_tag: 5 }, at: 'filter.has_tag', message: "'has_tag' requires a string" },
    { filter: { has_tag: { name: 'A' } }, at: 'filter.has_tag', message: "'has_tag' requires a string" },
    { filter: { 'A.': 1 }, at: 'filter.A.', message: "Invalid dot-notation: 'A.'" },
    { filter: { '.b': 1 }, at: 'filter..b', message: "Invalid dot-notation: '.b'" },
    { filter: { '.': 1 }, at: 'filter..', message: "Invalid dot-notation: '.'" },
    { filter: { 'A->B.c': 1 }, at: 'filter.A->B.c', message: "Invalid dot-notation: 'A->B.c'" },
    { filter: { 'A.b->': 1 }, at: 'filter.A.b->', message: "Invalid dot-notation: 'A.b->'" },
    {
      filter: { 'A.b->search': 'x' },
      at: 'filter.A.b->search',
      message: "Invalid dot-notation: 'A.b->search'",
    },
    {
      filter: { 'A.b->c->name': 'x' },
      at: 'filter.A.b->c->name',
      message: "Invalid dot-notation: 'A.b->c->name'",
    },
    {
      filter: { 'A.b->A.b->A.b->A.b->A.b->A.b->name': 'x' },
      at: 'filter.A.b->A.b->A.b->A.b->A.b->A.b->name',
      message: 'Reference traversal exceeds max depth of 5 hops',
    },
    {
      filter: { 'A.b': [1] },
      at: 'filter.A.b',
      message: 'A field filter must be a value or an object with exactly one operator',
    },
    { filter: { 'A.b': {} }, at: 'filter.A.b', message: 'A field filter must have exactly one operator' },
    {
      filter: { name: { gt: 'a', lt: 'b' } },
      at: 'filter.name',
      message: 'A field filter must have exactly one operator',
    },
    {
      filter: { 'A.b': { like: 'x' } },
      at: 'filter.A.b.like',
      message: `Unknown operator 'like'. Expected: ${OPERATORS}`,
    },
    {
      filter: { 'A.b': { variant: 'x' } },
      at: 'filter.A.b.variant',
      message: `Unknown operator 'variant'. Expected: ${OPERATORS}`,
    },
    {
      filter: { 'A.b': { toString: 'x' } },
      at: 'filter.A.b.toString',
      message: `Unknown operator 'toString'. Expected: ${OPERATORS}`,
    },
    {
      filter: { 'A.b': { gt: true } },
      at: 'filter.A.b.gt',
      message: "'gt' requires a number, string, or date",
    },
    {
      filter: { 'A.b': { lte: null } },
      at: 'filter.A.b.lte',
      message: "'lte' requires a number, string, or date",
    },
    {
      filter: { 'A.b': { select_gt: 1 } },
      at: 'filter.A.b.select_gt',
      message: "'select_gt' requires a string",
    },
    { filter: { 'A.b': { match: ['a'] } }, at: 'filter.A.b.match', message: "'match' requires a string" },
    {
      filter: { name: { contains: 1 } },
      at: 'filter.name.contains',
      message: "'contains' requires a string",
    },
    {
      filter: { name: { starts_with: null } },
      at: 'filter.name.starts_with',
      message: "'starts_with' requires a string",
    },
    { filter: { name: { regex: {} } }, at: 'filter.name.regex', message: "'regex' requires a string" },
    { filter: { name: { matches: 1 } }, at: 'filter.name.matches', message: "'matches' requires a string" },
    { filter: { 'A.b': { in: 'a' } }, at: 'filter.A.b.in', message: "'in' requires an array" },
    { filter: { 'A.b': { exists: 'yes' } }, at: 'filter.A.b.exists', message: "'exists' requires a boolean" },
    { filter: { 'A.b': { is_null: 0 } }, at: 'filter.A.b.is_null', message: "'is_null' requires a boolean" },
    { filter: { 'A.b': { eq: { x: 1 } } }, at: 'filter.A.b.eq', message: `'eq' requires ${A_VALUE}` },
    { filter: { 'A.b': { neq: [1] } }, at: 'filter.A.b.neq', message: `'neq' requires ${A_VALUE}` },
    {
      filter: { 'A.b': { in: [['a']] } },
      at: 'filter.A.b.in',
      message: "'in': the array may hold strings, numbers, booleans and {variant} objects",
    },
    {
      filter: { 'A.b': { gt: { today: 'x' } } },
      at: 'filter.A.b.gt',
      message: "'gt': 'today' takes a whole number of days, at most 700000 either way",
    },
    {
      filter: { 'A.b': { in: [1, { now: '6H' }] } },
      at: 'filter.A.b.in',
      message:
        '\'in\': \'now\' takes an ISO 8601 duration such as "-PT6H" or "P1D", at most 700000 days either way',
    },
    {
      filter: { 'A.b': { eq: { today: 1, now: 'P1D' } } },
      at: 'filter.A.b.eq',
      message: `'eq' requires ${A_VALUE}`,
    },
    {
      filter: { name: { regex: '(a' } },
      at: 'filter.name.regex',
      message: "'regex': missing closing ): `(a`",
    },
    {
      filter: { name: { regex: 'a(?=b)' } },
      at: 'filter.name.regex',
      message: "'regex': invalid or unsupported Perl syntax: `(?=`",
    },
    {
      filter: { name: { matches: 'a'.repeat(1001) } },
      at: 'filter.name.matches',
      message: "'matches': a regular expression has at most 1000 characters",
    },
  ])
    it(JSON.stringify(filter).slice(0, 70), () => {
      const { faults } = parseFilter(filter)
      expect(faults.map(({ path, message }) => ({ path, message }))).toEqual([{ path: at, message }])
    })

  it('every fault at once, each with its path', () => {
    const filter = { and: [{ name: { gt: true } }, { or: [{}, { serch: 'x' }] }, { search: 'fine' }] }
    expect(parseFilter(filter, 'where').faults).toEqual([
      { path: 'where.and[0].name.gt', message: "'gt' requires a number, string, or date" },
      { path: 'where.and[1].or[0]', message: 'Filter object cannot be empty' },
      { path: 'where.and[1].or[1].serch', message: UNKNOWN, suggestion: "Did you mean 'search'?" },
    ])
  })

  it('deeper nesting than the limit, leaf not counted', () => {
    expect(parseFilter(nested(MAX_NESTING)).faults).toEqual([])
    expect(parseFilter(nested(MAX_NESTING + 1)).faults).toMatchObject([
      { message: "Filter exceeds max nesting of 50 'and', 'or' and 'not'" },
    ])
  })

  it('more leaves than the limit', () => {
    const leaves = Array.from({ length: MAX_LEAVES }, () => leaf)
    expect(parseFilter({ and: leaves }).faults).toEqual([])
    expect(parseFilter({ and: [...leaves, leaf, leaf] }).faults).toEqual([
      { path: 'filter.and[1000].name', message: 'Filter exceeds max of 1000 conditions' },
    ])
  })
})

describe('parseFilter takes ids and times', () => {
  it('of the item and of what a reference leads to', () => {
    for (const filter of [
      { id: 'x' },
      { 'A.b->id': { in: [] } },
      { 'A.b->created_at': { gt: '2026-01-31' } },
    ])
      expect(parseFilter(filter).faults).toEqual([])
  })

  it('but no more ids than the limit', () => {
    const ids = Array.from({ length: MAX_IDS }, () => 'x')
    expect(parseFilter({ id: { in: ids } }).faults).toEqual([])
    expect(parseFilter({ id: { in: [...ids, 'x'] } }).faults).toEqual([
      { path: 'filter.id.in', message: "'in' takes at most 10000 ids" },
    ])
  })
})

describe('parseTagFilter', () => {
  it('knows neither fields nor has_tag', () => {
    const message = 'Unknown filter. Expected: and, or, not, search, name, or description'
    for (const key of ['has_tag', 'id', 'created_at', 'A.b', 'A.b->name', 'A.b->A.b->A.b->A.b->A.b->A.b->x'])
      expect(parseTagFilter({ [key]: 'x' }).faults).toMatchObject([{ path: `filter.${key}`, message }])
  })

  it('takes the rest', () => {
    const filter = { and: [{ search: 'a' }, { not: { or: [leaf, { description: { exists: true } }] } }] }
    expect(parseTagFilter(filter).faults).toEqual([])
  })
})
