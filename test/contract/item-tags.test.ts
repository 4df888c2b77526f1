import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { dumpTables } from '#test/support/dump-tables.ts'
import { ABSENT, fixtures, newName, unchanged } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const FIELDS = {
  title: 'String',
  effort: 'Number',
  urgent: 'Boolean',
  due: 'Date',
  to: 'Reference',
  status: {
    type: 'Select',
    variants: [
      'open',
      { name: 'waiting', fields: { on: 'String' } },
      { name: 'done', fields: { finished_on: 'Date', on: 'String' } },
    ],
  },
  labels: { type: 'MultiSelect', variants: ['home', 'work', 'garden'] },
}

let service: Service
let client: Client
const make = fixtures(() => client)
const newTag = (fields: object = FIELDS) => make.createTag(fields)
const newItem = (tags: object[] = []) => make.newItem({ tags })
const read = (id: string) => client.ok('GET', `/api/items/${id}`)
const newestEvent = async (id: string) =>
  (await client.ok('POST', '/api/audit-log/search', { item_ids: [id], limit: 1 }))[0]
const countEvents = async (id: string) =>
  (await client.ok('POST', '/api/audit-log/search', { item_ids: [id], limit: 1000 })).length

/** A tag on a new item with these values. */
async function applied(field_values: object = {}, fields: object = FIELDS) {
  const tag = await newTag(fields)
  const id = await newItem([{ tag_ref: { Existing: tag.tag_id }, field_values }])
  return { id, tag, path: `/api/items/${id}/tags/${tag.tag_id}` }
}
const valuesOf = async (id: string, tag: { tag_id: string }) => (await read(id)).data[tag.tag_id].field_values

const countByStatus = (answers: { status: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  )

const refused: Client['send'] = (...args) => unchanged(service, () => client.send(...args))

beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

describe('a session is needed', () => {
  for (const [method, path] of [
    ['POST', `/api/items/${ABSENT}/tags`],
    ['PUT', `/api/items/${ABSENT}/tags/${ABSENT}`],
    ['DELETE', `/api/items/${ABSENT}/tags/${ABSENT}`],
  ] as const)
    it(`for ${method} ${path}`, async () => {
      expect((await service.client().send(method, path)).status).toBe(401)
    })
})

describe('applying a tag', () => {
  it('answers its id, and the item has it with the values', async () => {
    const tag = await newTag()
    const id = await newItem()
    const before = await read(id)
    const answer = await client.post(`/api/items/${id.toLowerCase()}/tags`, {
      tag: { tag_ref: { Existing: tag.name }, field_values: { labels: [], effort: 3, title: null } },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ tag_id: tag.tag_id })
    const after = await read(id)
    expect(after.data).toEqual({
      [tag.tag_id]: {
        tag_name: tag.name,
        schema_version: 1,
        field_values: { labels: [], effort: 3, title: null },
      },
    })
    expect(after.updated_at > before.updated_at).toBe(true)
    expect(await newestEvent(id)).toMatchObject({
      event_type: 'tag_applied',
      entity_type: 'item',
      item_id: id,
      tag_id: tag.tag_id,
      details: { tag_name: tag.name, initial_values: { labels: [], effort: 3, title: null } },
    })
  })

  it('creates a new tag along the way', async () => {
    const id = await newItem()
    const New = { name: newName('Tag'), description: null, fields: { a: 'String' } }
    const { tag_id } = await client.ok('POST', `/api/items/${id}/tags`, {
      tag: { tag_ref: { New }, field_values: { a: 'x' } },
    })
    expect(await client.ok('GET', `/api/tags/${tag_id}`)).toMatchObject({ ...New, schema_version: 1 })
    expect(await valuesOf(id, { tag_id })).toEqual({ a: 'x' })
  })

  it('stores the version that the tag has', async () => {
    const tag = await newTag()
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { a: 'String' } })
    const id = await newItem()
    await client.ok('POST', `/api/items/${id}/tags`, { tag: { tag_ref: { Existing: tag.tag_id } } })
    expect((await read(id)).data[tag.tag_id]).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: {},
    })
  })

  it('answers 409 where it is applied already', async () => {
    const { id, tag } = await applied()
    for (const Existing of [tag.tag_id, tag.name]) {
      const { status, body } = await refused('POST', `/api/items/${id}/tags`, {
        tag: { tag_ref: { Existing } },
      })
      expect([status, body.error]).toEqual([409, 'Conflict'])
    }
  })

  it('is one 200 and one 409 when two do it at once', async () => {
    const tag = await newTag()
    const id = await newItem()
    const body = { tag: { tag_ref: { Existing: tag.tag_id } } }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.post(`/api/items/${id}/tags`, body)),
    )
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 7 })
    expect(await countEvents(id)).toBe(2)
  })

  it('creates a new tag of one name once when several do it at once', async () => {
    const items = await Promise.all(Array.from({ length: 4 }, () => newItem()))
    const New = { name: newName('Tag'), fields: {} }
    const answers = await Promise.all(
      items.map((id) => client.post(`/api/items/${id}/tags`, { tag: { tag_ref: { New } } })),
    )
    expect(countByStatus(answers)).toEqual({ 200: 1, 409: 3 })
  })

  for (const [words, body, path] of [
    ['no tag', {}, 'tag'],
    ['no tag_ref', { tag: {} }, 'tag.tag_ref'],
    [
      'values of the wrong form',
      { tag: { tag_ref: { Existing: 'x' }, field_values: [] } },
      'tag.field_values',
    ],
    ['an unknown property', { tag: { tag_ref: { Existing: 'x' }, values: {} } }, 'tag.values'],
  ] as const)
    it(`refuses ${words}`, async () => {
      const { status, body: error } = await refused('POST', `/api/items/${await newItem()}/tags`, body)
      expect([status, error.details.errors[0].path]).toEqual([400, path])
    })

  it('answers 404 for an absent item or tag', async () => {
    const tag = await newTag()
    const id = await newItem()
    const apply = (item: string, Existing: string) =>
      refused('POST', `/api/items/${item}/tags`, { tag: { tag_ref: { Existing } } })
    expect((await apply(ABSENT, tag.tag_id)).status).toBe(404)
    expect((await apply('nonsense', tag.tag_id)).status).toBe(404)
    expect((await apply(id, ABSENT)).status).toBe(404)
    const { body } = await apply(id, tag.name.toUpperCase())
    expect(body).toMatchObject({ error: 'NotFound', suggestion: expect.stringContaining(tag.name) })
  })
})

