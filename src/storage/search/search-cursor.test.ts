import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { findRowIds } from '#src/storage/value-index/reference-targets.ts'
import { markedBy, snippetsOf } from '#src/storage/search/item-snippets.ts'
import { orderValues } from '#src/storage/search/order-values.ts'
import { cursorAfter, cursorById, cursorItems, placeOfCursor } from '#src/storage/search/search-cursor.ts'
import { bindSort, OLDEST_FIRST, type SearchOrder } from '#src/storage/search/search-order.ts'
import { tagCatalog } from '#src/storage/search/tag-catalog.ts'
import { ALWAYS, and, not, or, search, tags } from '#test/support/plan-table.ts'
import { openBase } from '#test/support/base.ts'

let base: Awaited<ReturnType<typeof openBase>>
const made: string[] = []
const rowIds: number[] = []
beforeAll(async () => {
  base = await openBase()
  const fields = {
    effort: 'Number',
    kind: { type: 'Select', variants: ['new', 'done'] },
    next: 'Reference',
    text: 'String',
  }
  const { tag_id } = await base.run(createTag, { name: 'Task', fields })
  for (let i = 0; i < 6; i++) {
    const field_values = {
      effort: i,
      kind: i % 3 ? { variant: i % 2 ? 'new' : 'done' } : null,
      next: i ? made[0]! : null,
      text: i === 2 ? 'a red apple' : null,
    }
    const item = { name: `item ${i}`, description: i === 1 ? '<p>a red <b>pear</b></p>' : null }
    const created = await base.run(createItem, {
      ...item,
      tags: i === 5 ? [] : [{ tag_ref: { Existing: tag_id }, field_values }],
    })
    made.push(created.item_id)
  }
  const found = await findRowIds(base.db, made)
  rowIds.push(...made.map((each) => found.get(each)!))
})
afterAll(() => base.close())

const catalog = () => tagCatalog({ db: base.db, now: new Date(0), time_zone: 'UTC' })
const byEffort = (direction: 'asc' | 'desc' = 'asc') =>
  bindSort([{ by: 'Task.effort', direction }], catalog())
const refusal = 'not a cursor of this search'

describe('a cursor in order of creation', () => {
  it('names one item, whose place is known even when it is gone', async () => {
    const cursor = await cursorAfter(base.db, OLDEST_FIRST, rowIds.slice(0, 3))
    expect(cursor).toBe(cursorById(made[2]!))
    expect(await placeOfCursor(base.db, OLDEST_FIRST, cursor)).toEqual({ item: rowIds[2], values: [] })
    const unknown = cursorById('01ARZ3NDEKTSV4RRFFQ69G5FAV')
    await expect(placeOfCursor(base.db, OLDEST_FIRST, unknown)).rejects.toThrow(refusal)
  })

  it.each([
    ['nothing', ''],
    ['a part of an id', '01ARZ3NDEKTSV4RRFFQ69G5F'],
    ['what is no id', 'ü'.repeat(26)],
    ['an id and a part of one', '01ARZ3NDEKTSV4RRFFQ69G5FAV01ARZ3'],
    ['four ids', '01ARZ3NDEKTSV4RRFFQ69G5FAV'.repeat(4)],
    ['an id and what is none', `01ARZ3NDEKTSV4RRFFQ69G5FAV${'!'.repeat(26)}`],
  ])('is refused with %s', async (_, text) => {
    const cursor = Buffer.from(text).toString('base64url')
    await expect(placeOfCursor(base.db, OLDEST_FIRST, cursor)).rejects.toThrow(refusal)
  })
})

