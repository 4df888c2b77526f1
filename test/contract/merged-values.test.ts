import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures, newName } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

const { createTag, createItem, valuesOf, search } = fixtures(() => client)

describe('edits where values are merged (additions §12)', () => {
  const FIELDS = {
    labels: { type: 'MultiSelect', variants: ['a', 'b', 'c'] },
    people: 'MultiReference',
    note: 'String',
    n: 'Number',
  }
  const cases: [stored: object, given: object, result: object][] = [
    [{ labels: ['a', 'b'] }, { labels: { add: ['c'], remove: ['a'] } }, { labels: ['b', 'c'] }],
    [{ labels: ['a'] }, { labels: { add: ['a', 'b'] } }, { labels: ['a', 'b'] }],
    [{}, { labels: { add: ['a'] } }, { labels: ['a'] }],
    [{ labels: null }, { labels: { remove: ['a', 'gone'] } }, { labels: [] }],
    [{ note: 'x' }, { note: { append: 'y' } }, { note: 'xy' }],
    [{}, { note: { append: 'y' } }, { note: 'y' }],
    [{ note: 'x', n: 1 }, { n: 2 }, { note: 'x', n: 2 }],
  ]
  for (const [stored, given, result] of cases)
    it(`makes ${JSON.stringify(result)} of ${JSON.stringify(stored)} with ${JSON.stringify(given)}`, async () => {
      const tag = await createTag(FIELDS)
      const [one, two] = [
        await createItem('one', tag.tag_id, stored),
        await createItem('two', tag.tag_id, stored),
      ]
      await client.ok('PUT', `/api/items/${one}/tags/${tag.tag_id}`, { field_values: given, merge: true })
      expect(await valuesOf(one, tag.tag_id)).toEqual(result)
      await client.ok('POST', '/api/items/bulk-update-fields', {
        filter: { and: [{ has_tag: tag.tag_id }, { name: 'two' }] },
        tag_id: tag.name,
        field_values: given,
        merge: true,
      })
      expect(await valuesOf(two, tag.tag_id)).toEqual(result)
    })

  it('edits each item of a bulk update by what it has, and the index follows', async () => {
    const tag = await createTag(FIELDS)
    await createItem('one', tag.tag_id, { labels: ['a'], note: 'x' })
    await createItem('two', tag.tag_id, { labels: ['b', 'c'] })
    const body = {
      filter: { has_tag: tag.tag_id },
      tag_id: tag.tag_id,
      field_values: { labels: { add: ['b'], remove: ['c'] }, note: { append: '!' }, n: 5 },
      merge: true,
    }
    await client.ok('POST', '/api/items/bulk-update-fields', body)
    expect(await search({ [`${tag.name}.labels`]: { eq: ['a', 'b'] } })).toEqual(['one'])
    expect(await search({ [`${tag.name}.labels`]: { eq: ['b'] } })).toEqual(['two'])
    expect(await search({ [`${tag.name}.labels`]: { match: 'c' } })).toEqual([])
    expect(await search({ [`${tag.name}.note`]: 'x!' })).toEqual(['one'])
    expect(await search({ [`${tag.name}.note`]: '!' })).toEqual(['two'])
    expect(await search({ [`${tag.name}.n`]: 5 })).toEqual(['one', 'two'])
  })

  it('removes what an older schema left and validates only what is added', async () => {
    const tag = await createTag(FIELDS)
    const gone = await createItem('gone')
    const kept = await createItem('kept')
    const item = await createItem('x', tag.tag_id, { labels: ['a', 'c'], people: [gone, kept] })
    await client.ok('DELETE', `/api/items/${gone}`)
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, {
      fields: { ...FIELDS, labels: { type: 'MultiSelect', variants: ['b'] } },
    })
    const path = `/api/items/${item}/tags/${tag.tag_id}`
    const added = await createItem('added')
    await client.ok('PUT', path, {
      field_values: { labels: { add: ['b'], remove: ['a'] }, people: { add: [added.toLowerCase()] } },
      merge: true,
    })
    expect(await valuesOf(item, tag.tag_id)).toMatchObject({
      labels: ['c', 'b'],
      people: [gone, kept, added],
    })
    await client.ok('PUT', path, { field_values: { people: { remove: [gone.toLowerCase()] } }, merge: true })
    expect(await valuesOf(item, tag.tag_id)).toMatchObject({ people: [kept, added] })
    expect((await client.put(path, { field_values: { people: { add: [gone] } }, merge: true })).status).toBe(
      400,
    )
  })

  const refused: [given: object, merge: boolean, path: string, message: string | RegExp][] = [
    [{ labels: { add: ['a'], remove: ['a'] } }, true, 'labels.add[0]', `'a' is in 'remove' too`],
    [{ labels: { add: ['x'] } }, true, 'labels.add[0]', /unknown variant 'x'/],
    [{ labels: { add: 'a' } }, true, 'labels.add', 'expected an array of variant names'],
    [{ labels: { remove: [5] } }, true, 'labels.remove', 'expected an array of strings'],
    [{ labels: {} }, true, 'labels', /expected an array, or/],
    [{ labels: { ad: ['a'] } }, true, 'labels', /expected an array, or/],
    [{ labels: { append: 'a' } }, true, 'labels', /expected an array, or/],
    [{ note: { append: 5 } }, true, 'note.append', 'expected a string'],
    [{ note: { add: ['a'] } }, true, 'note', /expected a string, or/],
    [{ n: { append: 'a' } }, true, 'n', 'expected a number'],
    [{ labels: { add: ['a'] } }, false, 'labels', 'expected an array of variant names'],
    [{ note: { append: 'a' } }, false, 'note', 'expected a string'],
  ]
  for (const [field_values, merge, path, message] of refused)
    it(`refuses ${JSON.stringify(field_values)}${merge ? '' : ' without merge'}`, async () => {
      const tag = await createTag(FIELDS)
      const item = await createItem('x', tag.tag_id, {})
      const one = await client.put(`/api/items/${item}/tags/${tag.tag_id}`, { field_values, merge })
      const many = await client.post('/api/items/bulk-update-fields', {
        filter: { has_tag: tag.tag_id },
        tag_id: tag.tag_id,
        field_values,
        merge,
      })
      for (const { status, body } of [one, many])
        expect([status, body.details.errors]).toEqual([
          400,
          [{ path: `field_values.${path}`, message: expect.stringMatching(message) }],
        ])
    })
})

