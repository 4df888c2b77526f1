import { describe, expect, it } from 'vitest'
import type { FilterPlan } from '#src/filter/meaning/plan.ts'
import { postgresDialect } from '#src/sql/postgres-dialect.ts'
import { placesByKeys } from '#src/storage/search/ranked-by-keys.ts'
import type { RankedPlace } from '#src/storage/search/ranked-cursor.ts'
import { comparePlaces, RankedItems } from '#src/storage/search/ranked-items.ts'
import { rankedSearches } from '#src/storage/search/ranked-search.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'
import { and, not, or, tags } from '#test/support/plan-table.ts'
import { recordingDb } from '#test/support/recording-db.ts'

interface Known extends RankedPlace {
  readonly name?: string
}

const known = (count: number, of: (i: number) => Partial<Known>): Known[] =>
  Array.from({ length: count }, (_, i) => ({
    item: i + 1,
    score: 1,
    name_length: 5,
    updated_at: `2026-01-${String((i % 28) + 1).padStart(2, '0')}`,
    ...of(i),
  }))

/** All items of a base, which it finds by their ids, or by the length of their names in the order of equals. */
function baseOf(items: readonly Known[]) {
  return recordingDb(postgresDialect, ({ sql: text, parameters }) => {
    if (text.includes('length(i.name)')) {
      const [length, ...rest] = parameters
      const limit = Number(rest.pop())
      const [updated_at, item] = rest as [string, number] | []
      return items
        .filter(({ name_length }) => name_length === length)
        .toSorted((a, b) => comparePlaces({ ...a, score: 0 }, { ...b, score: 0 }))
        .filter(
          (each) =>
            updated_at === undefined ||
            comparePlaces(
              { score: 0, name_length: each.name_length, updated_at, item: item! },
              { ...each, score: 0 },
            ) < 0,
        )
        .slice(0, limit)
        .map((each) => ({ id: each.item, updated_at: each.updated_at }))
    }
    const ids = new Set(JSON.parse(String(parameters[0])) as number[])
    return items
      .filter(({ item }) => ids.has(item))
      .map((each) => ({
        ...each,
        id: each.item,
        item_id: `${each.item}`,
        description: null,
        created_at: '',
        deleted_at: null,
      }))
  })
}

const scoredOf = (items: readonly Known[]) => ({
  items: Float64Array.from(items, ({ item }) => item),
  scores: Float64Array.from(items, ({ score }) => score),
  name_lengths: Uint16Array.from(items, ({ name_length }) => name_length),
})

const itemsOf = (places: readonly RankedPlace[]) => places.map(({ item }) => item)

describe('places are compared', () => {
  const place: RankedPlace = { score: 2, name_length: 5, updated_at: '2', item: 5 }
  it.each([
    [{ score: 3 }, { score: 1 }],
    [
      { score: 3, name_length: 9 },
      { score: 1, name_length: 1 },
    ],
    [{ name_length: 4 }, { name_length: 6 }],
    [
      { name_length: 4, updated_at: '1' },
      { name_length: 6, updated_at: '3' },
    ],
    [{ updated_at: '3' }, { updated_at: '1' }],
    [
      { updated_at: '3', item: 1 },
      { updated_at: '1', item: 9 },
    ],
    [{ item: 6 }, { item: 4 }],
  ])('%j before, %j behind', (before, behind) => {
    expect(comparePlaces({ ...place, ...before }, place)).toBeLessThan(0)
    expect(comparePlaces(place, { ...place, ...before })).toBeGreaterThan(0)
    expect(comparePlaces({ ...place, ...behind }, place)).toBeGreaterThan(0)
    expect(comparePlaces(place, place)).toBe(0)
  })
})

