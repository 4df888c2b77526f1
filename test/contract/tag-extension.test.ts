import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

describe('tags that extend tags', () => {
  let service: Service
  let client: Client
  /** Ids by name. */
  const ids = new Map<string, string>()
  const items = new Map<string, string>()

  const create = async (name: string, ...extended: string[]) => {
    const tag = await client.ok('POST', '/api/tags', { name, fields: { note: 'String' }, extends: extended })
    ids.set(name, tag.tag_id)
    return tag
  }
  const put = (name: string, body: object) => client.put(`/api/tags/${ids.get(name)}`, body)
  const haveTag = async (tag: string) => {
    const found = await client.ok('POST', '/api/items/search', { filter: { has_tag: tag } })
    return found.map(({ name }: { name: string }) => name).sort()
  }

  beforeAll(async () => {
    service = await startService()
    client = await service.user()
    //   Thing ← Document ← Report ← Audit report
    //   Thing ← Event    ← Meeting;   Minutes extends Document and Meeting
    await create('Thing')
    await create('Document', 'Thing')
    await create('Event', ids.get('Thing')!.toLowerCase())
    await create('Report', 'Document')
    await create('Audit report', 'Report')
    await create('Meeting', 'Event')
    await create('Minutes', 'Document', ids.get('Meeting')!)
    for (const name of ids.keys()) {
      const { item_id } = await client.ok('POST', '/api/items', {
        name: `a ${name}`,
        tags: [{ tag_ref: { Existing: name }, field_values: { note: name } }],
      })
      items.set(name, item_id)
    }
  })
  afterAll(() => service.close())

  it('answers what a tag extends as ids, in the order given', async () => {
    const minutes = await client.ok('GET', `/api/tags/${ids.get('Minutes')}`)
    expect(minutes.extends).toEqual([ids.get('Document'), ids.get('Meeting')])
  })

  const below: [tag: string, ...found: string[]][] = [
    ['Thing', 'Audit report', 'Document', 'Event', 'Meeting', 'Minutes', 'Report', 'Thing'],
    ['Document', 'Audit report', 'Document', 'Minutes', 'Report'],
    ['Event', 'Event', 'Meeting', 'Minutes'],
    ['Report', 'Audit report', 'Report'],
    ['Meeting', 'Meeting', 'Minutes'],
    ['Minutes', 'Minutes'],
    ['Audit report', 'Audit report'],
  ]
  for (const [tag, ...found] of below)
    it(`finds ${found.length} items with ${tag} or what extends it`, async () => {
      const expected = found.map((name) => `a ${name}`)
      expect(await haveTag(tag)).toEqual(expected)
      expect(await haveTag(ids.get(tag)!)).toEqual(expected)
    })

  it('inherits nothing else: a field is read from its own tag', async () => {
    const search = (filter: object) => client.ok('POST', '/api/items/search', { filter })
    expect(await search({ 'Document.note': 'Report' })).toEqual([])
    expect(await search({ 'Report.note': 'Report' })).toHaveLength(1)
    expect(
      (await search({ 'Document.note': { exists: true } })).map(({ name }: { name: string }) => name),
    ).toEqual(['a Document'])
  })

  it('says whose the field is where one is taken for inherited, at any level', async () => {
    const base = await client.ok('POST', '/api/tags', {
      name: 'Person',
      fields: { email: 'String', boss: 'Reference' },
    })
    const middle = await client.ok('POST', '/api/tags', {
      name: 'Colleague',
      fields: {},
      extends: [base.tag_id],
    })
    const tag = await client.ok('POST', '/api/tags', {
      name: 'Employee',
      fields: { salary: 'Number' },
      extends: [middle.tag_id],
    })
    const tagged = { tag_ref: { Existing: 'Employee' }, field_values: { email: 'a@example.org' } }
    const whose =
      "unknown field; 'Person.email' is of a tag that this one extends: give the item that tag too"
    const refused = (path: string, message: string) => ({
      status: 400,
      body: { details: { errors: [expect.objectContaining({ path, message })] } },
    })
    const item = await client.ok('POST', '/api/items', {
      name: 'x',
      tags: [{ tag_ref: { Existing: 'Employee' } }],
    })
    const bulk = { filter: { has_tag: 'Employee' }, field_values: tagged.field_values }
    for (const [path, answer] of [
      ['tags[0].field_values.email', await client.post('/api/items', { name: 'a', tags: [tagged] })],
      [
        'items[0].tags[0].field_values.email',
        await client.post('/api/items/bulk', { items: [{ name: 'a', tags: [tagged] }] }),
      ],
      [
        'field_values.email',
        await client.put(`/api/items/${item.item_id}/tags/${tag.tag_id}`, {
          field_values: tagged.field_values,
        }),
      ],
      [
        'field_values.email',
        await client.post('/api/items/bulk-update-fields', { ...bulk, tag_id: 'Employee' }),
      ],
      [
        'tag.field_values.email',
        await client.post('/api/items/bulk-apply-tag', { filter: { name: 'x' }, tag: tagged }),
      ],
    ] as const)
      expect(answer, path).toMatchObject(refused(path, whose))

    const lacking = "Tag 'Employee' has no field 'email'"
    const { warnings } = await client.ok('POST', '/api/filters/validate', {
      filter: { 'Employee.email': 'x' },
    })
    expect(warnings).toEqual([`${lacking}, so it is null on every item; did you mean 'Person.email'?`])
    expect(
      await client.post('/api/filters/validate', { filter: { 'Employee.boss->name': 'x' } }),
    ).toMatchObject({ body: { errors: [{ suggestion: "Did you mean 'Person.boss'?" }] } })
    const meant = `${lacking}; did you mean 'Person.email'?`
    expect(await client.post('/api/items/search', { sort: [{ by: 'Employee.email' }] })).toMatchObject(
      refused('sort[0].by', meant),
    )
    expect(await client.post('/api/items/aggregate', { group_by: ['Employee.email'] })).toMatchObject(
      refused('group_by[0]', meant),
    )

    const { key } = await client.ok('POST', '/api/keys', {
      name: 'part',
      scope: 'write',
      limit: { tag_ids: ['Employee'] },
    })
    expect(
      await service
        .client()
        .post('/api/items', { name: 'a', tags: [tagged] }, { authorization: `Bearer ${key}` }),
    ).toMatchObject(refused('tags[0].field_values.email', 'unknown field; expected one of: salary'))
  })

  it('refuses circles of any length and changes nothing', async () => {
    for (const [tag, extended] of [
      ['Thing', 'Thing'],
      ['Thing', 'Document'],
      ['Thing', 'Minutes'],
      ['Event', 'Minutes'],
      ['Document', 'Audit report'],
    ] as const) {
      const { status, body } = await put(tag, { extends: [extended] })
      expect(status).toBe(400)
      expect(body.details.errors).toEqual([
        { path: 'extends', message: expect.stringContaining(`${tag} → `) },
      ])
    }
    expect((await client.ok('GET', `/api/tags/${ids.get('Thing')}`)).extends).toEqual([])
  })

  it('refuses what is no list of known tags', async () => {
    for (const [extended, path] of [
      ['Thing', 'extends'],
      [[5], 'extends[0]'],
      [['Thing', 'Nothing'], 'extends[1]'],
      [['Thing', ids.get('Thing')], 'extends[1]'],
    ] as const) {
      const { status, body } = await put('Minutes', { extends: extended })
      expect(status).toBe(400)
      expect(body.details.errors[0].path).toBe(path)
    }
  })

  it('changes, records the change, and does not move the version', async () => {
    const answer = await put('Minutes', { extends: ['Meeting'] })
    expect(answer.body).toMatchObject({ extends: [ids.get('Meeting')], schema_version: 1 })
    expect(await haveTag('Document')).not.toContain('a Minutes')
    const [event] = await client.ok('POST', '/api/audit-log', { tag_ids: [ids.get('Minutes')] })
    expect(event).toMatchObject({
      event_type: 'tag_updated',
      details: {
        fields_changed: ['extends'],
        old_values: { extends: [ids.get('Document'), ids.get('Meeting')] },
        new_values: { extends: [ids.get('Meeting')] },
      },
    })
    await put('Minutes', { extends: ['Document', 'Meeting'] })
    expect(await haveTag('Document')).toContain('a Minutes')
  })

  it('loses a deleted tag and what only it connected, until it is restored', async () => {
    const report = await client.ok('GET', `/api/tags/${ids.get('Audit report')}`)
    await client.ok('DELETE', `/api/tags/${ids.get('Report')}`)
    expect(await haveTag('Document')).toEqual(['a Document', 'a Minutes'])
    const separated = await client.ok('GET', `/api/tags/${ids.get('Audit report')}`)
    expect(separated).toEqual({ ...report, extends: [] })
    // Sending back what was read does not forget the hidden base.
    expect((await put('Audit report', separated)).body).toEqual(separated)
    const described = await put('Audit report', { ...separated, description: 'Numbers' })
    expect(described.body).toMatchObject({ description: 'Numbers', extends: [] })
    await put('Audit report', { ...described.body, description: null })
    await client.ok('POST', `/api/tags/${ids.get('Report')}/restore`)
    const joined = await client.ok('GET', `/api/tags/${ids.get('Audit report')}`)
    expect(joined).toEqual({ ...report, updated_at: joined.updated_at })
    expect(await haveTag('Document')).toEqual(['a Audit report', 'a Document', 'a Minutes'])
  })

  it('does not restore a tag that would close a circle now', async () => {
    await client.ok('DELETE', `/api/tags/${ids.get('Meeting')}`)
    expect((await put('Event', { extends: ['Minutes'] })).status).toBe(200)
    const refused = await client.post(`/api/tags/${ids.get('Meeting')}/restore`)
    expect(refused).toMatchObject({ status: 409, body: { error: 'Conflict' } })
    expect(refused.body.message).toContain('Meeting → Event → Minutes → Meeting')
    expect((await client.get(`/api/tags/${ids.get('Meeting')}`)).status).toBe(404)
    await put('Event', { extends: ['Thing'] })
    await client.ok('POST', `/api/tags/${ids.get('Meeting')}/restore`)
  })
})
