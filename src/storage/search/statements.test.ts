import { type RawBuilder, sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { deletedFilterToSql, filterToSql, tagFilterToSql } from '#src/filter/sql/filter-to-sql.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { type AccessPath, accessPathsOf } from '#src/storage/search/access-paths.ts'
import {
  allIds,
  allItems,
  type Candidates,
  type Condition,
  fromIndexes,
  idsInOrder,
} from '#src/storage/search/candidates.ts'
import { targetsSource } from '#src/storage/search/filter-source.ts'
import { boundsOf } from '#src/storage/search/key-bounds.ts'
import { idsByKey } from '#src/storage/search/order-index-sql.ts'
import { OrderIndex } from '#src/storage/search/order-index.ts'
import type { IndexedKey, OrderKey } from '#src/storage/search/search-order.ts'
import { hasValue, idsSorted } from '#src/storage/search/sort-sql.ts'
import {
  absent,
  after,
  ALWAYS,
  and,
  before,
  between,
  FIELDS,
  from,
  hop,
  LONG,
  name,
  noneOf,
  not,
  of,
  oneOf,
  or,
  PLANS,
  present,
  referred,
  search,
  several,
  tags,
  upTo,
} from '#test/support/plan-table.ts'

// What each engine is asked for plans of every kind, written down: no base, no service. After a change of the compiler
// read the difference and accept it by `vitest run src/storage/search/statements.test.ts -u`.

const FOLDER = '../../../test/golden/statements'

/** A long text by how long it is. */
const brief = (text: string) => text.replaceAll(/é{9,}/g, (found) => `é×${found.length}`)

const textOf = (built: unknown, { builder }: Dialect): string => {
  const compiled = sql`${built}`.compile(builder)
  const parameters = compiled.parameters.length ? `\n  -- ${JSON.stringify(compiled.parameters)}` : ''
  return brief(compiled.sql + parameters)
}

const DIALECTS = [sqliteDialect, postgresDialect]

describe.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('on %s', (engine, given) => {
  // A copy has no access path in memory.
  let dialect = given
  beforeEach(() => void (dialect = { ...given }))

  const expectFile = (topic: string, entries: Iterable<readonly [string, string]>) =>
    expect([...entries].map(([title, text]) => `# ${title}\n${text}\n`).join('\n')).toMatchFileSnapshot(
      `${FOLDER}/${topic}-${engine}.sql`,
    )
  const shown = (built: unknown) => textOf(built, dialect)

  it('conditions on an item are as written down', async () => {
    await expectFile(
      'conditions',
      [...PLANS].map(([title, plan]) => [title, shown(filterToSql(plan, dialect, 'i'))]),
    )
  })

  it('conditions on deleted items and on tags are as written down', async () => {
    const ofDeleted = [
      'Number 12: one of one',
      'a text',
      'MultiSelect 18: the same set',
      'a hop to a name',
      'a hop to a value',
      'referred to by a value',
      'Reference 19: dangling among some',
      'what changed',
    ].flatMap((title): [string, string][] => {
      const plan = PLANS.get(title)
      return plan ? [[title, shown(deletedFilterToSql(plan, dialect))]] : []
    })
    const ofTags = (
      [
        ['a text', search('abc')],
        ['nine texts', PLANS.get('nine texts')!],
        ['a name', name(oneOf('a'))],
      ] as const
    ).map(([title, plan]): [string, string] => [`of tags: ${title}`, shown(tagFilterToSql(plan, dialect))])
    await expectFile('other-conditions', [...ofDeleted, ...ofTags])
  })

  const pathText = ({ ordered, exact, fromReferring = false, sources }: AccessPath) =>
    [
      JSON.stringify({ ordered, exact, fromReferring }),
      ...(sources.length > 9 ? [`  ${sources.length} sources, the first of which:`] : []),
      ...sources
        .slice(0, sources.length > 9 ? 1 : undefined)
        .map(
          (source) =>
            `  ${JSON.stringify({ ordered: source.ordered, distinct: source.distinct, exact: source.exact, seeks: source.seeks })}${source.targets ? ` of ${shown(source.targets.rows)}` : ''}\n  ${shown(source.rows)}`,
        ),
    ].join('\n')

  it('access paths are as written down', async () => {
    await expectFile(
      'access-paths',
      [...PLANS].map(([title, plan]) => [
        title,
        accessPathsOf(plan, dialect).map(pathText).join('\n') || 'none',
      ]),
    )
  })

  it('the items that are referred to, of which some are near, are as written down', async () => {
    await expectFile('targets', [
      ['the first', shown(targetsSource(FIELDS.next, dialect.filter, { after: undefined, count: 3 }).rows)],
      ['those after one', shown(targetsSource(FIELDS.next, dialect.filter, { after: 5, count: 3 }).rows)],
    ])
  })

  const paths = (...plans: FilterPlan[]) => plans.flatMap((plan) => accessPathsOf(plan, dialect).slice(0, 1))
  const isNear: Condition = (item) => sql`${item} <= 99`
  const candidates = (): Record<string, Candidates> => ({
    'all items': allItems(ALWAYS, dialect),
    'all items by a row of theirs': allItems(name({ test: 'substring', text: 'a' }), dialect),
    'all items that a hop needs a tag of': allItems(hop(ALWAYS), dialect),
    'all items that a value needs a tag of': allItems(of(FIELDS.number, after(1)), dialect),
    'all items of which one part needs a tag': allItems(
      and(name(oneOf('a')), of(FIELDS.number, after(1))),
      dialect,
    ),
    'all items without a value': allItems(of(FIELDS.number, absent), dialect),
    'all items with another value or none': allItems(of(FIELDS.done, noneOf(true, 1)), dialect),
    'all items with another value': allItems(of(FIELDS.done, noneOf(false, 1)), dialect),
    'all items by three conditions': allItems(and(tags(7), tags(8), tags(9)), dialect),
    'all items by four conditions': allItems(and(tags(6), tags(7), tags(8), tags(9)), dialect),
    'all items by sixty-four conditions': allItems(and(...several(64, (i) => tags(i))), dialect),
    'one index and three conditions': fromIndexes(paths(tags(5)), [tags(5), tags(7), tags(8), tags(9)]),
    'all near items': { ...allItems(of(FIELDS.number, after(1)), dialect), conditions: [isNear] },
    'one index': fromIndexes(paths(tags(7)), [tags(7)]),
    'one index and a probe': fromIndexes(paths(tags(7)), [tags(7), of(FIELDS.number, after(1))]),
    'one index and two probes': fromIndexes(paths(tags(7)), [
      tags(7),
      of(FIELDS.number, after(1)),
      name(oneOf('a')),
    ]),
    'one index that is not exact': fromIndexes(paths(of(FIELDS.next, { test: 'misfit' })), [
      of(FIELDS.next, { test: 'misfit' }),
    ]),
    'an index with an item several times': fromIndexes(paths(of(FIELDS.labels, present)), [
      of(FIELDS.labels, present),
    ]),
    'a union': fromIndexes(paths(tags(7, 8)), [tags(7, 8), of(FIELDS.number, after(1))]),
    'an intersection': fromIndexes(paths(tags(7), tags(8)), [tags(7), tags(8)]),
    'an intersection and a probe': {
      ...fromIndexes(paths(tags(7), tags(8)), [tags(7), tags(8), of(FIELDS.number, after(1))]),
      conditions: [isNear],
    },
  })

  const oneIndex = () => fromIndexes(paths(tags(7)), [tags(7)])

  it('row ids of candidates are as written down', async () => {
    await expectFile(
      'candidates',
      Object.entries(candidates()).flatMap(([title, each]): [string, string][] => [
        [title, shown(allIds(each, dialect))],
        [`${title}, a page`, shown(idsInOrder(each, { descending: false, limit: 3 }, dialect))],
        [`${title}, a page backwards`, shown(idsInOrder(each, { after: 50, descending: true }, dialect))],
        [
          `${title}, a page after another`,
          shown(idsInOrder(each, { after: 50, descending: false, limit: 3 }, dialect)),
        ],
      ]),
    )
  })

  const byColumn = (column: 'name' | 'created_at' | 'name_length', descending = false): IndexedKey => ({
    column,
    descending,
  })
  const byField = (field: (typeof FIELDS)[keyof typeof FIELDS], descending = false): IndexedKey => ({
    field,
    descending,
  })
  const KEYS: Record<string, IndexedKey> = {
    name: byColumn('name'),
    'name backwards': byColumn('name', true),
    created_at: byColumn('created_at'),
    name_length: byColumn('name_length'),
    number: byField(FIELDS.number),
    'number backwards': byField(FIELDS.number, true),
    text: byField(FIELDS.text),
    next: byField(FIELDS.next),
  }
  const PROBES: Record<string, FilterPlan> = {
    everything: ALWAYS,
    'a tag': tags(7),
    'a name': name({ test: 'substring', text: 'a' }),
    'a range of the number': of(FIELDS.number, between(1, 3)),
    'numbers from one on': and(tags(7), of(FIELDS.number, from(1))),
    'numbers after one': and(tags(7), of(FIELDS.number, after(1))),
    'numbers up to one': of(FIELDS.number, upTo(1)),
    'numbers before one': of(FIELDS.number, before(1)),
    'a range of the name': name(between('a', 'b')),
    'a referred range': referred(of(FIELDS.number, between(1, 3))),
  }
  const PLACES = [undefined, { value: 2 }, { value: 2, item: 9 }]

  it('walks of the index of a sort key are as written down', async () => {
    const probesOf = ({ field, column }: IndexedKey) =>
      Object.entries(PROBES).filter(
        ([title], i) => i < 1 || field === FIELDS.number || (column === 'name' && title.includes('name')),
      )
    const walks = Object.entries(KEYS).flatMap(([key, by]) =>
      probesOf(by).flatMap(([title, probe]) =>
        PLACES.map((place): [string, string] => [
          `${key}, ${title}, after ${JSON.stringify(place)}`,
          shown(
            idsByKey(
              { probe, conditions: place ? [] : [isNear] },
              by,
              { limit: 3, ...(place && { after: place }) },
              dialect,
            ),
          ),
        ]),
      ),
    )
    await expectFile('walks', walks)
  })

  it('sorts of candidates are as written down', async () => {
    const tier = [[[{ text: 'abc', places: ['name'] as const }]]]
    const noTier = [[[{ text: 'abc', places: ['values'] as const }]]]
    const ORDERS: Record<string, OrderKey[]> = {
      'no key': [],
      'a name': [byColumn('name')],
      'a name backwards, then a number': [byColumn('name', true), byField(FIELDS.number)],
      'a Select': [byField(FIELDS.kind, true)],
      'a Select with long variants': [byField(FIELDS.long_kind)],
      'a Select without variants': [byField(FIELDS.no_kind)],
      'a text': [byField(FIELDS.text)],
      'a tier, then a length': [{ tier, descending: false }, byColumn('name_length')],
      'no tier': [{ tier: noTier, descending: false }],
    }
    const one = oneIndex()
    const sorts = Object.entries(ORDERS).flatMap(([title, keys]): [string, string][] => {
      const values = keys.map((_, i) => (i ? null : 2))
      const of = (order: { descending: boolean }, span: Parameters<typeof idsSorted>[2]) =>
        shown(idsSorted(one, { keys, ...order }, span, dialect))
      return [
        [title, of({ descending: false }, {})],
        [`${title}, after a place`, of({ descending: false }, { position: { item: 9, values }, limit: 3 })],
        [`${title}, backwards`, of({ descending: true }, { position: { item: 9, values }, limit: 3 })],
      ]
    })
    const has = Object.entries(FIELDS).map(([title, field]): [string, string] => [
      `has a value of ${title}`,
      brief(shown(hasValue(field, dialect)(sql`m.item`))).replaceAll(/("v\d+\\?"?,?){9,}/g, '…'),
    ])
    await expectFile('sorts', [...sorts, ...has])
  })

  it('a Select with a thousand variants has a case for each, one with more a list', () => {
    const sorted = (field: (typeof FIELDS)[keyof typeof FIELDS]) =>
      shown(idsSorted(oneIndex(), { keys: [byField(field)], descending: false }, {}, dialect))
    expect(sorted(FIELDS.wide_kind).match(/ when /g)).toHaveLength(1000)
    expect(sorted(FIELDS.wider_kind)).not.toContain(' when ')
  })

  const rowsOf = (rows: RawBuilder<unknown> | undefined) => (rows ? shown(rows) : 'no rows')

  it('the items of one value of a sort key are as written down', async () => {
    const found = Object.entries({
      ...KEYS,
      kind: byField(FIELDS.kind),
      'long kind': byField(FIELDS.long_kind),
    }).flatMap(([title, key]) => {
      const index = new OrderIndex(key, ALWAYS, dialect)
      const beginning = dialect.filter.indexed(LONG)
      const places = key.field?.type === 'Select' ? [0, 1, null] : key.field ? ['a', beginning, null] : ['a']
      return places.map((value): [string, string] => {
        const { rows, condition } = index.itemsOf(value)
        return [`${title}: ${value}`, `${rowsOf(rows)}\n${shown(condition(sql`m.item`))}`]
      })
    })
    await expectFile('ties', found)
  })

  describe('the index of a sort key knows', () => {
    const index = (key: IndexedKey, probe: FilterPlan = ALWAYS) => new OrderIndex(key, probe, dialect)

    it('the positions of the variants that a filter leaves', () => {
      const { kind } = FIELDS
      expect(index(byField(kind)).variantPositions(kind)).toEqual([0, 1, 2])
      expect(index(byField(kind, true)).variantPositions(kind)).toEqual([2, 1, 0])
      expect(index(byField(kind), of(kind, oneOf('begun'))).variantPositions(kind)).toEqual([1])
      expect(index(byField(kind), of(kind, oneOf('gone'))).variantPositions(kind)).toEqual([])
      expect(index(byField(kind), of(kind, oneOf('new', 'done'))).variantPositions(kind)).toEqual([0, 1, 2])
    })

    it.each([
      [byColumn('name'), ALWAYS, false],
      [byField(FIELDS.number), ALWAYS, true],
      [byField(FIELDS.number, true), of(FIELDS.number, from(1)), false],
      [byField(FIELDS.number), of(FIELDS.text, from('a')), true],
      [byField(FIELDS.kind), ALWAYS, true],
      [byField(FIELDS.kind), of(FIELDS.kind, oneOf('begun')), false],
      [byField(FIELDS.kind), of(FIELDS.kind, oneOf('gone')), true],
      [byField(FIELDS.kind), of(FIELDS.kind, oneOf('new', 'done')), true],
    ])('whether items may lack a value: %j %j %j', (key, probe, mayLack) => {
      expect(index(key, probe).mayLackValue()).toBe(mayLack)
    })

    it('what of a long text it holds', () => {
      const held = index(byField(FIELDS.text)).held(LONG)
      expect(held).toHaveLength(engine === 'sqlite' ? 600 : 501)
      expect(index(byField(FIELDS.text)).held(5)).toBe(5)
      expect(index(byField(FIELDS.text)).held(null)).toBeNull()
      expect(index(byField(FIELDS.text)).isCut(held)).toBe(engine === 'postgres')
      expect(index(byField(FIELDS.text)).isCut('short')).toBe(false)
      expect(index(byField(FIELDS.text)).isCut(5)).toBe(false)
    })
  })

  it.each<[FilterPlan, IndexedKey, object | undefined]>([
    [ALWAYS, byField(FIELDS.number), undefined],
    [of(FIELDS.number, oneOf(3)), byField(FIELDS.number), { lower: [3, true], upper: [3, true] }],
    [of(FIELDS.number, oneOf(3, 4)), byField(FIELDS.number), undefined],
    [of(FIELDS.number, oneOf(3)), byField(FIELDS.text), undefined],
    [of(FIELDS.number, oneOf(3)), byColumn('name'), undefined],
    [name(oneOf('a')), byField(FIELDS.number), undefined],
    [name(oneOf('a')), byColumn('created_at'), undefined],
    [name(oneOf('a')), byColumn('name'), { lower: ['a', true], upper: ['a', true] }],
    [name({ test: 'prefix', text: 'a' }), byColumn('name'), { lower: ['a', true], upper: ['b', false] }],
    [of(FIELDS.number, between(1, 3)), byField(FIELDS.number), { lower: [1, true], upper: [3, false] }],
    [of(FIELDS.number, after(1)), byField(FIELDS.number), { lower: [1, false] }],
    [of(FIELDS.number, present), byField(FIELDS.number), undefined],
    [of(FIELDS.due, { ...from('a'), also: ['b'] } as never), byField(FIELDS.due), undefined],
    [and(tags(7), of(FIELDS.number, from(1))), byField(FIELDS.number), { lower: [1, true] }],
    [or(of(FIELDS.number, from(1)), tags(7)), byField(FIELDS.number), undefined],
    [not(of(FIELDS.number, from(1))), byField(FIELDS.number), undefined],
    [
      of(FIELDS.text, before(LONG)),
      byField(FIELDS.text),
      engine === 'sqlite' ? { upper: [LONG, false] } : undefined,
    ],
  ])('the bounds of a sort key in %j by %j', (plan, key, expected) => {
    const found = boundsOf(plan, key, dialect)
    const bound = (each: { value: unknown; inclusive: boolean } | undefined) =>
      each && [each.value, each.inclusive]
    expect(found && { lower: bound(found.lower), upper: bound(found.upper) }).toEqual(expected)
  })
})
