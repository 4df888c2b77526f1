import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { findingSight, MatchingTime } from '#src/storage/search/matching-time.ts'

const ITEMS = Array.from({ length: 10_000 }, (_, i) => i)

describe('the time for which a change may look whether its items match', () => {
  let db: SqliteConnection
  beforeEach(() => {
    vi.useFakeTimers()
    db = new SqliteConnection(':memory:')
  })
  afterEach(() => {
    vi.useRealTimers()
    db.close()
  })

  it('is that of all looks together', async () => {
    const looks: number[] = []
    const slowly = async (some: readonly number[]) => {
      looks.push(some.length)
      vi.advanceTimersByTime(110)
      return some
    }
    await expect(new MatchingTime().among(db, ITEMS, slowly)).rejects.toThrow(
      'takes so long that everybody else',
    )
    expect(looks).toEqual([1, 1, 1])
  })

  it('is enough for many that take little, of which more and more are looked at together', async () => {
    const looks: number[] = []
    const time = new MatchingTime()
    const quickly = async (some: readonly number[]) => {
      looks.push(some.length)
      vi.advanceTimersByTime(1)
      return some.filter((id) => id % 2)
    }
    expect((await time.among(db, ITEMS, quickly)).size).toBe(ITEMS.length / 2)
    expect(looks.slice(0, 5)).toEqual([1, 10, 100, 1000, 1000])
    expect(looks.reduce((sum, each) => sum + each)).toBe(ITEMS.length)
    // The next filter has what is left.
    const long = async () => (vi.advanceTimersByTime(290), [])
    await expect(time.among(db, [1, 2], long)).rejects.toThrow('nothing was changed')
  })

  /** Looks that take so long each. */
  const sizesOf = async (count: number, milliseconds: number, time = new MatchingTime()) => {
    const looks: number[] = []
    await time.among(db, ITEMS.slice(0, count), async (some) => {
      looks.push(some.length)
      vi.advanceTimersByTime(milliseconds)
      return []
    })
    return looks
  }

  it.each([
    // Fifty milliseconds are wanted: at most ten times as many, a thousand, one at least.
    [30, 5, [1, 10, 19]],
    [30, 10, [1, 5, 24]],
    [30, 25, [1, 2, 4, 8, 15]],
    [30, 17, [1, 2, 5, 14, 8]],
    [3, 50, [1, 1, 1]],
    [3, 75, [1, 1, 1]],
    [4000, 0.01, [1, 10, 100, 1000, 1000, 1000, 889]],
  ])(
    'looks at %d items at once that take %d ms, each time as many as take fifty',
    async (count, took, looks) => {
      const found = await sizesOf(count, took)
      expect(found.slice(0, looks.length - 1)).toEqual(looks.slice(0, -1))
      expect(found.reduce((sum, each) => sum + each, 0)).toBe(count)
    },
  )

  /** Whether a look may go on that has taken so long, of so much time that the change has had. */
  const goesOn = async (took: number, before: number) => {
    const time = new MatchingTime()
    vi.advanceTimersByTime(before)
    const look = async () => {
      vi.advanceTimersByTime(took)
      ;(db as { throwIfEnded?: () => void }).throwIfEnded?.()
      return [1]
    }
    return time.among(db, [1], look).then(
      () => true,
      () => false,
    )
  }

  it.each([
    [299, 0, true],
    [300, 0, true],
    [301, 0, false],
    // As long as the rest of the change took it may be longer.
    [400, 401, true],
    [400, 400, true],
    [401, 400, false],
    [1000, 1001, true],
  ])('is over after %d ms, where %d were before it: %j', async (took, before, left) => {
    expect(await goesOn(took, before)).toBe(left)
  })

  it('is a second for what a limit shows', async () => {
    const look = (took: number) =>
      findingSight(db, async () => {
        vi.advanceTimersByTime(took)
        ;(db as { throwIfEnded?: () => void }).throwIfEnded?.()
        return took
      })
    expect(await look(1000)).toBe(1000)
    await expect(look(1001)).rejects.toThrow('takes so long')
    const { throwIfEnded } = db as { throwIfEnded?: () => void }
    expect(() => throwIfEnded?.()).not.toThrow()
  })

  it('ends what was to end before, too', async () => {
    const before = (db as { throwIfEnded?: () => void }).throwIfEnded
    Object.assign(db, {
      throwIfEnded: () => {
        throw new Error('ended before')
      },
    })
    await expect(sizesOf(1, 1)).rejects.toThrow('ended before')
    Object.assign(db, { throwIfEnded: before })
  })
})
