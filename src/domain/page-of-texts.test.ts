import { describe, expect, it } from 'vitest'
import { pageOfTexts } from '#src/domain/page-of-texts.ts'

/** A list of numbers, and how many of it were ever read at once. */
function listOf(lengths: readonly number[]) {
  const read: number[] = []
  const page = (limit: number, max: number, from = 0) =>
    pageOfTexts<number>({
      limit,
      max,
      read: async (after = from - 1, count) => {
        const rows = lengths.map((_, i) => i).slice(after + 1, after + 1 + count)
        read.push(rows.length)
        return rows
      },
      textOf: (i) => 'x'.repeat(lengths[i]!),
    })
  return { read, page }
}

describe('a page of texts', () => {
  it('has as many as are asked for, and says where more follow', async () => {
    const { page } = listOf(Array.from({ length: 30 }, () => 1))
    for (const [limit, end] of [
      [1, 0],
      [8, 7],
      [29, 28],
      [30, undefined],
      [31, undefined],
      [Infinity, undefined],
    ] as const)
      expect(await page(limit, 1000)).toEqual({
        texts: Array.from({ length: Math.min(limit, 30) }, () => 'x'),
        end,
      })
  })

  it('ends early where its texts are long, with one at least', async () => {
    const { page } = listOf([50, 60, 1, 500, 1])
    expect(await page(10, 100)).toMatchObject({ texts: { length: 2 }, end: 1 })
    expect(await page(10, 100, 2)).toMatchObject({ texts: { length: 2 }, end: 3 })
    expect(await page(10, 100, 4)).toMatchObject({ texts: { length: 1 }, end: undefined })
  })

  it('is read in pieces that are about as large as what goes out', async () => {
    const long = listOf(Array.from({ length: 1000 }, () => 1000))
    const { texts } = await long.page(1000, 20_000)
    expect(texts).toHaveLength(20)
    expect(long.read.reduce((a, b) => a + b)).toBeLessThan(30)
    const short = listOf(Array.from({ length: 1000 }, () => 1))
    await short.page(1000, 20_000)
    expect(short.read.length).toBeLessThan(8)
  })

  it('of nothing is empty', async () => {
    expect(await listOf([]).page(10, 10)).toEqual({ texts: [], end: undefined })
  })
})
