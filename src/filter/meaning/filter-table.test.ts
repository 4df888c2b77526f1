import { describe, expect, it } from 'vitest'
import { MAX_PROBLEMS } from '#src/domain/errors.ts'
import { estimatedPatternSize } from '#src/domain/pattern-size.ts'
import { readHasTag } from '#src/filter/language/has-tag-form.ts'
import { hopsOf, splits } from '#src/filter/language/filter-keys.ts'
import { MAX_LEAVES, MAX_NESTING, parseFilter, parseTagFilter } from '#src/filter/language/parse-filter.ts'
import type { BoundFilter } from '#src/filter/meaning/bound-filter.ts'
import { conditionsOf, fieldsOf } from '#src/filter/meaning/filter-conditions.ts'
import { defaultsOf } from '#src/filter/meaning/defaults-of.ts'
import { goesByTime, planOfLasting } from '#src/filter/meaning/lasting-filter.ts'
import { ignoringCase } from '#src/filter/meaning/ignoring-case.ts'
import { isRelative, namedFields } from '#src/filter/meaning/named-fields.ts'
import { nodesOf, readsOwnItem } from '#src/filter/meaning/plan-nodes.ts'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { checkFilter } from '#src/filter/meaning/read-filter.ts'
import { resolvedFilter } from '#src/filter/meaning/resolved-filter.ts'
import { bindValuePath, isMulti } from '#src/filter/meaning/value-path.ts'
import { filterWords } from '#src/filter/words/filter-words.ts'
import { CATALOG as catalog, GONE, KNOWN, TASK_ID, UNKNOWN } from '#test/support/fixed-catalog.ts'

// What every stage makes of filters of all kinds, written down: faults, plan, words and so on. After a change read the
// difference and accept it by `vitest run src/filter/meaning/filter-table.test.ts -u`.

const leaf = { name: 'x' }
const chain = (hops: number, last: string) => `${'Task.owner->'.repeat(hops)}${last}`
const x = (count: number) => 'x'.repeat(count)
const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
const search = (more: Record<string, unknown>) => ({ search: { text: 'a b', ...more } })
const among = (between: unknown) => ({ changed_between: between })
const or = (...children: unknown[]) => ({ or: children })
const and = (...children: unknown[]) => ({ and: children })
const not = (child: unknown) => ({ not: child })