describe('ranked items come in pages', () => {
  const items = known(97, (i) => ({
    score: (i * 7) % 5,
    name_length: (i * 5) % 4,
    updated_at: `${(i * 3) % 7}`,
  }))
  const inOrder = items.toSorted(comparePlaces)

  it.each([1, 2, 3, 10, 50, 97, 100])('of %d, each once, in order', async (wanted) => {
    const ranked = new RankedItems(baseOf(items), scoredOf(items))
    expect(ranked.size).toBe(97)
    const found: RankedPlace[] = []
    for (;;) {
      const page = await ranked.best(wanted, found.at(-1))
      expect(page.length).toBeLessThanOrEqual(wanted)
      found.push(...page)
      if (page.length < wanted) break
    }
    expect(itemsOf(found)).toEqual(itemsOf(inOrder))
    expect(found.slice(0, 5)).toEqual(inOrder.slice(0, 5))
  })

  it('of which no more are looked up than may be on it', async () => {
    const lookedUp = async (wanted: number, after?: RankedPlace) => {
      const base = baseOf(items)
      await new RankedItems(base, scoredOf(items)).best(wanted, after)
      return base.asked.map(({ parameters }) => JSON.parse(String(parameters[0])) as number[])
    }
    const likeOf = ({ score, name_length }: RankedPlace) =>
      items.filter((each) => each.score === score && each.name_length === name_length).map(({ item }) => item)
    const [first] = inOrder
    const best = likeOf(first!)
    expect(await lookedUp(1)).toEqual([best])
    expect(await lookedUp(best.length, undefined)).toEqual([best])
    const next = inOrder[best.length]!
    expect(await lookedUp(best.length + 1)).toEqual([best, likeOf(next)])
    // Those that are equal to the place fill the page, or do not.
    expect(await lookedUp(best.length - 1, first)).toEqual([best])
    expect(await lookedUp(best.length, first)).toEqual([best, likeOf(next)])
    expect(await lookedUp(5, inOrder.at(-1))).toEqual([likeOf(inOrder.at(-1)!)])
    expect(await new RankedItems(baseOf([]), scoredOf([])).best(5)).toEqual([])
  })

  it('also behind a place that is no longer one of them', async () => {
    const ranked = new RankedItems(baseOf(items), scoredOf(items))
    const gone = { ...inOrder[40]!, item: inOrder[40]!.item + 0.5 }
    const expected = inOrder.filter((each) => comparePlaces(gone, each) < 0)
    expect(itemsOf(await ranked.best(10, gone))).toEqual(itemsOf(expected.slice(0, 10)))
  })

  it('and names of every length keep scores apart', async () => {
    const lengths = [
      { item: 1, score: 1, name_length: 65_535 },
      { item: 2, score: 1, name_length: 0 },
      { item: 3, score: 2, name_length: 65_535 },
      { item: 4, score: 1, name_length: 1 },
    ].map((each) => ({ ...each, updated_at: '1' }))
    const ranked = new RankedItems(baseOf(lengths), scoredOf(lengths))
    expect(itemsOf(await ranked.best(4))).toEqual([3, 2, 4, 1])
    expect(itemsOf(await ranked.best(1, lengths[2]))).toEqual([2])
  })
})

describe('the searches that make the order', () => {
  const any = (text: string) => ({
    kind: 'any' as const,
    texts: [[{ stem: text } as never]],
    places: ['name' as const],
  })
  const [a, b] = [any('a'), any('b')]

  it.each<[FilterPlan, unknown[]]>([
    [a, [a]],
    [tags(7), []],
    [not(a), []],
    [and(a, tags(7)), [a]],
    [or(tags(7), b, and(a, not(b))), [b, a]],
  ])('of %j are those for any of some words, outside of not', (plan, searches) => {
    expect(rankedSearches(plan)).toEqual(searches)
  })
})

