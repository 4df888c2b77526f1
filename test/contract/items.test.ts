import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { countIndexRows, dumpTables } from '#test/support/dump-tables.ts'
import { ABSENT, fixtures, newName, TIME, ULID, unchanged } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const FIELDS = {
  title: 'String',
  effort: 'Number',
  urgent: 'Boolean',
  due: 'Date',
  assignee: 'Reference',
  status: { type: 'Select', variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }] },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
}

let service: Service
let client: Client
const make = fixtures(() => client)
const newTag = (fields: object = FIELDS) => make.createTag(fields)
const { newItem } = make
const read = (id: string) => client.ok('GET', `/api/items/${id}`)
const eventsOf = (id: string) => client.ok('POST', '/api/audit-log/search', { item_ids: [id] })
const typesOf = async (id: string) =>
  (await eventsOf(id)).map((event: { event_type: string }) => event.event_type)

const refused: Client['send'] = (...args) => unchanged(service, () => client.send(...args))

beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())

describe('a session is needed', () => {
  for (const [method, path] of [
    ['POST', '/api/items'],
    ['GET', `/api/items/${ABSENT}`],
    ['PUT', `/api/items/${ABSENT}`],
    ['DELETE', `/api/items/${ABSENT}`],
    ['POST', `/api/items/${ABSENT}/restore`],
    ['POST', '/api/items/bulk'],
    ['POST', '/api/items/purge'],
    ['GET', '/api/items/deleted'],
    ['GET', '/api/items/outdated'],
  ] as const)
    it(`for ${method} ${path}`, async () => {
      const { status, body } = await service.client().send(method, path)
      expect({ status, error: body.error, path: body.path }).toEqual({
        status: 401,
        error: 'Unauthorized',
        path,
      })
    })
})