const STRUCTURE: unknown[] = [
  5,
  [],
  {},
  { name: 'x', id: 'y' },
  { name: 'x', id: 'y', search: 'z' },
  { ad: 1 },
  { orr: 1 },
  { nott: 1 },
  { hastag: 1 },
  { chnged_between: 1 },
  { descripton: 1 },
  { created: 1 },
  { '': 1 },
  { and: 'x' },
  { and: [] },
  { or: [leaf] },
  { and: [leaf, 5] },
  { or: [leaf, {}, { x: 1 }] },
  { not: 5 },
  { not: leaf },
  { not: and(leaf, leaf) },
  { has_tag: 5 },
  { has_tag: null },
  { has_tag: [] },
  { has_tag: {} },
  { has_tag: { id: 'Task' } },
  { has_tag: { id: 5 } },
  { has_tag: { id: TASK_ID, name: { eq: 'Task' } } },
  { has_tag: { name: { eq: 'Task' } } },
  { has_tag: { name: { eq: 'Task', neq: 'x' } } },
  { has_tag: { name: 'Task' } },
  { has_tag: { id: 'Task', exact: true } },
  { has_tag: { id: 'Task', exact: 1 } },
  { has_tag: { name: { eq: 'Task' }, exact: false } },
  { has_tag: { exact: true } },
  { has_tag: 'Task' },
  { has_tag: 'Chore' },
  { has_tag: 'v1.0 notes' },
  { has_tag: TASK_ID },
  { has_tag: TASK_ID.toLowerCase() },
  { has_tag: 'Tsk' },
  { has_tag: UNKNOWN },
  { has_tag: 'nothing like it' },
  { search: 5 },
  { search: null },
  { search: [] },
  { search: '' },
  { search: 'É' },
  { search: {} },
  search({}),
  search({ text: 5 }),
  search({ text: [] }),
  search({ text: ['a'] }),
  search({ text: ['a', 'b'] }),
  search({ text: ['a', 'b', 'c'] }),
  search({ text: ['a', 5] }),
  search({ text: Array.from({ length: 20 }, (_, i) => `${i}`) }),
  search({ text: Array.from({ length: 21 }, (_, i) => `${i}`) }),
  search({ in: [] }),
  search({ in: 'name' }),
  search({ in: ['name', 'x'] }),
  search({ in: ['name'] }),
  search({ in: ['values'] }),
  search({ in: ['values'], match: 'any' }),
  search({ in: ['name', 'name', 'values'] }),
  search({ in: ['name', 'description', 'values'] }),
  search({ match: 'x' }),
  search({ match: 'words' }),
  search({ match: 'words', text: '  a   a b ' }),
  search({ match: 'words', text: ' ' }),
  search({ match: 'words', text: ['a b', 'c'] }),
  search({ match: 'words', text: ['a', ''] }),
  search({ match: 'phrase' }),
  search({ match: 'any' }),
  search({ match: 'any', text: ['a b', 'c'], in: ['description'] }),
  search({ match: 'any', text: '!?' }),
  search({ match: 'any', text: ['a', '!'] }),
  search({ txt: 1 }),
  search({ nothing: 1 }),
  search({ matc: 'any' }),
  among('x'),
  among([]),
  among(['2026-01-01']),
  among(['2026-01-01', '2026-01-02', '2026-01-03']),
  among(['2026-01-01', '2026-01-02']),
  among(['2026-01-02', '2026-01-01']),
  among(['2026-01-01', '2026-01-01']),
  among(['2026-01-01T00:00:00.0001Z', { now: 'PT0S' }]),
  among([{ today: -7 }, { now: 'PT0S' }]),
  among(['soon', '2026-01-01']),
  among(['2026-01-01', 5]),
  among(['2026-01-01', { today: 'x' }]),
  among(['0001-01-01', '9999-12-31']),
  { name: { gt: 'a', lt: 'b' } },
  { name: {} },
  { name: [] },
  { name: ['a'] },
  { name: { variant: 'x' } },
  { name: { like: 'x' } },
  { name: { contain: 'x' } },
  { 'Task.due': { today: -7 } },
  { 'Task.due': { now: 'PT0S', gt: 1 } },
  { name: { contains: 5 } },
  { name: { regex: '(' } },
  { name: { in: [[]] } },
  { name: { ends_with: 'b.c' } },
  { id: KNOWN },
  { id: { in: [KNOWN, GONE, UNKNOWN, 'x', 5] } },
  { id: { neq: KNOWN } },
  { id: { gt: 'x' } },
  { id: null },
  { id: { neq: null } },
  { description: null },
  { description: { exists: true } },
  { name: null },
  { name: { exists: false } },
  { created_at: { gte: '2026-01-01' } },
  { updated_at: { lt: { today: 0 } } },
]

const KEYS: unknown[] = [
  'A.',
  '.b',
  '.',
  'Task.title.x',
  'Task.status.closed.closed_by',
  'Task.status.closed_by',
  'Tsk.status.closed_by',
  'v1.0 notes.text',
  'v2.0 notes.text',
  '.a.b',
  'T.x.size',
  'T..x.size',
  'T.size',
  'Tsk.title',
  'Task.titel',
  'Task.nothing',
  'Bare.x',
  `${TASK_ID}.title`,
  `${TASK_ID.toLowerCase()}.title`,
  'Task.owner->name',
  'Task.owner->search',
  'Task.owner->x',
  'Task.owner->',
  '->name',
  'Task->name',
  'Task.owner->has_tag',
  'Task.owner->id',
  'Task.owner->Task.people->Task.title',
  'Task.owner->Task.titel',
  'Task.owner->Chore.who else->name',
  'Task.title->name',
  'Task.ownr->name',
  'Bare.x->name',
  'Tsk.owner->name',
  'Task.owner->Tsk.title',
  chain(5, 'name'),
  chain(6, 'name'),
  chain(5, 'Task.title'),
  'Task.title->Tsk.title',
].map((key) => ({ [key]: 'Task' }))

