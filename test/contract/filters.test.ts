import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { createSearchWorld, type SearchWorld } from '#test/support/search-world.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let world: SearchWorld
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  world = await createSearchWorld(client)
})
afterAll(() => service.close())

const byPath = (a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path)

describe('validating a filter', () => {
  const validate = (filter: unknown) => client.ok('POST', '/api/filters/validate', { filter })

  it('answers it with ids for names', async () => {
    const { Task } = world.tags
    expect(
      await validate({ and: [{ has_tag: 'Task' }, { not: { 'Task.due': { lt: '2026-02-01' } } }] }),
    ).toEqual({
      valid: true,
      errors: [],
      warnings: [],
      filter: { and: [{ has_tag: Task }, { not: { [`${Task}.due`]: { lt: '2026-02-01' } } }] },
    })
  })

  it('names what can never match', async () => {
    const { valid, warnings } = await validate({
      or: [{ 'Task.colour': 'red' }, { 'Task.state': { gt: 'later' } }, { 'Task.points': { contains: '1' } }],
    })
    expect(valid).toBe(true)
    expect(warnings).toEqual([
      expect.stringContaining("Tag 'Task' has no field 'colour'"),
      expect.stringContaining('"later"'),
      expect.stringContaining("'contains' does not apply to Task.points"),
    ])
  })

  it('answers every fault, where it is and what was meant', async () => {
    const { valid, errors, filter } = await validate({
      and: [{ 'Tsak.due': 1 }, { not: {} }, { 'Task.points': { gt: true } }, { 'Task.title->name': 'x' }],
    })
    expect({ valid, filter }).toEqual({ valid: false, filter: null })
    expect(errors.toSorted(byPath)).toEqual([
      {
        path: 'filter.and[0].Tsak.due',
        message: "Tag 'Tsak' not found",
        suggestion: "Did you mean 'Task'?",
      },
      { path: 'filter.and[1].not', message: 'Filter object cannot be empty' },
      { path: 'filter.and[2].Task.points.gt', message: "'gt' requires a number, string, or date" },
      {
        path: 'filter.and[3].Task.title->name',
        message: "'->' must follow a Reference field, and 'Task.title' is a String",
        suggestion: "Did you mean 'Task.owner'?",
      },
    ])
  })

  it.each([['text'], [7], [null], [[]], [true]])('does not fail on %j', async (filter) => {
    const { valid, errors } = await validate(filter)
    expect([valid, errors.length]).toEqual([false, 1])
  })

  it('takes nothing but a filter', async () => {
    expect((await client.post('/api/filters/validate', {})).status).toBe(400)
    expect((await client.post('/api/filters/validate', { filter: { name: 'x' }, limit: 3 })).status).toBe(400)
  })
})