describe('creating an item', () => {
  it('answers its id alone', async () => {
    const answer = await client.post('/api/items', { name: 'Buy soil' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ item_id: expect.stringMatching(ULID) })
    const item = await read(answer.body.item_id)
    expect(item).toEqual({
      item_id: answer.body.item_id,
      id: answer.body.item_id,
      name: 'Buy soil',
      description: null,
      data: {},
      created_at: expect.stringMatching(TIME),
      updated_at: item.created_at,
    })
  })

  it('gives ids that go up', async () => {
    const ids = [await newItem(), await newItem(), await newItem()]
    expect(ids).toEqual(ids.toSorted())
  })

  it('keeps names and descriptions as they are given', async () => {
    for (const text of [
      ' blanks at the ends ',
      '𝄞 “Ünïcode” \\ / \t\n',
      '<b>&amp;</b>',
      '%_*"\'',
      '\u2028\u007f',
    ]) {
      const item = await read(await newItem({ name: text, description: text }))
      expect({ name: item.name, description: item.description }).toEqual({ name: text, description: text })
    }
  })

  it('takes null and absent descriptions, and an empty one', async () => {
    expect((await read(await newItem({ description: null }))).description).toBeNull()
    expect((await read(await newItem({ description: '' }))).description).toBe('')
  })

  it('takes names and descriptions as long as they may be', async () => {
    const [name, description] = ['𝄞'.repeat(1000), 'x'.repeat(1024 * 1024)]
    const item = await read(await newItem({ name, description }))
    expect(item.name).toBe(name)
    expect(item.description).toBe(description)
  })

  it('applies existing and new tags with their values', async () => {
    const tag = await newTag()
    const target = await newItem()
    const name = newName('New')
    const values = {
      urgent: false,
      title: 'Water',
      effort: 0.5,
      due: '2024-02-29',
      assignee: target,
      status: { variant: 'done' },
      finished_on: null,
      labels: ['work', 'home'],
    }
    const id = await newItem({
      tags: [
        { tag_ref: { New: { name, fields: { note: 'String' } } }, field_values: { note: '' } },
        { tag_ref: { Existing: tag.tag_id.toLowerCase() }, field_values: values },
      ],
    })
    const { data } = await read(id)
    const [created] = await client.ok('POST', '/api/tags/search', { filter: { name: { eq: name } } })
    expect(created).toMatchObject({ name, fields: { note: 'String' }, schema_version: 1 })
    expect(data).toEqual({
      [tag.tag_id]: { tag_name: tag.name, schema_version: 1, field_values: values },
      [created.tag_id]: { tag_name: name, schema_version: 1, field_values: { note: '' } },
    })
    expect(Object.keys(data[tag.tag_id].field_values)).toEqual(Object.keys(values))
  })

  it('takes a tag by its name, and no values', async () => {
    const tag = await newTag()
    const { data } = await read(
      await newItem({ tags: [{ tag_ref: { Existing: tag.name }, field_values: null }] }),
    )
    expect(data).toEqual({ [tag.tag_id]: { tag_name: tag.name, schema_version: 1, field_values: {} } })
  })

  it('records item_created, and tag_applied for each tag', async () => {
    const tag = await newTag()
    const id = await newItem({
      name: 'Recorded',
      description: '<p>x</p>',
      tags: [{ tag_ref: { Existing: tag.name }, field_values: { effort: 2 } }],
    })
    const events = await eventsOf(id)
    expect(events).toEqual([
      expect.objectContaining({
        event_type: 'tag_applied',
        entity_type: 'item',
        item_id: id,
        tag_id: tag.tag_id,
        details: { tag_name: tag.name, initial_values: { effort: 2 } },
      }),
      expect.objectContaining({
        event_type: 'item_created',
        entity_type: 'item',
        item_id: id,
        tag_id: null,
        source: 'rest',
        details: {
          name: 'Recorded',
          description: '<p>x</p>',
          tags: [
            {
              tag_id: tag.tag_id,
              tag_name: tag.name,
              schema_version: 1,
              initial_values: { effort: 2 },
            },
          ],
        },
      }),
    ])
    expect(events[0].user_id).toMatch(ULID)
  })

  const wrong: [words: string, body: object, errors: { path: string; message?: string }[]][] = [
    ['no name', {}, [{ path: 'name', message: 'is required' }]],
    ['a null name', { name: null }, [{ path: 'name' }]],
    ['an empty name', { name: '' }, [{ path: 'name' }]],
    ['a blank name', { name: ' \t\n' }, [{ path: 'name', message: 'must not be blank' }]],
    ['a long name', { name: 'x'.repeat(1001) }, [{ path: 'name' }]],
    ['a name that is no string', { name: 7 }, [{ path: 'name', message: 'expected a string' }]],
    [
      'a long description',
      { name: 'x', description: 'x'.repeat(1024 * 1024 + 1) },
      [{ path: 'description' }],
    ],
    [
      'an unknown property',
      { name: 'x', descripton: 'x' },
      [{ path: 'descripton', message: "unknown property; did you mean 'description'?" }],
    ],
    ['tags that are no array', { name: 'x', tags: {} }, [{ path: 'tags' }]],
    ['a tag without tag_ref', { name: 'x', tags: [{}] }, [{ path: 'tags[0].tag_ref' }]],
    [
      'a tag_ref of neither form',
      { name: 'x', tags: [{ tag_ref: { Neu: {} } }] },
      [
        {
          path: 'tags[0].tag_ref',
          message: "expected an object with 'Existing' or an object with 'New'",
        },
      ],
    ],
    [
      'a new tag with faults',
      { name: 'x', tags: [{ tag_ref: { New: { name: 'a->b', fields: { x: 'Sting' } } } }] },
      [{ path: 'tags[0].tag_ref.New.name' }, { path: 'tags[0].tag_ref.New.fields.x' }],
    ],
  ]
  for (const [words, body, errors] of wrong)
    it(`refuses ${words}`, async () => {
      const answer = await refused('POST', '/api/items', body)
      expect(answer.status).toBe(400)
      expect(answer.body.error).toBe('BadRequest')
      for (const error of errors)
        expect(answer.body.details.errors).toContainEqual(expect.objectContaining(error))
    })

  it('lists every fault of every tag at once and creates nothing, not even the new tag', async () => {
    const tag = await newTag()
    const { status, body } = await refused('POST', '/api/items', {
      name: 'x',
      tags: [
        {
          tag_ref: { New: { name: newName('Never'), fields: { a: 'String' } } },
          field_values: { a: 1, b: 2 },
        },
        {
          tag_ref: { Existing: tag.name },
          field_values: {
            title: 7,
            effort: 'much',
            urgent: 'yes',
            due: '2026-02-30',
            assignee: ABSENT,
            status: { variant: 'opn' },
            finished_on: '2026-01-01',
            labels: ['home', 'home'],
          },
        },
      ],
    })
    expect(status).toBe(400)
    expect(body.details.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      'tags[0].field_values.a',
      'tags[0].field_values.b',
      'tags[1].field_values.assignee',
      'tags[1].field_values.due',
      'tags[1].field_values.effort',
      'tags[1].field_values.finished_on',
      'tags[1].field_values.labels[1]',
      'tags[1].field_values.status.variant',
      'tags[1].field_values.title',
      'tags[1].field_values.urgent',
    ])
  })

  it('names what a new tag lacks, however much it is', async () => {
    for (const [New, ...paths] of [
      [{}, 'name', 'fields'],
      [{ fields: 5, description: 5 }, 'name', 'description', 'fields'],
    ] as const) {
      const { status, body } = await refused('POST', '/api/items', {
        name: 'x',
        tags: [{ tag_ref: { New } }],
      })
      const named = body.details.errors.map(({ path }: { path: string }) => path)
      expect({ status, named: named.toSorted() }).toEqual({
        status: 400,
        named: paths.map((path) => `tags[0].tag_ref.New.${path}`).toSorted(),
      })
    }
  })

  it('answers 404 for an unknown and for a deleted tag', async () => {
    const tag = await newTag()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    for (const Existing of [ABSENT, 'No such tag', tag.tag_id, tag.name]) {
      const { status, body } = await refused('POST', '/api/items', {
        name: 'x',
        tags: [{ tag_ref: { Existing } }],
      })
      expect(status).toBe(404)
      expect(body.error).toBe('NotFound')
      expect(body.details.errors).toEqual([
        { path: 'tags[0].tag_ref.Existing', message: `Tag '${Existing}' not found` },
      ])
    }
  })

  it('answers 409 for the same tag twice and for a new tag whose name is in use', async () => {
    const tag = await newTag()
    const twice = await refused('POST', '/api/items', {
      name: 'x',
      tags: [{ tag_ref: { Existing: tag.name } }, { tag_ref: { Existing: tag.tag_id } }],
    })
    expect([twice.status, twice.body.error]).toEqual([409, 'Conflict'])
    const New = { name: newName('Tag'), fields: {} }
    const newTwice = await refused('POST', '/api/items', {
      name: 'x',
      tags: [{ tag_ref: { New } }, { tag_ref: { Existing: New.name } }],
    })
    expect(newTwice.status).toBe(409)
    const taken = await refused('POST', '/api/items', {
      name: 'x',
      tags: [{ tag_ref: { New: { name: tag.name, fields: {} } } }],
    })
    expect(taken.status).toBe(409)
    expect(taken.body.details.tag_id).toBe(tag.tag_id)
  })

  it('names no id of a tag that is gone again because it is made twice', async () => {
    const New = { name: newName('Twice'), fields: {} }
    const item = { name: 'x', tags: [{ tag_ref: { New } }] }
    const createTag = { operation: 'createTag', input: New }
    const rename = { tag_id: (await newTag()).tag_id, name: New.name }
    for (const [path, body, at] of [
      ['/api/items', { ...item, tags: [...item.tags, ...item.tags] }, 'tags[1].tag_ref.New.name'],
      ['/api/items/bulk', { items: [item, item] }, 'items[1].tags[0].tag_ref.New.name'],
      ['/api/batch', { operations: [createTag, createTag] }, 'operations[1]'],
      ['/api/batch', { operations: [createTag, { operation: 'updateTag', input: rename }] }, 'operations[1]'],
      [
        '/api/batch',
        { operations: [createTag, { operation: 'createItem', input: item }] },
        'operations[1].input.tags[0].tag_ref.New.name',
      ],
    ] as const) {
      const answer = await refused('POST', path, body)
      expect([answer.status, answer.body.error]).toEqual([409, 'Conflict'])
      const message = `This request makes the tag '${New.name}' already`
      expect(answer.body.details).toEqual({ errors: [{ path: at, message }] })
      expect(answer.body.suggestion).toContain(`{"Existing": "${New.name}"}`)
    }
  })

  it('takes a reference to an item that lives, in any case, and to no other', async () => {
    const tag = await newTag()
    const [live, gone] = [await newItem(), await newItem()]
    await client.ok('DELETE', `/api/items/${gone}`)
    const tagsOf = (assignee: string) => [{ tag_ref: { Existing: tag.name }, field_values: { assignee } }]
    const { data } = await read(await newItem({ tags: tagsOf(live.toLowerCase()) }))
    expect(data[tag.tag_id].field_values).toEqual({ assignee: live })
    for (const assignee of [gone, ABSENT, 'not an id']) {
      const { status, body } = await refused('POST', '/api/items', { name: 'x', tags: tagsOf(assignee) })
      expect(status).toBe(400)
      expect(body.details.errors[0].path).toBe('tags[0].field_values.assignee')
    }
  })
})

