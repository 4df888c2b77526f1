import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { itemRows } from '#src/storage/items/items.ts'
import { allItems, fromIndexes, idsOf } from '#src/storage/search/candidates.ts'
import { accessPathsOf } from '#src/storage/search/access-paths.ts'
import { explainMatching } from '#src/storage/search/explain-matching.ts'
import {
  countMatching,
  matchingAmong,
  matchingItems,
  matchingRows,
  someMatching,
} from '#src/storage/search/matching-items.ts'
import { orderValues } from '#src/storage/search/order-values.ts'
import { OrderedWalk } from '#src/storage/search/ordered-walk.ts'
import { idsByRank } from '#src/storage/search/rank-walk.ts'
import { pageOfIds } from '#src/storage/search/search.ts'
import { bindSort, BY_SCORE, OLDEST_FIRST, type SearchOrder } from '#src/storage/search/search-order.ts'
import { idsSorted } from '#src/storage/search/sort-sql.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { openBase } from '#test/support/base.ts'

// Every way to put items in order gives what a sort of all of them does, page by page.

const COUNT = 90
const KINDS = ['new', 'begun', 'done']
const NAMES = ['b', 'a', 'bb', 'Élan', 'a b', 'abc']
const valuesOf = (i: number) => ({
  effort: i % 4 ? i % 3 : null,
  kind: i % 5 ? KINDS[i % 3]! : null,
  text: i % 7 ? `text ${i % 2}` : null,
})

let base: Awaited<ReturnType<typeof openBase>>
let ids: number[]
const nameOf = (i: number) => NAMES[(i * 7) % NAMES.length]!
beforeAll(async () => {
  base = await openBase()
  const fields = { effort: 'Number', kind: { type: 'Select', variants: KINDS }, text: 'String' }
  const { tag_id } = await base.run(createTag, { name: 'Task', fields })
  for (let from = 0; from < COUNT; from += 30)
    await base.run(bulkCreate, {
      items: Array.from({ length: 30 }, (_, at) => {
        const { kind, ...values } = valuesOf(from + at)
        const field_values = { ...values, kind: kind && { variant: kind } }
        const tags = (from + at) % 6 ? [{ tag_ref: { Existing: tag_id }, field_values }] : []
        return { name: nameOf(from + at), tags }
      }),
    })
  ids = base.db.raw.prepare('select id from item order by id').pluck().all() as number[]
})
afterAll(() => base.close())

const catalog = () => tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
const planOf = async (filter: unknown) => (await readFilter(filter, catalog())).plan

interface Known {
  id: number
  name: string
  effort: number | null
  kind: number | null
  text: string | null
}
const all = (): Known[] =>
  ids.map((id, i) => {
    const { effort, kind, text } = i % 6 ? valuesOf(i) : { effort: null, kind: null, text: null }
    return { id, name: nameOf(i), effort, kind: kind && KINDS.indexOf(kind), text } as Known
  })

const FILTERS: [filter: unknown, holds: (item: Known, i: number) => boolean][] = [
  [{ search: '' }, () => true],
  [{ has_tag: 'Task' }, (_, i) => i % 6 > 0],
  [{ 'Task.effort': { gte: 1 } }, ({ effort }) => effort !== null && effort >= 1],
  [{ and: [{ 'Task.effort': { gt: 0 } }, { 'Task.effort': { lt: 2 } }] }, ({ effort }) => effort === 1],
  [{ 'Task.effort': null }, ({ effort }) => effort === null],
  [{ 'Task.kind': 'begun' }, ({ kind }) => kind === 1],
  [{ 'Task.kind': { gt: 'new' } }, ({ kind }) => kind !== null && kind > 0],
  [{ name: { gte: 'b' } }, ({ name }) => name >= 'b'],
  [{ name: { starts_with: 'a' } }, ({ name }) => name.startsWith('a')],
]
const SORTS: [by: 'name' | 'created_at' | 'effort' | 'kind' | 'text', direction: 'asc' | 'desc'][][] = [
  [['name', 'asc']],
  [['name', 'desc']],
  [['effort', 'asc']],
  [['effort', 'desc']],
  [['kind', 'asc']],
  [['kind', 'desc']],
  [['text', 'asc']],
  [['created_at', 'desc']],
  [
    ['effort', 'desc'],
    ['name', 'asc'],
  ],
  [
    ['kind', 'asc'],
    ['effort', 'desc'],
  ],
  [
    ['effort', 'asc'],
    ['kind', 'desc'],
    ['text', 'asc'],
  ],
  [
    ['name', 'desc'],
    ['kind', 'desc'],
  ],
  [
    ['text', 'desc'],
    ['effort', 'asc'],
    ['name', 'desc'],
  ],
]