describe('explaining a filter', () => {
  const explain = (filter: unknown) => client.ok('POST', '/api/filters/explain', { filter })

  it('says what it means and what it finds', async () => {
    const answer = await explain({ and: [{ has_tag: 'Thing' }, { 'Task.points': { gt: 3 } }] })
    expect(answer).toEqual({
      words: expect.stringContaining('Task.points is greater than 3'),
      matched_count: 2,
      warnings: [],
      conditions: [
        {
          words: expect.stringContaining('has the tag Thing'),
          matched_count: expect.any(Number),
          no_value: {},
        },
        { words: 'Task.points is greater than 3', matched_count: 2, no_value: { 'Task.points': 2 } },
      ],
    })
  })

  it('says how it is carried out where that is asked for', async () => {
    const filter = { 'Task.points': { gt: 3 } }
    const answer = await client.ok('POST', '/api/filters/explain', { filter, plan: true })
    expect(answer).toMatchObject({
      sql: expect.stringMatching(/^select/),
      plan: expect.arrayContaining([expect.any(String)]),
    })
    expect(await explain(filter)).not.toHaveProperty('sql')
  })

  type Told = [matched: number, no_value: Record<string, number>]
  const counts: [filter: object, matched: number, conditions: Told[]][] = [
    [{ 'Task.points': { neq: 3 } }, 2, [[2, { 'Task.points': 2 }]]],
    [{ not: { 'Task.points': 3 } }, 8, [[8, { 'Task.points': 2 }]]],
    [{ 'Task.points': null }, 6, [[6, { 'Task.points': 2 }]]],
    [
      { or: [{ 'Task.points': 3 }, { name: 'Orphan' }] },
      2,
      [
        [1, { 'Task.points': 2 }],
        [1, {}],
      ],
    ],
    [
      { not: { and: [{ 'Task.points': 3 }, { search: 'ro' }] } },
      8,
      [
        [1, { 'Task.points': 2 }],
        [2, {}],
      ],
    ],
    [{ search: '' }, 9, [[9, {}]]],
  ]
  it.each(counts)('%j finds %i, and its conditions %j', async (filter, matched_count, conditions) => {
    const answer = await explain(filter)
    expect(answer.matched_count).toBe(matched_count)
    expect(
      answer.conditions.map((each: { matched_count: number; no_value: object }) => [
        each.matched_count,
        each.no_value,
      ]),
    ).toEqual(conditions)
  })

  it('counts a field of each hop, and of one that the tag has not all items with the tag', async () => {
    const hop = await explain({ 'Task.owner->Person.age': { gt: 30 } })
    expect(Object.keys(hop.conditions[0].no_value)).toEqual(['Task.owner', 'Person.age'])
    const unknown = await explain({ 'Task.colour': 'red' })
    const { total } = { total: (await explain({ has_tag: 'Task' })).matched_count }
    expect(unknown.conditions[0].no_value['Task.colour']).toBe(total)
  })

  it('counts at most 20 conditions', async () => {
    const filter = { or: Array.from({ length: 25 }, (_, i) => ({ 'Task.points': i })) }
    const { conditions } = await explain(filter)
    expect(conditions).toHaveLength(25)
    expect(conditions[19].matched_count).toEqual(expect.any(Number))
    expect(conditions[20]).toMatchObject({ matched_count: null, no_value: {} })
  })

  it('says why a condition fails, also of a view', async () => {
    const fields = (variants: string[]) => ({
      state: { type: 'Select', variants },
      kind: 'String',
      text: 'String',
      link: 'Reference',
    })
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Why', fields: fields(['a', 'b']) })
    const { item_id: link } = await client.ok('POST', '/api/items', { name: 'Linked' })
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'Asked',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { state: { variant: 'a' }, kind: 'x', link } }],
    })
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields: fields(['b', 'c']) })
    await client.ok('DELETE', `/api/items/${link}`)
    const filter = {
      and: [
        { 'Why.state': { match: 'b' } },
        { 'Why.kind': 'y' },
        { 'Why.text': 'y' },
        { 'Why.link->name': 'Linked' },
        { 'Why.kind': 'x' },
        { '<-Why.link': { name: 'nobody' } },
      ],
    }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Whys', filter })
    const asked = await client.ok('POST', '/api/filters/explain', { filter, item_id })
    const whys = asked.item.conditions.map((each: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(each).filter(([name]) => !['words', 'matches', 'value'].includes(name)),
      ),
    )
    expect(whys).toEqual([
      { why: 'outdated', schema_version: 1, current_version: 2 },
      { why: 'differs' },
      { why: 'no_value' },
      { why: 'deleted' },
      {},
      { why: 'no_value' },
    ])
    const explain_view = (body: object) => client.post('/api/filters/explain', body)
    expect((await explain_view({ view_id, item_id })).body).toEqual(asked)
    const narrowed = await explain_view({ view_id, filter: { has_tag: 'Why' } })
    expect(narrowed.body.conditions).toHaveLength(7)
    expect((await explain_view({})).status).toBe(400)
    for (const path of [`views/${view_id}`, `items/${item_id}`, `tags/${tag_id}`])
      await client.ok('DELETE', `/api/${path}`)
  })

  it('says why an item matches or does not, and what its conditions met', async () => {
    const [tagged] = await client.ok('POST', '/api/items/search', { filter: { 'Task.points': { gt: 3 } } })
    const { points } = tagged.tags[world.tags['Task']!].field_values
    const filter = {
      and: [
        { has_tag: 'Task' },
        { 'Task.points': { lt: 3 } },
        { name: tagged.name },
        { not: { 'Task.points': 3 } },
        { '<-Task.owner': { search: '' } },
        { id: tagged.item_id },
        { 'Task.owner->name': { contains: 'a' } },
      ],
    }
    const { item } = await client.ok('POST', '/api/filters/explain', { filter, item_id: tagged.item_id })
    expect(item.matches).toBe(false)
    const told = item.conditions.map((each: { matches: boolean; value: unknown }) => [
      each.matches,
      each.value,
    ])
    expect(told.slice(0, 6)).toEqual([
      [true, expect.arrayContaining(['Task'])],
      [false, points],
      [true, tagged.name],
      [true, points],
      [false, 0],
      [true, tagged.item_id],
    ])
    const absent = await client.post('/api/filters/explain', {
      filter,
      item_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
    })
    expect(absent.status).toBe(404)
  })

  it('warns like a search', async () => {
    expect((await explain({ 'Task.state': 'doign' })).warnings).toEqual([expect.stringContaining('"doign"')])
  })

  it('refuses a bad filter like a search', async () => {
    const answers = await Promise.all(
      ['/api/filters/explain', '/api/items/search'].map((path) =>
        client.post(path, { filter: { nam: 'x' } }),
      ),
    )
    const [explained, searched] = answers.map(({ status, body }) => [status, { ...body, path: '' }])
    expect(explained).toEqual(searched)
    expect(explained![0]).toBe(400)
  })
})

