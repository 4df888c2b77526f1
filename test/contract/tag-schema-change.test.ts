import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures, newName } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

const select = (...variants: unknown[]) => ({ type: 'Select', variants })
const multi = (...variants: string[]) => ({ type: 'MultiSelect', variants })
const variant = (name: string) => ({ variant: name })

/** A filter on the field `f`, and the values (as they are given) that it finds. */
type Finding = [filter: unknown, values: unknown[]]

describe('changing the schema of a tag that items have', () => {
  let service: Service
  let client: Client
  beforeAll(async () => {
    service = await startService()
    client = await service.user()
  })
  afterAll(() => service.close())

  const { entry, ...make } = fixtures(() => client)
  const createTag = (f: unknown) => make.createTag({ f })
  const createItem = (tag_id: string, field_values: object) => make.createItem('x', tag_id, field_values)

  const cases: { from: unknown; values: unknown[]; to: unknown; finds: Finding[] }[] = [
    {
      from: 'String',
      values: ['2026-01-31', 'soon', '2026-02-31', ''],
      to: 'Date',
      finds: [
        ['2026-01-31', ['2026-01-31']],
        [{ gte: '2026-01-01' }, ['2026-01-31']],
        ['soon', []],
        [{ neq: '2026-01-31' }, ['soon', '2026-02-31', '']],
        [{ exists: true }, ['2026-01-31', 'soon', '2026-02-31', '']],
      ],
    },
    {
      from: 'String',
      values: ['5', 'five'],
      to: 'Number',
      finds: [
        [5, []],
        [{ gt: 0 }, []],
        [{ neq: 5 }, ['5', 'five']],
        [{ exists: true }, ['5', 'five']],
      ],
    },
    {
      from: 'Number',
      values: [0, 1, 1.5],
      to: 'Boolean',
      finds: [
        [true, []],
        [{ neq: true }, [0, 1, 1.5, null]], // of a Boolean null is not true either
        [{ exists: true }, [0, 1, 1.5]],
      ],
    },
    {
      from: 'Boolean',
      values: [true, false],
      to: 'Number',
      finds: [
        [1, []],
        [{ lt: 5 }, []],
        [{ exists: true }, [true, false]],
      ],
    },
    {
      from: 'Date',
      values: ['2026-01-31'],
      to: 'String',
      finds: [
        [{ starts_with: '2026' }, ['2026-01-31']],
        [{ regex: '31$' }, ['2026-01-31']],
      ],
    },
    {
      from: select('low', 'high', { name: 'odd' }),
      values: [variant('low'), variant('high'), variant('odd')],
      to: select('high', 'low'),
      finds: [
        [{ gt: 'high' }, [variant('low')]],
        [{ lte: 'low' }, [variant('low'), variant('high')]],
        ['odd', [variant('odd')]],
        [{ neq: 'high' }, [variant('low'), variant('odd')]],
      ],
    },
    {
      from: select('x', 'y'),
      values: [variant('x'), variant('y')],
      to: multi('x', 'y'),
      finds: [
        [{ match: 'x' }, []],
        [{ in: ['x', 'y'] }, []],
        [{ exists: true }, [variant('x'), variant('y')]],
      ],
    },
    {
      from: multi('x', 'y', 'z'),
      values: [['x', 'z'], ['y'], []],
      to: multi('z'),
      finds: [
        [{ match: 'x' }, [['x', 'z']]],
        [['z', 'x'], [['x', 'z']]],
        [[], [[]]],
        [{ exists: true }, [['x', 'z'], ['y'], []]],
      ],
    },
    {
      from: multi('x'),
      values: [['x'], []],
      to: 'String',
      finds: [
        ['x', []],
        [{ contains: '' }, []],
        [{ exists: true }, [['x'], []]],
      ],
    },
  ]
  const nameOf = (schema: unknown) => (typeof schema === 'string' ? schema : JSON.stringify(schema))

  for (const { from, values, to, finds } of cases)
    describe(`from ${nameOf(from)} to ${nameOf(to)}`, () => {
      let tag: { tag_id: string; name: string }
      let items: string[]
      const search = async (filter: unknown) => {
        const field = Array.isArray(filter) ? { eq: filter } : filter
        const found = await client.ok('POST', '/api/items/search', {
          filter: { and: [{ has_tag: tag.tag_id }, { [`${tag.name}.f`]: field }] },
        })
        return found.map(
          (item: { tags: Record<string, { field_values: { f: unknown } }> }) =>
            item.tags[tag.tag_id]!.field_values.f,
        )
      }
      beforeAll(async () => {
        tag = await createTag(from)
        items = []
        for (const f of values) items.push(await createItem(tag.tag_id, { f }))
        await createItem(tag.tag_id, { f: null })
      })

      it('keeps the values and their version', async () => {
        await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: to } })
        for (const [i, id] of items.entries())
          expect(await entry(id, tag.tag_id)).toEqual({
            tag_name: tag.name,
            schema_version: 1,
            field_values: { f: values[i] },
          })
      })

      for (const [filter, found] of finds)
        it(`finds ${JSON.stringify(found)} with ${JSON.stringify(filter)}`, async () =>
          expect(await search(filter)).toEqual(found))

      it('finds none of them while the field is gone, and all of them when it is back', async () => {
        await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { g: 'String' } })
        expect(await search({ exists: true })).toEqual([])
        expect(await search({ exists: false })).toEqual([...values, null])
        await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: from } })
        expect(await search({ exists: true })).toEqual(values)
        const [first] = values
        const name = (each: unknown) => (each as { variant?: string }).variant ?? each
        expect(await search({ eq: name(first) })).toEqual([first])
      })

      it('takes the values as they were again', async () => {
        for (const [i, id] of items.entries()) {
          const path = `/api/items/${id}/tags/${tag.tag_id}`
          const item = await client.ok('PUT', path, { field_values: { f: values[i] } })
          expect(item.data[tag.tag_id]).toMatchObject({ schema_version: 4, field_values: { f: values[i] } })
        }
      })
    })

  it('leaves references and ids in text what they were', async () => {
    const target = (await client.ok('POST', '/api/items', { name: 'Target' })).item_id
    const tag = await createTag('Reference')
    const item = await createItem(tag.tag_id, { f: target })
    const other = await createItem(tag.tag_id, {})
    const search = async (filter: object) =>
      (await client.ok('POST', '/api/items/search', { filter })).map(({ id }: { id: string }) => id)
    const hop = { [`${tag.name}.f->name`]: 'Target' }
    expect(await search(hop)).toEqual([item])
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: 'String' } })
    expect((await client.post('/api/items/search', { filter: hop })).status).toBe(400)
    expect(await search({ [`${tag.name}.f`]: { starts_with: target.slice(0, 20) } })).toEqual([item])
    await client.ok('PUT', `/api/items/${other}/tags/${tag.tag_id}`, { field_values: { f: 'no id' } })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: 'Reference' } })
    expect(await search(hop)).toEqual([item])
    expect(await search({ [`${tag.name}.f`]: { exists: true } })).toEqual([item, other])
  })

  it('keeps what does not fit through a merge until a null comes', async () => {
    const tag = await createTag('String')
    const item = await createItem(tag.tag_id, { f: 'text' })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: 'Number', g: 'String' } })
    const path = `/api/items/${item}/tags/${tag.tag_id}`
    expect(
      (await client.ok('PUT', path, { field_values: { g: 'x' }, merge: true })).data[tag.tag_id],
    ).toEqual({
      tag_name: tag.name,
      schema_version: 2,
      field_values: { f: 'text', g: 'x' },
    })
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { g: 'String' } })
    expect((await client.put(path, { field_values: { f: 'text' }, merge: true })).status).toBe(400)
    const cleared = await client.ok('PUT', path, { field_values: { f: null }, merge: true })
    expect(cleared.data[tag.tag_id]).toMatchObject({ schema_version: 3, field_values: { g: 'x' } })
    expect('f' in cleared.data[tag.tag_id].field_values).toBe(false)
    await client.ok('PUT', `/api/tags/${tag.tag_id}`, { fields: { f: 'String' } })
    const found = await client.ok('POST', '/api/items/search', {
      filter: { [`${tag.name}.f`]: { exists: true } },
    })
    expect(found).toEqual([])
  })

  it('loses no merge of different fields at once', async () => {
    const fields = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`f${i}`, 'Number']))
    const tag = await client.ok('POST', '/api/tags', { name: newName('Tag'), fields })
    const item = await createItem(tag.tag_id, {})
    await Promise.all(
      Object.keys(fields).map((name, i) =>
        client.ok('PUT', `/api/items/${item}/tags/${tag.tag_id}`, {
          field_values: { [name]: i },
          merge: true,
        }),
      ),
    )
    expect((await entry(item, tag.tag_id)).field_values).toEqual(
      Object.fromEntries(Object.keys(fields).map((name, i) => [name, i])),
    )
  })
})
