import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

const PLAIN = {
  mail: 'String',
  price: 'Number',
  share: { type: 'Number' },
  due: 'Date',
  status: { type: 'Select', variants: ['open', 'done', { name: 'off', fields: { why: 'String' } }] },
  labels: { type: 'MultiSelect', variants: ['a', 'b'] },
}
const HINTED = {
  mail: { type: 'String', format: 'email' },
  price: { type: 'Number', unit: '€', unit_at: 'before', decimals: 2 },
  share: { type: 'Number', format: 'percent' },
  due: { type: 'Date', relative: true },
  status: {
    type: 'Select',
    variants: [
      'open',
      { name: 'done', closed: true, hue: 120 },
      { name: 'off', closed: true, fields: { why: { type: 'String', format: 'long' } } },
    ],
  },
  labels: { type: 'MultiSelect', variants: [{ name: 'a', hue: 0 }, 'b'] },
}
const VALUES = {
  mail: 'no address',
  price: 1.2345,
  share: 7,
  due: '2026-01-31',
  status: { variant: 'off' },
  why: 'x\ny',
  labels: ['a', 'b'],
}

describe('hints of how things look', () => {
  let service: Service
  let client: Client
  beforeAll(async () => {
    service = await startService()
    client = await service.user()
  })
  afterAll(() => service.close())
  let names = 0
  const makeTag = (fields: object) => client.ok('POST', '/api/tags', { name: `Hinted ${++names}`, fields })

  it('raise no version, are stored as given, and refuse no value', async () => {
    const { tag_id } = await makeTag(PLAIN)
    const path = `/api/tags/${tag_id}`
    const item = await client.ok('POST', '/api/items', {
      name: 'x',
      tags: [{ tag_ref: { Existing: tag_id }, field_values: VALUES }],
    })
    expect(await client.ok('PUT', path, { fields: HINTED })).toMatchObject({
      schema_version: 1,
      fields: HINTED,
    })
    const stored = await client.exchange('GET', path)
    expect(stored.text).toContain(JSON.stringify(HINTED).slice(1, -1))
    const values = `/api/items/${item.item_id}/tags/${tag_id}`
    await client.ok('PUT', values, { field_values: VALUES })
    const found = await client.ok('POST', '/api/items/search', {
      filter: { [`Hinted ${names}.labels`]: { match: 'a' } },
    })
    expect(found).toHaveLength(1)
    expect(await client.ok('PUT', path, { fields: PLAIN })).toMatchObject({ schema_version: 1 })
    const shorter = { ...PLAIN, labels: { type: 'MultiSelect', variants: [{ name: 'a', hue: 0 }] } }
    expect(await client.ok('PUT', path, { fields: shorter })).toMatchObject({ schema_version: 2 })
  })

  it('follow renames of fields and variants', async () => {
    const { tag_id } = await makeTag(HINTED)
    const renamed = await client.ok('PUT', `/api/tags/${tag_id}`, {
      rename_fields: { mail: 'address' },
      rename_variants: { labels: { a: 'first' }, status: { done: 'finished' } },
    })
    expect(renamed.fields.address).toEqual(HINTED.mail)
    expect(renamed.fields.labels.variants).toEqual([{ name: 'first', hue: 0 }, 'b'])
    expect(renamed.fields.status.variants[1]).toEqual({ name: 'finished', closed: true, hue: 120 })
  })

  const bad: [schema: unknown, path: string][] = [
    [{ type: 'String', format: 'colour' }, 'fields.f.format'],
    [{ type: 'String', unit: 'm' }, 'fields.f.unit'],
    [{ type: 'Number', format: 'email' }, 'fields.f.format'],
    [{ type: 'Number', unit: 'x'.repeat(21) }, 'fields.f.unit'],
    [{ type: 'Number', unit_at: 'above' }, 'fields.f.unit_at'],
    [{ type: 'Number', decimals: 10 }, 'fields.f.decimals'],
    [{ type: 'Number', decimals: 1.5 }, 'fields.f.decimals'],
    [{ type: 'Date', relative: 1 }, 'fields.f.relative'],
    [{ type: 'Boolean', relative: true }, 'fields.f.relative'],
    [{ type: 'Select', variants: [{ name: 'x', hue: 360 }] }, 'fields.f.variants[0].hue'],
    [{ type: 'Select', variants: ['y', { name: 'x', closed: 'yes' }] }, 'fields.f.variants[1].closed'],
    [{ type: 'MultiSelect', variants: [{ name: 'x', hue: '1' }] }, 'fields.f.variants[0].hue'],
  ]
  for (const [schema, path] of bad)
    it(`${JSON.stringify(schema).slice(0, 70)} is refused, with its place`, async () => {
      expect(await client.post('/api/tags', { name: `Bad ${++names}`, fields: { f: schema } })).toMatchObject(
        {
          status: 400,
          body: { details: { errors: [{ path }] } },
        },
      )
    })

  it('says of a blank unit that it is blank', async () => {
    for (const unit of ['', ' '])
      expect(
        (await client.post('/api/tags', { name: 'Bad', fields: { f: { type: 'Number', unit } } })).body
          .message,
      ).toBe('fields.f.unit: expected a text of 1 to 20 characters, not blank')
  })

  describe('a look of a tag', () => {
    const look = { hue: 210, sign: 'book' }

    it('is given back as it was given, raises no version, and null takes it away', async () => {
      const made = await client.ok('POST', '/api/tags', { name: `Looked ${++names}`, fields: PLAIN, look })
      expect(made.look).toEqual(look)
      const path = `/api/tags/${made.tag_id}`
      expect((await client.exchange('GET', path)).text).toContain('"look":{"hue":210,"sign":"book"}')
      const found = await client.ok('POST', '/api/tags/search', { filter: { name: { eq: made.name } } })
      expect(found[0].look).toEqual(look)
      expect(await client.ok('PUT', path, { look: { sign: 'bug' } })).toMatchObject({
        schema_version: 1,
        look: { sign: 'bug' },
      })
      expect(await client.ok('PUT', path, { description: 'x' })).toMatchObject({ look: { sign: 'bug' } })
      expect(await client.ok('PUT', path, { look: null })).not.toHaveProperty('look')
    })

    it('is absent where none was given', async () => {
      const made = await makeTag(PLAIN)
      expect(made).not.toHaveProperty('look')
      const events = await client.ok('POST', '/api/audit-log/search', { tag_ids: [made.tag_id] })
      expect(events[0].details).not.toHaveProperty('look')
    })

    it('is in the log and taken back by undo, as it was before', async () => {
      const { tag_id } = await client.ok('POST', '/api/tags', { name: `Looked ${++names}`, fields: {}, look })
      const path = `/api/tags/${tag_id}`
      await client.ok('PUT', path, { look: { hue: 0 } })
      const [updated, created] = await client.ok('POST', '/api/audit-log/search', { tag_ids: [tag_id] })
      expect(created.details.look).toEqual(look)
      expect(updated.details).toMatchObject({
        fields_changed: ['look'],
        old_values: { look },
        new_values: { look: { hue: 0 } },
      })
      await client.ok('POST', '/api/changes/undo', { change_ids: [updated.change_id] })
      expect(await client.ok('GET', path)).toMatchObject({ look })
      await client.ok('PUT', path, { look: null })
      const refused = await client.post('/api/changes/undo', { change_ids: [created.change_id] })
      expect(refused).toMatchObject({ status: 409 })
      await client.ok('DELETE', path)
      expect(await client.ok('POST', `/api/tags/${tag_id}/restore`)).not.toHaveProperty('look')
    })

    it('comes with a tag that is made along with an item', async () => {
      const name = `Looked ${++names}`
      const item = await client.ok('POST', '/api/items', {
        name: 'x',
        tags: [{ tag_ref: { New: { name, fields: {}, look } } }],
      })
      const { data } = await client.ok('GET', `/api/items/${item.item_id}`)
      expect(await client.ok('GET', `/api/tags/${Object.keys(data)[0]}`)).toMatchObject({ name, look })
    })

    const faulty: [look: unknown, path: string][] = [
      [{ sign: 'unicorn' }, 'look.sign'],
      [{ hue: 360 }, 'look.hue'],
      [{ hue: 1.5 }, 'look.hue'],
      [{ colour: 'red' }, 'look.colour'],
      ['book', 'look'],
    ]
    for (const [given, path] of faulty)
      it(`${JSON.stringify(given)} is refused, with its place`, async () => {
        const tag = { name: `Bad ${++names}`, fields: {}, look: given }
        expect(await client.post('/api/tags', tag)).toMatchObject({
          status: 400,
          body: { details: { errors: [{ path }] } },
        })
      })

    it('has the signs that the document of the API names', async () => {
      const { components } = await client.ok('GET', '/api/openapi.json')
      const { sign } = components.schemas.TagLook.properties
      expect(sign.enum).toContain('book')
      const all = sign.enum.map((each: string, i: number) => ({ sign: each, hue: i }))
      for (const each of all.slice(0, 3).concat(all.slice(-1)))
        await client.ok('POST', '/api/tags', { name: `Looked ${++names}`, fields: {}, look: each })
    })
  })
})