const REVERSE: unknown[] = [
  { '<-Task.owner': leaf },
  { '<-Task.owner': {} },
  { '<-Task.owner': 'x' },
  { '<-Task.owner': null },
  { '<-Task.owner': [] },
  { '<-Task.owner': 5 },
  { '<-Task.owner': { filter: leaf } },
  { '<-Task.owner': { filter: leaf, count: { gte: 3 } } },
  { '<-Task.owner': { filter: {} } },
  { '<-Task.owner': { filter: leaf, other: 1 } },
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte'].flatMap((comparison) =>
    [0, 1, 2].map((count) => ({ '<-Task.owner': { count: { [comparison]: count } } })),
  ),
  ...['eq', 'gte', 'lt'].flatMap((comparison) =>
    [0, 1].map((count) => ({
      '<-Task.owner': { filter: { 'Task.effort': { in: [] } }, count: { [comparison]: count } },
    })),
  ),
  { '<-Task.owner': { count: { eq: -1 } } },
  { '<-Task.owner': { count: { eq: 1.5 } } },
  { '<-Task.owner': { count: { eq: '1' } } },
  { '<-Task.owner': { count: { like: 1 } } },
  { '<-Task.owner': { count: { eq: 1, gt: 2 } } },
  { '<-Task.owner': { count: {} } },
  { '<-Task.owner': { count: 5 } },
  { '<-Task.owner': { count: null } },
  { '<-Task.owner': { count: 2 ** 53 } },
  { '<-Task.title': leaf },
  { '<-Task.titel': leaf },
  { '<-Bare.x': leaf },
  { '<-Tsk.owner': leaf },
  { '<-Task': leaf },
  { '<-Task.owner->name': 'x' },
  { '<-Task.owner': { 'Task.owner->name': 'x' } },
  { '<-Task.owner': { 'Task.titel': 'x' } },
  { '<-Task.owner': { [chain(4, 'name')]: 'x' } },
  { '<-Task.owner': { [chain(5, 'name')]: 'x' } },
  { [chain(4, '<-Task.owner')]: leaf },
  { [chain(5, '<-Task.owner')]: leaf },
  { [chain(2, '<-Task.owner')]: { [chain(2, 'name')]: 'x' } },
  { [chain(2, '<-Task.owner')]: { [chain(3, 'name')]: 'x' } },
  { [chain(4, '<-Task.owner')]: { 'Task.owner->name': 'x' } },
  { [chain(3, '<-Task.owner')]: { 'Task.owner->name': 'x' } },
  { [chain(4, '<-Task.owner')]: { '<-Task.owner': leaf } },
  { [chain(3, '<-Task.owner')]: { '<-Task.owner': leaf } },
  { 'Task.owner-><-Task.people': and(leaf, { 'Task.effort': 1 }) },
]

