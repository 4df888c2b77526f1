import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures, newName } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const UNKNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const { createTag, createItem, valuesOf, search } = fixtures(() => client)
const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)

describe('a MultiReference (additions §8)', () => {
  let tag: { tag_id: string; name: string }
  let [ada, bob, cyd]: string[] = []
  const given: Record<string, unknown> = {}
  beforeAll(async () => {
    const person = await createTag({ age: 'Number' })
    ada = await createItem('Ada', person.tag_id, { age: 36 })
    bob = await createItem('Bob', person.tag_id, { age: 41 })
    cyd = await createItem('Cyd', person.tag_id)
    tag = await createTag({ people: 'MultiReference', next: 'MultiReference' })
    Object.assign(given, {
      both: [bob, ada],
      ada: [ada],
      empty: [],
      null: null,
      lower: [cyd.toLowerCase()],
    })
    for (const [name, people] of Object.entries(given)) await createItem(name, tag.tag_id, { people })
    await createItem('none', tag.tag_id)
    person_name = person.name
  })
  let person_name: string
  const all = ['both', 'ada', 'empty', 'null', 'lower', 'none']

  it('keeps ids in the order given, in upper case, and the empty array', async () => {
    const items = await client.ok('POST', '/api/items/search', { filter: { has_tag: tag.tag_id } })
    const stored = items.map((item: { tags: Record<string, { field_values: object }> }) =>
      Object.values(item.tags[tag.tag_id]!.field_values),
    )
    expect(stored).toEqual([[[bob, ada]], [[ada]], [[]], [null], [[cyd]], []])
  })

  const cases: [test: (ids: { ada: string; bob: string; cyd: string }) => unknown, found: string[]][] = [
    [(id) => id.ada, ['ada']],
    [(id) => ({ eq: [id.ada, id.bob] }), ['both']],
    [(id) => ({ eq: [id.ada.toLowerCase(), id.bob, id.ada] }), ['both']],
    [() => ({ eq: [] }), ['empty']],
    [() => ({ eq: null }), ['null', 'none']],
    [(id) => ({ eq: [id.ada, UNKNOWN] }), []],
    [() => 5, []],
    [(id) => ({ neq: [id.bob, id.ada] }), ['ada', 'empty', 'lower']],
    [(id) => ({ neq: id.ada }), ['both', 'empty', 'lower']],
    [() => ({ neq: UNKNOWN }), ['both', 'ada', 'empty', 'lower']],
    [() => ({ neq: null }), ['both', 'ada', 'empty', 'lower']],
    [(id) => ({ in: [id.bob, id.cyd, UNKNOWN, null] }), ['both', 'lower']],
    [() => ({ in: [] }), []],
    [(id) => ({ match: id.ada.toLowerCase() }), ['both', 'ada']],
    [() => ({ match: UNKNOWN }), []],
    [() => ({ exists: true }), ['both', 'ada', 'empty', 'lower']],
    [() => ({ is_null: true }), ['null', 'none']],
    [(id) => ({ gt: id.ada }), []],
    [(id) => ({ contains: id.ada }), []],
  ]
  for (const [test, found] of cases) {
    const shown = JSON.stringify(test({ ada: '<ada>', bob: '<bob>', cyd: '<cyd>' }))
    it(`finds ${JSON.stringify(found)} with ${shown}, and the rest with 'not'`, async () => {
      const filter = { [`${tag.name}.people`]: test({ ada: ada!, bob: bob!, cyd: cyd! }) }
      const tagged = (each: object) => search({ and: [{ has_tag: tag.tag_id }, each] })
      expect(await tagged(filter)).toEqual(found)
      expect(await tagged({ not: filter })).toEqual(all.filter((name) => !found.includes(name)))
    })
  }

  it('is followed by -> to all items, one of which is enough', async () => {
    const path = `${tag.name}.people->`
    expect(await search({ [`${path}name`]: 'Ada' })).toEqual(['both', 'ada'])
    expect(await search({ [`${path}name`]: { in: ['Bob', 'Cyd'] } })).toEqual(['both', 'lower'])
    expect(await search({ [`${path}${person_name}.age`]: { gt: 30 } })).toEqual(['both', 'ada'])
    expect(await search({ [`${path}${person_name}.age`]: { exists: false } })).toEqual(['lower'])
    expect(await search({ [`${path}has_tag`]: person_name })).toEqual(['both', 'ada', 'lower'])
    expect(await search({ [`${path}has_tag`]: person_name }, { limit: 2, sort: [{ by: 'name' }] })).toEqual([
      'ada',
      'both',
    ])
    const answer = await client.post('/api/items/search?', {
      filter: { [`${path}has_tag`]: person_name },
      count: true,
      limit: 1,
    })
    expect(answer.headers.get('x-total-count')).toBe('3')
  })

  it('is followed over several hops', async () => {
    const first = await createItem('hop 1', tag.tag_id, { people: [ada, bob] })
    const second = await createItem('hop 2', tag.tag_id, { next: [first, cyd] })
    await createItem('hop 3', tag.tag_id, { next: [second, ada] })
    const [next, people] = [`${tag.name}.next->`, `${tag.name}.people->`]
    expect(await search({ [`${next}${next}${people}name`]: 'Bob' })).toEqual(['hop 3'])
    expect(await search({ [`${next}${next}name`]: 'Cyd' })).toEqual(['hop 3'])
    expect(await search({ [`${next}name`]: 'Ada' })).toEqual(['hop 3'])
  })

  it('dangles where an item is deleted, and goes on taking the ids that stood there', async () => {
    const gone = await createItem('Gone')
    const item = await createItem('dangling', tag.tag_id, { people: [gone, ada] })
    await client.ok('DELETE', `/api/items/${gone}`)
    expect(await search({ [`${tag.name}.people->name`]: 'Gone' })).toEqual([])
    expect(await search({ [`${tag.name}.people`]: { match: gone } })).toEqual(['dangling'])
    const path = `/api/items/${item}/tags/${tag.tag_id}`
    await client.ok('PUT', path, { field_values: { people: [ada, gone, bob] } })
    expect(await valuesOf(item, tag.tag_id)).toEqual({ people: [ada, gone, bob] })
    await client.ok('PUT', path, { field_values: { people: [ada] } })
    const { status, body } = await client.put(path, { field_values: { people: [ada, gone] } })
    expect([status, body.details.errors]).toEqual([
      400,
      [{ path: 'field_values.people[1]', message: `item '${gone}' is deleted; restore it first` }],
    ])
    await client.ok('DELETE', `/api/items/${item}`)
  })

  const refused: [value: unknown, path: string, message: string][] = [
    [UNKNOWN, '', 'expected an array of ids of items'],
    [[UNKNOWN], '[0]', `item '${UNKNOWN}' not found`],
    [['Ada'], '[0]', 'expected the id of an item (a ULID)'],
    [[null], '[0]', 'expected the id of an item (a ULID)'],
    [[UNKNOWN, UNKNOWN.toLowerCase()], '[1]', `the item '${UNKNOWN}' appears here twice`],
    [Array(1001).fill(UNKNOWN), '', 'expected at most 1000 ids, not 1001'],
  ]
  for (const [people, path, message] of refused)
    it(`refuses ${JSON.stringify(people).slice(0, 80)}`, async () => {
      const { status, body } = await client.post('/api/items', {
        name: 'x',
        tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: { people } }],
      })
      expect(status).toBe(400)
      expect(body.details.errors).toContainEqual({ path: `tags[0].field_values.people${path}`, message })
    })

  it('takes a thousand', async () => {
    const made = await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => `one ${i}`),
    })
    const people = made.map(({ item_id }: { item_id: string }) => item_id)
    const item = await createItem('thousand', tag.tag_id, { people })
    expect((await valuesOf(item, tag.tag_id)).people).toEqual(people)
    expect(await search({ [`${tag.name}.people->name`]: 'one 999' })).toEqual(['thousand'])
    expect(await search({ [`${tag.name}.people`]: { eq: people.toReversed() } })).toEqual(['thousand'])
    await client.ok('DELETE', `/api/items/${item}`)
  })

  it('has no order to sort by', async () => {
    const { status, body } = await client.post('/api/items/search', { sort: [{ by: `${tag.name}.people` }] })
    expect([status, body.message]).toEqual([
      400,
      `sort[0].by: cannot sort by '${tag.name}.people': a MultiReference holds several values, which have no order`,
    ])
  })

  it('is set by bulk updates and comes back with a restored item', async () => {
    const item = await createItem('bulk', tag.tag_id)
    const filter = { name: 'bulk' }
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter,
      tag_id: tag.tag_id,
      field_values: { people: [cyd, ada] },
    })
    const hop = { [`${tag.name}.people->name`]: 'Cyd' }
    expect(await search(hop)).toContain('bulk')
    await client.ok('DELETE', `/api/items/${item}`)
    expect(await search(hop)).not.toContain('bulk')
    await client.ok('POST', `/api/items/${item}/restore`)
    expect(await search(hop)).toContain('bulk')
    await client.ok('DELETE', `/api/items/${item}`)
  })
})

