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

  it('raise no version, are kept as given, and refuse no value', async () => {
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
})