describe('reading an item', () => {
  it('takes its id in any case', async () => {
    const id = await newItem()
    expect(await read(id.toLowerCase())).toEqual(await read(id))
  })
  for (const id of [ABSENT, 'nonsense', '%F0%9F%99%82', `${ABSENT}0`])
    it(`answers 404 for ${id}`, async () => {
      const { status, body } = await client.get(`/api/items/${id}`)
      expect([status, body.error, body.path]).toEqual([404, 'NotFound', `/api/items/${id}`])
    })

  it('tells anyone who looks for a search how to search', async () => {
    const { status, body } = await client.get('/api/items/search')
    expect([status, body.message]).toEqual([404, "Item 'search' not found"])
    expect(body.suggestion).toContain('POST /api/items/search')
    expect((await client.get(`/api/items/${ABSENT}`)).body.suggestion).toMatch(/^It never was, or has been/)
  })
})

describe('updating an item', () => {
  it('changes what is given and answers the item', async () => {
    const tag = await newTag()
    const id = await newItem({ description: 'old', tags: [{ tag_ref: { Existing: tag.name } }] })
    const before = await read(id)
    const answer = await client.ok('PUT', `/api/items/${id}`, { name: 'New name' })
    expect(answer).toEqual({ ...before, name: 'New name', updated_at: answer.updated_at })
    expect(answer.updated_at > before.updated_at).toBe(true)
    expect(await read(id)).toEqual(answer)
    expect((await client.ok('PUT', `/api/items/${id}`, { description: null })).description).toBeNull()
  })

  it('records what changed', async () => {
    const id = await newItem({ name: 'a', description: 'b' })
    await client.ok('PUT', `/api/items/${id}`, { name: 'A', description: null })
    const [event] = await eventsOf(id)
    expect(event).toMatchObject({
      event_type: 'item_updated',
      entity_type: 'item',
      item_id: id,
      tag_id: null,
      details: {
        fields_changed: ['name', 'description'],
        old_values: { name: 'a', description: 'b' },
        new_values: { name: 'A', description: null },
      },
    })
  })

  for (const [words, body] of [
    ['nothing', {}],
    ['the same name', { name: 'same' }],
    ['a null name, which is as none', { name: null }],
    ['the same description', { description: 'same' }],
  ] as const)
    it(`changes and records nothing for ${words}`, async () => {
      const id = await newItem({ name: 'same', description: 'same' })
      const before = await dumpTables(service)
      const answer = await client.ok('PUT', `/api/items/${id}`, body)
      expect(await dumpTables(service)).toEqual(before)
      expect(answer).toEqual(await read(id))
    })

  it('takes back what was read', async () => {
    const tag = await newTag()
    const id = await newItem({ tags: [{ tag_ref: { Existing: tag.name }, field_values: { effort: 1 } }] })
    const item = await read(id)
    const answer = await client.ok('PUT', `/api/items/${id}`, { ...item, name: 'changed' })
    expect(answer).toEqual({ ...item, name: 'changed', updated_at: answer.updated_at })
    for (const sent of [
      answer,
      await client.ok('GET', `/api/items/${id}?expand=true`),
      (
        await client.ok('POST', '/api/items/search', {
          filter: { and: [{ name: 'changed' }, { search: 'changed' }] },
          expand: true,
          snippets: true,
        })
      )[0],
    ])
      expect(await client.ok('PUT', `/api/items/${id.toLowerCase()}`, sent)).toEqual(answer)
  })

  for (const body of [{ name: '' }, { name: ' ' }, { nam: 'x' }, { description: 5 }, { tags_: [] }])
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const { status } = await refused('PUT', `/api/items/${await newItem()}`, body)
      expect(status).toBe(400)
    })

  it('answers 404 for an absent item', async () => {
    expect((await refused('PUT', `/api/items/${ABSENT}`, { name: 'x' })).status).toBe(404)
  })
})

