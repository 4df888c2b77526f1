import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { listDeleted } from '#src/operations/items/list-deleted.ts'
import { restore } from '#src/operations/items/restore.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { getTag } from '#src/operations/tags/get-tag.ts'
import { openBase } from '#test/support/base.ts'

describe('restore and listDeleted, the tools', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  beforeAll(async () => {
    base = await openBase()
  })
  afterAll(() => base.close())

  it('serve items and tags alike', async () => {
    const { item_id } = await base.run(createItem, { name: 'Item' })
    const { tag_id } = await base.run(createTag, { name: 'Tag', fields: {} })
    const [item, tag] = [await base.run(getItem, { item_id }), await base.run(getTag, { tag_id })]
    expect(await base.run(listDeleted, {})).toEqual({ items: [], tags: [] })
    await base.run(deleteItem, { item_id })
    await base.run(deleteTag, { tag_id })
    const { data, ...rest } = item
    expect(await base.run(listDeleted, {})).toEqual({
      items: [{ ...rest, tags: data, deleted_at: expect.any(String), deleted_by: null }],
      tags: [{ ...tag, deleted_at: expect.any(String) }],
    })
    expect(await base.run(restore, { item_id })).toEqual(item)
    expect(await base.run(restore, { tag_id })).toEqual(tag)
    expect(await base.run(listDeleted, {})).toEqual({ items: [], tags: [] })
  })

  it('are listed in pages, of which half is for tags', async () => {
    const names: string[] = []
    for (const name of ['one', 'two', 'three']) {
      await base.run(deleteItem, await base.run(createItem, { name }))
      const { tag_id } = await base.run(createTag, { name, fields: {} })
      await base.run(deleteTag, { tag_id })
    }
    let after: string | undefined
    do {
      const input = { limit: 2, ...(after && { after }) }
      const { items, tags } = await base.run(listDeleted, input)
      expect(items.length + tags.length).toBeLessThanOrEqual(2)
      names.push(...items.map(({ name }) => `item ${name}`), ...tags.map(({ name }) => `tag ${name}`))
      after = (await base.meta(listDeleted, input)).next
    } while (after)
    expect(names).toEqual(['item three', 'tag three', 'item two', 'tag two', 'item one', 'tag one'])
    await expect(base.run(listDeleted, { after: 'nonsense' })).rejects.toMatchObject({ code: 'BadRequest' })
  })

  for (const input of [{}, { item_id: 'x', tag_id: 'x' }])
    it(`take exactly one id, not ${JSON.stringify(input)}`, async () => {
      await expect(base.run(restore, input)).rejects.toMatchObject({
        code: 'BadRequest',
        message: 'Give exactly one of item_id and tag_id',
      })
    })

  for (const input of [{ item_id: 'x' }, { tag_id: 'x' }])
    it(`do not find ${JSON.stringify(input)}`, async () => {
      await expect(base.run(restore, input)).rejects.toMatchObject({ code: 'NotFound' })
    })
})
