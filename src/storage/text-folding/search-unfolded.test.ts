import { afterEach, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { foldSome } from '#src/storage/text-folding/text-folding.ts'
import { openBase } from '#test/support/base.ts'

let base: Awaited<ReturnType<typeof openBase>>
afterEach(() => base.close())

/** A base whose texts were folded by case alone, this many row ids of which are still to be folded. */
async function upgraded(last: number): Promise<void> {
  base = await openBase()
  await base.run(createItem, { name: 'São Tomé' })
  await base.run(createItem, { name: 'Sao Paulo' })
  base.db.exec("update item_text set name = 'são tomé' where id = 1")
  base.db.exec(`insert into text_folding (done, last) values (0, ${last})`)
}

const found = async (sort?: [{ by: 'relevance' }]) => {
  const input = { filter: { search: 'sao' }, ...(sort && { sort }), limit: 10, count: true }
  const items = await base.run(searchItems, input)
  const { event_id: _, ...meta } = await base.meta(searchItems, input)
  return [items.map(({ name }) => name), meta]
}

it('a page of a search reads texts that an upgrade has left to fold', async () => {
  await upgraded(20_000)
  expect(await found()).toEqual([['São Tomé', 'Sao Paulo'], { total: 2 }])
})

it('what an older version found alone, it finds no more', async () => {
  base = await openBase()
  const items = Array.from({ length: 300 }, (_, i) => ({
    name: `item ${i}`,
    description: `<p>A text ${i}</p>`,
  }))
  await base.run(bulkCreate, { items })
  base.db.exec("update item_text set description = '<p>a text 7</p>' where id = 8")
  base.db.exec('insert into text_folding (done, last) values (0, 100)')
  const names = async (search: string) =>
    (await base.run(searchItems, { filter: { search }, limit: 10 })).map(({ name }) => name)
  expect(await names('p>a text')).toEqual([])
  expect(await names('a text 7')).toEqual([
    'item 7',
    ...Array.from({ length: 9 }, (_, i) => `item ${70 + i}`),
  ])
})

it('a page does not wait where they are too many, and says so; a change does', async () => {
  await upgraded(1_000_000)
  const said = { total: 1, warnings: [expect.stringContaining('up to 1000000 items')] }
  expect(await found()).toEqual([['Sao Paulo'], said])
  expect(await found([{ by: 'relevance' }])).toEqual([['Sao Paulo'], said])
  const filter = { search: 'sao' }
  expect(await base.run(bulkDelete, { filter, dry_run: true })).toMatchObject({ affected_count: 2 })
  while (await foldSome(base.db));
  expect(await found()).toEqual([['São Tomé', 'Sao Paulo'], { total: 2 }])
})

it('a search for any of some words says, however few wait, that it may not find these', async () => {
  await upgraded(1)
  const filter = { search: { text: 'sao', match: 'any' } } as const
  const warnings = [expect.stringMatching(/up to 1 item are .* 'match: "any"' may not find these$/)]
  for (const sort of [undefined, [{ by: 'relevance' }], [{ by: 'name' }]] as const) {
    const input = { filter, limit: 10, ...(sort && { sort: [...sort] }) }
    expect((await base.run(searchItems, input)).map(({ name }) => name)).toEqual(['Sao Paulo'])
    expect(await base.meta(searchItems, input)).toMatchObject({ warnings })
  }
  while (await foldSome(base.db));
  const input = { filter, limit: 10 }
  expect(await base.run(searchItems, input)).toHaveLength(2)
  expect(await base.meta(searchItems, input)).not.toHaveProperty('warnings')
})
