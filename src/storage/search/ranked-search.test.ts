import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { takeInSome } from '#src/work/word-indexer.ts'
import { openBase } from '#test/support/base.ts'

const NAMES = ['apple pear', 'apple', 'pear', 'plum', 'apple pear plum fig', 'fig']
let base: Awaited<ReturnType<typeof openBase>>
beforeAll(async () => {
  base = await openBase()
  await base.run(bulkCreate, { items: NAMES.map((name) => ({ name })) })
  while (await takeInSome({ run: base.runStep, clock: Date.now }));
})
afterAll(() => base.close())

const any = (text: string) => ({ search: { text, match: 'any' } })

async function pagesOf(filter: Record<string, unknown>, limit: number): Promise<string[]> {
  const found: string[] = []
  let after: string | undefined
  do {
    const input = { filter, limit, ...(after !== undefined && { after }) }
    found.push(...(await base.run(searchItems, input)).map(({ name }) => name))
    after = (await base.meta(searchItems, input)).next
  } while (after !== undefined)
  return found
}

describe('items of one score', () => {
  it('of names as long come by their last change, then the newest first', async () => {
    const made = await base.run(bulkCreate, { items: ['quince a', 'quince b', 'quince c'].map((name) => ({ name })) })
    await base.run(updateItem, { item_id: made[1]!.item_id, name: 'quince d' })
    while (await takeInSome({ run: base.runStep, clock: Date.now }));
    for (const limit of [1, 2, 100])
      expect(await pagesOf(any('quince'), limit)).toEqual(['quince d', 'quince c', 'quince a'])
  })
})

describe('the scores of several searches', () => {
  it.each([1, 2, 100])(
    'are added up, of the first item and of the last one too, %d at once',
    async (limit) => {
      const either = { or: [any('apple'), any('pear')] }
      const found = await pagesOf(either, limit)
      expect(found.toSorted()).toEqual(['apple', 'apple pear', 'apple pear plum fig', 'pear'])
      expect(found[0]).toBe('apple pear')
      expect(await pagesOf({ and: [any('apple'), any('pear')] }, limit)).toEqual([
        'apple pear',
        'apple pear plum fig',
      ])
      const figs = await pagesOf({ or: [any('fig'), any('plum')] }, limit)
      expect(figs.toSorted()).toEqual(['apple pear plum fig', 'fig', 'plum'])
    },
  )

  it.each([1, 100])(
    'are zero of what is found otherwise, which comes by the length of its name, %d at once',
    async (limit) => {
      const filter = { or: [any('pear'), { name: { in: ['plum', 'fig', 'apple'] } }] }
      expect(await pagesOf(filter, limit)).toEqual([
        'pear',
        'apple pear',
        'apple pear plum fig',
        'fig',
        'plum',
        'apple',
      ])
    },
  )

  it('are those of what fulfils the rest', async () => {
    expect(await pagesOf({ and: [any('apple fig'), { name: { contains: 'p' } }] }, 1)).toEqual(
      await pagesOf({ and: [any('apple fig'), { name: { contains: 'p' } }] }, 100),
    )
    expect(await pagesOf({ and: [any('apple'), { name: 'plum' }] }, 5)).toEqual([])
  })
})
