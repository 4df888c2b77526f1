import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { queryDatabase } from '#test/support/dump-tables.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const FIELDS = {
  title: 'String',
  due: 'Date',
  state: { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
}
const { createItem, entry, search, ...make } = fixtures(() => client)
const createTag = (fields: object = FIELDS) => make.createTag(fields)
const eventsOf = (tag_id: string) => client.ok('POST', '/api/audit-log/search', { tag_ids: [tag_id] })

describe('renaming fields and variants (additions §8)', () => {
  const values = {
    title: 'a',
    due: '2026-01-31',
    state: { variant: 'done' },
    on: '2026-01-30',
    labels: ['work', 'home'],
  }
  const renames = {
    rename_fields: { due: 'deadline', state: 'status', on: 'finished' },
    rename_variants: { state: { done: 'closed' }, labels: { home: 'house' } },
  }

  it('takes values, the index, views and the version along', async () => {
    const tag = await createTag()
    const item = await createItem('full', tag.tag_id, values)
    const gone = await createItem('gone', tag.tag_id, values)
    await createItem('empty', tag.tag_id)
    await client.ok('DELETE', `/api/items/${gone}`)
    const view = await client.ok('POST', '/api/views', {
      name: 'mine',
      filter: { and: [{ [`${tag.name}.state`]: 'done' }, { [`${tag.name}.due`]: { gt: '2026-01-01' } }] },
    })
    const before = await client.ok('GET', `/api/items/${item}`)

    const updated = await client.ok('PUT', `/api/tags/${tag.tag_id}`, renames)
    expect(updated.schema_version).toBe(2)
    expect(JSON.stringify(updated.fields)).toBe(
      JSON.stringify({
        title: 'String',
        deadline: 'Date',
        status: { type: 'Select', variants: ['open', { name: 'closed', fields: { finished: 'Date' } }] },
        labels: { type: 'MultiSelect', variants: ['house', 'work'] },
      }),
    )
    const renamed = {
      title: 'a',
      deadline: '2026-01-31',
      status: { variant: 'closed' },
      finished: '2026-01-30',
      labels: ['work', 'house'],
    }
    expect(await entry(item, tag.tag_id)).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: renamed,
    })
    expect((await client.ok('GET', `/api/items/${item}`)).updated_at > before.updated_at).toBe(true)
    expect(await client.ok('GET', `/api/items/outdated?tag_id=${tag.tag_id}`)).toEqual([])

    for (const filter of [
      { [`${tag.name}.deadline`]: '2026-01-31' },
      { [`${tag.name}.status`]: 'closed' },
      { [`${tag.name}.finished`]: { lt: '2026-01-31' } },
      { [`${tag.name}.labels`]: { match: 'house' } },
      { [`${tag.name}.labels`]: { eq: ['house', 'work'] } },
    ])
      expect(await search(filter)).toEqual(['full'])
    for (const filter of [{ [`${tag.name}.status`]: 'done' }, { [`${tag.name}.labels`]: { match: 'home' } }])
      expect(await search(filter)).toEqual([])

    const followed = await client.ok('GET', `/api/views/${view.view_id}`)
    expect(followed.filter).toEqual({
      and: [{ [`${tag.tag_id}.status`]: 'closed' }, { [`${tag.tag_id}.deadline`]: { gt: '2026-01-01' } }],
    })
    expect(followed.updated_at >= view.updated_at).toBe(true)
    expect(await search(followed.filter)).toEqual(['full'])

    await client.ok('POST', `/api/items/${gone}/restore`)
    expect(await entry(gone, tag.tag_id)).toMatchObject({ schema_version: 2, field_values: renamed })
    expect(await search({ [`${tag.name}.status`]: 'closed' })).toEqual(['full', 'gone'])
  })

  it('records one event with all that an inverse needs', async () => {
    const tag = await createTag()
    await createItem('x', tag.tag_id, values)
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, renames)
    const [event, ...others] = await eventsOf(tag.tag_id)
    expect(others.map((each: { event_type: string }) => each.event_type)).not.toContain('tag_updated')
    expect(event).toMatchObject({
      event_type: 'tag_updated',
      details: {
        fields_changed: ['fields'],
        old_values: { fields: FIELDS },
        renamed_fields: renames.rename_fields,
        renamed_variants: { status: { done: 'closed' }, labels: { home: 'house' } },
      },
    })
  })

  it('comes before `fields`, which uses the new names', async () => {
    const tag = await createTag({ a: 'String', b: 'Number' })
    const fitting = await createItem('fitting', tag.tag_id, { a: 'x' })
    const unfitting = await createItem('unfitting', tag.tag_id, { a: 'x', b: 5 })
    const path = `/api/tags/${tag.tag_id}`
    const left = await client.put(path, { rename_fields: { a: 'c' }, fields: { a: 'String', b: 'Number' } })
    expect([left.status, left.body.message]).toEqual([400, `fields: lacks 'c', the new name of 'a'`])
    const updated = await client.ok('PUT', path, {
      rename_fields: { a: 'c' },
      fields: { d: 'Date', c: 'String', b: 'Boolean' },
    })
    expect([updated.schema_version, Object.keys(updated.fields)]).toEqual([2, ['d', 'c', 'b']])
    expect(await entry(fitting, tag.tag_id)).toMatchObject({ schema_version: 2, field_values: { c: 'x' } })
    // What does not fit is still to be migrated.
    expect(await entry(unfitting, tag.tag_id)).toMatchObject({
      schema_version: 1,
      field_values: { c: 'x', b: 5 },
    })
  })

  it('is taken back by the inverse, over and over', async () => {
    const tag = await createTag({ a: 'String' })
    const item = await createItem('x', tag.tag_id, { a: 'x' })
    const path = `/api/tags/${tag.tag_id}`
    for (const [i, names] of [{ a: 'b' }, { b: 'a' }, { a: 'b' }, { b: 'c' }, { c: 'a' }].entries()) {
      await client.ok('PUT', path, { rename_fields: names })
      const [field] = Object.values(names)
      expect(await entry(item, tag.tag_id)).toMatchObject({
        schema_version: i + 2,
        field_values: { [field!]: 'x' },
      })
      expect(await search({ [`${tag.name}.${field}`]: 'x' })).toEqual(['x'])
    }
    await client.ok('PUT', path, { fields: { a: 'String', b: 'String', c: 'String' } })
    expect(
      await search({ or: ['b', 'c'].map((each) => ({ [`${tag.name}.${each}`]: { exists: true } })) }),
    ).toEqual([])
  })

  const refused: [body: object, ...[path: string, message: string][]][] = [
    [{ rename_fields: { due: 'title' } }, ['rename_fields.due', `the field 'title' is there already`]],
    [{ rename_fields: { due: 'due' } }, ['rename_fields.due', `the field 'due' is there already`]],
    [{ rename_fields: { due: 'on' } }, ['rename_fields.due', `the field 'on' is there already`]],
    [{ rename_fields: { deu: 'x' } }, ['rename_fields.deu', `unknown field 'deu'; did you mean 'due'?`]],
    [{ rename_fields: { due: 'a.b' } }, ['rename_fields.due', `a field name must not contain '.'`]],
    [
      { rename_fields: { due: 'x', title: 'x' } },
      ['rename_fields.title', `two fields cannot both become 'x'`],
    ],
    [
      { rename_variants: { state: { done: 'open' } } },
      ['rename_variants.state.done', `the variant 'open' is there already`],
    ],
    [
      { rename_variants: { state: { done: '__proto__' } } },
      ['rename_variants.state.done', `a variant must not be named '__proto__'`],
    ],
    [
      { rename_variants: { state: { dnoe: 'x' }, due: { a: 'b' }, nope: {} } },
      ['rename_variants.state.dnoe', `unknown variant 'dnoe'; did you mean 'done'?`],
      ['rename_variants.due', 'a Date has no variants'],
      ['rename_variants.nope', `unknown field 'nope'`],
    ],
    [{ rename_fields: { due: 5 } }, ['rename_fields.due', 'expected a string']],
    [{ rename_fields: { due: '' } }, ['rename_fields.due', 'must not be empty']],
  ]
  for (const [body, ...errors] of refused)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const tag = await createTag()
      const answer = await client.put(`/api/tags/${tag.tag_id}`, body)
      expect(answer.status).toBe(400)
      expect(answer.body.details.errors).toEqual(errors.map(([path, message]) => ({ path, message })))
      expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(tag)
    })

  it('keeps a variant that has a name which none may have any more, and lets it go', async () => {
    const fields = (...variants: string[]) => ({ state: { type: 'Select', variants } })
    const tag = await createTag(fields('open', 'PROTO'))
    await queryDatabase(service, "update tag set fields = replace(fields, 'PROTO', '__proto__')")
    await createTag() // so that the tags are read again
    const item = await createItem('x', tag.tag_id, { state: { variant: '__proto__' } })
    const path = `/api/tags/${tag.tag_id}`
    await client.ok('PUT', path, { rename_variants: { state: { open: 'new' } } })
    await client.ok('PUT', path, { fields: fields('new', '__proto__', 'old') })
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter: { [`${tag.name}.state`]: '__proto__' },
      tag_id: tag.tag_id,
      field_values: { state: { variant: 'old' } },
      merge: true,
    })
    await client.ok('PUT', path, { fields: fields('new', 'old') })
    expect(await entry(item, tag.tag_id)).toMatchObject({ field_values: { state: { variant: 'old' } } })
    expect((await client.put(path, { fields: fields('new', '__proto__') })).status).toBe(400)
  })

  it('refuses names under which items still keep values', async () => {
    const tag = await createTag({ a: 'String', b: 'String', s: { type: 'Select', variants: ['x', 'y'] } })
    const item = await createItem('keeper', tag.tag_id, { a: '1', b: '2', s: { variant: 'y' } })
    const path = `/api/tags/${tag.tag_id}`
    const fields = { a: 'String', s: { type: 'Select', variants: ['x'] } }
    await client.ok('PUT', path, { fields })
    for (const [body, message] of [
      [{ rename_fields: { a: 'b' } }, `item '${item}' still has a value of an earlier field 'b'`],
      [{ rename_variants: { s: { x: 'y' } } }, `item '${item}' still has an earlier variant 'y' of 's'`],
    ] as const) {
      for (const answer of [await client.put(path, body), await client.post(`${path}/preview`, body)])
        expect([answer.status, answer.body.message]).toEqual([400, `The ${message}`])
      await client.ok('DELETE', `/api/items/${item}`)
      for (const answer of [await client.put(path, body), await client.post(`${path}/preview`, body)])
        expect([answer.status, answer.body.message, answer.body.suggestion]).toEqual([
          400,
          `The deleted ${message}`,
          `Choose another name, or restore that item with POST /api/items/${item}/restore (restore_item) and clear that value, or purge the item`,
        ])
      await client.ok('POST', `/api/items/${item}/restore`)
    }
    expect(await entry(item, tag.tag_id)).toMatchObject({ schema_version: 1, field_values: { b: '2' } })
    await client.ok('DELETE', `/api/items/${item}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [item] })
    const rename = { rename_fields: { a: 'b' }, rename_variants: { s: { x: 'y' } } }
    await client.ok('POST', `${path}/preview`, rename)
    await client.ok('PUT', path, rename)
  })
})

describe('previewing a change of a tag (additions §8)', () => {
  it('counts what fits, field by field, and names views', async () => {
    const tag = await createTag({
      points: 'String',
      gone: 'Number',
      old: 'String',
      state: { type: 'Select', variants: ['open', 'done'] },
    })
    const ids: string[] = []
    for (const points of ['5', 'five', null])
      ids.push(await createItem(`p ${points}`, tag.tag_id, { points, gone: 1, state: { variant: 'done' } }))
    const view = await client.ok('POST', '/api/views', {
      name: 'starting',
      filter: { [`${tag.name}.points`]: { starts_with: '5' } },
    })
    await client.ok('POST', '/api/views', { name: 'other', filter: { [`${tag.name}.state`]: 'open' } })
    const before = await client.ok('GET', `/api/tags/${tag.tag_id}`)
    const preview = await client.ok('POST', `/api/tags/${tag.tag_id}/preview`, {
      rename_fields: { old: 'new' },
      fields: {
        points: 'Number',
        new: 'String',
        more: 'Date',
        state: { type: 'Select', variants: ['open', 'closed'] },
      },
    })
    const sample = (i: number, name: string, value: unknown) => ({ item_id: ids[i], name, value })
    expect(preview).toEqual({
      schema_version: 2,
      affected_items: 3,
      fields: [
        {
          field: 'points',
          change: 'retyped',
          with_value: 2,
          fitting: 1,
          not_fitting: 1,
          samples: [sample(1, 'p five', 'five')],
        },
        {
          field: 'new',
          change: 'renamed',
          renamed_from: 'old',
          with_value: 0,
          fitting: 0,
          not_fitting: 0,
          samples: [],
        },
        { field: 'more', change: 'added', with_value: 0, fitting: 0, not_fitting: 0, samples: [] },
        {
          field: 'state',
          change: 'variants',
          with_value: 3,
          fitting: 0,
          not_fitting: 3,
          samples: ids.map((_, i) => sample(i, ['p 5', 'p five', 'p null'][i]!, { variant: 'done' })),
        },
        {
          field: 'gone',
          change: 'removed',
          with_value: 3,
          fitting: 0,
          not_fitting: 3,
          samples: ids.map((_, i) => sample(i, ['p 5', 'p five', 'p null'][i]!, 1)),
        },
      ],
      views: [
        {
          view_id: view.view_id,
          name: 'starting',
          effect: expect.stringMatching(/^'starts_with' does not apply to .*points, which is a Number/),
        },
      ],
    })
    expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(before)
  })

  it('says that views follow, or are refused', async () => {
    const tag = await createTag({ who: 'Reference', due: 'Date' })
    for (const filter of [{ [`${tag.name}.who->name`]: 'x' }, { [`${tag.name}.due`]: null }])
      await client.ok('POST', '/api/views', { name: Object.keys(filter)[0], filter })
    const { views } = await client.ok('POST', `/api/tags/${tag.tag_id}/preview`, {
      rename_fields: { due: 'deadline' },
      fields: { who: 'String', deadline: 'Date' },
    })
    expect(views.map(({ effect }: { effect: string }) => effect)).toEqual([
      `Its filter is refused: '->' must follow a Reference field, and '${tag.tag_id}.who' is a String`,
      'Its filter follows the new names',
    ])
  })

  it('says that views which name an earlier field do not come to mean the one that gets its name', async () => {
    const tag = await createTag({ due: 'Date', on: 'Date' })
    const filter = { [`${tag.name}.due`]: { exists: true } }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'due', filter })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { on: 'Date' } })
    const rename = { rename_fields: { on: 'due' } }
    expect(await client.ok('POST', `/api/tags/${tag.tag_id}/preview`, rename)).toMatchObject({
      views: [{ view_id, effect: 'Its filter goes on naming what had the new name earlier' }],
    })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, rename)
    const view = await client.ok('GET', `/api/views/${view_id}`)
    expect(view.filter).toEqual({ [`${tag.tag_id}.due (earlier)\u{FDD0}`]: { exists: true } })
    expect(await client.ok('PUT', `/api/views/${view_id}`, view)).toEqual(view)
    expect(await client.ok('POST', '/api/items/search', { view_id })).toEqual([])
  })

  it('says that nothing happens, and refuses what the change refuses', async () => {
    const tag = await createTag({ a: 'String' })
    await createItem('x', tag.tag_id, { a: 'x' })
    const path = `/api/tags/${tag.tag_id}/preview`
    expect(await client.ok('POST', path, { description: 'x' })).toEqual({
      schema_version: 1,
      affected_items: 0,
      fields: [],
      views: [],
    })
    expect((await client.post(path, { fields: { a: 'Strin' } })).status).toBe(400)
    expect((await client.post(path, { rename_fields: { b: 'c' } })).status).toBe(400)
    const other = await createTag({})
    expect((await client.post(path, { name: other.name })).status).toBe(409)
    expect((await client.post('/api/tags/nope/preview', {})).status).toBe(404)
  })
})

describe('migrating values (additions §8)', () => {
  const fields = {
    n: 'Number',
    at: 'DateTime',
    who: 'MultiReference',
    state: { type: 'Select', variants: ['a', 'b'] },
  }
  const setUp = async () => {
    const target = (await client.ok('POST', '/api/items', { name: 'target' })).item_id
    const tag = await createTag({
      n: 'String',
      at: 'Date',
      who: 'Reference',
      state: 'String',
      gone: 'String',
    })
    const good = await createItem('good', tag.tag_id, { n: '5.5', at: '2026-01-31', who: target, state: 'a' })
    const bad = await createItem('bad', tag.tag_id, { n: 'five', state: 'b', gone: 'x' })
    const empty = await createItem('empty', tag.tag_id, { n: null })
    const deleted = await createItem('deleted', tag.tag_id, { n: '1' })
    await client.ok('DELETE', `/api/items/${deleted}`)
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields })
    return { tag, target, good, bad, empty, path: `/api/tags/${tag.tag_id}/migrate` }
  }

  it('converts what loses nothing and leaves items with a value that does not fit', async () => {
    const { tag, target, good, bad, empty, path } = await setUp()
    const expected = {
      migrated: 2,
      unfitting: [
        { item_id: bad, field: 'n', value: 'five' },
        { item_id: bad, field: 'gone', value: 'x' },
      ],
      unfitting_count: 2,
    }
    const before = await client.ok('GET', `/api/items/${good}`)
    expect(await client.ok('POST', path, { dry_run: true })).toEqual({ ...expected, dry_run: true })
    expect(await client.ok('GET', `/api/items/${good}`)).toEqual(before)
    expect(await client.ok('POST', path, {})).toEqual({ ...expected, dry_run: false })
    expect(await entry(good, tag.tag_id)).toMatchObject({
      schema_version: 2,
      field_values: { n: 5.5, at: '2026-01-31T00:00:00.000Z', who: [target], state: { variant: 'a' } },
    })
    expect(await entry(bad, tag.tag_id)).toMatchObject({
      schema_version: 1,
      field_values: { n: 'five', state: 'b', gone: 'x' },
    })
    expect(await entry(empty, tag.tag_id)).toMatchObject({ schema_version: 2, field_values: { n: null } })
    expect(await search({ [`${tag.name}.n`]: { gt: 5 } })).toEqual(['good'])
    expect(await search({ [`${tag.name}.at`]: '2026-01-31' })).toEqual(['good'])
    expect(await search({ [`${tag.name}.who->name`]: 'target' })).toEqual(['good'])
    expect(await search({ [`${tag.name}.state`]: 'a' })).toEqual(['good'])

    const events = (await eventsOf(tag.tag_id)).slice(0, 2)
    expect(events).toMatchObject([
      { event_type: 'tag_values_updated', item_id: empty, details: { fields_changed: [] } },
      {
        event_type: 'tag_values_updated',
        item_id: good,
        details: {
          fields_changed: ['n', 'at', 'who', 'state'],
          old_values: { n: '5.5', at: '2026-01-31', who: target, state: 'a' },
        },
      },
    ])
    expect(await client.ok('POST', path, {})).toMatchObject({ migrated: 0, unfitting_count: 2 })
  })

  it('names the first 1,000 values that do not fit, and counts all', async () => {
    const tag = await createTag({ n: 'String' })
    const tags = [{ tag_ref: { Existing: tag.tag_id }, field_values: { n: 'five' } }]
    const items = Array.from({ length: 1001 }, () => ({ name: 'bad', tags }))
    await client.ok('POST', '/api/items/bulk', { items })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { n: 'Number' } })
    const tried = await client.ok('POST', `/api/tags/${tag.tag_id}/migrate`, { dry_run: true })
    expect([tried.unfitting.length, tried.unfitting_count, tried.migrated]).toEqual([1000, 1001, 0])
  })

  it('drops what does not fit where that is asked for', async () => {
    const { tag, bad, path } = await setUp()
    expect(await client.ok('POST', path, { drop_unfitting: true })).toMatchObject({
      migrated: 3,
      unfitting_count: 2,
    })
    expect(await entry(bad, tag.tag_id)).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: { state: { variant: 'b' } },
    })
    expect(await search({ [`${tag.name}.n`]: { exists: true } })).toEqual(['good'])
    expect(await client.ok('POST', path, {})).toEqual({
      migrated: 0,
      unfitting: [],
      unfitting_count: 0,
      dry_run: false,
    })
  })

  it('keeps references that dangle', async () => {
    const { tag, target, good, path } = await setUp()
    await client.ok('DELETE', `/api/items/${target}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [target] })
    await client.ok('POST', path, {})
    expect((await entry(good, tag.tag_id)).field_values.who).toEqual([target])
  })

  it('knows no tag that is not there', async () => {
    expect((await client.post('/api/tags/nope/migrate', {})).status).toBe(404)
    const { path } = await setUp()
    expect((await client.post(path, { dryrun: true })).status).toBe(400)
  })
})
