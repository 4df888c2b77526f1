import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { readFilter } from '#src/filter/meaning/read-filter.ts'
import type { RankedPlace } from '#src/storage/search/ranked-cursor.ts'
import { RankedItems } from '#src/storage/search/ranked-items.ts'
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

describe('more equals than are looked up one by one', () => {
  it('are walked as they are sorted, those alone that are equal, live and behind a place', async () => {
    const { db, close } = await openBase()
    // Two of three are among the equals, one of seven is deleted, one of five has a longer name.
    db.exec(`insert into item (item_id, name, created_at, updated_at, deleted_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 6000)
      select printf('%026d', i), iif(i % 5, 'equal', 'longer'), '', printf('%02d', (i * 7) % 90), iif(i % 7, null, 'then') from n`)
    const rows = db.raw
      .prepare(
        `select id, updated_at from item where id % 3 > 0 and name = 'equal' and deleted_at is null
        order by updated_at desc, id desc`,
      )
      .all() as { id: number; updated_at: string }[]
    expect(rows.length).toBeGreaterThan(2500)
    // What is gone since the scores were worked out is passed by.
    const gone = db.raw
      .prepare(`select id from item where id % 3 > 0 and deleted_at is not null`)
      .pluck()
      .all()
    const ids = [...rows.map(({ id }) => id), ...(gone as number[])].toSorted((a, b) => a - b)
    expect(ids.length).toBeGreaterThan(3000)
    const ranked = new RankedItems(db, {
      items: Float64Array.from(ids),
      scores: new Float64Array(ids.length).fill(2),
      name_lengths: new Uint16Array(ids.length).fill('equal'.length),
    })
    const found: number[] = []
    let after: RankedPlace | undefined
    while (found.length < 400) {
      const page = await ranked.best(80, after)
      found.push(...page.map(({ item }) => item))
      after = page.at(-1)
    }
    expect(found).toEqual(rows.slice(0, 400).map(({ id }) => id))
    close()
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

  const search = async (filter: unknown, after: string | undefined, wanted?: number, ordered = 4) => {
    const catalog = tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
    const { plan } = await readFilter(filter, catalog)
    return RankedSearch.of(base.db, { plan, order: BY_SCORE, after, wanted, ordered })
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

  it('come the others from the first item of the base on', async () => {
    const ranked = await search(any('apple'), undefined, undefined, 1)
    const page = await ranked.page(9)
    expect(page.map((id) => names.get(id)!)).toEqual(['apple', 'apple pear', 'apple pear plum fig'])
    expect(page[1]).toBe(1)
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