describe('deleting and restoring an item', () => {
  it('answers the item, then it is absent everywhere', async () => {
    const tag = await newTag()
    const id = await newItem({ tags: [{ tag_ref: { Existing: tag.name }, field_values: { effort: 1 } }] })
    const item = await read(id)
    expect(await client.ok('DELETE', `/api/items/${id}`)).toEqual(item)
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/tags', { tag: { tag_ref: { Existing: tag.tag_id } } }],
      ['PUT', `/tags/${tag.tag_id}`, { field_values: {} }],
      ['DELETE', `/tags/${tag.tag_id}`],
    ] as const) {
      const { status, body: error } = await refused(method, `/api/items/${id}${path}`, body)
      expect([method, path, status, error.error]).toEqual([method, path, 404, 'NotFound'])
    }
    const found = await client.ok('POST', '/api/items/search', { filter: { has_tag: tag.name } })
    expect(found).toEqual([])
    expect((await countIndexRows(service)).valuesOfDeleted).toBe(0)
    expect((await eventsOf(id))[0]).toMatchObject({
      event_type: 'item_deleted',
      details: { name: item.name },
    })
  })

  it('restores it as it was, found again by text, tag and value', async () => {
    const tag = await newTag()
    const name = newName('Ünique NAME')
    const id = await newItem({
      name,
      tags: [
        {
          tag_ref: { Existing: tag.name },
          field_values: { effort: 1, labels: ['home'], status: { variant: 'open' }, due: null },
        },
      ],
    })
    const item = await read(id)
    const rows = await dumpTables(service)
    await client.ok('DELETE', `/api/items/${id}`)
    expect(await client.ok('POST', `/api/items/${id.toLowerCase()}/restore`)).toEqual(item)
    const after = await dumpTables(service)
    expect({ ...after, audit_event: [] }).toEqual({ ...rows, audit_event: [] })
    for (const filter of [
      { search: name.toLowerCase() },
      { has_tag: tag.name },
      { [`${tag.name}.effort`]: 1 },
      { [`${tag.name}.labels`]: { match: 'home' } },
    ]) {
      const found = await client.ok('POST', '/api/items/search', { filter })
      expect(found.map((each: { item_id: string }) => each.item_id)).toEqual([id])
    }
    expect((await typesOf(id)).slice(0, 2)).toEqual(['item_restored', 'item_deleted'])
  })

  it('comes back without a tag that was deleted meanwhile', async () => {
    const [kept, lost] = [await newTag(), await newTag()]
    const id = await newItem({
      tags: [{ tag_ref: { Existing: kept.name } }, { tag_ref: { Existing: lost.name } }],
    })
    await client.ok('DELETE', `/api/items/${id}`)
    await client.ok('DELETE', `/api/tags/${lost.tag_id}`)
    const item = await client.ok('POST', `/api/items/${id}/restore`)
    expect(Object.keys(item.data)).toEqual([kept.tag_id])
    expect(await typesOf(id)).toContain('tag_removed')
  })

  it('answers 404 for what is not deleted', async () => {
    for (const id of [ABSENT, 'nonsense', await newItem()]) {
      const { status, body } = await refused('POST', `/api/items/${id}/restore`)
      expect([status, body.error]).toEqual([404, 'NotFound'])
    }
  })

  it('lists deleted items in the list form, oldest first, in pages', async () => {
    const tag = await newTag()
    const ids: string[] = []
    for (let i = 0; i < 3; i++)
      ids.push(await newItem({ tags: [{ tag_ref: { Existing: tag.name }, field_values: { effort: i } }] }))
    for (const id of ids.toReversed()) await client.ok('DELETE', `/api/items/${id}`)
    const all = await client.ok('GET', '/api/items/deleted')
    const mine = all.filter((each: { item_id: string }) => ids.includes(each.item_id))
    expect(mine.map((each: { item_id: string }) => each.item_id)).toEqual(ids)
    expect(mine[2]).toEqual({
      item_id: ids[2],
      id: ids[2],
      name: expect.any(String),
      description: null,
      tags: { [tag.tag_id]: { tag_name: tag.name, schema_version: 1, field_values: { effort: 2 } } },
      created_at: expect.stringMatching(TIME),
      updated_at: expect.stringMatching(TIME),
      deleted_at: expect.stringMatching(TIME),
    })
    const paged: unknown[] = []
    let after: string | null = ''
    while (after !== null) {
      const { status, body, headers } = await client.get(
        `/api/items/deleted?limit=2${after && `&after=${encodeURIComponent(after)}`}`,
      )
      expect(status).toBe(200)
      paged.push(...body)
      after = headers.get('x-next-cursor')
    }
    expect(paged).toEqual(all)
    expect((await client.get('/api/items/deleted?after=nonsense')).status).toBe(400)
  })
})

