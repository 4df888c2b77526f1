import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { uploaded } from '#test/support/imports.ts'
import { startService, type Service } from '#test/support/service.ts'

const TEAMS = ['Blue', 'Red']
const CITIES = ['Wien', 'Graz']
const LABELS = ['home', 'work', 'later']
const STATUS = ['open', 'doing', 'done']

interface Task {
  name: string
  status: string | null
  labels: string[] | null
  estimate: number | null
  due: string | null
  urgent: boolean | null
  vat: string | null
  team: number | null
}

let service: Service
let client: Client
let teams: string[]
let tasks: (Task & { item_id: string; created_at: string })[]

/** A small generator, so that a failure comes again. */
let state = 42
const pick = <T>(list: readonly T[]): T => {
  state = (state * 1103515245 + 12345) % 2147483648
  return list[Math.floor((state / 2147483648) * list.length)]!
}

const someTask = (i: number): Task => ({
  name: `Task ${i}`,
  status: pick([...STATUS, null]),
  labels: pick([[], ['home'], ['home', 'work'], LABELS, null]),
  estimate: pick([0.1, 0.2, 0.3, 1e16, -1e16, 3, 5, 7, -2, null]),
  due: pick(['2024-12-30', '2025-01-01', '2025-03-31', '2025-04-01', '2026-01-01', null]),
  urgent: pick([true, false, null]),
  vat: pick(['AT-123', 'at 123', 'AT123', 'Ä 1', 'a1', null]),
  team: pick([0, 1, null]),
})

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', { name: 'Team', fields: { city: 'String' } })
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      status: { type: 'Select', variants: STATUS },
      labels: { type: 'MultiSelect', variants: LABELS },
      estimate: 'Number',
      due: 'Date',
      urgent: 'Boolean',
      vat: 'String',
      team: 'Reference',
    },
  })
  teams = (
    await client.ok('POST', '/api/items/bulk', {
      items: TEAMS.map((name, i) => ({
        name,
        tags: [{ tag_ref: { Existing: 'Team' }, field_values: { city: i ? 'Graz' : 'Wien' } }],
      })),
    })
  ).map(({ item_id }: { item_id: string }) => item_id)
  const made = Array.from({ length: 200 }, (_, i) => someTask(i))
  const ids = await client.ok('POST', '/api/items/bulk', {
    items: made.map(({ name, status, team, ...values }) => ({
      name,
      tags: [
        {
          tag_ref: { Existing: 'Task' },
          field_values: {
            ...values,
            status: status && { variant: status },
            team: team === null ? null : teams[team],
          },
        },
      ],
    })),
  })
  tasks = made.map((task, i) => ({ ...task, ...ids[i] }))
})
afterAll(() => service.close())

const aggregate = (body: object) => client.ok('POST', '/api/items/aggregate', body)
const TASKS = { has_tag: 'Task' }

