import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { countIndexRows, dumpTables } from '#test/support/dump-tables.ts'
import { ABSENT, fixtures, newName, tagged, ULID, unchanged } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'

const FIELDS = {
  title: 'String',
  effort: 'Number',
  to: 'Reference',
  status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
}

let service: Service
let client: Client
const make = fixtures(() => client)
const newTag = (fields: object = FIELDS) => make.createTag(fields)
const newItem = (body: object = {}) => make.newItem({ name: 'Item', ...body })
const read = (id: string) => client.ok('GET', `/api/items/${id}`)
const valuesOf = async (id: string, tag: { tag_id: string }) =>
  (await read(id)).data[tag.tag_id]?.field_values
const eventsOf = (id: string) => client.ok('POST', '/api/audit-log/search', { item_ids: [id], limit: 1000 })
const found = async (filter: object) =>
  (await client.ok('POST', '/api/items/search', { filter })).map((each: { id: string }) => each.id)

const refused = (path: string, body: unknown) => unchanged(service, () => client.post(path, body))

const bulk = (items: unknown) => client.post('/api/items/bulk', { items })

/** The answer of a real run, after a dry run that said the same and changed nothing. */
async function run(path: string, body: object) {
  const before = await dumpTables(service)
  const dry = await client.ok('POST', path, { ...body, dry_run: true })
  expect(await dumpTables(service)).toEqual(before)
  const real = await client.ok('POST', path, body)
  const { sample, ...told } = dry
  expect({ ...real, dry_run: true }).toEqual({ ...told, ...('tag_id' in dry && { tag_id: real.tag_id }) })
  expect(sample).toHaveLength(Math.min(real.changed_count, 20))
  expect(real.dry_run).toBe(false)
  expect(real.affected_count).toBe(real.affected_ids.length)
  return real
}

beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const ROUTES = ['bulk', 'bulk-delete', 'bulk-apply-tag', 'bulk-remove-tag', 'bulk-update-fields']
for (const route of ROUTES)
  it(`needs a session for ${route}`, async () => {
    expect((await service.client().post(`/api/items/${route}`, {})).status).toBe(401)
  })

describe('the filter of a bulk operation', () => {
  const rest: Record<string, () => Promise<object>> = {
    'bulk-delete': async () => ({}),
    'bulk-apply-tag': async () => ({ tag: tagged(await newTag()) }),
    'bulk-remove-tag': async () => ({ tag_id: (await newTag()).tag_id }),
    'bulk-update-fields': async () => ({ tag_id: (await newTag()).tag_id, field_values: {} }),
  }
  for (const [route, more] of Object.entries(rest)) {
    for (const [words, filter, message] of [
      ['none', undefined, undefined],
      ['null', null, undefined],
      ['a string', 'all', undefined],
      ['an array', [], undefined],
      ['an empty one', {}, 'Filter object cannot be empty'],
      [
        'an unknown key',
        { haz_tag: 'x' },
        'Unknown filter. Expected: and, or, not, search, has_tag, name, description, or Tag.field',
      ],
      ['an unknown tag', { has_tag: 'Nothing' }, "Tag 'Nothing' not found"],
    ] as const)
      it(`is refused by ${route} if it is ${words}`, async () => {
        const { status, body } = await refused(`/api/items/${route}`, { ...(await more()), filter })
        expect([status, body.error]).toEqual([400, 'BadRequest'])
        if (message) expect(body.message).toContain(message)
      })
    it(`comes with no mistyped property to ${route}`, async () => {
      const { status, body } = await refused(`/api/items/${route}`, {
        ...(await more()),
        filter: { search: '' },
        dryrun: true,
      })
      expect(status).toBe(400)
      expect(body.details.errors).toEqual([
        { path: 'dryrun', message: "unknown property; did you mean 'dry_run'?" },
      ])
    })
  }
})