describe('purging', () => {
  const purge = (body: object) => client.ok('POST', '/api/items/purge', body)
  const deleted = async () => {
    const id = await newItem()
    await client.ok('DELETE', `/api/items/${id}`)
    return id
  }

  it('removes the items of the ids for good, after a dry run that says so and changes nothing', async () => {
    const [id, other] = [await deleted(), await deleted()]
    const before = await dumpTables(service)
    const wanted = { purged_item_ids: [id], purged_tag_ids: [] }
    expect(await purge({ item_ids: [id.toLowerCase()], dry_run: true })).toEqual({ ...wanted, dry_run: true })
    expect(await dumpTables(service)).toEqual(before)
    expect(await purge({ item_ids: [id] })).toEqual({ ...wanted, dry_run: false })
    expect((await client.post(`/api/items/${id}/restore`)).status).toBe(404)
    expect((await client.post(`/api/items/${other}/restore`)).status).toBe(200)
    expect(await typesOf(id)).toEqual(['item_purged', 'item_deleted', 'item_created'])
  })

  it('removes tags too', async () => {
    const tag = await newTag()
    await client.ok('DELETE', `/api/tags/${tag.tag_id}`)
    expect(await purge({ tag_ids: [tag.tag_id] })).toEqual({
      purged_item_ids: [],
      purged_tag_ids: [tag.tag_id],
      dry_run: false,
    })
    expect((await client.post(`/api/tags/${tag.tag_id}/restore`)).status).toBe(404)
    const [event] = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag.tag_id] })
    expect(event).toMatchObject({ event_type: 'tag_purged', entity_type: 'tag', details: { name: tag.name } })
  })

  it('purges no tag by a name that several deleted ones have', async () => {
    const name = newName('twice')
    const tag_ids: string[] = []
    for (let i = 0; i < 2; i++) {
      const { tag_id } = await client.ok('POST', '/api/tags', { name, fields: {} })
      await client.ok('DELETE', `/api/tags/${tag_id}`)
      tag_ids.push(tag_id)
    }
    expect(await refused('POST', '/api/items/purge', { tag_ids: [name] })).toMatchObject({
      status: 409,
      body: { message: `2 deleted tags are called '${name}'`, details: { tag_ids } },
    })
    expect((await purge({ tag_ids: [tag_ids[0]] })).purged_tag_ids).toEqual([tag_ids[0]])
    expect((await purge({ tag_ids: [name] })).purged_tag_ids).toEqual([tag_ids[1]])
  })

  it('takes only what was deleted before a time', async () => {
    const id = await deleted()
    const { deleted_at } = (await client.ok('GET', '/api/items/deleted')).at(-1)
    expect((await purge({ older_than: deleted_at, item_ids: [id] })).purged_item_ids).toEqual([])
    const later = new Date(Date.parse(deleted_at) + 1).toISOString()
    expect((await purge({ older_than: later, dry_run: true })).purged_item_ids).toContain(id)
    expect((await purge({ older_than: '2000-01-01' })).purged_item_ids).toEqual([])
  })

  it('keeps references to a purged item, dangling', async () => {
    const tag = await newTag({ to: 'Reference' })
    const target = await newItem()
    const id = await newItem({ tags: [{ tag_ref: { Existing: tag.name }, field_values: { to: target } }] })
    await client.ok('DELETE', `/api/items/${target}`)
    await purge({ item_ids: [target] })
    expect((await read(id)).data[tag.tag_id].field_values).toEqual({ to: target })
    const search = async (filter: object) =>
      (await client.ok('POST', '/api/items/search', { filter })).map((each: { id: string }) => each.id)
    expect(await search({ [`${tag.name}.to`]: { exists: true } })).toEqual([id])
    expect(await search({ [`${tag.name}.to`]: { eq: target } })).toEqual([id])
    expect(await search({ [`${tag.name}.to->name`]: { exists: true } })).toEqual([])
    // An unchanged reference is accepted, also after its item came and went.
    await client.ok('PUT', `/api/items/${id}/tags/${tag.tag_id}`, { field_values: { to: target } })
    await client.ok('DELETE', `/api/items/${id}`)
    await client.ok('POST', `/api/items/${id}/restore`)
    expect(await search({ [`${tag.name}.to`]: { eq: target } })).toEqual([id])
  })

  for (const [words, body, status] of [
    ['an item that is absent', { item_ids: [ABSENT] }, 404],
    ['a tag that is absent', { tag_ids: ['x'] }, 404],
    ['no time', { older_than: 'yesterday' }, 400],
    ['a mistyped dry_run', { dryrun: true }, 400],
  ] as const)
    it(`refuses ${words}`, async () => {
      expect((await refused('POST', '/api/items/purge', body)).status).toBe(status)
    })

  it('refuses an item that lives, and then purges none', async () => {
    const [live, gone] = [await newItem(), await deleted()]
    const { status, body } = await refused('POST', '/api/items/purge', { item_ids: [gone, live] })
    expect(status).toBe(404)
    expect(body.details.errors).toEqual([
      { path: 'item_ids[1]', message: `no deleted item has the id '${live}'` },
    ])
  })

  it('purges nothing for empty lists, and all without', async () => {
    await deleted()
    expect(await purge({ item_ids: [] })).toEqual({ purged_item_ids: [], purged_tag_ids: [], dry_run: false })
    const listed = (await client.ok('GET', '/api/items/deleted')).map((each: { id: string }) => each.id)
    const tags = (await client.ok('GET', '/api/tags/deleted')).map((each: { id: string }) => each.id)
    expect(await purge({})).toEqual({ purged_item_ids: listed, purged_tag_ids: tags, dry_run: false })
    expect(await client.ok('GET', '/api/items/deleted')).toEqual([])
    expect(await client.ok('GET', '/api/tags/deleted')).toEqual([])
  })
})

