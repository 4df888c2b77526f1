import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { ABSENT } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'

const TIMEOUT = 120_000

let service: Service
let client: Client

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { n: 'Number', who: 'Reference', all: 'MultiReference' },
  })
})
afterAll(() => service.close())

const run = (operations: object[], more: object = {}) => client.post('/api/batch', { operations, ...more })
const create = (name: string, as?: string) => ({
  operation: 'createItem',
  input: { name },
  ...(as && { as }),
})
const countItems = async () =>
  Number((await client.post('/api/items/search', { limit: 0, count: true })).headers.get('x-total-count'))

describe('POST /api/batch', () => {
  it('shows in a dry run what those of its operations show, of items made in it too', async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Tried', fields: { n: 'Number' } })
    const other = (await client.ok('POST', '/api/tags', { name: 'Tried too', fields: {} })).tag_id
    const tried = { tag_ref: { Existing: 'Tried' }, field_values: { n: 1 } }
    for (const name of ['a', 'b', 'c']) await client.ok('POST', '/api/items', { name, tags: [tried] })
    const filter = { has_tag: 'Tried' }
    for (const [operation, path, input] of [
      ['bulkUpdateFields', 'bulk-update-fields', { filter, tag_id, field_values: { n: 2 } }],
      ['bulkUpdateFields', 'bulk-update-fields', { filter, tag_id, field_values: { n: 2 }, sample: 1 }],
      ['bulkApplyTag', 'bulk-apply-tag', { filter, tag: { tag_ref: { Existing: other } } }],
      ['bulkRemoveTag', 'bulk-remove-tag', { filter, tag_id }],
      ['bulkDelete', 'bulk-delete', { filter, sample: 0 }],
      ['bulkDelete', 'bulk-delete', { filter }],
    ] as const) {
      const alone = await client.ok('POST', `/api/items/${path}`, { ...input, dry_run: true })
      expect(alone.sample).toHaveLength('sample' in input ? input.sample : 3)
      expect((await run([{ operation, input }], { dry_run: true })).body.results).toEqual([alone])
    }
    const { body } = await run(
      [
        { operation: 'createItem', input: { name: 'd', tags: [tried] } },
        { operation: 'bulkDelete', input: { filter } },
      ],
      { dry_run: true },
    )
    expect(body.results[1].sample[3]).toMatchObject({ name: 'd', before: { Tried: { n: 1 } }, after: null })
    const done = await run([
      { operation: 'bulkUpdateFields', input: { filter, tag_id, field_values: { n: 3 } } },
    ])
    expect(done.body.results[0]).not.toHaveProperty('sample')
  })

  it('finds a tag by a name that it was given before in the batch, in place of its id too', async () => {
    const tag_id = 'Named in a batch'
    const { body } = await run([
      { operation: 'createTag', input: { name: 'Named', fields: { x: 'String' } } },
      create('Tagged by name', 'item'),
      { operation: 'updateTag', input: { tag_id: 'Named', name: tag_id } },
      { operation: 'applyTag', input: { item_id: { $: 'item' }, tag: { tag_ref: { Existing: tag_id } } } },
      {
        operation: 'updateTagValues',
        input: { item_id: { $: 'item' }, tag_id, field_values: { x: 'by name' } },
      },
    ])
    expect(body).toMatchObject({ results: { length: 5 } })
    const item = await client.ok('GET', `/api/items/${body.results[1].item_id}`)
    expect(Object.values(item.data)).toMatchObject([{ tag_name: tag_id, field_values: { x: 'by name' } }])
    expect(
      await run([{ operation: 'removeTag', input: { item_id: item.item_id, tag_id: 'Named' } }]),
    ).toMatchObject({
      status: 404,
    })
  })

  it('takes a field that is named $ for a field', async () => {
    const { body } = await run([
      { operation: 'createTag', input: { name: 'Dollar', fields: { $: 'String' } } },
      create('Other', 'other'),
      {
        operation: 'createItem',
        input: { name: 'One', tags: [{ tag_ref: { Existing: 'Dollar' }, field_values: { $: 'a text' } }] },
        as: 'one',
      },
      { operation: 'updateTag', input: { tag_id: 'Dollar', fields: { $: 'Reference' } } },
      {
        operation: 'updateTagValues',
        input: { item_id: { $: 'one' }, tag_id: 'Dollar', field_values: { $: { $: 'other' } } },
      },
    ])
    expect(body).toMatchObject({ results: { length: 5 } })
    const [, other, one] = body.results
    const item = await client.ok('GET', `/api/items/${one.item_id}`)
    expect(Object.values(item.data)).toMatchObject([{ field_values: { $: other.item_id } }])
  })

  it('brings a deleted tag back by its name', async () => {
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Brought back', fields: {} })
    await client.ok('DELETE', `/api/tags/${tag_id}`)
    const { body } = await run([{ operation: 'restoreTag', input: { tag_id: 'Brought back' } }])
    expect(body).toMatchObject({ results: [{ tag_id, name: 'Brought back' }] })
  })

  it('takes a name for an id wherever one is expected', async () => {
    const Existing = 'Task'
    const { status, body } = await run([
      { operation: 'createTag', input: { name: 'Made', fields: { x: 'String' } }, as: 'tag' },
      create('One', 'one'),
      create('Two', 'two'),
      {
        operation: 'applyTag',
        input: {
          item_id: { $: 'one' },
          tag: {
            tag_ref: { Existing },
            field_values: { who: { $: 'two' }, all: [{ $: 'one' }, { $: 'two' }] },
          },
        },
      },
      {
        operation: 'applyTag',
        input: {
          item_id: { $: 'two' },
          tag: { tag_ref: { Existing: { $: 'tag' } }, field_values: { x: 'y' } },
        },
      },
      {
        operation: 'updateTagValues',
        input: { item_id: { $: 'two' }, tag_id: { $: 'tag' }, field_values: { x: 'z' } },
      },
      {
        operation: 'bulkUpdateFields',
        input: {
          filter: { id: { in: [{ $: 'one' }] } },
          tag_id: 'Task',
          field_values: { n: 1 },
          merge: true,
        },
      },
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    const [tag, one, two] = body.results
    const [first, second] = [
      await client.ok('GET', `/api/items/${one.item_id}`),
      await client.ok('GET', `/api/items/${two.item_id}`),
    ]
    expect(Object.values(first.data)).toMatchObject([
      { field_values: { n: 1, who: two.item_id, all: [one.item_id, two.item_id] } },
    ])
    expect(second.data[tag.tag_id].field_values).toEqual({ x: 'z' })
  })

  it('has no change where nothing was recorded', async () => {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Same' })
    const { body, headers } = await run([{ operation: 'updateItem', input: { item_id, name: 'Same' } }])
    expect(body).toMatchObject({ results: [{ item_id, name: 'Same' }], change_id: null, dry_run: false })
    expect(headers.get('x-change-id')).toBeNull()
  })

  it('names what it would have made as it names it itself, where it comes to nothing', async () => {
    const { status, body } = await run([
      create('One', 'one'),
      { operation: 'removeTag', input: { item_id: { $: 'one' }, tag_id: 'Task' } },
    ])
    const message = `Tag 'Task' is not applied to item '{"$":"one"}'`
    expect({ status, body }).toMatchObject({
      status: 404,
      body: {
        message: `operations[1]: ${message}`,
        details: { errors: [{ path: 'operations[1]', message }] },
      },
    })
    expect(JSON.stringify(body)).not.toMatch(/[0-7][0-9A-HJKMNP-TV-Z]{25}/)
  })

  const refusals: [what: string, operations: () => object[], status: number, says: string][] = [
    ['none', () => [], 400, 'operations'],
    ['more than 10,000', () => Array.from({ length: 10_001 }, () => create('X')), 400, 'operations'],
    [
      'more than ten bulk operations',
      () =>
        Array.from({ length: 11 }, () => ({
          operation: 'bulkDelete',
          input: { filter: { name: 'nothing has this name' } },
        })),
      400,
      'A batch has at most 10 bulk operations',
    ],
    [
      'an operation that reads',
      () => [{ operation: 'searchItems', input: {} }],
      400,
      "'searchItems' is no operation of a batch",
    ],
    [
      'an operation on what is one’s own',
      () => [{ operation: 'createView', input: {} }],
      400,
      "'createView' is no operation of a batch",
    ],
    [
      'an operation by the name of its tool, and says which one it is',
      () => [{ operation: 'add_item', input: {} }],
      400,
      "Did you mean 'createItem'?",
    ],
    [
      'an operation by the name of its tool in other letters, which is near to a deletion',
      () => [{ operation: 'editItem', input: {} }],
      400,
      "Did you mean 'updateItem'?",
    ],
    [
      'an operation that is named like none, and says which there are',
      () => [{ operation: 'acceptProposal', input: {} }],
      400,
      'Expected one of: applyTag, ',
    ],
    ['a batch', () => [{ operation: 'batch', input: { operations: [] } }], 400, "'batch' is no operation"],
    [
      'a name that comes later',
      () => [{ operation: 'deleteItem', input: { item_id: { $: 'x' } } }, create('X', 'x')],
      400,
      "operations[0].input.item_id: nothing before this was given the name 'x'",
    ],
    ['a name twice', () => [create('X', 'x'), create('Y', 'x')], 400, "the name 'x' is given twice"],
    [
      'a path’s parameter that is left out',
      () => [{ operation: 'updateItem', input: { name: 'X' } }],
      400,
      'operations[0].input.item_id',
    ],
    [
      'an unknown property',
      () => [create('X'), { operation: 'createItem', input: { name: 'Y', colour: 'red' } }],
      400,
      'operations[1].input.colour',
    ],
    ['what is absent', () => [{ operation: 'deleteItem', input: { item_id: ABSENT } }], 404, 'operations[0]'],
    [
      'what conflicts',
      () => [
        { operation: 'createTag', input: { name: 'Task', fields: {} } },
        { operation: 'createItem', input: { name: 'X' } },
      ],
      409,
      'operations[0]',
    ],
  ]
  it.each(refusals)('refuses %s, and does nothing', async (_, operations, status, says) => {
    const before = await countItems()
    const answer = await run([create('Not this one'), ...operations()].slice(operations().length ? 0 : 1))
    const text = JSON.stringify(answer.body)
    expect(answer.status, text.slice(0, 1000)).toBe(status)
    const shifted = says.replace(/operations\[(\d)\]/, (__, i) => `operations[${Number(i) + 1}]`)
    expect(text).toContain(shifted)
    if (/operations\[\d/.test(says)) expect(answer.body.details.errors[0].path).toMatch(/^operations\[\d+\]/)
    expect(await countItems()).toBe(before)
  })

  it('affects at most 100,000 items', { timeout: TIMEOUT }, async () => {
    const items = Array.from({ length: 10_000 }, (_, i) => `Many ${i}`)
    const bulk = { operation: 'bulkCreate', input: { items } }
    const before = await countItems()
    const update = {
      operation: 'bulkApplyTag',
      input: {
        filter: { name: { starts_with: 'Many' } },
        tag: { tag_ref: { New: { name: 'Many', fields: {} } } },
      },
    }
    const answer = await run([
      ...Array.from({ length: 3 }, () => bulk),
      update,
      ...Array.from({ length: 3 }, () => ({
        operation: 'bulkUpdateFields',
        input: { filter: { has_tag: 'Many' }, tag_id: 'Many', field_values: {} },
      })),
    ])
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      message: 'operations[5]: A batch affects at most 100000 items',
      details: { errors: [{ path: 'operations[5]' }] },
    })
    expect(await countItems()).toBe(before)
  })

  it('is the tool batch', async () => {
    const mcp = await connectMcp(client, 'streamable-http')
    const { value, beside } = await callTool(mcp, 'batch', {
      operations: [create('By a tool', 'a'), { operation: 'deleteItem', input: { item_id: { $: 'a' } } }],
    })
    const { change_id, results } = value as { change_id: string; results: { item_id: string }[] }
    expect(results).toHaveLength(2)
    expect(beside).toMatchObject({ change_id })
    const { error } = await callTool(mcp, 'batch', {
      operations: [{ operation: 'createItem', input: { name: '' } }],
    })
    expect(error).toContain('operations[0].input.name')
    await mcp.close()
  })
})
