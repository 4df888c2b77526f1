import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import { RankedSearch, rankedSearches } from '#src/storage/search/ranked-search.ts'
import { BY_SCORE } from '#src/storage/search/search-order.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { takeInSome } from '#src/work/word-indexer.ts'
import { openBase } from '#test/support/base.ts'

const NAMES = ['apple pear', 'apple', 'pear', 'plum', 'apple pear plum fig', 'fig', 'elderberry']
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
    const made = await base.run(bulkCreate, {
      items: ['quince a', 'quince b', 'quince c'].map((name) => ({ name })),
    })
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
      const filter = { or: [any('pear'), { name: { in: ['plum', 'fig', 'apple', 'elderberry'] } }] }
      expect(await pagesOf(filter, limit)).toEqual([
        'pear',
        'apple pear',
        'apple pear plum fig',
        'fig',
        'plum',
        'apple',
        'elderberry',
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

describe('behind the best, which are put in order', () => {
  const COUNT = 12
  const nameOf = (i: number) => `melon ${String(i).padStart(2, '0')}`
  /** Four by their scores, which are equal, so the newest first; then the others as they were created. */
  const inOrder = [11, 10, 9, 8, 0, 1, 2, 3, 4, 5, 6, 7].map(nameOf)
  let names: Map<number, string>
  beforeAll(async () => {
    await base.run(bulkCreate, { items: Array.from({ length: COUNT }, (_, i) => ({ name: nameOf(i) })) })
    while (await takeInSome({ run: base.runStep, clock: Date.now }));
    const rows = base.db.raw.prepare('select id, name from item').all() as { id: number; name: string }[]
    names = new Map(rows.map(({ id, name }) => [id, name]))
  })

  const search = async (filter: unknown, after: string | undefined, wanted?: number) => {
    const catalog = tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
    const { plan } = await readFilter(filter, catalog)
    return RankedSearch.of(base.db, { plan, order: BY_SCORE, after, wanted, ordered: 4 })
  }

  it.each([1, 2, 3, 4, 5, 7, 11, 12, 13])('come the others, oldest first, %d at once', async (limit) => {
    for (const filter of [any('melon'), { and: [any('melon'), { name: { contains: 'melon' } }] }])
      for (const isCounted of [false, true]) {
        const found: string[] = []
        let after: string | undefined
        for (;;) {
          const ranked = await search(filter, after, isCounted ? undefined : limit)
          const page = (await ranked.page(limit)).map((id) => names.get(id)!)
          expect(page.length).toBeLessThanOrEqual(limit)
          found.push(...page)
          if (isCounted) expect(await ranked.count()).toBe(COUNT)
          if (page.length < limit) break
          after = await ranked.cursorAfter(limit)
        }
        expect(found).toEqual(inOrder)
      }
  })

  it('a cursor may stand behind fewer than were found, or none of them', async () => {
    const first = await search(any('melon'), undefined)
    await first.page(6)
    const after = await first.cursorAfter(3)
    const next = await search(any('melon'), after)
    expect((await next.page(3)).map((id) => names.get(id)!)).toEqual(inOrder.slice(3, 6))
    const again = await search(any('melon'), await next.cursorAfter(0))
    expect((await again.page(3)).map((id) => names.get(id)!)).toEqual(inOrder.slice(3, 6))
  })

  it('weights are those of the first page, whatever was made since', async () => {
    const { plan } = await readFilter(
      any('melon'),
      tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' }),
    )
    const searches = rankedSearches(plan)
    const [now] = await RankedSearch.weightsOf(base.db, searches, undefined)
    expect(now!.weights.items).toBe(names.size)
    expect(now!.havings.map((each) => each.map(([, having]) => having))).toEqual([[COUNT]])
    const page = await search(any('melon'), undefined)
    await page.page(1)
    const after = await page.cursorAfter(1)
    await base.run(bulkCreate, { items: [{ name: 'melon' }] })
    while (await takeInSome({ run: base.runStep, clock: Date.now }));
    expect((await RankedSearch.weightsOf(base.db, searches, after))[0]!.weights.items).toBe(names.size)
    expect((await RankedSearch.weightsOf(base.db, searches, undefined))[0]!.weights.items).toBe(
      names.size + 1,
    )
  })
})
