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

const { createTag, createItem } = fixtures(() => client)

describe.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'plain'])(
  'a field named %s',
  (field) => {
    const valuesOf = async (item_id: string, tag_id: string) =>
      (await client.ok('GET', `/api/items/${item_id}`)).data[tag_id].field_values
    const replaced = (item_id: string, tag_id: string, field_values: object) =>
      client.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values })
    const undo = (...change_ids: string[]) => client.ok('POST', '/api/changes/undo', { change_ids })
    const withField = (tag_id: string) => {
      const filter = { and: [{ has_tag: tag_id }, { [`${tag_id}.${field}`]: { exists: true } }] }
      return client.ok('POST', '/api/items/search', { filter })
    }

    it.each([
      ['String', 'x'],
      ['Number', 1],
      [{ type: 'MultiSelect', variants: ['x', 'y'] }, ['x']],
      [{ type: 'Select', variants: ['x', 'y'] }, { variant: 'x' }],
    ])('leaves the index where a bulk update clears it, and comes back: %j', async (type, value) => {
      const { tag_id } = await createTag({ [field]: type, other: 'String' })
      const [one] = [await createItem('one', tag_id, { [field]: value }), await createItem('two', tag_id)]
      const body = { filter: { has_tag: tag_id }, tag_id, field_values: { other: 'o' } }
      const { headers } = await client.send('POST', '/api/items/bulk-update-fields', body)
      expect(await withField(tag_id)).toEqual([])
      await undo(headers.get('x-change-id')!)
      expect(await valuesOf(one, tag_id)).toEqual({ [field]: value })
      expect(await withField(tag_id)).toMatchObject([{ item_id: one }])
    })

    it('has its first value taken back and given again', async () => {
      const { tag_id } = await createTag({ [field]: 'String' })
      const item_id = await createItem('one', tag_id, {})
      const at = `/api/items/${item_id}/tags/${tag_id}`
      const { headers } = await client.send('PUT', at, { field_values: { [field]: 'x' } })
      const { change_id } = await undo(headers.get('x-change-id')!)
      expect(await valuesOf(item_id, tag_id)).toEqual({})
      await undo(change_id)
      expect(await valuesOf(item_id, tag_id)).toEqual({ [field]: 'x' })
    })

    it('is cleared by a proposal, and there is no conflict where it is clear already', async () => {
      const { tag_id } = await createTag({ [field]: 'String', other: 'String' })
      const given = { [field]: 'x', other: '1' }
      const [one, two] = [await createItem('one', tag_id, given), await createItem('two', tag_id, given)]
      const field_values = { other: '2' }
      const propose = async (item_id: string) => {
        const input = { item_id, tag_id, field_values }
        const { status, body } = await client.post('/api/proposals', {
          operations: [{ operation: 'updateTagValues', input }],
        })
        expect(status).toBe(201)
        return body
      }
      const [first, second] = [await propose(one), await propose(two)]
      await replaced(two, tag_id, field_values)
      for (const { proposal_id } of [first, second])
        expect(await client.ok('POST', `/api/proposals/${proposal_id}/accept`, {})).toMatchObject({
          state: 'accepted',
        })
      for (const item_id of [one, two]) expect(await valuesOf(item_id, tag_id)).toEqual(field_values)
      expect(await withField(tag_id)).toEqual([])
    })

    it('says in a conflict what is there, and what would be', async () => {
      const { tag_id, name } = await createTag({ [field]: 'String' })
      const item_id = await createItem('one', tag_id, {})
      const at = `/api/items/${item_id}/tags/${tag_id}`
      const { headers } = await client.send('PUT', at, { field_values: { [field]: 'x' } })
      await replaced(item_id, tag_id, { [field]: 'y' })
      const { status, body } = await client.post('/api/changes/undo', {
        change_ids: [headers.get('x-change-id')],
      })
      expect(status).toBe(409)
      expect(body.details.conflicts).toMatchObject([
        { path: `${name}.${field}`, present: 'y', restored: null },
      ])
    })
  },
)