describe('an item to add that there is not', () => {
  it('is refused where the edit names it, whatever each item has', async () => {
    const tag = await createTag({ people: 'MultiReference' })
    const [there, also] = [await createItem('there'), await createItem('also')]
    const item = await createItem('x', tag.tag_id, { people: [there, also] })
    const field_values = { people: { add: [there, '01ARZ3NDEKTSV4RRFFQ69G5FAV'] } }
    const one = await client.put(`/api/items/${item}/tags/${tag.tag_id}`, { field_values, merge: true })
    const many = await client.post('/api/items/bulk-update-fields', {
      filter: { has_tag: tag.tag_id },
      tag_id: tag.tag_id,
      field_values,
      merge: true,
    })
    for (const { status, body } of [one, many])
      expect([status, body.details.errors]).toEqual([
        400,
        [{ path: 'field_values.people.add[1]', message: expect.stringMatching(/not found/) }],
      ])
  })
})

describe('values that a bulk update takes from elsewhere (additions §12)', () => {
  it('follows references and names, item by item', async () => {
    const project = await createTag({
      team: 'String',
      lead: 'Reference',
      kind: { type: 'Select', variants: ['x'] },
    })
    const ada = await createItem('Ada')
    const one = await createItem('P1', project.tag_id, { team: 'red', lead: ada, kind: { variant: 'x' } })
    const two = await createItem('P2', project.tag_id, {})
    const task = await createTag({
      project: 'Reference',
      projects: 'MultiReference',
      team: 'String',
      called: 'String',
      leads: 'MultiReference',
      kinds: { type: 'MultiSelect', variants: ['x'] },
    })
    const first = await createItem('T1', task.tag_id, { project: one, projects: [one, two], team: 'old' })
    const second = await createItem('T2', task.tag_id, { project: two, team: 'old' })
    const third = await createItem('T3', task.tag_id, { team: 'old' })
    const [t, p] = [task.name, project.name]
    const body = {
      filter: { has_tag: t },
      tag_id: t,
      merge: true,
      field_values: {
        team: { from: `${t}.project->${p}.team` },
        called: { from: `${t}.project->name` },
        leads: { from: `${t}.projects->${p}.lead` },
        kinds: { from: `${t}.projects->${p}.kind` },
      },
    }
    const { sample } = await client.ok('POST', '/api/items/bulk-update-fields', { ...body, dry_run: true })
    await client.ok('POST', '/api/items/bulk-update-fields', body)
    for (const { item_id, after } of sample) expect(await valuesOf(item_id, task.tag_id)).toEqual(after)
    expect(sample.map(({ after }: { after: { team: string | null } }) => after.team)).toEqual([
      'red',
      null,
      null,
    ])
    expect(await valuesOf(first, task.tag_id)).toMatchObject({
      team: 'red',
      called: 'P1',
      leads: [ada],
      kinds: ['x'],
    })
    expect(await valuesOf(second, task.tag_id)).toMatchObject({ team: null, called: 'P2', leads: null })
    expect(await valuesOf(third, task.tag_id)).toMatchObject({ team: null, called: null })
    expect(await search({ [`${t}.team`]: 'red' })).toEqual(['T1'])
    expect(await search({ [`${t}.team`]: 'old' })).toEqual([])
    expect(await search({ [`${t}.leads->name`]: 'Ada' })).toEqual(['T1'])
  })

  it('takes the empty array for a value', async () => {
    const tag = await createTag({
      refs: 'MultiReference',
      others: 'MultiReference',
      kinds: { type: 'MultiSelect', variants: ['x'] },
      same: { type: 'MultiSelect', variants: ['x'] },
      far: { type: 'MultiSelect', variants: ['x'] },
    })
    const empty = await createItem('empty', tag.tag_id, { refs: [], kinds: [] })
    const none = await createItem('none', tag.tag_id, {})
    const near = await createItem('near', tag.tag_id, { refs: [empty, none], kinds: ['x'] })
    const { name } = tag
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter: { has_tag: name },
      tag_id: name,
      merge: true,
      field_values: {
        others: { from: `${name}.refs` },
        same: { from: `${name}.kinds` },
        far: { from: `${name}.refs->${name}.kinds` },
      },
    })
    expect(await valuesOf(empty, tag.tag_id)).toMatchObject({ others: [], same: [], far: null })
    expect(await valuesOf(none, tag.tag_id)).toMatchObject({ others: null, same: null, far: null })
    expect(await valuesOf(near, tag.tag_id)).toMatchObject({ others: [empty, none], same: ['x'], far: [] })
  })

  it('reads before it writes', async () => {
    const tag = await createTag({ next: 'Reference', value: 'Number' })
    const last = await createItem('last', tag.tag_id, { value: 3 })
    const middle = await createItem('middle', tag.tag_id, { value: 2, next: last })
    const first = await createItem('first', tag.tag_id, { value: 1, next: middle })
    await client.ok('PUT', `/api/items/${last}/tags/${tag.tag_id}`, {
      field_values: { next: first },
      merge: true,
    })
    await client.ok('POST', '/api/items/bulk-update-fields', {
      filter: { has_tag: tag.name },
      tag_id: tag.name,
      merge: true,
      field_values: { value: { from: `${tag.name}.next->${tag.name}.value` } },
    })
    for (const [item, value] of [
      [last, 1],
      [middle, 3],
      [first, 2],
    ] as const)
      expect((await valuesOf(item, tag.tag_id)).value).toBe(value)
  })

  it('refuses paths that lead nowhere or to another type, and values that do not fit', async () => {
    const other = await createTag({ n: 'Number', kind: { type: 'Select', variants: ['x', 'y'] } })
    const tag = await createTag({
      ref: 'Reference',
      refs: 'MultiReference',
      text: 'String',
      n: 'Number',
      kind: { type: 'Select', variants: ['x'] },
    })
    const target = await createItem('target', other.tag_id, { n: 1, kind: { variant: 'y' } })
    const item = await createItem('item', tag.tag_id, { ref: target })
    const update = (field_values: object) =>
      client.post('/api/items/bulk-update-fields', {
        filter: { has_tag: tag.name },
        tag_id: tag.name,
        merge: true,
        field_values,
      })
    for (const [field, from, message] of [
      ['text', `${tag.name}.ref->${other.name}.n`, 'leads to a Number, and the field is a String'],
      ['n', `${tag.name}.refs->${other.name}.n`, 'leads to several Number values, and the field is a Number'],
      ['n', `${tag.name}.ref->name`, 'leads to a String, and the field is a Number'],
      ['text', 'Nope.x', `Tag 'Nope' not found`],
      ['text', `${tag.name}.text->name`, /'->' must follow a Reference/],
    ] as const) {
      const { status, body } = await update({ [field]: { from } })
      expect([status, body.details.errors]).toMatchObject([
        400,
        [{ path: `field_values.${field}.from`, message: expect.stringMatching(message) }],
      ])
    }
    const { status, body } = await update({ kind: { from: `${tag.name}.ref->${other.name}.kind` } })
    expect([status, body.message]).toEqual([400, expect.stringMatching(`unknown variant 'y'.*${item}`)])
  })
})

