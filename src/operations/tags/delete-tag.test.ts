import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { query } from '#src/sql/query.ts'
import { openBase } from '#test/support/base.ts'

const removals = query((_: object, sql) =>
  sql.selectFrom('audit_event').select(['item_id', 'details']).where('event_type', '=', 'tag_removed'),
)
const applied = query((_: object, sql) => sql.selectFrom('item_tag').select('item'))
const indexed = query((_: object, sql) => sql.selectFrom('field_value').select('item'))

describe('deleting a tag that thousands of items have', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  beforeAll(async () => {
    base = await openBase()
  })
  afterAll(() => base.close())

  it('records one event for each, whatever version its values have, and leaves nothing', async () => {
    const { tag_id, name } = await base.run(createTag, { name: 'Task', fields: { n: 'Number' } })
    const created: string[] = []
    const add = async (from: number, to: number) => {
      const items = Array.from({ length: to - from }, (_, i) => ({
        name: `Item ${from + i}`,
        tags: [{ tag_ref: { Existing: name }, field_values: { n: from + i } }],
      }))
      created.push(...(await base.run(bulkCreate, { items })).map(({ item_id }) => item_id))
    }
    await add(0, 1300)
    await base.run(updateTag, { tag_id, fields: { n: 'Number', m: 'String' } })
    await add(1300, 2600)
    await base.run(deleteTag, { tag_id })

    const events = await base.db.all(removals, {})
    expect(events.map(({ item_id }) => item_id)).toEqual(created)
    expect(events.map(({ details }) => details)).toEqual(
      created.map((_, n) => JSON.stringify({ tag_name: name, old_values: { n } })),
    )
    expect(await base.db.all(applied, {})).toEqual([])
    expect(await base.db.all(indexed, {})).toEqual([])
  })
})
