import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { type Base, openBase } from '#test/support/base.ts'

/** More than are read at first, twice over. */
const ITEMS = 1800

describe('a page in order of creation', () => {
  let base: Base & { close(): void }
  let as_of: string
  const filter = { 'Part.n': { lt: 900 } }
  beforeAll(async () => {
    base = await openBase()
    await base.run(createTag, { name: 'Part', fields: { n: 'Number' } })
    for (let from = 0; from < ITEMS; from += 600)
      await base.run(bulkCreate, {
        items: Array.from({ length: 600 }, (_, i) => ({
          name: `part ${from + i}`,
          tags: [{ tag_ref: { Existing: 'Part' }, field_values: { n: (from + i) % 1000 } }],
        })),
      })
    as_of = base.lastTime()
    // Some of those that are left come before, between and behind what was touched.
    await base.run(bulkDelete, {
      filter: { 'Part.n': { in: Array.from({ length: 50 }, (_, i) => 300 + i) } },
    })
    const moved = { and: [{ has_tag: 'Part' }, { not: { 'Part.n': { lt: 10 } } }] }
    const values = { tag_id: 'Part', merge: true, field_values: { n: 5000 } }
    await base.run(bulkUpdateFields, { filter: moved, ...values })
  })
  afterAll(() => base.close())

  const named = async (more: object) =>
    (
      (await base.run(searchItems, { filter, as_of, fields: ['name'], ...more })) as {
        name: string
      }[]
    ).map(({ name }) => name)

  it('is the same whether what was touched is read in parts or as a whole', async () => {
    const whole = await named({ sort: [{ by: 'created_at' }], limit: 1000 })
    const rest = await named({ sort: [{ by: 'created_at' }], limit: 1000, skip: 1000 })
    const all = [...whole, ...rest]
    expect(all).toHaveLength(ITEMS - 100)
    for (const skip of [0, 400, 1500]) {
      const page = { limit: 50, skip }
      expect(await named(page)).toEqual(await named({ ...page, expand: true }))
      const asked = { filter, as_of, ...page, count: true }
      expect((await base.meta(searchItems, asked)).total).toBe(ITEMS - 100)
    }
    const counted = { filter, as_of, limit: 0, count: true }
    expect((await base.meta(searchItems, counted)).total).toBe(ITEMS - 100)
  })

  it('leads from page to page by its cursor', async () => {
    const found: string[] = []
    for (let after: string | undefined; ;) {
      const page = { filter, as_of, fields: ['name'], limit: 170, ...(after !== undefined && { after }) }
      const items = (await base.run(searchItems, page)) as { name: string }[]
      found.push(...items.map(({ name }) => name))
      after = (await base.meta(searchItems, page)).next
      if (after === undefined) break
    }
    expect(found).toHaveLength(ITEMS - 100)
    expect(found).toEqual(
      Array.from({ length: ITEMS }, (_, i) => i)
        .filter((i) => i % 1000 < 900)
        .map((i) => `part ${i}`),
    )
  })
})
