import { describe, expect, it } from 'vitest'
import type { AnyPlan } from '#src/filter/meaning/plan.ts'
import { type RankedCursor, readRankedCursor, writeRankedCursor } from '#src/storage/search/ranked-cursor.ts'

const any = (...texts: string[]): AnyPlan => ({
  kind: 'any',
  texts: texts.map((text) => text.split(' ').map((stem) => ({ stem }) as AnyPlan['texts'][number][number])),
  places: ['name', 'description'],
})
const SEARCHES = [any('red apple', 'pear'), any('plum')]
const CURSOR: RankedCursor = {
  rank: 7,
  place: { score: 1.5, name_length: 4, updated_at: '2026-01-31T09:30:00.000Z', item: 12 },
  weights: [
    {
      weights: { items: 3, averages: [1, 2, 3] },
      havings: [
        [
          [1, 2],
          [3, 4],
        ],
        [[5, 6]],
      ],
    },
    { weights: { items: 0, averages: [0, 0, 0] }, havings: [[]] },
  ],
}
const sorted = (values: readonly (string | number | null)[]): RankedCursor => ({
  ...CURSOR,
  place: { ...CURSOR.place, values },
})

describe('a cursor of ranked items', () => {
  it.each([CURSOR, sorted(['a', 2, null]), sorted([]), { ...CURSOR, rank: 0 }])(
    'is read as it was written',
    (cursor) => {
      expect(readRankedCursor(SEARCHES, writeRankedCursor(SEARCHES, cursor))).toEqual(cursor)
    },
  )

  it.each([
    [[any('red apple', 'pear')]],
    [[any('red apple', 'plum'), any('plum')]],
    [[any('red', 'pear'), any('plum')]],
    [[SEARCHES[0]!, { ...any('plum'), places: ['name'] as const }]],
    [[]],
  ])('is none of other searches', (searches) => {
    expect(() => readRankedCursor(searches, writeRankedCursor(SEARCHES, CURSOR))).toThrow(
      'not a cursor of this search',
    )
  })

  it('has a mark of six characters', () => {
    const [mark] = JSON.parse(Buffer.from(writeRankedCursor(SEARCHES, CURSOR), 'base64url').toString())
    expect(mark).toHaveLength(6)
  })

  type Form = [string, unknown, unknown[], unknown]
  const read = (change: (form: Form) => unknown) => {
    const form = JSON.parse(
      Buffer.from(writeRankedCursor(SEARCHES, sorted(['a'])), 'base64url').toString(),
    ) as Form
    const changed = change(form) ?? form
    return readRankedCursor(SEARCHES, Buffer.from(JSON.stringify(changed)).toString('base64url'))
  }
  const within = (at: number, value: unknown) => (form: Form) => void (form[2][at] = value)
  const weights = (change: (weights: [unknown, unknown, unknown[]][]) => void) => (form: Form) =>
    change(form[3] as [unknown, unknown, unknown[]][])
  const pairs = (count: number) => Array.from({ length: 2 * count }, () => 1)

  it.each<[string, (form: Form) => unknown]>([
    ['nothing', () => 0],
    ['no list', () => 5],
    ['another mark', (form) => void (form[0] = 'abcdef')],
    ['a rank below zero', (form) => void (form[1] = -1)],
    ['a rank that is a text', (form) => void (form[1] = '1')],
    ['a place that is none', (form) => void (form[2] = 'place' as never)],
    ['a score that is a text', within(0, 'x')],
    ['a length that is none', within(1, null)],
    ['a time that is a number', within(2, 5)],
    ['an item below zero', within(3, -1)],
    ['values that are no list', within(4, 5)],
    ['seven values', within(4, [1, 2, 3, 4, 5, 6, 7])],
    ['a value that is true', within(4, [true])],
    ['a value that is a list', within(4, [[]])],
    ['weights that are no list', (form) => void (form[3] = 5)],
    ['weights of one search too few', weights((given) => void given.pop())],
    ['weights of one search too many', weights((given) => void given.push(given[0]!))],
    ['weights that are a number', weights((given) => void (given[0] = 5 as never))],
    ['no number of items', weights((given) => void (given[0]![0] = null))],
    ['averages that are none', weights((given) => void (given[0]![1] = 5))],
    ['two averages', weights((given) => void (given[0]![1] = [1, 2]))],
    ['an average below zero', weights((given) => void (given[0]![1] = [1, 2, -3]))],
    ['no list of texts', weights((given) => void (given[0]![2] = 5 as never))],
    ['pairs of one text too few', weights((given) => void given[0]![2].pop())],
    ['pairs that are no list', weights((given) => void (given[0]![2][0] = 5))],
    ['half a pair', weights((given) => void (given[0]![2][0] = [1, 2, 3]))],
    ['a pair with a text', weights((given) => void (given[0]![2][0] = [1, 'x']))],
    ['33 pairs', weights((given) => void (given[0]![2][0] = pairs(33)))],
  ])('is refused with %s', (_, change) => {
    expect(() => read(change)).toThrow('not a cursor of this search')
  })

  it('may have six values and 32 pairs, and a rank of zero', () => {
    expect(read(within(4, ['a', 1, null, -2, 'b', 3])).place.values).toEqual(['a', 1, null, -2, 'b', 3])
    expect(read(weights((given) => void (given[0]![2][0] = pairs(32)))).weights[0]!.havings[0]).toHaveLength(
      32,
    )
    expect(read((form) => void (form[1] = 0)).rank).toBe(0)
  })

  it('is refused with a number beyond all numbers', () => {
    const written = Buffer.from(writeRankedCursor(SEARCHES, sorted(['a'])), 'base64url').toString()
    const endless = written.replace(/^(\["[^"]*"),\d+/, '$1,1e999')
    expect(endless).not.toBe(written)
    const read = (text: string) => readRankedCursor(SEARCHES, Buffer.from(text).toString('base64url'))
    expect(read(written).place.values).toEqual(['a'])
    expect(() => read(endless)).toThrow('not a cursor of this search')
  })

  it('is refused where it is no text of ours', () => {
    for (const cursor of ['', 'x', '!', Buffer.from('[1').toString('base64url')])
      expect(() => readRankedCursor(SEARCHES, cursor)).toThrow('not a cursor of this search')
  })
})