describe('the defaults of a filter', () => {
  const defaults = (filter: unknown) => client.ok('POST', '/api/filters/defaults', { filter })

  it('are what a new item needs', async () => {
    const filter = {
      and: [
        { name: 'New' },
        { 'Task.state': { match: 'todo' } },
        { 'Task.labels': { match: 'home' } },
        { not: { 'Task.urgent': true } },
        { 'Task.owner->name': 'Ada' },
      ],
    }
    const given = await defaults(filter)
    expect(given).toEqual({
      name: 'New',
      tags: [
        {
          tag_ref: { Existing: world.tags['Task'] },
          field_values: { state: { variant: 'todo' }, labels: ['home'] },
        },
      ],
    })
    const { item_id } = await client.ok('POST', '/api/items', given)
    const found = await client.ok('POST', '/api/items/search', {
      filter: { and: filter.and.filter((each) => !('Task.owner->name' in each)) },
    })
    expect(found.map(({ id }: { id: string }) => id)).toEqual([item_id])
    await client.ok('DELETE', `/api/items/${item_id}`)
  })

  it.each([[{ search: 'x' }], [{ not: { has_tag: 'Task' } }], [{ 'Task.points': { exists: false } }]])(
    'are none for %j',
    async (filter) => {
      expect(await defaults(filter)).toEqual({ tags: [] })
    },
  )

  it('are refused for a bad filter', async () => {
    expect(await client.post('/api/filters/defaults', { filter: {} })).toMatchObject({
      status: 400,
      body: { message: 'Filter object cannot be empty' },
    })
  })
})

describe('a search for tags', () => {
  const names = async (body?: object) =>
    (await client.ok('POST', '/api/tags/search', body)).map(({ name }: { name: string }) => name)
  const all = ['Thing', 'Person', 'Task']

  const cases: [filter: object | null, finds: string[]][] = [
    [null, all],
    [{ search: 'SOMETHING' }, ['Task']],
    [{ search: 'th' }, ['Thing', 'Task']],
    [{ name: 'Task' }, ['Task']],
    [{ name: { contains: 'a' } }, ['Task']],
    [{ name: { starts_with: 'T' } }, ['Thing', 'Task']],
    [{ name: { regex: '^.{5,6}$' } }, ['Thing', 'Person']],
    [{ description: { exists: true } }, ['Task']],
    [{ description: null }, ['Thing', 'Person']],
    [{ not: { description: { contains: 'to do' } } }, ['Thing', 'Person']],
    [{ and: [{ search: 'th' }, { not: { name: 'Task' } }] }, ['Thing']],
    [{ or: [{ name: 'Person' }, { name: 'Task' }] }, ['Person', 'Task']],
  ]
  it.each(cases)('by %j finds %j', async (filter, finds) => {
    expect(await names({ filter })).toEqual(finds)
  })

  it('answers tags as they are read', async () => {
    const [tag] = await client.ok('POST', '/api/tags/search', { filter: { name: 'Task' } })
    expect(tag).toEqual(await client.ok('GET', `/api/tags/${world.tags['Task']}`))
  })

  it('goes in pages, sorted and counted', async () => {
    const body = { sort: [{ by: 'name', direction: 'desc' }], limit: 2, count: true }
    const first = await client.post('/api/tags/search', body)
    expect([first.body.map((tag: { name: string }) => tag.name), first.headers.get('x-total-count')]).toEqual(
      [['Thing', 'Task'], '3'],
    )
    const after = first.headers.get('x-next-cursor')
    const second = await client.post('/api/tags/search', { ...body, after })
    expect(second.body.map((tag: { name: string }) => tag.name)).toEqual(['Person'])
    expect(second.headers.get('x-next-cursor')).toBeNull()
    expect(await names({ sort: [{ by: 'created_at', direction: 'desc' }] })).toEqual(all.toReversed())
  })

  it('can be had by query string', async () => {
    const { body, headers } = await client.get('/api/tags?limit=1&search=th')
    expect(body.map((tag: { name: string }) => tag.name)).toEqual(['Thing'])
    const rest = await client.get(`/api/tags?search=th&after=${headers.get('x-next-cursor')}`)
    expect(rest.body.map((tag: { name: string }) => tag.name)).toEqual(['Task'])
  })

  it.each([
    [{ filter: { has_tag: 'Task' } }],
    [{ filter: {} }],
    [{ sort: [{ by: 'Task.points' }] }],
    [{ after: 'nonsense' }],
    [{ limit: 0 }],
  ])('refuses %j', async (body) => {
    expect((await client.post('/api/tags/search', body)).status).toBe(400)
  })
})