describe('a cursor of another order', () => {
  const textOf = (cursor: string) => Buffer.from(cursor, 'base64url').toString('latin1')

  it('names the last three items, each with a mark of six characters', async () => {
    const order = await byEffort()
    const cursor = await cursorAfter(base.db, order, rowIds.slice(0, 5))
    expect(textOf(cursor)).toHaveLength(3 * 32)
    expect(await cursorItems(base.db, order, cursor)).toEqual(rowIds.slice(2, 5))
    expect(await placeOfCursor(base.db, order, cursor)).toEqual({ item: rowIds[4], values: [4] })
  })

  it('takes those of the page before, where it has fewer', async () => {
    const order = await byEffort()
    const before = await cursorAfter(base.db, order, rowIds.slice(0, 3))
    const items = async (count: number) =>
      cursorItems(base.db, order, await cursorAfter(base.db, order, rowIds.slice(3, 3 + count), before))
    expect(await items(1)).toEqual([rowIds[1], rowIds[2], rowIds[3]])
    expect(await items(2)).toEqual([rowIds[2], rowIds[3], rowIds[4]])
    expect(await items(3)).toEqual([rowIds[3], rowIds[4], rowIds[5]])
    const alone = await cursorAfter(base.db, order, rowIds.slice(3, 4))
    expect(await cursorItems(base.db, order, alone)).toEqual([rowIds[3]])
    // One in order of creation has no need of them.
    const oldest = await cursorAfter(base.db, OLDEST_FIRST, rowIds.slice(3, 4), cursorById(made[0]!))
    expect(oldest).toBe(cursorById(made[3]!))
  })

  it('is the one of another order where a key or its direction differs', async () => {
    const cursor = await cursorAfter(base.db, await byEffort(), rowIds.slice(0, 3))
    const lost = 'The place that the cursor marks is lost'
    await expect(placeOfCursor(base.db, await byEffort('desc'), cursor)).rejects.toThrow(lost)
    const byName = await bindSort([{ by: 'name' }], catalog())
    await expect(placeOfCursor(base.db, byName, cursor)).rejects.toThrow(lost)
    await expect(placeOfCursor(base.db, OLDEST_FIRST, cursor)).rejects.toThrow(refusal)
  })

  it('is refused where it names what is no id', async () => {
    const cursor = Buffer.from('!'.repeat(32)).toString('base64url')
    await expect(placeOfCursor(base.db, await byEffort(), cursor)).rejects.toThrow(refusal)
  })

  it('holds the place by the last item that is where it was', async () => {
    const order = await bindSort([{ by: 'name' }], catalog())
    const cursor = await cursorAfter(base.db, order, rowIds.slice(0, 3))
    const rename = (at: number, name: string) => base.run(updateItem, { item_id: made[at]!, name })
    const place = async () => (await placeOfCursor(base.db, order, cursor)).item
    expect(await place()).toBe(rowIds[2])
    await rename(2, 'changed')
    expect(await place()).toBe(rowIds[1])
    await rename(0, 'changed')
    expect(await place()).toBe(rowIds[1])
    await rename(1, 'changed')
    await expect(place()).rejects.toThrow('The place that the cursor marks is lost')
    for (const at of [0, 1, 2]) await rename(at, `item ${at}`)
    expect(await place()).toBe(rowIds[2])
  })
})

describe('what items are sorted by', () => {
  const valuesOf = async (order: SearchOrder, at = [0, 1, 2, 5]) => {
    const ids = at.map((each) => rowIds[each]!)
    const found = await orderValues(base.db, order, ids)
    return ids.map((id) => found.get(id)?.values)
  }

  it('is a column, the length of a name, a value, the position of a variant, a row id', async () => {
    expect(await valuesOf(await bindSort([{ by: 'name' }], catalog()))).toEqual([
      ['item 0'],
      ['item 1'],
      ['item 2'],
      ['item 5'],
    ])
    expect(
      await valuesOf({ keys: [{ column: 'name_length', descending: false }], descending: false }, [0]),
    ).toEqual([[6]])
    expect(await valuesOf(await byEffort())).toEqual([[0], [1], [2], [null]])
    expect(await valuesOf(await bindSort([{ by: 'Task.kind' }], catalog()))).toEqual([
      [null],
      [0],
      [1],
      [null],
    ])
    expect(await valuesOf(await bindSort([{ by: 'Task.next' }], catalog()))).toEqual([
      [null],
      [rowIds[0]],
      [rowIds[0]],
      [null],
    ])
    expect(await valuesOf(await bindSort([{ by: 'Task.text' }, { by: 'name' }], catalog()), [2, 3])).toEqual([
      ['a red apple', 'item 2'],
      [null, 'item 3'],
    ])
  })

  it('is a tier first', async () => {
    const relevance = [[[{ text: 'item 1', places: ['name'] as const }]]]
    expect(await valuesOf({ keys: [], relevance, descending: false })).toEqual([[6], [1], [6], [6]])
    const key = { tier: relevance, descending: false } as const
    const order: SearchOrder = {
      keys: [{ column: 'name', descending: false }, key],
      relevance,
      descending: false,
    }
    expect(await valuesOf(order, [1])).toEqual([[1, 'item 1', 1]])
  })

  it('stays when an item is deleted', async () => {
    const orders = await Promise.all(
      ['Task.effort', 'Task.kind', 'Task.next', 'Task.text', 'name'].map((by) =>
        bindSort([{ by }], catalog()),
      ),
    )
    const of = (at: number[]) => Promise.all(orders.map((order) => valuesOf(order, at)))
    const before = await of([4, 5])
    expect(before.map(([four]) => four)).toEqual([[4], [1], [rowIds[0]], [null], ['item 4']])
    for (const at of [4, 5]) await base.run(deleteItem, { item_id: made[at]! })
    expect(await of([4, 5])).toEqual(before)
  })
})

