import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Reply } from '#src/domain/reply.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'
import type { openBase } from '#test/support/base.ts'
import { openManyTasks, STATUSES, taskValues } from '#test/support/many-tasks.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { allItems, idsInOrder, idsOf } from '#src/storage/search/candidates.ts'
import { settlePlan } from '#src/storage/search/settle-plan.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'

// What no small base shows: parts of a filter that are too many to be gone through, groups of equal items that fill
// pages, and the places where the one way of searching hands over to the other.

const TASKS = 6000

type Values = ReturnType<typeof taskValues>
const VALUES: readonly Values[] = Array.from({ length: TASKS + 1 }, (_, i) => taskValues(i))
type Filter = Record<string, unknown>
/** Ascending; undefined comes last either way. */
type Key = (values: Values) => string | number | undefined

const by = {
  points: ({ points }: Values) => points,
  due: ({ due }: Values) => due,
  owner: ({ owner }: Values) => owner ?? undefined,
  status: ({ status }: Values) => STATUSES.indexOf(status.variant),
}
type Sort = [field: keyof typeof by, direction: 'asc' | 'desc'][]

const FILTERS: [filter: Filter, holds: (values: Values, i: number) => boolean][] = [
  [{ has_tag: 'Task' }, () => true],
  [{ 'Task.status': 'Open' }, ({ status }) => status.variant === 'Open'],
  [{ and: [{ 'Task.status': 'Ready' }, { 'Task.done': true }] }, () => false],
  [
    { and: [{ 'Task.status': 'Ready' }, { 'Task.points': 3 }, { 'Task.owner': { neq: 'owner 13' } }] },
    ({ status, points, owner }) =>
      status.variant === 'Ready' && points === 3 && owner !== null && owner !== 'owner 13',
  ],
  [{ 'Task.points': { gte: 2 } }, ({ points }) => points >= 2],
  [{ 'Task.points': { lt: 2 } }, ({ points }) => points < 2],
  [
    { and: [{ 'Task.due': { gte: '2026-02-01' } }, { 'Task.due': { lt: '2026-03-01' } }] },
    ({ due }) => due.startsWith('2026-02'),
  ],
  [{ 'Task.owner': { starts_with: 'owner 1' } }, ({ owner }) => owner?.startsWith('owner 1') ?? false],
  [{ 'Task.status': { gt: 'Open' } }, ({ status }) => status.variant !== 'Open'],
  [
    { or: [{ 'Task.points': 4 }, { 'Task.owner': 'owner 13' }] },
    ({ points, owner }) => points === 4 || owner === 'owner 13',
  ],
]

const SORTS: Sort[] = [
  [],
  [['due', 'asc']],
  [['due', 'desc']],
  [['points', 'desc']],
  [['owner', 'asc']],
  [['owner', 'desc']],
  [['status', 'asc']],
  [['status', 'desc']],
  [
    ['status', 'desc'],
    ['points', 'asc'],
  ],
  [
    ['owner', 'asc'],
    ['due', 'desc'],
  ],
  [
    ['points', 'asc'],
    ['status', 'desc'],
    ['due', 'asc'],
  ],
]

let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openManyTasks(TASKS)
})
afterAll(() => base.close())

/** Names on all pages, each page at the cursor of the one before. */
async function walk(filter: Filter, sort: Sort, limit: number): Promise<string[]> {
  const keys = sort.map(([field, direction]) => ({ by: `Task.${field}`, direction }))
  const names: string[] = []
  let after: string | undefined
  do {
    const input = { filter, sort: keys, limit, ...(after && { after }) }
    const context = {
      db: base.db,
      caller: base.caller,
      now: new Date(0),
      time_zone: 'UTC',
      newId: () => '',
      change: new OpenChange('searchItems', () => ''),
    }
    const reply = (await searchItems.run(context, input)) as Reply
    for (const { name } of JSON.parse(reply.json)) names.push(name)
    after = reply.meta?.next
  } while (after !== undefined)
  return names
}

function expected(holds: (values: Values, i: number) => boolean, sort: Sort): string[] {
  const numbers = Array.from({ length: TASKS }, (_, i) => i + 1).filter((i) => holds(VALUES[i]!, i))
  const down = (direction?: string) => (direction === 'desc' ? -1 : 1)
  const compare = (a: number, b: number): number => {
    for (const [field, direction] of sort) {
      const key: Key = by[field]
      const [x, y] = [key(VALUES[a]!), key(VALUES[b]!)]
      if (x === y) continue
      if (x === undefined) return 1
      if (y === undefined) return -1
      return (x < y ? -1 : 1) * down(direction)
    }
    return (a - b) * down(sort.at(-1)?.[1])
  }
  return numbers.sort(compare).map((i) => `item ${i}`)
}