describe('one of many names', () => {
  const long = 'n'.repeat(600)
  const names = ['one of few', 'one of few', `${long}a`, `${long}b`, `${long}c`, long]
  beforeAll(async () => {
    await client.ok('POST', '/api/items/bulk', { items: names.map((name) => ({ name })) })
  })
  const found = async (filter: object): Promise<string[]> =>
    (await client.ok('POST', '/api/items/search', { filter })).map(({ name }: { name: string }) => name)

  it('finds each item once, though a name is given twice, is on several, or begins as others do', async () => {
    const { length } = await found({
      name: { in: ['one of few', 'one of few', 'nowhere', ...Array.from({ length: 300 }, String)] },
    })
    expect(length).toBe(2)
    expect((await found({ name: { in: [`${long}a`, `${long}b`, 'one of few'] } })).toSorted()).toEqual([
      `${long}a`,
      `${long}b`,
      'one of few',
      'one of few',
    ])
    expect(await found({ and: [{ name: { in: [long, `${long}d`] } }, { name: { neq: 'x' } }] })).toEqual([
      long,
    ])
  })

  it('is the same among a hundred that no index has', async () => {
    const or = Array.from({ length: 100 }, (_, i) => ({ name: { ends_with: `nobody ${i}` } }))
    expect((await found({ or: [...or, { name: { ends_with: 'nb' } }] })).toSorted()).toEqual([`${long}b`])
  })

  it('is the same among a thousand conditions', async () => {
    const or = Array.from({ length: 996 }, (_, i) => ({ name: `nobody ${i}` }))
    const all = await found({ or: [...or, { name: `${long}b` }, { name: long }, { name: 'one of few' }] })
    expect(all.toSorted()).toEqual([long, `${long}b`, 'one of few', 'one of few'])
  })
})

it('finds whole numbers past 2^53 by whatever names them', async () => {
  const fields = { n: 'Number', text: 'String' }
  await client.ok('POST', '/api/tags', { name: 'Large', fields })
  const numbers = [1234567890123456800, -(2 ** 60), 2 ** 53 + 2, 9_200_000_000_000_000_000, 1e300]
  const items = numbers.map((n) => ({
    name: `Large ${n}`,
    tags: [{ tag_ref: { Existing: 'Large' }, field_values: { n, text: 'one' } }],
  }))
  const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', { items })
  const found = async (filter: object, path = '/api/items/search') =>
    (await client.ok('POST', path, { filter })).length
  for (const [i, n] of numbers.entries()) {
    const one = { 'Large.n': { in: [n, 5] } }
    const beside: object[] = [{ has_tag: 'Large' }, { name: `Large ${n}` }, { 'Large.text': 'one' }]
    expect([
      n,
      await found({ 'Large.n': n }),
      await found(one),
      await found({ and: [beside[0], { not: one }] }),
    ]).toEqual([n, 1, 1, numbers.length - 1])
    for (const other of beside) expect([n, other, await found({ and: [other, one] })]).toEqual([n, other, 1])
    await client.ok('DELETE', `/api/items/${made[i]!.item_id}`)
    for (const test of [one, { 'Large.n': n }])
      expect([n, test, await found(test, '/api/items/deleted/search')]).toEqual([n, test, 1])
    await client.ok('POST', `/api/items/${made[i]!.item_id}/restore`)
  }
})