const MEANING: unknown[] = [
  and(leaf, leaf),
  or(leaf, { name: 'y' }),
  or(leaf, { description: 'y' }),
  and(leaf, or({ search: '' }, leaf)),
  and(leaf, { search: '' }),
  or({ 'Task.effort': { in: [] } }, leaf),
  or({ 'Task.effort': { in: [] } }, { 'Task.effort': { in: [] } }),
  and({ search: '' }, { search: '' }),
  not({ search: '' }),
  not({ 'Task.effort': { in: [] } }),
  not(not(leaf)),
  not(not(not(leaf))),
  not(or(leaf, { has_tag: 'Task' })),
  and(leaf, and({ search: 'a' }, { has_tag: 'Bare' })),
  or(and(leaf, { search: 'a' }), or({ search: 'b' }, { search: 'c' })),
  or({ has_tag: 'Task' }, { has_tag: 'Bare' }),
  or({ id: KNOWN }, { id: GONE }),
  or({ 'Task.effort': 1 }, { 'Task.effort': 2 }, { 'Task.title': 'a' }),
  or({ 'Task.effort': { gt: 1 } }, { 'Task.effort': { lt: 5 } }),
  or(
    { 'Task.due': { gt: '2024-02-29' } },
    { 'Task.due': { lte: '2024-02-29' } },
    { 'Task.due': { gt: '2025' } },
  ),
  or({ 'Task.owner->Task.effort': 1 }, { 'Task.owner->Task.effort': 2 }),
  or({ 'Task.owner->Task.effort': { gt: 1 } }, { 'Task.owner->Task.effort': { lt: 0 } }),
  or(
    { 'Task.owner->has_tag': 'Task' },
    { 'Task.owner->has_tag': 'Bare' },
    { 'Task.people->has_tag': 'Bare' },
  ),
  and({ 'Task.effort': { gte: 1 } }, { 'Task.effort': { lt: 5 } }),
  and({ 'Task.effort': { gte: 1 } }, leaf, { 'Task.effort': { lt: 5 } }, { 'Task.effort': { lt: 9 } }),
  and({ 'Task.effort': { gte: 1 } }, { 'Task.title': { lt: 'b' } }),
  and({ 'Task.labels': { in: ['home'] } }, { 'Task.labels': { in: ['work'] } }),
  and({ name: { gt: 'a' } }, { name: { lte: 'b' } }),
  and({ 'Task.due': { gt: '2024-02-29' } }, { 'Task.due': { lt: '2024-03-01' } }),
  { 'Task.done': { neq: true } },
  { 'Task.done': { neq: 'x' } },
  { 'Task.labels': 'home' },
  { 'Task.labels': { eq: ['home', 'work'] } },
  { 'Task.labels': { neq: ['home'] } },
  { 'Task.labels': { match: 'home' } },
  { 'Task.status': 'gone' },
  { 'Task.status': { gt: 'open' } },
  { 'Task.status': { variant: 'open' } },
  { 'Task.status': { contains: 'o' } },
  { 'Task.owner': KNOWN },
  { 'Task.owner': UNKNOWN },
  { 'Task.people': { eq: [KNOWN, GONE] } },
  { 'Task.owner': { dangling: true } },
  { 'Task.people': { dangling: false } },
  { 'Task.title': { dangling: true } },
  { 'Task.file': 'a.pdf' },
  { 'Task.starts': { gt: '2024-02-29T12:00:00+01:00' } },
  { 'Task.due': { in: [{ today: 0 }, '2024-02-29'] } },
  { 'Task.due': { eq: { today: 1 } } },
  { 'Task.owner->Task.due': { lt: { today: 0 } } },
  ...[
    'title',
    'status',
    'labels',
    'closed_by',
    'why',
    'note',
    'lost',
    'round',
    'old',
    'nothing',
    'file',
  ].flatMap((field) => [true, false].map((outdated) => ({ [`Task.${field}`]: { outdated } }))),
  ...[
    null,
    { exists: false },
    { is_null: true },
    { neq: null },
    'x',
    { neq: 'x' },
    { gt: 5 },
    { match: 'x' },
    { dangling: true },
  ].map((test) => ({ 'Task.nothing': test })),
  { 'Task.closed_by': KNOWN },
  { 'Task.why': 'ill' },
  { 'Task.note': 'x' },
  { 'Task.lost': 'x' },
  and({ 'Task.note': 'x' }, { 'Task.status': 'left' }),
  and({ 'Task.note': 'x' }, { 'Task.status': 'open' }),
  and({ 'Task.closed_by': KNOWN }, { 'Task.why': 'bored' }),
  and({ 'Task.people': { in: [KNOWN] } }, { 'Task.people': { match: KNOWN } }, { 'Task.people': GONE }),
  and({ 'Task.labels': 'home' }, { 'Task.labels': ['work', 'home'] }),
  and({ 'Task.labels': { match: 'home' } }, { 'Task.labels': { eq: ['work', 'home'] } }),
  and({ 'Task.title': 'a' }, { 'Task.title': 'b' }),
  or({ 'Task.title': { gt: 'a' } }, { 'Task.title': 'b' }),
  or(not(leaf), { 'Task.title': { gt: 'a' } }),
  or(not(leaf), leaf),
  and(leaf, { name: 'y' }),
  { name: '' },
  { name: ' ' },
  { name: { in: ['', 'b'] } },
  { name: { in: [] } },
  { name: { gt: 'a' } },
  { 'Task.due': '2024-02-29T00:00:00' },
  { 'Task.due': '2024-02-30' },
  { 'Task.due': { in: ['x', '2024-02-29'] } },
  { 'Task.starts': '2024-02-29' },
  { 'Task.starts': '2024-02-29T12:00:00Z' },
  { 'Task.starts': 'x' },
  { 'Task.effort': 5 },
  { 'Task.effort': '5' },
  { 'Task.effort': null },
  { 'Task.effort': { exists: false } },
  { 'Task.effort': { exists: true } },
  { 'Task.effort': { is_null: true } },
  { 'Task.effort': { is_null: false } },
  { 'Task.effort': { neq: 5 } },
  { 'Task.done': true },
  { 'Task.done': 'true' },
  { 'Task.title': 5 },
  { 'Task.status': { in: ['gone', 'closed'] } },
  { 'Task.labels': { eq: ['home', 'gone'] } },
  { 'Task.owner': GONE },
  { 'Task.owner': KNOWN.toLowerCase() },
  { 'Task.people': { eq: [KNOWN, KNOWN] } },
  { 'Task.people': { eq: [KNOWN, GONE] } },
  { 'Task.people': { in: [5, KNOWN] } },
  { 'Task.owner->name': 'x' },
  { 'Task.owner->has_tag': null },
  { 'Task.owner->changed_between': ['2026-01-01', '2026-01-02'] },
  { 'Task.owner-><-Task.people': leaf },
  { 'Task.owner->Task.closed_by->id': KNOWN },
  not({ has_tag: 'Task' }),
  not({ 'Task.title': 'a' }),
  and(not({ 'Task.title': 'a' }), { 'Task.effort': 1 }),
  { 'Task.title': { regex: 'a(b' } },
  { 'Task.title': { contains: 'a.b' } },
  { 'Task.title': { starts_with: 'a.b' } },
  { 'Task.title': { regex: 'a' } },
  { 'Task.title': { in: ['a', 'b*'] } },
  { 'Task.title': { contains: x(1000) } },
  { 'Task.owner->Task.title': { contains: 'a' } },
  and({ 'Task.owner': { dangling: true } }, leaf),
]

