import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { MatchingTime } from '#src/storage/search/matching-time.ts'

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
})