describe('values', () => {
  const good: [field: string, value: unknown][] = [
    ['title', ''],
    ['title', '2026-01-01'],
    ['title', '𝄞 \\ "quoted" \u2028'],
    ['effort', 0],
    ['effort', -0.1],
    ['effort', 1e300],
    ['effort', 9007199254740991],
    ['urgent', true],
    ['urgent', false],
    ['due', '2024-02-29'],
    ['due', '0001-01-01'],
    ['status', { variant: 'open' }],
    ['labels', []],
    ['labels', ['garden', 'home']],
    ['title', null],
    ['to', null],
    ['status', null],
    ['labels', null],
  ]
  for (const [field, value] of good)
    it(`of ${field} may be ${JSON.stringify(value)} and come back so`, async () => {
      const { id, tag } = await applied({ [field]: value })
      expect(await valuesOf(id, tag)).toEqual({ [field]: value })
    })

  const bad: [field: string, value: unknown, at?: string][] = [
    ['title', 1],
    ['title', true],
    ['title', ['x']],
    ['title', { variant: 'open' }],
    ['effort', '1'],
    ['effort', true],
    ['urgent', 'true'],
    ['urgent', 0],
    ['due', '2026-02-29'],
    ['due', '2026-1-1'],
    ['due', '2026-01-01T00:00:00'],
    ['due', 20260101],
    ['to', 'nonsense'],
    ['to', ABSENT],
    ['to', 7],
    ['status', 'open'],
    ['status', { variant: 'never' }, 'status.variant'],
    ['status', { variant: 1 }],
    ['status', {}],
    ['status', { variant: 'done', finished_on: '2026-01-01' }, 'status.finished_on'],
    ['labels', 'home'],
    ['labels', ['home', 'home'], 'labels[1]'],
    ['labels', ['moon'], 'labels[0]'],
    ['labels', [1], 'labels[0]'],
    ['finished_on', '2026-01-01'],
    ['unknown', 1],
    ['Title', 'x'],
    ['constructor', 1],
  ]
  for (const [field, value, at = field] of bad)
    it(`of ${field} may not be ${JSON.stringify(value)}`, async () => {
      const { path } = await applied()
      const { status, body } = await refused('PUT', path, { field_values: { [field]: value } })
      expect([status, body.error]).toEqual([400, 'BadRequest'])
      expect(body.details.errors.map((each: { path: string }) => each.path)).toEqual([`field_values.${at}`])
    })

  it('may have fields that are named like the properties of every object', async () => {
    const fields = { constructor: 'String', toString: 'Number', hasOwnProperty: 'Boolean', valueOf: 'Date' }
    const values = { constructor: 'x', toString: 1, hasOwnProperty: false, valueOf: '2026-01-01' }
    const { id, tag, path } = await applied(values, fields)
    expect(await valuesOf(id, tag)).toEqual(values)
    await client.ok('PUT', path, { field_values: { toString: null }, merge: true })
    expect(await valuesOf(id, tag)).toEqual({ ...values, toString: null })
  })

  for (const [words, text] of [
    ['a __proto__ key', '{"field_values":{"__proto__":{"x":1}}}'],
    ['an infinite number', '{"field_values":{"effort":1e999}}'],
    ['a whole number that would be rounded', '{"field_values":{"effort":9007199254740993}}'],
    ['a lone surrogate', '{"field_values":{"title":"\\ud800"}}'],
    ['U+0000', '{"field_values":{"title":"\\u0000"}}'],
  ] as const)
    it(`with ${words} are refused`, async () => {
      const { path } = await applied()
      const before = await dumpTables(service)
      const response = await client.fetch(path, {
        method: 'PUT',
        body: text,
        headers: { 'content-type': 'application/json' },
      })
      expect(response.status).toBe(400)
      expect(await dumpTables(service)).toEqual(before)
    })
})

