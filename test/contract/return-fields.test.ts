import type { Client as McpClient } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { callTool, connectMcp } from '#test/support/mcp.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let mcp: McpClient
beforeAll(async () => {
  service = await startService()
  client = await service.user()
  mcp = await connectMcp(client, 'streamable-http')
})
afterAll(async () => {
  await mcp.close()
  await service.close()
})
const { createItem, ...make } = fixtures(() => client)

describe('return_fields (further §18)', () => {
  it('answer what was written, flat, by each tool that writes an item', async () => {
    const person = await make.createTag({ age: 'Number' })
    const task = await make.createTag({ n: 'Number', by: { type: 'Reference' } })
    const ada = await createItem('Ada', person.tag_id, { age: 36 })
    const [n, age] = [`${task.name}.n`, `${task.name}.by->${person.name}.age`]
    const return_fields = ['name', n, age, n]
    const tags = [{ tag_ref: { Existing: task.tag_id }, field_values: { n: 1, by: ada } }]
    const made = await callTool(mcp, 'add_item', { name: 'One', tags, return_fields })
    const { item_id } = made.value as { item_id: string }
    expect(made.value).toEqual({ item_id, name: 'One', [n]: 1, [age]: 36 })

    const edited = await callTool(mcp, 'edit_item', { item_id, name: 'Two', return_fields: ['name'] })
    expect(edited.value).toEqual({ item_id, name: 'Two' })
    const given = { item_id, tag_id: task.tag_id, field_values: { n: 2 }, merge: true, return_fields: [n] }
    expect((await callTool(mcp, 'update_tag_field_values', given)).value).toEqual({ item_id, [n]: 2 })
    const applied = await client.ok('POST', `/api/items/${item_id}/tags`, {
      tag: { tag_ref: { Existing: person.tag_id }, field_values: { age: 7 } },
      return_fields: [`${person.name}.age`, age, `${task.name}.n`],
    })
    expect(applied).toEqual({ item_id, [`${person.name}.age`]: 7, [age]: 36, [n]: 2 })
    expect(
      await client.ok('PUT', '/api/items/upsert', { match: { [n]: 2 }, name: 'Three', return_fields }),
    ).toEqual({ item_id, name: 'Three', [n]: 2, [age]: 36 })
    expect(await client.ok('PUT', `/api/items/${item_id}`, { return_fields: [] })).toEqual({ item_id })

    const removing = { item_id, tag_id: person.tag_id, return_fields: ['name', n, `${person.name}.age`] }
    expect((await callTool(mcp, 'remove_tag_from_item', removing)).value).toEqual({
      item_id,
      name: 'Three',
      [n]: 2,
      [`${person.name}.age`]: null,
    })
    const twin = await createItem('Twin', person.tag_id, { age: 9 })
    const merging = { item_id, from: [twin], return_fields: ['name', n, `${person.name}.age`] }
    const kept = await callTool(mcp, 'merge_items', merging)
    expect(kept.value).toEqual({ item_id, name: 'Three', [n]: 2, [`${person.name}.age`]: 9 })
    await client.ok('DELETE', `/api/items/${item_id}/tags/${person.tag_id}`)
    const deleting = { item_id, return_fields: ['name', n] }
    const deleted = await callTool(mcp, 'delete_item', deleting)
    expect(deleted.value).toEqual({ item_id, name: 'Three', [n]: 2 })
    const restoring = { item_id, return_fields: [age] }
    expect((await callTool(mcp, 'restore_item', restoring)).value).toEqual({ item_id, [age]: 36 })
    await client.ok('DELETE', `/api/items/${item_id}`)
    const body = { return_fields: ['name'] }
    expect(await client.ok('POST', `/api/items/${item_id}/restore`, body)).toEqual({ item_id, name: 'Three' })
    const query = `?return_fields=${encodeURIComponent(n)}&return_fields=name`
    const applied_again = { tag: { tag_ref: { Existing: person.tag_id } } }
    await client.ok('POST', `/api/items/${item_id}/tags`, applied_again)
    expect(await client.ok('DELETE', `/api/items/${item_id}/tags/${person.tag_id}${query}`)).toEqual({
      item_id,
      [n]: 2,
      name: 'Three',
    })
  })

  it('of lists are a list, in the order given', async () => {
    const { tag_id, name } = await make.createTag({ n: 'Number' })
    const n = `${name}.n`
    const element = (value: number) => ({
      name: `Item ${value}`,
      tags: [{ tag_ref: { Existing: tag_id }, field_values: { n: value } }],
    })
    const items = [element(2), 'Bare', element(1)]
    const made = await client.ok('POST', '/api/items/bulk', { items, return_fields: [n] })
    expect(made.map((each: Record<string, unknown>) => each[n])).toEqual([2, null, 1])
    expect(Object.keys(made[0])).toEqual(['item_id', n])
    const again = { items: [element(1), element(3), element(1)], match_by: n, return_fields: [n] }
    const { value } = await callTool(mcp, 'upsert_items', again)
    const told = value as Record<string, unknown>[]
    expect(told.map((each) => each[n])).toEqual([1, 3, 1])
    expect(told[0]!.item_id).toBe(made[2].item_id)
    expect(await client.ok('POST', '/api/items/bulk', { items: ['x'] })).toEqual([
      { item_id: expect.any(String) },
    ])
  })

  it('name fields of a tag that the call makes, and where they are wrong nothing is written', async () => {
    const tag = `New ${crypto.randomUUID()}`
    const body = (return_fields: string[]) => ({
      name: tag,
      tags: [{ tag_ref: { New: { name: tag, fields: { n: 'Number' } } }, field_values: { n: 5 } }],
      return_fields,
    })
    const wrong = await client.post('/api/items', body([`${tag}.m`]))
    expect(wrong.status).toBe(400)
    expect(JSON.stringify(wrong.body)).toContain('return_fields[0]')
    expect(await client.ok('POST', '/api/items/search', { filter: { name: tag } })).toEqual([])
    expect(await client.ok('POST', '/api/items', body([`${tag}.n`]))).toMatchObject({ [`${tag}.n`]: 5 })
  })

  it('with view_id tell what the view filled in, and whether the item is in it', async () => {
    const task = await make.createTag({
      state: { type: 'Select', variants: ['open', 'done'] },
      n: 'Number',
    })
    const [state, n] = [`${task.name}.state`, `${task.name}.n`]
    const filter = { and: [{ has_tag: task.tag_id }, { [state]: 'open' }, { [n]: { gt: 3 } }] }
    const { view_id } = await client.ok('POST', '/api/views', { name: 'Open', filter })
    const given = { name: 'One', view_id, return_fields: [state] }
    const without = await client.ok('POST', '/api/items', given)
    expect(without).toMatchObject({ [state]: { variant: 'open' }, view: { filled: [state], matches: false } })
    const tags = [{ tag_ref: { Existing: task.name }, field_values: { n: 4 } }]
    expect(await client.ok('POST', '/api/items', { ...given, tags })).toMatchObject({
      view: { filled: [state], matches: true },
    })
    expect(await client.ok('POST', '/api/items', { name: 'Two', view_id })).toEqual({
      item_id: expect.any(String),
    })
  })
})
