import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())
const { createItem, ...make } = fixtures(() => client)

const FIELDS = {
  text: 'String',
  other: 'String',
  size: 'Number',
  day: 'Date',
  at: 'DateTime',
  to: 'Reference',
  second: 'Reference',
  kept: 'Reference',
}

describe('values that are taken from elsewhere (further §18)', () => {
  const update = (tag: { tag_id: string }, field_values: object, more: object = {}) =>
    client.post('/api/items/bulk-update-fields', {
      filter: { has_tag: tag.tag_id },
      tag_id: tag.tag_id,
      field_values,
      merge: true,
      ...more,
    })
  const valuesOf = async (id: string, { tag_id }: { tag_id: string }) =>
    (await client.ok('GET', `/api/items/${id}`)).data[tag_id].field_values

  it('come from the first path that leads to a value, else are what is given', async () => {
    const tag = await make.createTag(FIELDS)
    const first = await createItem('first', tag.tag_id, { text: 'a', other: 'b' })
    const second = await createItem('second', tag.tag_id, { other: 'b' })
    const none = await createItem('none', tag.tag_id)
    const from = [`${tag.name}.text`, `${tag.name}.other`]
    expect((await update(tag, { text: { from, else: 'nothing' } })).body).toMatchObject({ affected_count: 3 })
    expect(await valuesOf(first, tag)).toMatchObject({ text: 'a' })
    expect(await valuesOf(second, tag)).toMatchObject({ text: 'b' })
    expect(await valuesOf(none, tag)).toMatchObject({ text: 'nothing' })
  })

  it('are converted, and those that cannot be are reported by name', async () => {
    const tag = await make.createTag(FIELDS)
    const good = await createItem('good', tag.tag_id, { text: '16 GB', at: '2026-01-31T23:30:00Z' })
    const body = {
      size: { from: `${tag.name}.text`, as: 'number' },
      day: { from: `${tag.name}.at`, as: 'date' },
      other: { from: `${tag.name}.at`, as: 'text' },
    }
    const { status } = await update(tag, body, { time_zone: 'Europe/Vienna' })
    expect(status).toBe(200)
    const values = await valuesOf(good, tag)
    expect(values).toMatchObject({ size: 16, day: '2026-02-01', other: '2026-01-31T23:30:00.000Z' })
    for (let n = 0; n < 25; n++) await createItem(`bad ${n}`, tag.tag_id, { text: `size ${n}` })
    const failed = await update(tag, { size: { from: `${tag.name}.text`, as: 'number' } })
    expect(failed.status).toBe(400)
    expect(failed.body.details.errors).toHaveLength(20)
    expect(failed.body.details.errors[0]).toMatchObject({
      path: 'field_values.size',
      message: expect.stringContaining('"bad 0"'),
    })
  })

  it('skip items that are deleted', async () => {
    const tag = await make.createTag(FIELDS)
    const gone = await createItem('gone', tag.tag_id)
    const lives = await createItem('lives', tag.tag_id)
    const item = await createItem('item', tag.tag_id, { to: gone, second: lives })
    const only = await createItem('only', tag.tag_id, { to: gone })
    await client.ok('DELETE', `/api/items/${gone}`)
    const from = [`${tag.name}.to`, `${tag.name}.second`]
    const { body, status } = await update(tag, { kept: { from } })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(await valuesOf(item, tag)).toMatchObject({ kept: lives })
    expect((await valuesOf(only, tag)).kept ?? null).toBeNull()
  })

  it('are refused where the form is not right', async () => {
    const tag = await make.createTag(FIELDS)
    await createItem('one', tag.tag_id)
    for (const [source, path] of [
      [{ from: [] }, 'field_values.size.from'],
      [{ from: `${tag.name}.text` }, 'field_values.size.from'],
      [{ from: [`${tag.name}.size`, `${tag.name}.nothing`] }, 'field_values.size.from[1]'],
      [{ from: `${tag.name}.text`, as: 'numbers' }, 'field_values.size.as'],
      [{ from: `${tag.name}.text`, as: 'date' }, 'field_values.size.from'],
      [{ from: `${tag.name}.size`, otherwise: 1 }, 'field_values.size.otherwise'],
    ] as const) {
      const { status, body } = await update(tag, { size: source })
      expect(status).toBe(400)
      expect(body.details.errors[0].path).toBe(path)
    }
  })
})