describe('replacing values', () => {
  it('clears what is left out and answers the item', async () => {
    const { id, tag, path } = await applied({ title: 'a', effort: 1 })
    const before = await read(id)
    for (const body of [
      { field_values: { effort: 2 } },
      { field_values: { urgent: true }, merge: false },
      { field_values: {}, merge: null },
    ]) {
      const answer = await client.ok('PUT', path, body)
      expect(answer.data[tag.tag_id].field_values).toEqual(body.field_values)
      expect(await read(id)).toEqual(answer)
    }
    expect((await read(id)).updated_at > before.updated_at).toBe(true)
  })

  it('records the fields that changed, as they were and are', async () => {
    const { id, tag, path } = await applied({ title: 'a', effort: 1, due: null, labels: ['home'] })
    await client.ok('PUT', path, { field_values: { effort: 2, labels: ['home'], urgent: false } })
    expect(await newestEvent(id)).toMatchObject({
      event_type: 'tag_values_updated',
      entity_type: 'item',
      item_id: id,
      tag_id: tag.tag_id,
      details: {
        tag_name: tag.name,
        fields_changed: ['title', 'effort', 'due', 'urgent'],
        old_values: { title: 'a', effort: 1, due: null },
        new_values: { effort: 2, urgent: false },
      },
    })
  })

  it('by the same values changes and records nothing', async () => {
    const values = { effort: 1, labels: ['home', 'work'], status: { variant: 'open' }, due: null }
    const { id, tag, path } = await applied(values)
    const before = await dumpTables(service)
    const reordered = Object.fromEntries(Object.entries(values).toReversed())
    for (const body of [
      { field_values: values },
      { field_values: reordered },
      { field_values: values, merge: true },
      { field_values: {}, merge: true },
    ])
      expect((await client.ok('PUT', path, body)).data[tag.tag_id].field_values).toEqual(values)
    expect(await dumpTables(service)).toEqual(before)
    expect(await countEvents(id)).toBe(2)
  })

  for (const body of [
    {},
    { field_values: [] },
    { field_values: 'x' },
    { field_values: null },
    { values: {} },
  ])
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const { path } = await applied()
      expect((await refused('PUT', path, body)).status).toBe(400)
    })

  it('answers 404 where the item or the tag is absent or not applied', async () => {
    const { id, tag } = await applied()
    const other = await newTag()
    for (const path of [
      `/api/items/${ABSENT}/tags/${tag.tag_id}`,
      `/api/items/${id}/tags/${ABSENT}`,
      `/api/items/${id}/tags/nonsense`,
      `/api/items/${id}/tags/${other.tag_id}`,
    ])
      for (const [method, body] of [['PUT', { field_values: {} }], ['DELETE']] as const)
        expect((await refused(method, path, body)).status).toBe(404)
  })
})