describe('a DateTime (additions §8)', () => {
  let tag: { tag_id: string; name: string }
  const given: Record<string, unknown> = {
    noon: '2026-01-31T12:00:00.000Z',
    offset: '2026-01-31T09:30:00+02:00',
    bare: '2026-01-31T09:30',
    midnight: '2026-01-31T00:00:00Z',
    late: '2026-02-01T00:30:00.001+01:00',
    null: null,
  }
  beforeAll(async () => {
    tag = await createTag({ at: 'DateTime' })
    for (const [name, at] of Object.entries(given)) await createItem(name, tag.tag_id, { at })
  })

  it('is stored in UTC', async () => {
    const items = await client.ok('POST', '/api/items/search', { filter: { has_tag: tag.tag_id } })
    expect(
      items.map((item: { tags: Record<string, { field_values: { at: unknown } }> }) => [
        item.tags[tag.tag_id]!.field_values.at,
      ]),
    ).toEqual([
      ['2026-01-31T12:00:00.000Z'],
      ['2026-01-31T07:30:00.000Z'],
      ['2026-01-31T09:30:00.000Z'],
      ['2026-01-31T00:00:00.000Z'],
      ['2026-01-31T23:30:00.001Z'],
      [null],
    ])
  })

  const cases: [test: unknown, found: string[]][] = [
    ['2026-01-31T07:30:00Z', ['offset']],
    ['2026-01-31T10:30:00+01:00', ['bare']],
    ['2026-01-31', ['midnight']],
    [{ in: ['2026-01-31', '2026-01-31T12:00'] }, ['noon', 'midnight']],
    [{ neq: '2026-01-31T13:00+01:00' }, ['offset', 'bare', 'midnight', 'late']],
    [{ gt: '2026-01-31' }, ['noon', 'offset', 'bare', 'late']],
    [{ gte: '2026-01-31' }, ['noon', 'offset', 'bare', 'midnight', 'late']],
    [{ lt: '2026-01-31T09:30:00' }, ['offset', 'midnight']],
    [{ lte: '2026-01-31T09:30:00' }, ['offset', 'bare', 'midnight']],
    [{ gt: '2026-01-31T23:30:00.0005Z' }, ['late']],
    [{ gt: '2026-01-31T23:30:00.001Z' }, []],
    [{ lt: '2026-02-01' }, ['noon', 'offset', 'bare', 'midnight', 'late']],
    [{ gt: '0000-01-01T00:00:00+05:00' }, ['noon', 'offset', 'bare', 'midnight', 'late']],
    [{ lt: '9999-12-31T23:59:59-05:00' }, ['noon', 'offset', 'bare', 'midnight', 'late']],
    [{ gt: '9999-12-31T23:59:59-05:00' }, []],
    [{ gt: 'soon' }, []],
    [{ eq: 5 }, []],
    [{ exists: false }, ['null']],
  ]
  for (const [test, found] of cases)
    it(`finds ${JSON.stringify(found)} with ${JSON.stringify(test)}`, async () => {
      const filter = { and: [{ has_tag: tag.tag_id }, { [`${tag.name}.at`]: test }] }
      expect(await search(filter)).toEqual(found)
    })

  it('is joined with another bound', async () => {
    const filter = {
      and: [
        { [`${tag.name}.at`]: { gte: '2026-01-31T09:30' } },
        { [`${tag.name}.at`]: { lt: '2026-01-31T23:00Z' } },
      ],
    }
    expect(await search(filter)).toEqual(['noon', 'bare'])
  })

  it('sorts by time, over pages', async () => {
    const sort = [{ by: `${tag.name}.at`, direction: 'desc' }]
    const filter = { has_tag: tag.tag_id }
    const order = ['late', 'noon', 'bare', 'offset', 'midnight', 'null']
    expect(await search(filter, { sort })).toEqual(order)
    const first = await client.post('/api/items/search', { filter, sort, limit: 3 })
    const after = first.headers.get('x-next-cursor')
    expect([...namesOf(first.body), ...(await search(filter, { sort, limit: 3, after }))]).toEqual(order)
  })

  it('says the same again without a change', async () => {
    const item = await createItem('same', tag.tag_id, { at: '2026-01-31T09:30:00+02:00' })
    const before = await client.ok('GET', `/api/items/${item}`)
    await client.ok('PUT', `/api/items/${item}/tags/${tag.tag_id}`, {
      field_values: { at: '2026-01-31T07:30:00Z' },
    })
    expect(await client.ok('GET', `/api/items/${item}`)).toEqual(before)
    await client.ok('DELETE', `/api/items/${item}`)
  })

  it('fills from a filter', async () => {
    expect(
      await client.ok('POST', '/api/filters/defaults', {
        filter: { [`${tag.name}.at`]: '2026-01-31T10:30:00+01:00' },
      }),
    ).toMatchObject({ tags: [{ field_values: { at: '2026-01-31T09:30:00.000Z' } }] })
  })

  it('finds text of an older schema that says a time', async () => {
    const text = await createTag({ at: 'String' })
    for (const at of ['2026-01-31T09:30+02:00', '2026-01-31', 'soon'])
      await createItem(at, text.tag_id, { at })
    await client.ok('PUT', `/api/tags/${text.tag_id}`, { fields: { at: 'DateTime' } })
    expect(await search({ [`${text.name}.at`]: '2026-01-31T07:30:00Z' })).toEqual(['2026-01-31T09:30+02:00'])
    expect(await search({ [`${text.name}.at`]: { neq: '2026-01-31T07:30Z' } })).toEqual([
      '2026-01-31',
      'soon',
    ])
  })

  const refused: [value: unknown, message: string][] = [
    ['2026-01-31', 'expected a date with a time, e.g. 2026-01-31T09:30:00Z'],
    [1_769_851_800_000, 'expected a date with a time, e.g. 2026-01-31T09:30:00Z'],
    ['2026-02-30T09:30:00Z', `'2026-02-30T09:30:00Z' is no time of the calendar`],
    [
      '2026-01-31T09:30:00.123456Z',
      'times are kept in milliseconds; give at most three digits behind the second',
    ],
  ]
  for (const [at, message] of refused)
    it(`refuses ${JSON.stringify(at)}`, async () => {
      const item = await createItem('x', tag.tag_id)
      const answer = await client.put(`/api/items/${item}/tags/${tag.tag_id}`, { field_values: { at } })
      expect([answer.status, answer.body.details?.errors]).toEqual([
        400,
        [{ path: 'field_values.at', message }],
      ])
      await client.ok('DELETE', `/api/items/${item}`)
    })
})