const orderOf = (sort: (typeof SORTS)[number]) =>
  bindSort(
    sort.map(([by, direction]) => ({
      by: by === 'name' || by === 'created_at' ? by : `Task.${by}`,
      direction,
    })),
    catalog(),
  )

function sorted(items: Known[], sort: (typeof SORTS)[number]): number[] {
  const last = sort.at(-1)![1] === 'desc' ? -1 : 1
  return items
    .toSorted((a, b) => {
      for (const [by, direction] of sort) {
        // Those of one call have one time.
        const of = (item: Known) => (by === 'created_at' ? Math.floor(ids.indexOf(item.id) / 30) : item[by])
        const [one, other] = [of(a), of(b)]
        if (one === other) continue
        if (one === null || other === null) return one === null ? 1 : -1
        return (one < other ? -1 : 1) * (direction === 'desc' ? -1 : 1)
      }
      return (a.id - b.id) * last
    })
    .map(({ id }) => id)
}

type Page = (
  order: SearchOrder,
  position: { item: number; values: (string | number | null)[] } | undefined,
  limit: number,
) => Promise<number[]>

/** All pages, one after the other. */
async function pages(order: SearchOrder, limit: number, page: Page): Promise<number[]> {
  const found: number[] = []
  for (;;) {
    const last = found.at(-1)
    const known = last === undefined ? undefined : (await orderValues(base.db, order, [last])).get(last)
    const next = await page(order, known && { item: last!, values: known.values }, limit)
    expect(next.length).toBeLessThanOrEqual(limit)
    found.push(...next)
    if (next.length < limit) return found
    if (found.length > COUNT) throw new Error('the pages do not end')
  }
}

describe('items in the order of keys', () => {
  it.each(SORTS.map((sort, i) => [sort, [3, 7, 31, 100][i % 4]!] as const))(
    'by %j, %d at once',
    async (sort, limit) => {
      const { db } = base
      const order = await orderOf(sort)
      for (const [filter, holds] of FILTERS) {
        const plan = await planOf(filter)
        const expected = sorted(all().filter(holds), sort)
        const candidates = allItems(plan, db.dialect)
        const walked: Page = (by, position, most) =>
          new OrderedWalk(db, candidates, by, most).page(by.keys, position)
        expect(await pages(order, limit, walked)).toEqual(expected)
        const whole: Page = (by, position, most) =>
          idsOf(db, idsSorted(candidates, by, { position, limit: most }, db.dialect))
        expect(await pages(order, limit, whole)).toEqual(expected)
        const chosen: Page = (by, position, most) => pageOfIds(db, { plan, order: by, position, limit: most })
        expect(await pages(order, limit, chosen)).toEqual(expected)
      }
    },
  )

  it('oldest first, by whatever gives them', async () => {
    const { db } = base
    for (const [filter, holds] of FILTERS) {
      const plan = await planOf(filter)
      const expected = all()
        .filter(holds)
        .map(({ id }) => id)
      const page: Page = (order, position, limit) =>
        pageOfIds(db, { plan, order, position: position && { ...position, values: [] }, limit })
      for (const limit of [1, 8, 100]) expect(await pages(OLDEST_FIRST, limit, page)).toEqual(expected)
      expect(await matchingItems(db, plan)).toEqual(expected)
      expect(await countMatching(db, plan)).toBe(expected.length)
      expect(await someMatching(db, plan)).toBe(expected.length > 0)
      const among = ids.filter((_, i) => i % 2)
      expect(await matchingAmong(db, plan, among)).toEqual(expected.filter((id) => among.includes(id)))
      const rows = await matchingRows(db, plan)
      if (plan.kind === 'always') expect(rows).toBeUndefined()
      else expect((await idsOf(db, rows as never)).toSorted((a, b) => a - b)).toEqual(expected)
    }
    const never: FilterPlan = { kind: 'never' }
    expect(await matchingItems(db, never)).toEqual([])
    expect(await countMatching(db, never)).toBe(0)
    expect(await someMatching(db, never)).toBe(false)
    expect(await matchingRows(db, never)).toBe('none')
    expect(await matchingAmong(db, never, ids)).toEqual([])
    expect(await someMatching(db, await planOf({ name: 'nothing' }))).toBe(false)
  })

  it('by the length of their names, then the newest', async () => {
    const { db } = base
    const searches: [filter: unknown, holds: (item: Known) => boolean][] = [
      [{ search: 'a' }, ({ name }) => name.includes('a')],
      [{ search: { text: 'b', in: ['name'] } }, ({ name }) => name.includes('b')],
      [
        { or: [{ search: { text: 'b', in: ['name'] } }, { search: { text: 'a', in: ['name'] } }] },
        ({ name }) => /[ab]/.test(name),
      ],
      [
        { or: [{ search: { text: 'b', in: ['name'] } }, { 'Task.kind': 'begun' }] },
        ({ name, kind }) => name.includes('b') || kind === 1,
      ],
      [
        { and: [{ search: { text: 'b', in: ['name'] } }, { has_tag: 'Task' }] },
        ({ name, id }) => name.includes('b') && ids.indexOf(id) % 6 > 0,
      ],
    ]
    for (const [filter, holds] of searches) {
      const plan = await planOf(filter)
      const lengths = all()
        .filter(holds)
        .toSorted((a, b) => Array.from(a.name).length - Array.from(b.name).length || b.id - a.id)
      const page: Page = (_, position, limit) => idsByRank(db, { probe: plan }, position, limit)
      for (const limit of [1, 4, 100])
        expect(await pages(BY_SCORE, limit, page)).toEqual(lengths.map(({ id }) => id))
    }
  })

  it('by relevance, tier by tier', async () => {
    const { db } = base
    const filter = { search: 'a b' }
    const { filter: bound, plan } = await readFilter({ or: [filter, { search: 'bb' }] }, catalog())
    const order = await bindSort([{ by: 'relevance' }], catalog(), bound)
    const page: Page = (by, position, limit) => pageOfIds(db, { plan, order: by, position, limit })
    const found = await pages(order, 4, page)
    const rows = new Map((await itemRows(db, found)).map(({ id, name }) => [id, name]))
    // Both are whole names; shorter ones come first.
    expect(found.map((id) => rows.get(id))).toEqual([
      ...all()
        .filter(({ name }) => name === 'bb')
        .map(({ name }) => name),
      ...all()
        .filter(({ name }) => name === 'a b')
        .map(({ name }) => name),
    ])
    expect(await pages(order, 100, page)).toEqual(found)
  })
})