describe('bulk create', () => {
  it('answers ids in the order given, of objects and bare names', async () => {
    const tag = await newTag()
    const { status, body } = await bulk([
      'Bare',
      { name: 'With tag', tags: [tagged(tag, { effort: 1 })] },
      { name: 'Nulls', description: null, tags: null },
    ])
    expect(status).toBe(200)
    expect(body).toEqual([1, 2, 3].map(() => ({ item_id: expect.stringMatching(ULID) })))
    const ids = body.map((each: { item_id: string }) => each.item_id)
    expect(ids).toEqual(ids.toSorted())
    const items = await Promise.all(ids.map(read))
    expect(items.map(({ name }) => name)).toEqual(['Bare', 'With tag', 'Nulls'])
    expect(await valuesOf(ids[1], tag)).toEqual({ effort: 1 })
    expect((await eventsOf(ids[1])).map((each: { event_type: string }) => each.event_type)).toEqual([
      'tag_applied',
      'item_created',
    ])
  })

  it('lets an item use the tag that one before it creates', async () => {
    const New = { name: newName('Tag'), fields: { a: 'Number' } }
    const { body } = await bulk([
      { name: 'a', tags: [{ tag_ref: { New }, field_values: { a: 1 } }] },
      { name: 'b', tags: [{ tag_ref: { Existing: New.name }, field_values: { a: 2 } }] },
    ])
    const ids = body.map((each: { item_id: string }) => each.item_id)
    expect(await found({ has_tag: New.name })).toEqual(ids)
  })

  it('creates none when one is wrong, and names every fault by its place', async () => {
    const tag = await newTag()
    const values = await refused('/api/items/bulk', {
      items: [
        { name: 'new', tags: [{ tag_ref: { New: { name: newName('Tag'), fields: {} } } }] },
        'fine',
        { name: 'x', tags: [tagged(tag, { effort: 'x', title: 1 })] },
        { name: 'y', tags: [tagged(tag, { to: ABSENT })] },
      ],
    })
    expect(values.status).toBe(400)
    expect(values.body.details.errors.map((each: { path: string }) => each.path)).toEqual([
      'items[2].tags[0].field_values.effort',
      'items[2].tags[0].field_values.title',
      'items[3].tags[0].field_values.to',
    ])
    const form = await refused('/api/items/bulk', {
      items: ['', { nam: 'x' }, 5, null, { name: 'x', tags: 1 }],
    })
    expect(form.status).toBe(400)
    const paths = form.body.details.errors.map((each: { path: string }) => each.path)
    for (const path of ['items[0]', 'items[1].name', 'items[1].nam', 'items[2]', 'items[3]', 'items[4].tags'])
      expect(paths).toContain(path)
    const missing = await refused('/api/items/bulk', {
      items: ['a', { name: 'b', tags: [{ tag_ref: { Existing: 'Nothing' } }] }],
    })
    expect(missing.status).toBe(404)
    expect(missing.body.details.errors[0].path).toBe('items[1].tags[0].tag_ref.Existing')
    const twice = await refused('/api/items/bulk', {
      items: ['a', { name: 'b', tags: [tagged(tag), tagged(tag)] }],
    })
    expect(twice.status).toBe(409)
  })

  it('stops looking for faults when it has found many', async () => {
    const tag = await newTag()
    const wrong = [
      tagged(tag, { effort: 'x', title: 1 }),
      { tag_ref: { New: { name: newName('Tag'), fields: { a: 'Strin' } } } },
    ]
    for (const kind of wrong) {
      const { status, body } = await refused('/api/items/bulk', {
        items: Array.from({ length: 2000 }, () => ({ name: 'x', tags: [kind] })),
      })
      expect(status).toBe(400)
      expect(body.details.errors).toHaveLength(101)
      // There are 2,000 and more: it says what it knows.
      expect(body.message).toMatch(/ \(and at least 10[01] more, see details\.errors\)$/)
      expect(body.details.errors[100].message).toMatch(/^and at least (1 more fault|2 more faults)$/)
    }
  })

  for (const items of [undefined, null, {}, 'x', 5])
    it(`refuses ${JSON.stringify(items)}`, async () => {
      expect((await refused('/api/items/bulk', { items })).status).toBe(400)
    })
})