describe('the piece of a text that a search has met', () => {
  const any = (
    stems: string[],
    places: ('name' | 'description' | 'values')[],
    stands_for?: Map<string, string[]>,
  ) => ({
    kind: 'any' as const,
    texts: [stems.map((stem) => ({ stem }) as never)],
    places,
    ...(stands_for && { stands_for }),
  })
  const snippets = async (plan: Parameters<typeof markedBy>[0], at: number[]) => {
    const found = await snippetsOf(
      base.db,
      markedBy(plan),
      at.map((each) => rowIds[each]!),
    )
    return at.map((each) => JSON.parse(found.get(rowIds[each]!) ?? 'null'))
  }

  it('is in a name, a description or a value, by what the search looks for there', async () => {
    const red = { text: 'a red pear', place: 'description' }
    expect(await snippets(search('red'), [0, 1, 2])).toMatchObject([null, red, null])
    expect(await snippets(search('red', 'description'), [1])).toMatchObject([red])
    expect(await snippets(search('red', 'name'), [1])).toEqual([null])
    expect(await snippets(search('item', 'word_start'), [1])).toMatchObject([
      { text: 'item 1', place: 'name' },
    ])
    const values = { kind: 'values', text: 'red', fields: [] } as const
    expect(await snippets(values, [1, 2])).toMatchObject([null, { text: 'a red apple', place: 'Task.text' }])
    expect(await snippets(or(search('red'), values), [1, 2])).toMatchObject([red, { place: 'Task.text' }])
    expect(await snippets(and(tags(7), search('pear')), [1])).toMatchObject([red])
  })

  it('is that with most of what is looked for', async () => {
    expect(await snippets(and(search('item'), search('red'), search('pear')), [1, 3])).toMatchObject([
      { place: 'description' },
      { place: 'name' },
    ])
    expect(await snippets(and(search('item'), search('red')), [1])).toMatchObject([{ place: 'name' }])
  })

  it('is by the words of a search for any, or what stands for them', async () => {
    expect(await snippets(any(['red'], ['description']), [1, 2])).toMatchObject([
      { text: 'a red pear' },
      null,
    ])
    expect(await snippets(any(['red'], ['values']), [1, 2])).toMatchObject([null, { place: 'Task.text' }])
    expect(await snippets(any(['rde'], ['description'], new Map([['rde', ['red']]])), [1])).toMatchObject([
      { place: 'description' },
    ])
  })

  it('is none where nothing is looked for outside of not', async () => {
    for (const plan of [ALWAYS, tags(7), not(search('red'))]) expect(markedBy(plan)).toBeUndefined()
    expect(await snippets(not(search('red')), [1])).toEqual([null])
    expect(markedBy({ kind: 'values', text: 'a', fields: [] })?.values.texts).toEqual(['a'])
    expect(markedBy(search('a'))).toMatchObject({
      name: { texts: ['a'] },
      description: { texts: ['a'] },
      values: { texts: [] },
    })
  })
})