describe('how a search is carried out', () => {
  it.each([
    [{ search: '' }, 'in row order: all items, each checked, until the page is full'],
    [{ has_tag: 'Task' }, 'in row order: one range of an index until the page is full'],
    [
      { 'Task.kind': { in: ['new', 'done'] } },
      'in row order: the union of 2 ranges of an index until the page is full',
    ],
    [
      { 'Task.effort': { gte: 1 } },
      'first rows: the nearest items are looked at; an index is chosen only where they do not fill the page',
    ],
    [
      { and: [{ search: { text: 'bb', in: ['name'] } }, { has_tag: 'Task' }] },
      'in row order: one range of an index until the page is full',
    ],
    [{ name: { regex: '^bb$' } }, 'in row order: all items, each checked, until the page is full'],
    [
      { search: { text: 'bb', in: ['values'] } },
      'in row order: all items, each checked, until the page is full',
    ],
  ])('is said in words: %j', async (filter, words) => {
    const { sql, plan } = await explainMatching(base.db, await planOf(filter))
    expect(plan.filter((line) => line === words)).toHaveLength(1)
    expect(sql).toMatch(/ asc limit \+\?$/)
    expect(plan.length).toBeGreaterThan(1)
  })

  it('of what can match nothing, without a statement', async () => {
    expect(await explainMatching(base.db, { kind: 'never' })).toEqual({
      sql: '',
      plan: ['nothing can match: no statement runs'],
    })
  })

  it('with the lists that were looked up beforehand', async () => {
    const one: FilterPlan = {
      kind: 'and',
      children: [
        { kind: 'items', items: [ids[0]!] },
        { kind: 'items', items: ids.slice(0, 2) },
      ],
    }
    expect((await explainMatching(base.db, one)).plan.slice(0, 2)).toEqual([
      'looked up beforehand, as a list: 1 item',
      'looked up beforehand, as a list: 2 items',
    ])
  })

  it('an intersection of indexes finds what both have', async () => {
    const { db } = base
    const parts = [await planOf({ has_tag: 'Task' }), await planOf({ 'Task.kind': 'begun' })]
    const paths = parts.flatMap((part) => accessPathsOf(part, db.dialect))
    const found = await idsOf(db, idsSorted(fromIndexes(paths, parts), OLDEST_FIRST, {}, db.dialect))
    expect(found).toEqual(
      all()
        .filter(({ kind }) => kind === 1)
        .map(({ id }) => id),
    )
  })
})