describe('filters with warnings (additions §7)', () => {
  it('are in the body of bulk answers', async () => {
    const tag = await createTag({ n: 'Number' })
    await createItem('x', tag.tag_id, { n: 1 })
    const filter = { or: [{ [`${tag.name}.n`]: 'one' }, { [`${tag.name}.n`]: 1 }] }
    const body = { filter, tag_id: tag.tag_id, field_values: { n: 2 }, dry_run: true }
    const answer = await client.ok('POST', '/api/items/bulk-update-fields', body)
    expect(answer).toMatchObject({ affected_count: 1, warnings: [expect.stringContaining('never equals')] })
    expect(await client.ok('POST', '/api/items/bulk-delete', { filter, dry_run: true })).toHaveProperty(
      'warnings',
    )
    const right = { [`${tag.name}.n`]: 1 }
    expect(
      await client.ok('POST', '/api/items/bulk-delete', { filter: right, dry_run: true }),
    ).not.toHaveProperty('warnings')
    const real = await client.ok('POST', '/api/items/bulk-delete', { filter })
    expect(real).toMatchObject({ affected_count: 1, warnings: expect.any(Array) })
  })
})

describe('upsert (additions §7)', () => {
  const person = () =>
    createTag({
      email: 'String',
      age: 'Number',
      kind: { type: 'Select', variants: ['x', 'y'] },
      tags: { type: 'MultiSelect', variants: ['a', 'b'] },
    })
  const upsert = (body: object) => client.send('PUT', '/api/items/upsert', body)

  it('creates what is not there and changes what is', async () => {
    const tag = await person()
    const match = { [`${tag.name}.email`]: 'a@x' }
    const made = await upsert({
      match,
      name: 'Ada',
      tags: [{ tag_ref: { Existing: tag.name }, field_values: { age: 1 } }],
    })
    expect([made.status, made.body.created]).toEqual([200, true])
    const { item_id } = made.body
    expect(await valuesOf(item_id, tag.tag_id)).toEqual({ email: 'a@x', age: 1 })
    const again = await upsert({
      match,
      description: 'd',
      tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: { age: 2, tags: { add: ['b'] } } }],
    })
    expect(again.body).toEqual({ item_id, created: false })
    expect(await valuesOf(item_id, tag.tag_id)).toEqual({ email: 'a@x', age: 2, tags: ['b'] })
    expect(await client.ok('GET', `/api/items/${item_id}`)).toMatchObject({ name: 'Ada', description: 'd' })
  })

  it('applies tags that the item lacks, and matches by name or Select', async () => {
    const [tag, other] = [await person(), await createTag({ n: 'Number' })]
    const name = newName('only')
    const item = await createItem(name)
    const applied = await upsert({
      match: { name },
      tags: [{ tag_ref: { Existing: other.name }, field_values: { n: 5 } }],
    })
    expect(applied.body).toEqual({ item_id: item, created: false })
    expect(await valuesOf(item, other.tag_id)).toEqual({ n: 5 })
    const made = await upsert({ match: { [`${tag.name}.kind`]: 'x' }, name: 'selected' })
    expect(await valuesOf(made.body.item_id, tag.tag_id)).toEqual({ kind: { variant: 'x' } })
    expect((await upsert({ match: { [`${tag.name}.kind`]: { variant: 'x' } } })).body).toEqual({
      item_id: made.body.item_id,
      created: false,
    })
    const named = await upsert({ match: { name: `${name} new` } })
    expect(await client.ok('GET', `/api/items/${named.body.item_id}`)).toMatchObject({ name: `${name} new` })
  })

  it('takes edits of values whether the item, or its tag, is there or not', async () => {
    const tag = await person()
    const field_values = { tags: { add: ['a'], remove: ['b'] }, email: { append: 'x' } }
    const tags = [{ tag_ref: { Existing: tag.name }, field_values }]
    const name = newName('edited')
    const untagged = await createItem(`${name} too`)
    for (const [match, created, email] of [
      [{ name }, true, 'x'],
      [{ name }, false, 'xx'],
      [{ name: `${name} too` }, false, 'x'],
    ] as const) {
      const { body } = await upsert({ match, tags })
      expect(body.created).toBe(created)
      expect(await valuesOf(body.item_id, tag.tag_id)).toEqual({ tags: ['a'], email })
    }
    expect(await valuesOf(untagged, tag.tag_id)).toMatchObject({ email: 'x' })
  })

  it('makes no item that its key would not find', async () => {
    const tag = await person()
    const match = { [`${tag.name}.email`]: 'key' }
    const put = (email: unknown) =>
      upsert({ match, name: 'k', tags: [{ tag_ref: { Existing: tag.name }, field_values: { email } }] })
    for (const email of ['other', null])
      expect(await put(email)).toMatchObject({
        status: 400,
        body: {
          details: {
            errors: [
              {
                path: 'tags[0].field_values.email',
                message: expect.stringContaining('differs from the value to match by'),
              },
            ],
          },
        },
      })
    expect(await put(5)).toMatchObject({ status: 400, body: { message: expect.stringContaining('string') } })
    const made = await put('key')
    expect(made.body).toMatchObject({ created: true })
    expect((await put('other')).body).toEqual({ item_id: made.body.item_id, created: false })
    expect(await valuesOf(made.body.item_id, tag.tag_id)).toEqual({ email: 'other' })

    const [name, other] = [newName('k'), newName('other')]
    const rename = () => upsert({ match: { name }, name: other })
    expect(await rename()).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('name: differs from the value to match by') },
    })
    const named = await upsert({ match: { name }, name })
    expect((await rename()).body).toEqual({ item_id: named.body.item_id, created: false })
  })

  it('takes values for one key where a filter does', async () => {
    const tag = await person()
    for (const [field, one, same] of [
      ['tags', ['a', 'b'], ['b', 'a']],
      ['email', '2027-01-01', '2027-01-01T00:00:00'],
    ] as const) {
      const items = [one, same].map((value) => ({
        name: String(value),
        tags: [{ tag_ref: { Existing: tag.name }, field_values: { [field]: value } }],
      }))
      const bulk = () => client.ok('POST', '/api/items/bulk', { match_by: `${tag.name}.${field}`, items })
      const [first, second] = await bulk()
      expect([first.created, second]).toEqual([true, { item_id: first.item_id, created: false }])
      const met = { item_id: first.item_id, created: false }
      expect(await bulk()).toEqual([met, met])
    }
  })

  it('refuses what it cannot tell', async () => {
    const tag = await person()
    for (const name of ['p1', 'p2']) await createItem(name, tag.tag_id, { email: 'same' })
    expect((await upsert({ match: { [`${tag.name}.email`]: 'same' } })).status).toBe(409)
    const faulty: [object, RegExp][] = [
      [{ match: {} }, /match/],
      [{ match: { name: 'a', [`${tag.name}.email`]: 'b' } }, /match: must have at most 1 property/],
      [{ match: { [`${tag.name}.email`]: null } }, /a value of .*\.email to match by is required/],
      [{ match: { [`${tag.name}.email`]: 5 } }, /expected a string/],
      [{ match: { [`${tag.name}.emial`]: 'x' } }, /has no field 'emial'; did you mean '.*\.email'\?/],
      [{ match: { 'Nope.x': 'x' } }, /Tag 'Nope' not found/],
      [{ match: { id: 'x' } }, /expected 'name' or/],
      [{ match: { [`${tag.name}.email`]: 'new' } }, /name: is required/],
      [{}, /match: is required/],
    ]
    for (const [body, message] of faulty) {
      const answer = await upsert(body)
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
    }
  })

  it('goes in bulk, where the same key twice is one item, all or none', async () => {
    const tag = await person()
    const element = (name: string, field_values: object) => ({
      name,
      tags: [{ tag_ref: { Existing: tag.name }, field_values }],
    })
    const there = await createItem('there', tag.tag_id, { email: 'there', age: 1 })
    const items = [
      element('new', { email: 'new', age: 1 }),
      element('renamed', { email: 'there', tags: ['a'] }),
      element('newer', { email: 'new', kind: { variant: 'y' } }),
    ]
    const faulty = await client.post('/api/items/bulk', {
      items: [...items, element('x', { email: 'there', age: 'old' }), element('y', {})],
      match_by: `${tag.name}.email`,
    })
    expect([faulty.status, faulty.body.details.errors]).toEqual([
      400,
      [
        {
          path: 'items[4].tags[0].field_values.email',
          message: expect.stringMatching(/a value of .*\.email to match by is required/),
        },
      ],
    ])
    const late = await client.post('/api/items/bulk', {
      items: [...items, element('x', { email: 'there', age: 'old' })],
      match_by: `${tag.name}.email`,
    })
    expect([late.status, late.body.details.errors]).toEqual([
      400,
      [{ path: 'items[3].tags[0].field_values.age', message: 'expected a number' }],
    ])
    expect(await search({ [`${tag.name}.email`]: 'new' })).toEqual([])

    const answer = await client.ok('POST', '/api/items/bulk', { items, match_by: `${tag.name}.email` })
    expect(answer).toEqual([
      { item_id: expect.any(String), created: true },
      { item_id: there, created: false },
      { item_id: answer[0].item_id, created: false },
    ])
    expect(await valuesOf(there, tag.tag_id)).toEqual({ email: 'there', age: 1, tags: ['a'] })
    expect(await valuesOf(answer[0].item_id, tag.tag_id)).toEqual({
      email: 'new',
      age: 1,
      kind: { variant: 'y' },
    })
    expect(await search({ [`${tag.name}.email`]: 'new' })).toEqual(['newer'])
    expect(
      await client.ok('POST', '/api/items/bulk', { items: ['b 1', 'b 1', 'b 2'], match_by: 'name' }),
    ).toMatchObject([{ created: true }, { created: false }, { created: true }])
  })
})