describe('bulk change', () => {
  let tag: { tag_id: string; name: string }
  let with1: string, with2: string, without: string, other: string
  let mark: { tag_id: string; name: string }
  /** The items of this test but `other`. */
  let mine: object

  beforeEach(async () => {
    tag = await newTag()
    mark = await newTag({})
    const marked = [tagged(mark)]
    with1 = await newItem({ tags: [...marked, tagged(tag, { effort: 1, title: 'a' })] })
    with2 = await newItem({ tags: [...marked, tagged(tag, { effort: 2, status: { variant: 'done' } })] })
    without = await newItem({ tags: marked })
    other = await newItem({ tags: [tagged(tag, { effort: 9 })] })
    mine = { has_tag: mark.name }
  })

  describe('deletes', () => {
    it('what the filter selects, each with its event', async () => {
      const answer = await run('/api/items/bulk-delete', { filter: mine })
      expect(answer).toEqual({
        matched_count: 3,
        affected_count: 3,
        changed_count: 3,
        affected_ids: [with1, with2, without],
        dry_run: false,
      })
      expect((await client.get(`/api/items/${with1}`)).status).toBe(404)
      expect(await found({ has_tag: tag.name })).toEqual([other])
      expect((await eventsOf(without))[0]).toMatchObject({
        event_type: 'item_deleted',
        details: { name: 'Item' },
      })
      const { liveItems, texts, valuesOfDeleted } = await countIndexRows(service)
      expect([texts, valuesOfDeleted]).toEqual([liveItems, 0])
      expect((await run('/api/items/bulk-delete', { filter: mine })).matched_count).toBe(0)
      await client.ok('POST', `/api/items/${with1}/restore`)
      expect(await valuesOf(with1, tag)).toEqual({ effort: 1, title: 'a' })
    })

    it('nothing where nothing matches', async () => {
      const filter = { and: [mine, { [`${tag.name}.effort`]: 77 }] }
      expect(await run('/api/items/bulk-delete', { filter })).toEqual({
        matched_count: 0,
        affected_count: 0,
        changed_count: 0,
        affected_ids: [],
        dry_run: false,
      })
    })
  })

  describe('applies a tag', () => {
    it('to the items that lack it', async () => {
      const before = await read(with1)
      const answer = await run('/api/items/bulk-apply-tag', {
        filter: mine,
        tag: tagged(tag, { effort: 5, labels: ['work', 'home'], title: null }),
      })
      expect(answer).toEqual({
        matched_count: 3,
        affected_count: 1,
        changed_count: 1,
        affected_ids: [without],
        dry_run: false,
        tag_id: tag.tag_id,
      })
      expect(await valuesOf(without, tag)).toEqual({ effort: 5, labels: ['work', 'home'], title: null })
      expect(await read(with1)).toEqual(before)
      expect(await found({ [`${tag.name}.labels`]: { match: 'home' } })).toEqual([without])
      expect((await eventsOf(without))[0]).toMatchObject({
        event_type: 'tag_applied',
        tag_id: tag.tag_id,
        details: {
          tag_name: tag.name,
          initial_values: { effort: 5, labels: ['work', 'home'], title: null },
        },
      })
      const again = await run('/api/items/bulk-apply-tag', { filter: mine, tag: tagged(tag) })
      expect([again.matched_count, again.affected_count]).toEqual([3, 0])
    })

    it('that is new, once', async () => {
      const New = { name: newName('Tag'), fields: { a: 'Number' } }
      const body = { filter: mine, tag: { tag_ref: { New }, field_values: { a: 1 } } }
      const dry = await client.ok('POST', '/api/items/bulk-apply-tag', { ...body, dry_run: true })
      expect(dry).toEqual({
        matched_count: 3,
        affected_count: 3,
        changed_count: 3,
        affected_ids: [with1, with2, without],
        dry_run: true,
        tag_id: null,
        sample: [with1, with2, without].map((item_id) => ({
          item_id,
          name: 'Item',
          before: null,
          after: { a: 1 },
        })),
      })
      const real = await run('/api/items/bulk-apply-tag', body)
      expect(real.tag_id).toMatch(ULID)
      expect(await found({ [`${New.name}.a`]: 1 })).toEqual([with1, with2, without])
      const taken = await refused('/api/items/bulk-apply-tag', { ...body, dry_run: true })
      expect(taken.status).toBe(409)
    })

    for (const dry_run of [true, false])
      it(`only with values that fit it (dry run: ${dry_run})`, async () => {
        for (const tag_ref of [
          { Existing: tag.name },
          { New: { name: newName('Tag'), fields: { effort: 'Number' } } },
        ]) {
          const { status, body } = await refused('/api/items/bulk-apply-tag', {
            filter: mine,
            tag: { tag_ref, field_values: { effort: 'x', what: 1 } },
            dry_run,
          })
          expect(status).toBe(400)
          expect(body.details.errors.map((each: { path: string }) => each.path)).toEqual([
            'tag.field_values.effort',
            'tag.field_values.what',
          ])
        }
        const faulty = await refused('/api/items/bulk-apply-tag', {
          filter: mine,
          tag: { tag_ref: { New: { name: ' x', fields: { a: 'Text' } } } },
          dry_run,
        })
        expect(faulty.body.details.errors.map((each: { path: string }) => each.path)).toEqual([
          'tag.tag_ref.New.name',
          'tag.tag_ref.New.fields.a',
        ])
        const missing = await refused('/api/items/bulk-apply-tag', {
          filter: mine,
          tag: { tag_ref: { Existing: ABSENT } },
          dry_run,
        })
        expect(missing.status).toBe(404)
      })
  })

  describe('removes a tag', () => {
    it('from the items that have it', async () => {
      const before = await read(without)
      const answer = await run('/api/items/bulk-remove-tag', { filter: mine, tag_id: tag.name })
      expect(answer).toEqual({
        matched_count: 3,
        affected_count: 2,
        changed_count: 2,
        affected_ids: [with1, with2],
        dry_run: false,
      })
      expect((await read(with1)).data[tag.tag_id]).toBeUndefined()
      expect(await read(without)).toEqual(before)
      expect(await found({ has_tag: tag.name })).toEqual([other])
      expect(await found({ [`${tag.name}.effort`]: { exists: true } })).toEqual([other])
      expect((await eventsOf(with1))[0]).toMatchObject({
        event_type: 'tag_removed',
        tag_id: tag.tag_id,
        details: { tag_name: tag.name, old_values: { effort: 1, title: 'a' } },
      })
    })

    it('that there is', async () => {
      const { status } = await refused('/api/items/bulk-remove-tag', { filter: mine, tag_id: ABSENT })
      expect(status).toBe(404)
    })
  })

  describe('updates fields', () => {
    const update = (body: object) =>
      run('/api/items/bulk-update-fields', { filter: mine, tag_id: tag.tag_id, ...body })

    it('by replacing all values', async () => {
      const answer = await update({ field_values: { effort: 2, labels: ['home'] } })
      expect(answer).toEqual({
        matched_count: 3,
        affected_count: 2,
        changed_count: 2,
        affected_ids: [with1, with2],
        dry_run: false,
      })
      for (const id of [with1, with2])
        expect(await valuesOf(id, tag)).toEqual({ effort: 2, labels: ['home'] })
      expect(await found({ [`${tag.name}.effort`]: 2 })).toEqual([with1, with2])
      expect(await found({ [`${tag.name}.title`]: { exists: true } })).toEqual([])
      expect((await eventsOf(with2))[0].details).toEqual({
        tag_name: tag.name,
        fields_changed: ['status', 'labels'],
        old_values: { status: { variant: 'done' } },
        new_values: { labels: ['home'] },
      })
    })

    it('by merging', async () => {
      await update({ field_values: { title: 'z', effort: null }, merge: true })
      expect(await valuesOf(with1, tag)).toEqual({ effort: null, title: 'z' })
      expect(await valuesOf(with2, tag)).toEqual({ effort: null, status: { variant: 'done' }, title: 'z' })
      expect(await found({ [`${tag.name}.title`]: 'z' })).toEqual([with1, with2])
      expect(await found({ [`${tag.name}.effort`]: { exists: true } })).toEqual([other])
    })

    it('and leaves alone, without an event, what has the values already', async () => {
      const before = await read(with1)
      const events = await eventsOf(with1)
      const answer = await update({ field_values: { effort: 1, title: 'a' }, merge: true })
      expect(answer).toMatchObject({ affected_ids: [with1, with2], changed_count: 1 })
      expect(await read(with1)).toEqual(before)
      expect(await eventsOf(with1)).toEqual(events)
      expect((await read(with2)).updated_at > before.updated_at).toBe(true)
    })

    it('raises the version even where no value changes', async () => {
      await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { ...FIELDS, more: 'String' } })
      await update({ field_values: {}, merge: true })
      expect((await read(with1)).data[tag.tag_id]).toMatchObject({
        schema_version: 2,
        field_values: { effort: 1, title: 'a' },
      })
      expect(await client.ok('GET', `/api/items/outdated?tag_id=${tag.tag_id}`)).toHaveLength(1)
    })

    it('of a variant only where every item has it, and names the one that has not', async () => {
      const body = {
        filter: mine,
        tag_id: tag.tag_id,
        field_values: { finished_on: '2026-01-01' },
        merge: true,
      }
      for (const dry_run of [true, false]) {
        const { status, body: error } = await refused('/api/items/bulk-update-fields', { ...body, dry_run })
        expect(status).toBe(400)
        expect(error.details.errors).toEqual([
          {
            path: 'field_values.finished_on',
            message: `applies only while 'status' is 'done' (item '${with1}', "Item")`,
          },
        ])
      }
      const done = { and: [mine, { [`${tag.name}.status`]: 'done' }] }
      const answer = await run('/api/items/bulk-update-fields', { ...body, filter: done })
      expect(answer.affected_ids).toEqual([with2])
      await update({ field_values: { status: { variant: 'open' } }, merge: true })
      expect(await valuesOf(with2, tag)).toEqual({ effort: 2, status: { variant: 'open' } })
      expect((await eventsOf(with2))[0].details.old_values).toEqual({
        status: { variant: 'done' },
        finished_on: '2026-01-01',
      })
    })

    it('with a reference that has gone only where every item had it', async () => {
      const target = await newItem()
      await update({ field_values: { to: target }, merge: true })
      await client.ok('DELETE', `/api/items/${target}`)
      await update({ field_values: { to: target, effort: 4 }, merge: true })
      await client.ok('PUT', `/api/items/${with2}/tags/${tag.tag_id}`, { field_values: {} })
      const { status, body } = await refused('/api/items/bulk-update-fields', {
        filter: mine,
        tag_id: tag.tag_id,
        field_values: { to: target },
      })
      expect(status).toBe(400)
      expect(body.details.errors).toEqual([
        {
          path: 'field_values.to',
          message: `item '${target}' is deleted; restore it first (item '${with2}', "Item")`,
        },
      ])
      const nothing = { and: [mine, { [`${tag.name}.effort`]: 77 }] }
      const unmatched = await refused('/api/items/bulk-update-fields', {
        filter: nothing,
        tag_id: tag.tag_id,
        field_values: { to: ABSENT },
      })
      expect(unmatched.status).toBe(400)
    })

    it('clears a field that has left the schema where an item has it still', async () => {
      const { title: _, ...fields } = FIELDS
      await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields })
      await update({ field_values: { title: null }, merge: true })
      expect(await valuesOf(with1, tag)).toEqual({ effort: 1 })
      const again = await refused('/api/items/bulk-update-fields', {
        filter: mine,
        tag_id: tag.tag_id,
        field_values: { title: null },
        merge: true,
      })
      expect(again.status).toBe(400)
    })

    it('lists every fault of the values once', async () => {
      const { status, body } = await refused('/api/items/bulk-update-fields', {
        filter: mine,
        tag_id: tag.tag_id,
        field_values: { effort: 'x', labels: ['moon'], nothing: 1 },
        merge: true,
      })
      expect(status).toBe(400)
      expect(body.details.errors.map((each: { path: string }) => each.path)).toEqual([
        'field_values.effort',
        'field_values.labels[0]',
        'field_values.nothing',
      ])
    })

    it('of a tag that there is, with values', async () => {
      const path = '/api/items/bulk-update-fields'
      const missing = await refused(path, { filter: mine, tag_id: 'Nothing', field_values: {} })
      expect(missing.status).toBe(404)
      expect((await refused(path, { filter: mine, tag_id: tag.tag_id })).status).toBe(400)
      expect((await refused(path, { filter: mine, field_values: {} })).status).toBe(400)
    })
  })
})