/** The counts that the keys of a task give, worked out from what was stored. */
function expected(keysOf: (task: (typeof tasks)[number]) => unknown[][], of = tasks) {
  const counts = new Map<string, number>()
  for (const task of of)
    for (const key of new Set(keysOf(task).map((each) => JSON.stringify(each))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

const asMap = (groups: { key: unknown; count: number }[]) =>
  new Map(groups.map(({ key, count }) => [JSON.stringify(key), count]))

const one =
  <K>(keyOf: (task: Task) => K) =>
  (task: Task) => [[keyOf(task)]]
const team = ({ team: at }: Task) => (at === null ? null : { item_id: teams[at]!, name: TEAMS[at]! })
const quarter = (due: string | null) => due && `${due.slice(0, 4)}-Q${Math.ceil(Number(due.slice(5, 7)) / 3)}`
const WEEKS: Record<string, string> = {
  '2024-12-30': '2025-W01',
  '2025-01-01': '2025-W01',
  '2025-03-31': '2025-W14',
  '2025-04-01': '2025-W14',
  '2026-01-01': '2026-W01',
}

const groupings: { group_by: unknown[]; keys: (task: Task) => unknown[][] }[] = [
  { group_by: [], keys: () => [[]] },
  { group_by: ['Task.status'], keys: one(({ status }) => status) },
  { group_by: ['Task.urgent'], keys: one(({ urgent }) => urgent) },
  {
    group_by: ['Task.labels'],
    keys: ({ labels }) => (labels?.length ? labels.map((each) => [each]) : [[null]]),
  },
  { group_by: ['Task.team'], keys: one(team) },
  { group_by: ['Task.team->name'], keys: one(({ team: at }) => (at === null ? null : TEAMS[at])) },
  {
    group_by: ['Task.team->Team.city'],
    keys: one(({ team: at }) => (at === null ? null : at ? 'Graz' : 'Wien')),
  },
  { group_by: ['Task.estimate'], keys: one(({ estimate }) => estimate) },
  { group_by: [{ by: 'Task.due', bucket: 'day' }], keys: one(({ due }) => due) },
  { group_by: [{ by: 'Task.due', bucket: 'week' }], keys: one(({ due }) => due && WEEKS[due]) },
  { group_by: [{ by: 'Task.due', bucket: 'month' }], keys: one(({ due }) => due && due.slice(0, 7)) },
  { group_by: [{ by: 'Task.due', bucket: 'quarter' }], keys: one(({ due }) => quarter(due)) },
  { group_by: [{ by: 'Task.due', bucket: 'year' }], keys: one(({ due }) => due && due.slice(0, 4)) },
  {
    group_by: [{ by: 'Task.estimate', width: 5 }],
    keys: one(({ estimate }) => estimate && Math.floor(estimate / 5) * 5),
  },
  {
    group_by: ['Task.status', 'Task.labels', { by: 'Task.due', bucket: 'year' }],
    keys: ({ status, labels, due }) =>
      (labels?.length ? labels : [null]).map((label) => [status, label, due && due.slice(0, 4)]),
  },
  {
    group_by: [{ first: ['Task.status', 'Task.team->Team.city', 'Task.vat', 'name'] }],
    keys: one(({ status, team: at, vat, name }) => status ?? (at === null ? (vat ?? name) : CITIES[at]!)),
  },
  {
    group_by: [{ first: ['Task.labels', 'Task.status'] }, 'Task.urgent'],
    keys: ({ labels, status, urgent }) => (labels?.length ? labels : [status]).map((each) => [each, urgent]),
  },
  { group_by: [{ first: ['Task.team'] }], keys: one(team) },
]

describe('aggregates', () => {
  for (const { group_by, keys } of groupings)
    it(`count by ${JSON.stringify(group_by)}`, async () => {
      const answer = await aggregate({ filter: TASKS, group_by })
      expect(asMap(answer.groups)).toEqual(expected(keys))
      expect(answer).toMatchObject({ total_items: 200, total_groups: answer.groups.length, truncated: false })
      const narrowed = await aggregate({ filter: { 'Task.urgent': true }, group_by })
      expect(asMap(narrowed.groups)).toEqual(
        expected(
          keys,
          tasks.filter(({ urgent }) => urgent),
        ),
      )
    })

  it('count all items where there is no filter: those without a value have the key null', async () => {
    const { groups, total_items } = await aggregate({ group_by: ['Task.status'] })
    const counts = expected(one(({ status }) => status))
    counts.set('[null]', counts.get('[null]')! + TEAMS.length)
    expect(asMap(groups)).toEqual(counts)
    expect(total_items).toBe(tasks.length + TEAMS.length)
    expect(asMap((await aggregate({ group_by: ['Task.labels'] })).groups).get('[null]')).toBe(
      expected(({ labels }) => (labels?.length ? [] : [[null]])).get('[null]')! + TEAMS.length,
    )
  })

  it('count by tag', async () => {
    const { groups } = await aggregate({ group_by: ['has_tag'] })
    expect(
      groups.map(({ key, count }: { key: [{ name: string }]; count: number }) => [key[0].name, count]),
    ).toEqual([
      ['Task', 200],
      ['Team', 2],
    ])
  })

  it('take moments in a time zone', async () => {
    const zone = 'Pacific/Kiritimati' // 14 hours ahead
    const { groups } = await aggregate({
      filter: TASKS,
      group_by: [{ by: 'created_at', bucket: 'day' }],
      time_zone: zone,
    })
    const { created_at } = await client.ok('GET', `/api/items/${tasks[0]!.item_id}`)
    const day = new Date(Date.parse(created_at) + 14 * 3_600_000).toISOString().slice(0, 10)
    expect(groups).toEqual([{ key: [day], count: 200, metrics: [] }])
  })

  it('begin a range of a width with decimals at the number itself', async () => {
    await client.ok('POST', '/api/tags', { name: 'Price', fields: { eur: 'Number' } })
    const prices = [-0.3, -0.05, 0, 0.1, 0.25, 0.3, 0.35, 0.7, 1.005, 1.1, 2.9, 1e17]
    await client.ok('POST', '/api/items/bulk', {
      items: prices.map((eur) => ({
        name: `Price ${eur}`,
        tags: [{ tag_ref: { Existing: 'Price' }, field_values: { eur } }],
      })),
    })
    const starts = {
      0.1: [-0.3, -0.1, 0, 0.1, 0.2, 0.3, 0.3, 0.7, 1, 1.1, 2.9, 1e17],
      0.05: [-0.3, -0.05, 0, 0.1, 0.25, 0.3, 0.35, 0.7, 1, 1.1, 2.9, 1e17],
      0.005: [-0.3, -0.05, 0, 0.1, 0.25, 0.3, 0.35, 0.7, 1.005, 1.1, 2.9, 1e17],
      2.5: [-2.5, -2.5, 0, 0, 0, 0, 0, 0, 0, 0, 2.5, 1e17],
    }
    // Of a few items the statements make the ranges, not the columns.
    const filters = [
      { has_tag: 'Price' },
      { and: [{ has_tag: 'Price' }, { name: { in: prices.map((eur) => `Price ${eur}`) } }] },
    ]
    for (const [width, keys] of Object.entries(starts))
      for (const filter of filters) {
        const group_by = [{ by: 'Price.eur', width: Number(width) }]
        const { groups } = await aggregate({ filter, group_by, sort: [{ by: 'key' }] })
        expect(groups.map(({ key, count }: { key: number[]; count: number }) => [key[0], count])).toEqual(
          [...Map.groupBy(keys, (key) => key)].map(([key, all]) => [key, all.length]),
        )
      }
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Price' } })
  })

  it('begin a range of a width for the numbers next to zero too', async () => {
    await client.ok('POST', '/api/tags', { name: 'Charge', fields: { of: 'Number', on: 'Reference' } })
    const charges = [-5e-324, 0, 5e-324, 12]
    await client.ok('POST', '/api/items/bulk', {
      items: charges.map((of) => ({
        name: `Charge ${of}`,
        tags: [{ tag_ref: { Existing: 'Charge' }, field_values: { of } }],
      })),
    })
    // Ranges alone are made of the columns; beside what a reference leads to the statements make them.
    for (const more of [[], ['Charge.on->name']])
      for (const width of [10, 2.5]) {
        const { groups } = await aggregate({
          filter: { has_tag: 'Charge' },
          group_by: [{ by: 'Charge.of', width }, ...more],
          sort: [{ by: 'key' }],
        })
        expect(groups.map(({ key, count }: { key: number[]; count: number }) => [key[0], count])).toEqual([
          [-width, 1],
          [0, 2],
          [10, 1],
        ])
      }
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Charge' } })
  })

  it('fold spellings into the commonest one, and name their items', async () => {
    const { groups } = await aggregate({
      filter: TASKS,
      group_by: [{ by: 'Task.vat', fold: true }],
      min_count: 2,
      ids: true,
    })
    const of = (...spellings: (string | null)[]) => tasks.filter(({ vat }) => spellings.includes(vat))
    const commonest = (...spellings: string[]) =>
      spellings.toSorted((a, b) => of(b).length - of(a).length || (a < b ? -1 : 1))[0]
    const wanted = [
      { key: [commonest('AT-123', 'AT123', 'at 123')], items: of('AT-123', 'at 123', 'AT123') },
      { key: [commonest('a1', 'Ä 1')], items: of('Ä 1', 'a1') },
      { key: [null], items: of(null) },
    ].map(({ key, items }) => ({
      key,
      count: items.length,
      metrics: [],
      ids: items.slice(0, 100).map(({ item_id }) => item_id),
    }))
    expect(groups).toEqual(wanted.toSorted((a, b) => b.count - a.count))
  })

  it('tell long variants and names of files apart that begin alike', async () => {
    const long = ['one', 'two'].map((end) => 'x'.repeat(600) + end)
    const fields = { set: { type: 'MultiSelect', variants: [...long, 'none'] }, files: 'File' }
    await client.ok('POST', '/api/tags', { name: 'Long', fields })
    const file_id = await uploaded(client, 'a.txt', 'a')
    for (const name of long) {
      const field_values = { set: [name], files: [{ file_id, name }] }
      await client.ok('POST', '/api/items', { name, tags: [{ tag_ref: { Existing: 'Long' }, field_values }] })
    }
    for (const field of ['Long.set', 'Long.files']) {
      const { groups } = await aggregate({
        filter: { has_tag: 'Long' },
        group_by: [field],
        metrics: [{ count_distinct: field }],
        sort: [{ by: 'key', direction: 'asc' }],
      })
      expect(groups).toEqual(long.map((name) => ({ key: [name], count: 1, metrics: [1] })))
    }
    const metrics = [{ count_distinct: 'Long.set' }, { count_distinct: 'Long.files' }]
    const { groups } = await aggregate({ filter: { has_tag: 'Long' }, metrics })
    expect(groups[0].metrics).toEqual([2, 2])
    await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Long' } })
  })

  it('work out sums, averages, extremes and distinct values', async () => {
    const { groups } = await aggregate({
      filter: TASKS,
      group_by: ['Task.status'],
      metrics: [
        { count: true },
        { sum: 'Task.estimate' },
        { avg: 'Task.estimate' },
        { min: 'Task.due' },
        { max: 'Task.estimate' },
        { count_distinct: 'Task.labels' },
        { max: 'Task.status' },
      ],
      sort: [{ by: 'key' }],
    })
    expect(groups.map(({ key }: { key: unknown[] }) => key[0])).toEqual([...STATUS, null])
    for (const { key, count, metrics } of groups) {
      const some = tasks.filter(({ status }) => status === key[0])
      const estimates = some.flatMap(({ estimate }) => estimate ?? [])
      // Exact in BigInt of tenths, because the large ones cancel out.
      const sum = exactSum(estimates)
      const dues = some.flatMap(({ due }) => due ?? []).toSorted()
      expect(metrics).toEqual([
        count,
        sum,
        sum / estimates.length,
        dues[0],
        Math.max(...estimates),
        new Set(some.flatMap(({ labels }) => labels ?? [])).size,
        key[0],
      ])
    }
  })

  it('sum decimals alike however many groups there are, and past the range of doubles and back', async () => {
    await client.ok('POST', '/api/tags', { name: 'Meter', fields: { site: 'String', kwh: 'Number' } })
    const SITES = 1001
    const siteOf = (i: number) => (i ? `site ${String(i).padStart(4, '0')}` : null)
    const readings = Array.from({ length: 3 * SITES }, (_, i) => ({
      site: siteOf(i % SITES),
      // The second site's are huge: each two of them are beyond all doubles, the three are not.
      kwh: i % SITES === 1 ? (i < 2 * SITES ? 1e308 : -1e308) : i % SITES === 2 ? null : (i + 1) / 7,
    }))
    for (let from = 0; from < readings.length; from += 1000)
      await client.ok('POST', '/api/items/bulk', {
        items: readings.slice(from, from + 1000).map((field_values, i) => ({
          name: `Reading ${from + i}`,
          tags: [{ tag_ref: { Existing: 'Meter' }, field_values }],
        })),
      })
    const expected = Array.from({ length: SITES }, (_, site) => {
      const values = readings.flatMap((each) => (each.site === siteOf(site) ? (each.kwh ?? []) : []))
      const sum = site === 1 ? 1e308 : values.length ? exactSum(values) : null
      return { key: [siteOf(site)], count: 3, metrics: [sum, sum === null ? null : sum / values.length] }
    })
    const all = { total_items: 3 * SITES, total_groups: SITES, truncated: true }
    const asked = { filter: { has_tag: 'Meter' }, metrics: [{ sum: 'Meter.kwh' }, { avg: 'Meter.kwh' }] }
    // The first group has no site: null is last.
    const inOrder = [...expected.slice(1), expected[0]!]
    const group_by = ['Meter.site']
    expect(await aggregate({ ...asked, group_by, sort: [{ by: 'key' }], limit: 1000 })).toEqual({
      ...all,
      groups: inOrder.slice(0, 1000),
    })
    expect(
      await aggregate({ ...asked, group_by, sort: [{ by: 'key', direction: 'desc' }], limit: 1 }),
    ).toEqual({ ...all, groups: [expected.at(-1)] })
    // Of a few items the statements work it out, not the columns.
    const few = { ...asked, filter: { 'Meter.site': { in: [siteOf(1), siteOf(2), siteOf(3)] } }, group_by }
    expect((await aggregate({ ...few, sort: [{ by: 'key' }] })).groups).toEqual(expected.slice(1, 4))
  })

  it('warn where a sum is beyond all numbers, whose average is none', async () => {
    await client.ok('POST', '/api/tags', { name: 'Star', fields: { kind: 'String', mass: 'Number' } })
    const add = (of: [kind: string, mass: number][]) =>
      client.ok('POST', '/api/items/bulk', {
        items: of.map(([kind, mass]) => ({
          name: 'Star',
          tags: [{ tag_ref: { Existing: 'Star' }, field_values: { kind, mass } }],
        })),
      })
    await add([
      ['giant', 1.7e308],
      ['giant', 1.5e308],
      ['giant', 1],
      ['dwarf', 2],
      ['hole', -1.7e308],
      ['hole', -1.7e308],
    ])
    const asked = async (body: object) => {
      const answer = await client.post('/api/items/aggregate', {
        filter: { has_tag: 'Star' },
        metrics: [{ count: true }, { sum: 'Star.mass' }, { avg: 'Star.mass' }],
        ...body,
      })
      const { groups } = answer.body as { groups: { key: unknown[]; metrics: unknown[] }[] }
      return {
        groups: groups.map(({ key, metrics }) => [key[0], metrics[1], metrics[2]]),
        warnings: JSON.parse(answer.headers.get('x-filter-warnings') ?? '[]') as string[],
      }
    }
    const words =
      'metrics[1]: the sum of Star.mass is beyond the largest number there is, 1.7976931348623157e+308'
    const sort = [{ by: 'key' }]
    const inGroups = {
      groups: [
        ['dwarf', 2, 2],
        ['giant', null, (1.6e308 / 3) * 2],
        ['hole', null, -1.7e308],
      ],
      warnings: [`${words}, in 2 of 3 groups: null stands for it`],
    }
    const group_by = ['Star.kind']
    expect(await asked({ group_by, sort })).toEqual(inGroups)
    // Of many they are worked out another way.
    await add(Array.from({ length: 3000 }, () => ['dwarf', 0]))
    inGroups.groups[0] = ['dwarf', 2, 2 / 3001]
    expect(await asked({ group_by, sort })).toEqual(inGroups)
    expect(await asked({ group_by, sort, filter: { 'Star.kind': 'dwarf' } })).toMatchObject({ warnings: [] })
    expect(await asked({ filter: { 'Star.kind': 'hole' } })).toEqual({
      groups: [[undefined, null, -1.7e308]],
      warnings: [`${words}: null stands for it`],
    })
  })

  it('give nothing for metrics of nothing', async () => {
    for (const filter of [{ name: 'no such item' }, { 'Task.status': { gt: 'unknown' } }]) {
      const metrics = [{ sum: 'Task.estimate' }, { count: true }]
      expect(await aggregate({ filter, metrics })).toEqual({
        groups: [{ key: [], count: 0, metrics: [null, 0] }],
        total_items: 0,
        total_groups: 1,
        truncated: false,
      })
      expect(await aggregate({ filter, metrics, group_by: ['Task.status'] })).toMatchObject({ groups: [] })
    }
    const { groups } = await aggregate({
      filter: { has_tag: 'Team' },
      metrics: [{ sum: 'Task.estimate' }, { count_distinct: 'Task.estimate' }, { min: 'Task.due' }],
    })
    expect(groups).toEqual([{ key: [], count: 2, metrics: [null, 0, null] }])
  })

  it('sort by count, key and metric, with what has no value last', async () => {
    const by = async (...sort: object[]) =>
      (
        await aggregate({ filter: TASKS, group_by: ['Task.status'], metrics: [{ min: 'Task.due' }], sort })
      ).groups.map(({ key }: { key: unknown[] }) => key[0])
    expect(await by({ by: 'key', direction: 'desc' })).toEqual([...STATUS.toReversed(), null])
    expect(await by({ by: 'key' })).toEqual([...STATUS, null])
    expect((await by({ by: 0 })).length).toBe(4)
    expect(await by({ by: 'count' }, { by: 'key', direction: 'desc' })).toHaveLength(4)
  })

  it('say when there is more than the limit', async () => {
    const answer = await aggregate({ filter: TASKS, group_by: ['Task.status'], limit: 2 })
    expect(answer).toMatchObject({ total_groups: 4, truncated: true })
    expect(answer.groups).toHaveLength(2)
  })

  it('take the filter of a view, narrowed by another', async () => {
    const { view_id } = await client.ok('POST', '/api/views', {
      name: 'Urgent',
      view_type: 'list',
      filter: { 'Task.urgent': true },
    })
    const { total_items } = await aggregate({ view_id, filter: { 'Task.status': 'open' } })
    expect(total_items).toBe(tasks.filter(({ urgent, status }) => urgent && status === 'open').length)
    expect((await client.post('/api/items/aggregate', { view_id: 'none' })).status).toBe(404)
  })

  it('are a tool', async () => {
    const { result } = await client.ok('POST', '/api/mcp/message', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'aggregate_items', arguments: { filter: TASKS, group_by: ['Task.urgent'] } },
    })
    // A tool leaves out what is empty in every group (further §18).
    const { groups, ...rest } = await aggregate({ filter: TASKS, group_by: ['Task.urgent'] })
    expect(JSON.parse(result.content[0].text)).toEqual({
      groups: groups.map((group: object) =>
        Object.fromEntries(Object.entries(group).filter(([key]) => key !== 'metrics')),
      ),
      ...rest,
    })
  })

  it('take the first of some paths as a key, sorted as the variants are, with metrics and ids', async () => {
    const group_by = [{ first: ['Task.status', 'Task.labels'] }]
    const { groups } = await aggregate({
      filter: TASKS,
      group_by,
      sort: [{ by: 'key' }],
      metrics: [{ count_distinct: 'Task.vat' }],
      ids: true,
    })
    const keys = groups.map(({ key: [key] }: { key: unknown[] }) => key)
    expect(keys).toEqual([...STATUS, ...LABELS, null].filter((each) => keys.includes(each)))
    for (const { key, metrics, ids } of groups) {
      const own = tasks.filter(({ status, labels }) =>
        status ? status === key[0] : labels?.length ? labels.includes(key[0]) : key[0] === null,
      )
      expect(metrics).toEqual([new Set(own.flatMap(({ vat }) => vat ?? [])).size])
      expect(ids).toEqual(own.slice(0, 100).map(({ item_id }) => item_id))
    }
  })

  it('say how many deleted items they met', async () => {
    await client.ok('POST', '/api/tags', { name: 'Box', fields: { in: 'Reference', many: 'MultiReference' } })
    const add = async (name: string, field_values: object) =>
      (
        await client.ok('POST', '/api/items', {
          name,
          tags: [{ tag_ref: { Existing: 'Box' }, field_values }],
        })
      ).item_id as string
    const [shelf, room] = [await add('Shelf', {}), await add('Room', {})]
    const inner = await add('Inner', { in: room })
    await add('Outer', { in: inner, many: [shelf, room] })
    const warned = async (body: object, path = '/api/items/aggregate') => {
      const { headers, status } = await client.post(path, { filter: { name: 'Outer' }, ...body })
      expect(status).toBe(200)
      return JSON.parse(headers.get('x-filter-warnings') ?? '[]') as string[]
    }
    const twoHops = { group_by: ['Box.in->Box.in->name'] }
    expect(await warned(twoHops)).toEqual([])
    for (const item_id of [shelf, room]) await client.ok('DELETE', `/api/items/${item_id}`)
    expect(await warned(twoHops)).toEqual(['Paths lead to 1 deleted item, behind which there is no value'])
    expect(await warned({ metrics: [{ count_distinct: 'Box.many->Box.in' }] })).toEqual([
      'Paths lead to 2 deleted items, behind which there is no value',
    ])
    expect(await warned({ group_by: ['Box.many'] })).toEqual([
      'The groups of 2 deleted items are among these',
    ])
    expect(await warned({ group_by: ['Box.many->name'], filter: { name: 'Inner' } })).toEqual([])
    const fields = { fields: ['name', 'Box.in->Box.in->name', 'Box.many->name'] }
    expect(await warned(fields, '/api/items/search')).toEqual([
      'Paths lead to 2 deleted items, behind which there is no value',
    ])
    await client.ok('POST', '/api/items/purge', { item_ids: [shelf, room] })
    expect(await warned(twoHops)).toEqual([])
  })

  const faults: [object, string][] = [
    [
      { group_by: [{ first: ['Task.status', 'Task.team'] }] },
      "group_by[0].first[1]: gives a reference, and 'Task.status' a text: name paths of one kind",
    ],
    [{ group_by: [{ first: ['name', 'Task.no'] }] }, "group_by[0].first[1]: Tag 'Task' has no field 'no'"],
    [{ group_by: [{ first: [] }] }, 'group_by[0].first'],
    [
      { group_by: ['Task.statsu'] },
      "group_by[0]: Tag 'Task' has no field 'statsu'; did you mean 'Task.status'?",
    ],
    [{ group_by: ['status'] }, "group_by[0]: 'status' is no field; expected <Tag>.<field>"],
    [{ group_by: ['Task.team->has_tag'] }, "group_by[0]: 'has_tag' is no field; expected <Tag>.<field>"],
    [
      { group_by: ['created_at'] },
      "group_by[0]: 'created_at' needs a bucket: day, week, month, quarter or year",
    ],
    [
      { group_by: [{ by: 'Task.status', bucket: 'day' }] },
      "group_by[0].by: 'Task.status' is no date or time",
    ],
    [{ group_by: [{ by: 'Task.due', width: 2 }] }, "group_by[0].by: 'Task.due' is no Number"],
    [{ group_by: [{ by: 'Task.due', fold: true }] }, "group_by[0].by: 'Task.due' is no String"],
    [
      { group_by: ['Task.due->name'] },
      "group_by[0]: '->' must follow a Reference field, and 'Task.due' is a Date",
    ],
    [{ metrics: [{ sum: 'Task.due' }] }, "metrics[0].sum: 'sum' needs a Number, and 'Task.due' is a Date"],
    [{ metrics: [{}] }, 'metrics[0]: give exactly one of count, sum, avg, min, max, count_distinct'],
    [{ sort: [{ by: 'key' }, { by: 3 }] }, 'sort[1].by: there is no metric 3; they count from 0'],
    [{ time_zone: 'Mars/Base' }, "time_zone: 'Mars/Base' is no time zone; give a name such as Europe/Vienna"],
    [{ filter: { has_tag: 'Tusk' } }, "Tag 'Tusk' not found"],
  ]
  for (const [body, message] of faults)
    it(`refuse ${JSON.stringify(body)}`, async () => {
      const { status, body: answer } = await client.post('/api/items/aggregate', body)
      expect(status).toBe(400)
      expect(answer.message).toContain(message)
    })
})

/** Rounded once, from the exact rational value of each double. */
function exactSum(terms: readonly number[]): number {
  const SCALE = 2n ** 80n
  const exact = (term: number): bigint => {
    let [value, shift] = [term, 0n]
    while (!Number.isInteger(value)) [value, shift] = [value * 2, shift + 1n]
    return (BigInt(value) * SCALE) / 2n ** shift
  }
  const sum = terms.reduce((total, term) => total + exact(term), 0n)
  // The nearest double of a fraction: its decimal digits, read by the parser.
  const whole = sum / SCALE
  const rest = sum < 0n ? -(sum % SCALE) : sum % SCALE
  const digits = ((rest * 10n ** 80n) / SCALE).toString().padStart(80, '0')
  return Number(`${sum < 0n && whole === 0n ? '-' : ''}${whole}.${digits}`)
}