describe('what a field schema says besides its type (additions §8, §11)', () => {
  it('comes back as it was given', async () => {
    const fields = {
      effort: { type: 'Number', description: 'hours' },
      state: { type: 'Select', variants: ['open'], description: 'how it is' },
      plain: { type: 'String' },
    }
    const { tag_id } = await createTag(fields)
    const tag = await client.ok('GET', `/api/tags/${tag_id}`)
    expect(JSON.stringify(tag.fields)).toBe(JSON.stringify(fields))
    const item = await createItem('x', tag_id, { effort: 3 })
    await client.ok('PUT', `/api/tags/${tag_id}`, { fields: { ...fields, effort: 'Number' } })
    expect((await client.ok('GET', `/api/items/${item}`)).data[tag_id].schema_version).toBe(1)
    expect(await client.ok('GET', `/api/items/outdated?tag_id=${tag_id}`)).toEqual([])
  })

  it('takes a variant that has no sub-fields, and says so, for the same', async () => {
    const state = (...variants: unknown[]) => ({ fields: { state: { type: 'Select', variants } } })
    const tag = await createTag(state('x', { name: 'y', fields: {} }).fields)
    const path = `/api/tags/${tag.tag_id}`
    const { schema_version } = await client.ok('PUT', path, state({ name: 'x', fields: {} }, 'y'))
    expect(schema_version).toBe(1)
    const more = state({ name: 'x', fields: { on: 'Date' } }, 'y')
    expect((await client.ok('PUT', path, more)).schema_version).toBe(2)
  })

  it('keeps the order of keys as last given, and records it', async () => {
    const tag = await createTag({ a: 'String', b: 'Number' })
    const updated = await client.ok('PUT', `/api/tags/${tag.tag_id}`, {
      fields: { b: 'Number', a: 'String' },
    })
    expect(Object.keys(updated.fields)).toEqual(['b', 'a'])
    expect(updated.schema_version).toBe(1)
    expect(updated.updated_at >= tag.updated_at).toBe(true)
    const events = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag.tag_id] })
    expect(events.map((event: { event_type: string }) => event.event_type)).toEqual([
      'tag_updated',
      'tag_created',
    ])
    const again = await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { b: 'Number', a: 'String' } })
    expect(again).toEqual(updated)
  })

  it('names tags by id or name in `of`, itself too, and keeps ids', async () => {
    const person = await createTag({})
    const name = newName('Tag')
    const made = await client.ok('POST', '/api/tags', {
      name,
      fields: {
        one: { type: 'Reference', of: [person.name, name] },
        state: {
          type: 'Select',
          variants: [
            { name: 'x', fields: { many: { type: 'MultiReference', of: [person.tag_id.toLowerCase()] } } },
          ],
        },
      },
    })
    expect(made.fields.one.of).toEqual([person.tag_id, made.tag_id])
    expect(made.fields.state.variants[0].fields.many.of).toEqual([person.tag_id])

    await client.ok('DELETE', `/api/tags/${person.tag_id}`)
    const path = `/api/tags/${made.tag_id}`
    const kept = await client.ok('PUT', path, { fields: { ...made.fields, more: 'String' } })
    expect(kept.fields.one.of).toEqual([person.tag_id, made.tag_id])
    expect(kept.schema_version).toBe(2)
    await client.ok('POST', '/api/items/purge', { tag_ids: [person.tag_id] })
    expect((await client.ok('PUT', path, { fields: made.fields })).fields).toEqual(made.fields)

    const refused = await client.put(path, {
      fields: { one: { type: 'Reference', of: ['Nobody', name, made.tag_id] } },
    })
    expect([refused.status, refused.body.details.errors]).toEqual([
      400,
      [
        { path: 'fields.one.of[0]', message: expect.stringContaining(`'Nobody' not found`) },
        { path: 'fields.one.of[2]', message: `the tag '${made.tag_id}' appears here twice` },
      ],
    ])
  })

  it('does not refuse values of other tags', async () => {
    const person = await createTag({})
    const tag = await createTag({ who: { type: 'Reference', of: [person.tag_id] } })
    const other = await createItem('nobody')
    const item = await createItem('x', tag.tag_id, { who: other })
    expect(await valuesOf(item, tag.tag_id)).toEqual({ who: other })
  })
})