const json = (value: unknown) =>
  JSON.stringify(value)
    ?.replaceAll(/,"tag_id":"\w+"|,"tag_name":"\w+"|,"variants":\[[^\]]*\](?=,)/g, '')
    .replaceAll(/x{100,}/g, (found) => `x×${found.length}`)

/** What the stages make of a filter, a line each. */
async function linesOf(filter: unknown): Promise<string[]> {
  const {
    faults,
    warnings,
    filter: bound,
    plan,
    planOf,
  } = (await checkFilter(filter, catalog)) as {
    planOf?: (part: BoundFilter) => FilterPlan
  } & Awaited<ReturnType<typeof checkFilter>>
  const told = [
    ...faults.map(
      ({ path, message, suggestion }) =>
        `  fault at ${path}: ${message}${suggestion ? ` | ${suggestion}` : ''}`,
    ),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]
  if (!bound || !plan) return told
  const resolved = resolvedFilter(bound)
  const again = await checkFilter(resolved, catalog)
  const conditions = conditionsOf(bound)
  const named = namedFields(bound)
  const without = ignoringCase(plan)
  return [
    ...told,
    `  ${filterWords(bound)}`,
    `  ${json(plan)}`,
    `  kept as ${json(resolved)}${json(again.plan) === json(plan) ? '' : `, which is ${json(again.plan)}`}`,
    `  a new item is ${json(await defaultsOf(bound, async (ids) => new Set(ids.filter((each) => each === KNOWN))))}`,
    [
      ...(named.length ? [`  names ${named.map(({ path, type }) => `${path} (${type})`).join(', ')}`] : []),
      ...(isRelative(bound) ? ['relative'] : []),
      ...(goesByTime(filter) ? ['goes by time'] : []),
      ...(readsOwnItem(plan) ? [] : ['reads other items']),
      `  ${nodesOf(plan).length} nodes`,
      `${conditions.length} conditions about ${conditions.flatMap(({ leaf }) => fieldsOf(leaf).map(({ name }) => name)).join(', ') || 'no field'}`,
      ...conditions.flatMap(({ filter: part }) => (conditions.length > 1 ? [planOf(part).kind] : [])),
    ].join('; '),
    ...(without ? [`  in any case ${json(without)}`] : []),
    ...(json(await planOfLasting(filter, catalog)) === json(plan) ? [] : ['  NOT LASTING']),
  ]
}