describe('equals', () => {
  /** Twice as many others have names as long: of three items in a row the first is one of them. */
  const baseWithEquals = (count: number) => {
    const all = known(3 * count, (i) => ({ score: i % 3 ? 0 : 1 }))
    const found = all.filter(({ score }) => score)
    const base = baseOf(all)
    const walks = () => base.asked.filter(({ sql: text }) => text.includes('length(i.name)'))
    return {
      base,
      walks,
      ranked: new RankedItems(base, scoredOf(found)),
      inOrder: found.toSorted(comparePlaces),
    }
  }

  it.each([
    [3000, 0],
    [3001, 1],
  ])('are looked up one by one where they are no more than 3000: %d', async (count, walked) => {
    const { ranked, inOrder, walks } = baseWithEquals(count)
    expect(itemsOf(await ranked.best(20))).toEqual(itemsOf(inOrder.slice(0, 20)))
    expect(walks()).toHaveLength(walked)
  })

  it.each([
    [3000, true],
    [3001, false],
  ])('are walked where no more than 3000 are wanted: %d', async (wanted, walked) => {
    const { ranked, inOrder, walks } = baseWithEquals(3100)
    expect(itemsOf(await ranked.best(wanted))).toEqual(itemsOf(inOrder.slice(0, wanted)))
    expect(walks().length > 0).toBe(walked)
  })

  it('are walked from a place on, twice as far each time, until there are enough', async () => {
    const { ranked, inOrder, walks } = baseWithEquals(3200)
    // Two in three are none of them: 4 × 100 + 100 items have 166 of them.
    expect(itemsOf(await ranked.best(100, inOrder[1500]))).toEqual(itemsOf(inOrder.slice(1501, 1601)))
    expect(walks().map(({ parameters }) => parameters.at(-1))).toEqual([500])
    // Hardly any at first: the others were all changed later.
    const all = known(4000, (i) => ({ score: i < 3100 ? 1 : 0, updated_at: i < 3100 ? '1' : '2' }))
    const found = all.filter(({ score }) => score)
    const late = baseOf(all)
    const later = new RankedItems(late, scoredOf(found))
    expect(itemsOf(await later.best(10))).toEqual(itemsOf(found.toSorted(comparePlaces).slice(0, 10)))
    const limits = late.asked
      .filter(({ sql: text }) => text.includes('length(i.name)'))
      .map((each) => each.parameters.at(-1))
    expect(limits).toEqual([140, 280, 560])
  })

  it('are walked to the end where there are fewer than wanted', async () => {
    const { ranked, inOrder, walks } = baseWithEquals(3001)
    expect(itemsOf(await ranked.best(100, inOrder[2990]))).toEqual(itemsOf(inOrder.slice(2991)))
    expect(walks()).toHaveLength(1)
  })

  it('of a place and what comes behind them make one page', async () => {
    const all = known(3300, (i) => ({ score: i < 3100 ? 2 : 1 }))
    const inOrder = all.toSorted(comparePlaces)
    const ranked = new RankedItems(baseOf(all), scoredOf(all))
    expect(itemsOf(await ranked.best(50, inOrder[3079]))).toEqual(itemsOf(inOrder.slice(3080, 3130)))
  })
})