describe('merging values', () => {
  it('keeps the others, and null clears one', async () => {
    const { id, tag, path } = await applied({ title: 'a', effort: 1 })
    await client.ok('PUT', path, { field_values: { effort: null, due: '2026-01-01' }, merge: true })
    expect(await valuesOf(id, tag)).toEqual({ title: 'a', effort: null, due: '2026-01-01' })
  })

  it('loses none when different fields are merged at once', async () => {
    const fields = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, 'Number']))
    const { id, tag, path } = await applied({}, fields)
    await Promise.all(
      Object.keys(fields).map((name, i) =>
        client.ok('PUT', path, { field_values: { [name]: i }, merge: true }),
      ),
    )
    const values = await valuesOf(id, tag)
    expect(Object.keys(values).toSorted()).toEqual(Object.keys(fields).toSorted())
    expect(values.f7).toBe(7)
    expect(await countEvents(id)).toBe(22)
  })

  it('takes a sub-field while its variant is chosen in the merged values', async () => {
    const { id, tag, path } = await applied({ status: { variant: 'open' } })
    const early = await refused('PUT', path, { field_values: { on: 'x' }, merge: true })
    expect(early.status).toBe(400)
    await client.ok('PUT', path, { field_values: { status: { variant: 'waiting' } }, merge: true })
    await client.ok('PUT', path, { field_values: { on: 'rain' }, merge: true })
    expect(await valuesOf(id, tag)).toEqual({ status: { variant: 'waiting' }, on: 'rain' })
  })

  it('drops the sub-fields of the variant that it leaves, and records them', async () => {
    const { id, tag, path } = await applied({
      status: { variant: 'done' },
      finished_on: '2026-01-01',
      on: 'both',
    })
    await client.ok('PUT', path, { field_values: { status: { variant: 'waiting' } }, merge: true })
    // `on` is a sub-field of both variants.
    expect(await valuesOf(id, tag)).toEqual({ status: { variant: 'waiting' }, on: 'both' })
    expect((await newestEvent(id)).details).toEqual({
      tag_name: tag.name,
      fields_changed: ['status', 'finished_on'],
      old_values: { status: { variant: 'done' }, finished_on: '2026-01-01' },
      new_values: { status: { variant: 'waiting' } },
    })
  })

  it('keeps what the current schema no longer fits, until null', async () => {
    const { id, tag, path } = await applied({ title: 'a', effort: 1, labels: ['home'] })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, {
      fields: { effort: 'String', labels: { type: 'MultiSelect', variants: ['work'] }, fresh: 'Number' },
    })
    expect((await read(id)).data[tag.tag_id]).toEqual({
      tag_name: tag.name,
      schema_version: 1,
      field_values: { title: 'a', effort: 1, labels: ['home'] },
    })
    const gone = await refused('PUT', path, { field_values: { title: 'b' }, merge: true })
    expect(gone.status).toBe(400)
    await client.ok('PUT', path, { field_values: { fresh: 1 }, merge: true })
    expect((await read(id)).data[tag.tag_id]).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: { title: 'a', effort: 1, labels: ['home'], fresh: 1 },
    })
    await client.ok('PUT', path, { field_values: { title: null, effort: null }, merge: true })
    expect(await valuesOf(id, tag)).toEqual({ effort: null, labels: ['home'], fresh: 1 })
    const unknown = await refused('PUT', path, { field_values: { title: null }, merge: true })
    expect(unknown.status).toBe(400)
  })

  it('of nothing raises the version, which is a change and is recorded', async () => {
    const { id, tag, path } = await applied({ effort: 1 })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { effort: 'Number', more: 'String' } })
    const before = await read(id)
    const after = await client.ok('PUT', path, { field_values: {}, merge: true })
    expect(after.data[tag.tag_id]).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: { effort: 1 },
    })
    expect(after.updated_at > before.updated_at).toBe(true)
    expect(await newestEvent(id)).toMatchObject({
      event_type: 'tag_values_updated',
      details: { tag_name: tag.name, fields_changed: [], old_values: {}, new_values: {} },
    })
    const count = await countEvents(id)
    await client.ok('PUT', path, { field_values: {}, merge: true })
    expect(await countEvents(id)).toBe(count)
  })

  it('accepts a reference that stood there, though its item has gone', async () => {
    const target = await newItem()
    const { id, tag, path } = await applied({ to: target })
    await client.ok('DELETE', `/api/items/${target}`)
    await client.ok('PUT', path, { field_values: { to: target, effort: 1 }, merge: true })
    expect(await valuesOf(id, tag)).toEqual({ to: target, effort: 1 })
    await client.ok('PUT', path, { field_values: { to: null }, merge: true })
    const { status, body } = await refused('PUT', path, { field_values: { to: target } })
    expect([status, body.details.errors[0].message]).toEqual([
      400,
      `item '${target}' is deleted; restore it first`,
    ])
  })
})

describe('removing a tag', () => {
  it('answers the item without it and drops its values', async () => {
    const { id, tag, path } = await applied({ effort: 1, labels: ['home', 'work'] })
    const before = await read(id)
    const answer = await client.ok('DELETE', path)
    expect(answer).toEqual({ ...before, data: {}, updated_at: answer.updated_at })
    expect(answer.updated_at > before.updated_at).toBe(true)
    expect(await newestEvent(id)).toMatchObject({
      event_type: 'tag_removed',
      entity_type: 'item',
      item_id: id,
      tag_id: tag.tag_id,
      details: { tag_name: tag.name, old_values: { effort: 1, labels: ['home', 'work'] } },
    })
    expect((await refused('DELETE', path)).status).toBe(404)
    const { field_value } = await dumpTables(service)
    await client.ok('POST', `/api/items/${id}/tags`, { tag: { tag_ref: { Existing: tag.tag_id } } })
    expect(await valuesOf(id, tag)).toEqual({})
    expect((await dumpTables(service)).field_value!.length).toBe(field_value!.length + 1)
  })
})