describe('filters are read as is written down', () => {
  it.each([
    ['structure', STRUCTURE],
    ['keys', KEYS],
    ['reverse', REVERSE],
    ['meaning', MEANING],
  ])('%s', async (topic, filters) => {
    const lines: string[] = []
    for (const filter of filters) lines.push(json(filter) ?? 'undefined', ...(await linesOf(filter)))
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../../../test/golden/filters/${topic}.txt`)
  })

  it('and those of tags', async () => {
    const lines = [...STRUCTURE, ...KEYS.slice(0, 3), search({}), { search: 'a' }].flatMap((filter) => {
      const { tree, faults } = parseTagFilter(filter, '')
      return [json(filter) ?? 'undefined', `  ${json(tree)}`, ...faults.map((fault) => `  ${json(fault)}`)]
    })
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/filters/of-tags.txt')
  })

  it('and lasting ones, whatever has become of their names', async () => {
    const broken = { has_tag: 'Gone' }
    const filters = [
      broken,
      not(broken),
      or(broken, leaf),
      and(broken, leaf),
      and(not(broken), leaf),
      { '<-Task.owner': broken },
      { '<-Task.owner': or(broken, leaf) },
      { '<-Task.owner': { filter: broken, count: { eq: 0 } } },
      { '<-Task.title': leaf },
      or({ 'Task.owner->Gone.x': 1 }, leaf),
      or({ 'Gone.x': 1 }, { 'Task.effort': 1 }, { search: 'a' }, among(['2026-01-02', '2026-01-01'])),
      {},
    ]
    const lines: string[] = []
    for (const filter of filters) lines.push(json(filter), `  ${json(await planOfLasting(filter, catalog))}`)
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/filters/lasting.txt')
  })
})

describe('the limits of a filter', () => {
  const messagesOf = (filter: unknown) => parseFilter(filter).faults.map(({ message }) => message)
  const times = <T>(count: number, each: T): T[] => Array.from({ length: count }, () => each)

  it.each([
    [search({ match: 'words', text: words(100) }), []],
    [search({ match: 'words', text: words(101) }), [`'search' takes at most 100 words`]],
    [search({ match: 'phrase', text: words(101) }), []],
    [search({ match: 'any', text: x(10_000) }), []],
    [search({ match: 'any', text: x(10_001) }), [`'any' takes a text of at most 10000 characters`]],
    [search({ match: 'any', text: '𝒳'.repeat(10_000) }), []],
    [search({ match: 'any', text: '𝒳'.repeat(10_001) }), [`'any' takes a text of at most 10000 characters`]],
    [search({ match: 'any', text: `𝒳${x(10_000)}` }), [`'any' takes a text of at most 10000 characters`]],
    [search({ match: 'any', text: `𝒳${x(9999)}` }), []],
    [search({ text: x(20_000) }), []],
  ])('%.60j', (filter, messages) => {
    expect(messagesOf(filter)).toEqual(messages)
  })

  it('patterns have up to 100,000 instructions in all', () => {
    const pattern = 'a{311}'
    expect(estimatedPatternSize(pattern)).toBe(625)
    const regex = { name: { regex: pattern } }
    const full = [leaf, ...times(160, regex), { name: { gt: 'a' } }]
    expect(messagesOf(and(...full))).toEqual([])
    const more = `'regex': compiled, the filter's regular expressions have more than 100,000 instructions in all`
    expect(messagesOf(and(...full, { name: { regex: '' } }, leaf))).toEqual([more])
    expect(messagesOf(and(...full, regex, regex, { name: { gt: 'a' } }))).toEqual([more, more])
    // What is too large by itself is said of it, and does not count.
    const huge = { name: { regex: '(?:a{1000}){1000}' } }
    const [fault, ...others] = messagesOf(and(huge, ...full))
    expect(others).toEqual([])
    expect(fault).not.toBe(more)
    const largest = '(?:a{1000}){49}a{925}'
    expect(estimatedPatternSize(largest)).toBe(100_000)
    expect(messagesOf(and({ name: { regex: largest } }, { name: { regex: '' } }))).toEqual([fault, more])
    expect(messagesOf(and({ name: { regex: `${largest}a` } }, { name: { regex: '' } }))).toEqual([fault])
  })

  it('row ids and fields are looked up for what asks for them alone', async () => {
    const asked: string[] = []
    const watched = {
      ...catalog,
      textFields: async () => (asked.push('fields'), []),
      itemRowIds: async (ids: readonly string[]) => (asked.push(...ids), new Map()),
    }
    const askedBy = async (filter: unknown) => {
      asked.length = 0
      await checkFilter(filter, watched)
      return [...asked]
    }
    expect(await askedBy({ search: 'a' })).toEqual([])
    expect(await askedBy(search({ in: ['values'] }))).toEqual(['fields'])
    expect(await askedBy({ name: KNOWN })).toEqual([])
    expect(await askedBy({ id: KNOWN })).toEqual([KNOWN])
    expect(await askedBy({ 'Task.title': KNOWN })).toEqual([])
    expect(await askedBy({ 'Task.owner': { in: [KNOWN, 'x', 5] } })).toEqual([KNOWN])
  })

  it('a tag is looked up once for a filter, also one that does not exist', async () => {
    const asked: string[] = []
    const watched = { ...catalog, byName: async (name: string) => (asked.push(name), catalog.byName(name)) }
    const filter = and({ has_tag: 'Task' }, { 'Task.title': 'a' }, { has_tag: 'Gone' }, { 'Gone.x': 1 })
    await checkFilter(filter, watched)
    expect(asked).toEqual(['Task', 'Gone'])
    // One that is kept is read part by part only where a part of it is broken.
    asked.length = 0
    await planOfLasting(and({ has_tag: 'Task' }, { 'Task.title': 'a' }), watched)
    expect(asked).toEqual(['Task'])
  })

  it('a field of the schema wins over one of the same name that has left it', async () => {
    const field = (id: number) => ({ id, name: 'old', type: 'String' as const, variants: [] })
    const both = {
      id: 9,
      name: 'Both',
      tag_id: KNOWN,
      fields: new Map([['old', field(31)]]),
      left: new Map([['old', field(32)]]),
    }
    const { plan } = await checkFilter(
      { 'Both.old': { outdated: true } },
      { ...catalog, byName: async () => both },
    )
    expect(plan).toMatchObject({ kind: 'field', field: { id: 31 }, test: { test: 'misfit' } })
  })

  it('no more than fifty warnings are made, each once', async () => {
    const wrong = (count: number) =>
      or(...Array.from({ length: count }, (_, i) => ({ 'Task.status': `v${i}` })))
    expect((await checkFilter(wrong(50), catalog)).warnings).toHaveLength(50)
    expect((await checkFilter(wrong(52), catalog)).warnings).toHaveLength(50)
    expect((await checkFilter(or(...times(3, { 'Task.status': 'v' })), catalog)).warnings).toHaveLength(1)
  })

  it('ten faults get a suggestion, and a hundred and one are listed', async () => {
    const { faults } = await checkFilter(or(...times(200, { has_tag: 'Tsk' })), catalog)
    expect(faults.filter(({ suggestion }) => suggestion)).toHaveLength(10)
    const shorter = await checkFilter(or(...times(20, { 'Task.status.title': 1 })), catalog)
    expect(shorter.faults.filter(({ suggestion }) => suggestion)).toHaveLength(10)
    expect(messagesOf(or(...times(200, {})))).toHaveLength(MAX_PROBLEMS + 1)
    const keys = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, 1]))
    expect(messagesOf(keys)).toEqual(['Filter object must have exactly one key'])
  })

  it('no more than a thousand conditions are looked at, which is said once', () => {
    const leaves = times(MAX_LEAVES, leaf)
    expect(parseFilter(and(...leaves))).toMatchObject({
      tree: { children: { length: MAX_LEAVES } },
      faults: [],
    })
    const tooMany = ['Filter exceeds max of 1000 conditions']
    expect(messagesOf(and(...leaves, leaf, {}))).toEqual(tooMany)
    expect(messagesOf(and(and(...leaves, leaf), {}))).toEqual(tooMany)
    const keys = Object.fromEntries(Array.from({ length: MAX_LEAVES + 3 }, (_, i) => [`A.k${i}`, 1]))
    expect(messagesOf(keys)).toEqual(['Filter object must have exactly one key', ...tooMany])
  })

  it('those that refer may be nested as deep again', () => {
    const nested = (depth: number): unknown => (depth ? not(nested(depth - 1)) : leaf)
    const within = (depth: number) => messagesOf(not(not({ '<-Task.owner': nested(depth) })))
    expect(within(MAX_NESTING)).toEqual([])
    expect(within(MAX_NESTING + 1)).toEqual([`Filter exceeds max nesting of 50 'and', 'or' and 'not'`])
  })
})