describe('the sample of a dry run', () => {
  const dry = async (route: string, body: object) =>
    (await client.ok('POST', `/api/items/${route}`, { ...body, dry_run: true })).sample

  it('tells the values of the tag before and after, of a deletion all values', async () => {
    const [tag, mark] = [await newTag(), await newTag({})]
    const item_id = await newItem({ name: 'A', tags: [tagged(mark), tagged(tag, { effort: 1, title: 'a' })] })
    const bare = await newItem({ name: 'B', tags: [tagged(mark)] })
    const filter = { has_tag: mark.name }
    const [a, b] = [
      { item_id, name: 'A' },
      { item_id: bare, name: 'B' },
    ]
    const before = { effort: 1, title: 'a' }
    const { tag_id } = tag
    expect(
      await dry('bulk-update-fields', { filter, tag_id, field_values: { effort: 2 }, merge: true }),
    ).toEqual([{ ...a, before, after: { effort: 2, title: 'a' } }])
    expect(await dry('bulk-update-fields', { filter, tag_id, field_values: before })).toEqual([])
    expect(await dry('bulk-apply-tag', { filter, tag: tagged(tag) })).toEqual([
      { ...b, before: null, after: {} },
    ])
    expect(await dry('bulk-remove-tag', { filter, tag_id })).toEqual([{ ...a, before, after: null }])
    expect(await dry('bulk-delete', { filter })).toEqual([
      { ...a, before: { [mark.name]: {}, [tag.name]: before }, after: null },
      { ...b, before: { [mark.name]: {} }, after: null },
    ])
  })

  it('holds twenty, and the ids of a tool a hundred', async () => {
    const tag = await newTag()
    const { body } = await bulk(
      Array.from({ length: 150 }, (_, i) => ({ name: `N ${i}`, tags: [tagged(tag)] })),
    )
    const filter = { has_tag: tag.name }
    const sample = await dry('bulk-delete', { filter })
    expect(sample.map(({ item_id }: { item_id: string }) => item_id)).toEqual(
      body.slice(0, 20).map(({ item_id }: { item_id: string }) => item_id),
    )
    const mcp = await connectMcp(client, 'streamable-http')
    const { value } = await callTool(mcp, 'bulk_delete_items', { filter })
    await mcp.close()
    expect(value).toEqual({
      matched_count: 150,
      affected_count: 150,
      changed_count: 150,
      affected_ids: body.slice(0, 100).map((each: { item_id: string }) => each.item_id),
      dry_run: false,
    })
  })
})