describe('outdated items', () => {
  it('are those stored at an older version, tag by tag', async () => {
    const tag = await newTag({ a: 'Number' })
    const other = await newTag({ a: 'Number' })
    const tags = [
      { tag_ref: { Existing: tag.name }, field_values: { a: 1 } },
      { tag_ref: { Existing: other.name } },
    ]
    const [first, second, deleted] = [
      await newItem({ tags }),
      await newItem({ tags }),
      await newItem({ tags }),
    ]
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { a: 'Number', b: 'String' } })
    await client.ok('PUT', `/api/items/${first}/tags/${tag.tag_id}`, { field_values: {}, merge: true })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { a: 'Number' } })
    await client.ok('DELETE', `/api/items/${deleted}`)
    const entry = async (id: string, schema_version: number) => ({
      item_id: id,
      name: (await read(id)).name,
      tag_id: tag.tag_id,
      tag_name: tag.name,
      schema_version,
      current_version: 3,
    })
    const expected = [await entry(second, 1), await entry(first, 2)]
    for (const id of [tag.tag_id, encodeURIComponent(tag.name)])
      expect(await client.ok('GET', `/api/items/outdated?tag_id=${id}`)).toEqual(expected)
    expect(await client.ok('GET', `/api/items/outdated?tag_id=${other.tag_id}`)).toEqual([])
    expect(await client.ok('GET', '/api/items/outdated')).toEqual(expect.arrayContaining(expected))
    const page = await client.get(`/api/items/outdated?tag_id=${tag.tag_id}&limit=1`)
    expect(page.body).toEqual(expected.slice(0, 1))
    const cursor = encodeURIComponent(page.headers.get('x-next-cursor')!)
    const next = await client.ok('GET', `/api/items/outdated?tag_id=${tag.tag_id}&limit=1&after=${cursor}`)
    expect(next).toEqual(expected.slice(1))
  })

  it('of a tag that is absent are a 404', async () => {
    expect((await client.get(`/api/items/outdated?tag_id=${ABSENT}`)).status).toBe(404)
  })
})