describe('what is read apart', () => {
  it.each([
    ['name', 0],
    ['A.b->name', 1],
    ['A.b->A.b->name', 2],
    ['<-A.b', 1],
    ['A.b-><-A.b', 2],
    ['A<-B.b->name', 1],
  ])('%s follows %d references', (key, hops) => {
    expect(hopsOf(key)).toBe(hops)
  })

  it.each([
    ['A.b', true],
    ['v1.0.b', true],
    ['A.', false],
    ['.b', false],
    ['A', false],
    ['.', false],
    ['', false],
    ['a.b', true],
  ])('%s has something on both sides of a dot: %j', (reference, whole) => {
    expect(splits(reference)).toBe(whole)
  })

  it.each([
    [
      { id: 'a', exact: true },
      { tag: 'a', exact: true },
    ],
    [{ name: { eq: 'a' } }, { tag: 'a', exact: false }],
    [{ name: { eq: 5 } }, undefined],
    [{ name: [] }, undefined],
    [{ id: null }, undefined],
    [{ eq: 'a' }, undefined],
    [{ id: 'a', name: 'b' }, undefined],
    ['a', { tag: 'a', exact: false }],
    [5, undefined],
  ])('a tag as %j', (value, read) => {
    expect(readHasTag(value)).toEqual(read)
  })

  it('paths to values, as written down', async () => {
    const paths = [
      'name',
      'Task.title',
      'Task.labels',
      'Task.owner->name',
      'Task.people->name',
      'Task.owner->Task.title',
      'Task.owner->Task.labels',
      'nme',
      'what',
      'Task.titel',
      'Task.zzzzzz',
      'Tsk.title',
      'Task.old',
      'Task.title->name',
      'Task.owner->nme',
      'nme->name',
      'Task.',
      '.title',
      '.',
      'Task.old->name',
      chain(5, 'Task.title'),
      chain(6, 'Task.title'),
    ]
    const lines: string[] = []
    for (const by of paths) {
      const read = async (options?: object) => {
        const found = await bindValuePath(by, 'by', catalog, options)
        return `  ${'message' in found ? found.message : json({ ...found, isMulti: isMulti(found) })}`
      }
      lines.push(by, await read(), await read({ left: true }), await read({ others: ['name', 'what?'] }))
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../test/golden/filters/paths.txt')
  })
})