// Behind the others, which compare all that the database holds.
describe('bulk create of many', () => {
  it('takes an empty array and 10,000 items in one transaction; they can be changed at once', async () => {
    expect((await bulk([])).body).toEqual([])
    const tag = await newTag()
    const items = Array.from({ length: 10_000 }, (_, i) => ({
      name: `Many ${i}`,
      tags: i % 2 ? [tagged(tag, { effort: i, labels: ['home', 'work'].slice(i % 3) })] : [],
    }))
    const { status, body } = await bulk(items)
    expect(status).toBe(200)
    const ids: string[] = body.map((each: { item_id: string }) => each.item_id)
    const odd = ids.filter((_, i) => i % 2)
    for (const i of [1, 255, 257, 5001, 9999])
      expect(await found({ [`${tag.name}.effort`]: i })).toEqual([ids[i]])
    const { liveItems, texts, hasTag, tagsOnLiveItems } = await countIndexRows(service)
    expect([texts, hasTag]).toEqual([liveItems, tagsOnLiveItems])
    expect((await bulk([...items, 'one more'])).status).toBe(400)

    const filter = { name: { starts_with: 'Many ' } }
    const change = async (route: string, more: object) => {
      const { affected_ids } = await client.ok('POST', `/api/items/${route}`, { filter, ...more })
      return affected_ids
    }
    const tag_id = tag.tag_id
    expect(
      await change('bulk-update-fields', { tag_id, field_values: { title: 'x', labels: null }, merge: true }),
    ).toEqual(odd)
    expect(await found({ [`${tag.name}.title`]: 'x' })).toEqual(odd)
    expect(await change('bulk-apply-tag', { tag: tagged(tag, { title: 'y' }) })).toEqual(
      ids.filter((_, i) => !(i % 2)),
    )
    expect(await change('bulk-remove-tag', { tag_id })).toEqual(ids)
    expect(await change('bulk-delete', {})).toEqual(ids)
    // SQLite takes so many out of its indexes afterwards.
    await expect
      .poll(() => countIndexRows(service), { timeout: 25_000 })
      .toEqual({
        liveItems: liveItems - 10_000,
        texts: texts - 10_000,
        tagsOnLiveItems: tagsOnLiveItems - 5000,
        hasTag: hasTag - 5000,
        valuesOfDeleted: 0,
      })
  })
})
