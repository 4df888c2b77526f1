import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { ABSENT, newName, TIME, ULID } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const taskFields = {
  zeta: 'String',
  due: 'Date',
  status: {
    type: 'Select',
    variants: ['open', { name: 'done', fields: { finished_on: 'Date' } }],
  },
  labels: { variants: ['home', 'work'], type: 'MultiSelect' },
  alpha: 'Number',
}

describe('tags', () => {
  let service: Service
  let client: Client
  const create = (body: object = {}) =>
    client.ok('POST', '/api/tags', { name: newName('Tag'), fields: { a: 'String' }, ...body })
  const eventsOf = (tag_id: string) => client.ok('POST', '/api/audit-log/search', { tag_ids: [tag_id] })

  beforeAll(async () => {
    service = await startService()
    client = await service.user()
  })
  afterAll(() => service.close())

  describe('a session', () => {
    for (const [method, path] of [
      ['POST', '/api/tags'],
      ['GET', `/api/tags/${ABSENT}`],
      ['PUT', `/api/tags/${ABSENT}`],
      ['DELETE', `/api/tags/${ABSENT}`],
      ['POST', `/api/tags/${ABSENT}/restore`],
      ['GET', '/api/tags/deleted'],
    ] as const)
      it(`is needed for ${method} ${path}`, async () => {
        const { status, body } = await service.client().send(method, path)
        expect({ status, error: body.error, path: body.path }).toEqual({
          status: 401,
          error: 'Unauthorized',
          path,
        })
      })
  })

  describe('creating', () => {
    it('answers the tag with an id and version 1', async () => {
      const name = newName('Tag')
      const tag = await client.ok('POST', '/api/tags', {
        name,
        description: '<p>To do</p>',
        fields: taskFields,
      })
      expect(tag).toEqual({
        tag_id: expect.stringMatching(ULID),
        id: tag.tag_id,
        name,
        description: '<p>To do</p>',
        fields: taskFields,
        schema_version: 1,
        extends: [],
        created_at: expect.stringMatching(TIME),
        updated_at: tag.created_at,
      })
      expect(JSON.stringify(tag.fields)).toBe(JSON.stringify(taskFields)) // key order too
      expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(tag)
    })

    it('takes no description, or null for none, and a tag without fields', async () => {
      expect(await create({ fields: {} })).toMatchObject({ description: null, fields: {} })
      expect(await create({ description: null })).toMatchObject({ description: null })
    })

    it('records the event', async () => {
      const tag = await create({ description: 'd' })
      expect(await eventsOf(tag.tag_id)).toMatchObject([
        {
          event_type: 'tag_created',
          entity_type: 'tag',
          item_id: null,
          tag_id: tag.tag_id,
          details: { name: tag.name, description: 'd', fields: { a: 'String' } },
          source: 'rest',
        },
      ])
    })

    const refused: [what: string, body: unknown, ...errors: { path: string; message: unknown }[]][] = [
      ['nothing', {}, { path: 'name', message: 'is required' }, { path: 'fields', message: 'is required' }],
      ['no fields', { name: 'X' }, { path: 'fields', message: 'is required' }],
      ['fields: null', { name: 'X', fields: null }, { path: 'fields', message: 'expected an object' }],
      ['fields as an array', { name: 'X', fields: [] }, { path: 'fields', message: 'expected an object' }],
      ['a number as name', { name: 5, fields: {} }, { path: 'name', message: 'expected a string' }],
      ['an empty name', { name: '', fields: {} }, { path: 'name', message: 'must not be empty' }],
      [
        'a blank name',
        { name: '  ', fields: {} },
        { path: 'name', message: 'must not begin or end with a blank' },
      ],
      [
        '-> in the name',
        { name: 'a->b', fields: {} },
        { path: 'name', message: expect.stringContaining(`'->'`) },
      ],
      [
        'an unknown property',
        { name: 'X', fields: {}, extend: [] },
        { path: 'extend', message: `unknown property; did you mean 'extends'?` },
      ],
      [
        'faults in name, fields and extends at once',
        { name: ' X', fields: { a: 'string', 'b.c': 'Date' }, extends: ['Nowhere'] },
        { path: 'name', message: 'must not begin or end with a blank' },
        { path: 'fields.a', message: `unknown type 'string'; did you mean 'String'?` },
        { path: 'fields.b.c', message: `a field name must not contain '.'` },
        { path: 'extends[0]', message: expect.stringContaining(`Tag 'Nowhere' not found`) },
      ],
    ]
    for (const [what, body, ...errors] of refused)
      it(`refuses ${what}`, async () => {
        const answer = await client.post('/api/tags', body)
        expect(answer.status).toBe(400)
        expect(answer.body).toMatchObject({ error: 'BadRequest', path: '/api/tags', details: { errors } })
      })

    it('refuses a name in use with 409 that names its holder', async () => {
      const { tag_id, name } = await create()
      const { status, body } = await client.post('/api/tags', { name, fields: {} })
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: 'Conflict', message: `A tag named '${name}' exists already` })
      expect(body.suggestion).toContain(tag_id)
    })

    it('is restored once no other has its name, as the 409 says', async () => {
      const { tag_id, name } = await create()
      await client.ok('DELETE', `/api/tags/${tag_id}`)
      const other = await create({ name })
      const restored = () => client.post(`/api/tags/${tag_id}/restore`)
      expect(await restored()).toMatchObject({
        status: 409,
        body: {
          message: `A tag named '${name}' exists already`,
          suggestion: `Rename or delete that tag (${other.tag_id}) first`,
          details: { tag_id: other.tag_id },
        },
      })
      await client.ok('PUT', `/api/tags/${other.tag_id}`, { name: newName('Tag') })
      expect(await restored()).toMatchObject({ status: 200, body: { tag_id, name } })
    })

    it('takes names that differ in case only', async () => {
      const { name } = await create()
      expect((await create({ name: name.toUpperCase() })).name).toBe(name.toUpperCase())
    })

    it('lets one of many at once have a name', async () => {
      const name = newName('Tag')
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => client.post('/api/tags', { name, fields: {} })),
      )
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array(7).fill(409)])
    })

    for (const name of [
      'constructor',
      '__proto__',
      'toString',
      'a.b',
      '.',
      `"quotes' \`and\` \\slashes\\`,
      '100%_*?',
      '🍎👩‍👩‍👧',
      'Ωμέγα שלום',
      '[object Object]',
      'null',
      '01JJXZ5T7GQ3M8K4B9R2C6D0EG',
    ])
      it(`keeps the name ${name} as given`, async () => {
        const tag = await create({
          name,
          fields: { [name.replaceAll('.', '').replace('__proto__', '') || 'x']: 'String' },
        })
        expect((await client.ok('GET', `/api/tags/${tag.tag_id}`)).name).toBe(name)
        expect((await client.post('/api/tags', { name, fields: {} })).status).toBe(409)
      })
  })

  describe('reading', () => {
    it('takes the id in any case', async () => {
      const tag = await create()
      expect(await client.ok('GET', `/api/tags/${tag.tag_id.toLowerCase()}`)).toEqual(tag)
    })

    for (const id of [
      ABSENT,
      'x',
      ABSENT.slice(1),
      `${ABSENT}0`,
      '%F0%9F%8D%8E',
      '__proto__',
      "'%20or%201=1--",
      'u'.repeat(1500),
    ])
      it(`answers 404 for ${id.slice(0, 30)}`, async () => {
        const { status, body } = await client.get(`/api/tags/${id}`)
        expect(status).toBe(404)
        expect(body).toMatchObject({
          error: 'NotFound',
          message: `Tag '${decodeURIComponent(id)}' not found`,
        })
      })

    it('says the id of a tag that is asked for by its name', async () => {
      const tag = await create({ name: 'Expedition' })
      const asked = await client.get('/api/tags/Expedition')
      expect(asked).toMatchObject({ status: 404, body: { suggestion: `Use the tag's id: ${tag.tag_id}` } })
      const mistyped = await client.get('/api/tags/Expeditoin')
      expect(mistyped.body.suggestion).toBe(`Did you mean 'Expedition', ${tag.tag_id}?`)
    })
  })

  describe('changing', () => {
    it('changes only what is given', async () => {
      const tag = await create({ description: 'd' })
      const path = `/api/tags/${tag.tag_id}`
      const name = newName('Tag')
      const renamed = await client.ok('PUT', path, { name })
      expect(renamed).toEqual({ ...tag, name, updated_at: renamed.updated_at })
      expect(renamed.updated_at >= tag.updated_at).toBe(true)
      expect(await client.ok('PUT', path, { description: 'e' })).toMatchObject({
        name,
        description: 'e',
        schema_version: 1,
      })
      expect(await client.ok('PUT', path, { description: null })).toMatchObject({ description: null })
      expect(await client.ok('PUT', path, { fields: { b: 'Date' } })).toMatchObject({
        name,
        fields: { b: 'Date' },
        schema_version: 2,
      })
      expect(await client.ok('GET', path)).toMatchObject({
        name,
        description: null,
        fields: { b: 'Date' },
        schema_version: 2,
      })
    })

    it('lets the old name be taken and found no more', async () => {
      const tag = await create()
      await client.ok('PUT', `/api/tags/${tag.tag_id}`, { name: newName('Tag') })
      expect((await create({ name: tag.name })).tag_id).not.toBe(tag.tag_id)
    })

    const versions: [what: string, before: object, after: object, version: number][] = [
      ['the same fields', taskFields, taskFields, 1],
      [
        'another order of keys',
        { a: 'String', b: taskFields.status },
        { b: { variants: taskFields.status.variants, type: 'Select' }, a: 'String' },
        1,
      ],
      [
        'another order of variants',
        { a: { type: 'Select', variants: ['x', 'y'] } },
        { a: { type: 'Select', variants: ['y', 'x'] } },
        2,
      ],
      [
        'another order of variants of a MultiSelect',
        { a: { type: 'MultiSelect', variants: ['x', 'y'] } },
        { a: { type: 'MultiSelect', variants: ['y', 'x'] } },
        2,
      ],
      ['a field more', { a: 'String' }, { a: 'String', b: 'String' }, 2],
      ['a field less', { a: 'String', b: 'String' }, { a: 'String' }, 2],
      ['another type', { a: 'String' }, { a: 'Number' }, 2],
      ['no fields', { a: 'String' }, {}, 2],
      ['a description', { a: 'Number' }, { a: { type: 'Number', description: 'hours' } }, 1],
      [
        'another description of a Select',
        { a: { type: 'Select', variants: ['x'], description: 'a' } },
        { a: { type: 'Select', variants: ['x'], description: 'b' } },
        1,
      ],
      ['another type with a description', { a: 'Number' }, { a: { type: 'String', description: 'x' } }, 2],
      ['tags that a reference means', { a: 'Reference' }, { a: { type: 'Reference', of: [] } }, 1],
      ['a MultiReference in place of a Reference', { a: 'Reference' }, { a: 'MultiReference' }, 2],
    ]
    for (const [what, before, after, version] of versions)
      it(`gives version ${version} for ${what}`, async () => {
        const tag = await create({ fields: before })
        const updated = await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: after })
        expect(updated.schema_version).toBe(version)
        expect(JSON.stringify(updated.fields)).toBe(JSON.stringify(after))
      })

    it('counts every change of fields', async () => {
      const tag = await create()
      for (let version = 2; version <= 6; version++)
        expect(
          await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { [`f${version}`]: 'String' } }),
        ).toMatchObject({ schema_version: version })
    })

    it('takes back what was read, and then changes and records nothing', async () => {
      const tag = await create({ description: 'd', fields: taskFields })
      expect(await client.ok('PUT', `/api/tags/${tag.tag_id}`, tag)).toEqual(tag)
      expect(await client.ok('PUT', `/api/tags/${tag.tag_id}`, {})).toEqual(tag)
      expect(await eventsOf(tag.tag_id)).toHaveLength(1)
    })

    it('goes by the id in the path, whatever id the body has', async () => {
      const [tag, other] = [await create(), await create()]
      const name = newName('Tag')
      await client.ok('PUT', `/api/tags/${tag.tag_id}`, { ...other, name })
      expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toMatchObject({ name })
      expect(await client.ok('GET', `/api/tags/${other.tag_id}`)).toEqual(other)
    })

    it('records what changed, before and after', async () => {
      const tag = await create({ description: 'd' })
      const base = await create()
      const name = newName('Tag')
      await client.ok('PUT', `/api/tags/${tag.tag_id}`, {
        name,
        description: 'd',
        fields: { a: 'Number' },
        extends: [base.name],
      })
      expect((await eventsOf(tag.tag_id))[0]).toMatchObject({
        event_type: 'tag_updated',
        entity_type: 'tag',
        item_id: null,
        details: {
          fields_changed: ['name', 'fields', 'extends'],
          old_values: { name: tag.name, fields: { a: 'String' }, extends: [] },
          new_values: { name, fields: { a: 'Number' }, extends: [base.tag_id] },
        },
      })
    })

    it('refuses the name of another tag with 409 and keeps the rest as it was', async () => {
      const [tag, other] = [await create(), await create()]
      const { status } = await client.put(`/api/tags/${tag.tag_id}`, { name: other.name, description: 'new' })
      expect(status).toBe(409)
      expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(tag)
    })

    it('lists every fault at once', async () => {
      const tag = await create()
      const { status, body } = await client.put(`/api/tags/${tag.tag_id}`, {
        name: ' x',
        fields: { a: 'Strnig' },
        extends: ['Nowhere', tag.name],
      })
      expect(status).toBe(400)
      expect(body.details.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
        'extends',
        'extends[0]',
        'fields.a',
        'name',
      ])
      expect(await client.ok('GET', `/api/tags/${tag.tag_id}`)).toEqual(tag)
    })

    it('answers 404 where there is no tag, whatever the body', async () => {
      expect((await client.put(`/api/tags/${ABSENT}`, { name: 'a' })).status).toBe(404)
      expect((await client.put(`/api/tags/nothing`, {})).status).toBe(404)
    })

    it('refuses unknown properties', async () => {
      const tag = await create()
      const { status, body } = await client.put(`/api/tags/${tag.tag_id}`, { feilds: {} })
      expect(status).toBe(400)
      expect(body.details.errors).toEqual([
        { path: 'feilds', message: `unknown property; did you mean 'fields'?` },
      ])
    })
  })
})