describe.each(FILTERS)('among many items %j', (filter, holds) => {
  for (const sort of SORTS)
    it(`is found whole, sorted by ${sort.join(' then ') || 'id'}`, async () => {
      const names = expected(holds, sort)
      expect(await walk(filter, sort, 700)).toEqual(names)
    })
})

describe('an `or` of a thousand conditions', () => {
  /** Processor milliseconds; many times as much where each item is probed by each of them. */
  const MOST = 3000
  const alternatives = Array.from({ length: 870 }, (_, i): Filter => {
    const kinds: Filter[] = [
      { name: `item ${7 * i}` },
      { 'Task.owner': { starts_with: `nobody ${i}` } },
      { search: `item ${5000 + i}` },
      { and: [{ 'Task.owner': `owner ${i % 50}` }, { 'Task.due': taskValues(i).due }] },
      { 'Task.parent->name': `item ${i}` },
      { created_at: { lt: `19${10 + (i % 90)}-01-01T00:00:00Z` } },
      { 'Task.points': { gt: 4 + i } },
    ]
    return kinds[i % kinds.length]!
  })
  const holds = ({ owner, due }: Values, n: number) =>
    alternatives.some((each, i) =>
      'name' in each
        ? each.name === `item ${n}`
        : 'search' in each
          ? `item ${n}`.includes(String(each.search))
          : 'and' in each && owner === `owner ${i % 50}` && due === taskValues(i).due,
    )
  const several = (n: number) => alternatives.slice(60 * n, 60 * n + 60)

  for (const [what, filter, wanted] of [
    ['by itself', { or: alternatives }, holds],
    [
      'beside a value',
      { and: [{ 'Task.points': 3 }, { or: alternatives.slice(1) }] },
      (values: Values, i: number) => values.points === 3 && holds(values, i),
    ],
    ['that is excluded', { not: { or: alternatives } }, (values: Values, i: number) => !holds(values, i)],
  ] as const)
    it(`${what} is found whole, and quickly`, async () => {
      const before = process.cpuUsage()
      const names = await walk(filter, [], 1000)
      const { user, system } = process.cpuUsage(before)
      expect(names.filter((name) => name !== 'item 0')).toEqual(expected(wanted, []))
      expect((user + system) / 1000).toBeLessThan(MOST)
    })

  it('is a list of items before anything is searched', async () => {
    const time = { now: new Date(0), time_zone: 'UTC' }
    const { plan } = await readFilter({ or: alternatives }, tagCatalog({ db: base.db, ...time }))
    expect(await settlePlan(base.db, plan)).toMatchObject({ kind: 'items' })
  })

  it('as many narrower ones is found quickly', async () => {
    const before = process.cpuUsage()
    await walk({ and: Array.from({ length: 14 }, (_, n) => ({ or: several(n) })) }, [], 1000)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MOST)
  })
})

describe('a scan', () => {
  const time = { now: new Date(0), time_zone: 'UTC' }
  for (const [what, filter] of Object.entries<Filter>({
    'of one condition': { name: { contains: 'no such' } },
    'of one condition on values': { 'Task.owner': { contains: 'no such' } },
    'of a negation': { not: { 'Task.points': { gte: 0 } } },
  }))
    it(`${what} looks again and again whether it is to end`, async () => {
      const { plan } = await readFilter(filter, tagCatalog({ db: base.db, ...time }))
      const rows = idsInOrder(allItems(plan, base.db.dialect), { descending: false }, base.db.dialect)
      let looks = 0
      base.db.throwIfEnded = () => {
        looks++
      }
      try {
        await idsOf(base.db, rows)
      } finally {
        base.db.throwIfEnded = () => {}
      }
      expect(looks).toBeGreaterThan(TASKS / 2000)
    })
})

describe('a variant that has left the schema', () => {
  it('is last, and is found by its name', async () => {
    const [task] = await base.run(searchTags, { filter: { name: 'Task' } })
    const status = { type: 'Select', variants: ['Done', 'Open'] }
    await base.run(updateTag, { tag_id: task!.tag_id, fields: { ...task!.fields, status } })
    const places = ['Done', 'Open']
    const place = (name: string) => {
      const at = places.indexOf(taskValues(Number(name.slice(5))).status.variant)
      return at < 0 ? places.length : at
    }
    const all = await walk({ has_tag: 'Task' }, [['status', 'asc']], 1000)
    expect(all).toHaveLength(TASKS)
    expect(all.map(place)).toEqual(all.map(place).toSorted((a, b) => a - b))
    const ready = await walk({ 'Task.status': 'Ready' }, [['status', 'desc']], 1000)
    expect(ready).toEqual(expected(({ status }) => status.variant === 'Ready', []).toReversed())
  })
})