describe('an order of several keys of which one is the score', () => {
  const items = known(60, (i) => ({
    score: i % 4,
    name_length: 5 + (i % 3),
    name: i % 3 ? `name ${i % 5}` : 'a',
    updated_at: `${i % 7}`,
  }))
  const orderOf = (
    keys: SearchOrder['keys'],
    by_score: number | undefined,
    descending: boolean,
  ): SearchOrder => ({
    keys,
    descending,
    ...(by_score !== undefined && { by_score }),
  })
  const byName = { column: 'name', descending: false } as const
  const byChange = { column: 'updated_at', descending: true } as const

  it.each<[string, SearchOrder, (a: Known, b: Known) => number]>([
    [
      'a name before it',
      orderOf([byName], 1, false),
      (a, b) => a.name!.localeCompare(b.name!) || b.score - a.score || a.item - b.item,
    ],
    [
      'a name behind it',
      orderOf([byName], 0, true),
      (a, b) => b.score - a.score || a.name!.localeCompare(b.name!) || b.item - a.item,
    ],
    [
      'a name before it and a change behind it',
      orderOf([byName, byChange], 1, true),
      (a, b) =>
        a.name!.localeCompare(b.name!) ||
        b.score - a.score ||
        -a.updated_at.localeCompare(b.updated_at) ||
        b.item - a.item,
    ],
    [
      'nothing else',
      orderOf([byName], undefined, false),
      (a, b) => b.score - a.score || a.name!.localeCompare(b.name!) || a.item - b.item,
    ],
  ])('with %s', async (_, order, compare) => {
    const expected = itemsOf(items.toSorted(compare))
    const found: RankedPlace[] = []
    for (;;) {
      const page = await placesByKeys(baseOf(items), scoredOf(items), order, {
        wanted: 7,
        after: found.at(-1),
      })
      found.push(...page)
      if (page.length < 7) break
    }
    expect(itemsOf(found)).toEqual(expected)
    for (const { item, score, name_length } of found)
      expect({ score, name_length }).toEqual({
        score: items[item - 1]!.score,
        name_length: items[item - 1]!.name_length,
      })
    expect(
      await placesByKeys(baseOf(items), scoredOf(items), order, { wanted: 100, after: found.at(-1) }),
    ).toEqual([])
  })

  it('has what has no value at the end, either way', async () => {
    // The last two are not known to the base any more.
    const some = items.slice(0, 4).map((each, i) => ({ ...each, score: 1, name: `${i}` }))
    for (const descending of [false, true]) {
      const order = orderOf([{ column: 'name', descending }], 1, false)
      const found = await placesByKeys(baseOf(some.slice(0, 2)), scoredOf(some), order, {
        wanted: 9,
        after: undefined,
      })
      expect(itemsOf(found)).toEqual(descending ? [2, 1, 3, 4] : [1, 2, 3, 4])
      // Whichever of them is looked at first.
      const last = await placesByKeys(baseOf(some.slice(2)), scoredOf(some), order, {
        wanted: 9,
        after: undefined,
      })
      expect(itemsOf(last)).toEqual(descending ? [4, 3, 1, 2] : [3, 4, 1, 2])
    }
  })

  it('goes on to the next key where two have the same value, or none', async () => {
    const some = items.slice(0, 6).map((each, i) => ({
      ...each,
      score: i,
      name: 'same',
      updated_at: `${[3, 1, 2, 0, 0, 0][i]}`,
    }))
    const order = orderOf([byName, { column: 'updated_at', descending: false }], 2, false)
    const found = await placesByKeys(baseOf(some.slice(0, 3)), scoredOf(some), order, {
      wanted: 9,
      after: undefined,
    })
    // The last three are not known to the base any more: they have no values, and go by the score.
    expect(itemsOf(found)).toEqual([2, 3, 1, 6, 5, 4])
  })

  it.each([
    [5000, 1],
    [5001, 2],
    [10_000, 2],
  ])('looks values up for 5000 items at once: %d', async (count, times) => {
    const base = baseOf([])
    await placesByKeys(base, scoredOf(known(count, () => ({}))), orderOf([byName], 0, false), {
      wanted: 1,
      after: undefined,
    })
    expect(base.asked).toHaveLength(times)
  })

  it('is refused for more than 100,000 items', async () => {
    const scored = (length: number) => ({
      items: new Float64Array(length),
      scores: new Float64Array(length),
      name_lengths: new Uint16Array(length),
    })
    const places = (length: number) =>
      placesByKeys(baseOf([]), scored(length), orderOf([], 0, false), { wanted: 1, after: undefined })
    await expect(places(100_001)).rejects.toThrow(
      "100001 items are too many for 'relevance' beside other keys",
    )
    expect(await places(100_000)).toHaveLength(1)
  })
})
