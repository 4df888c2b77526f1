import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { noteFirstRows, oftenFills, shapeKey } from '#src/storage/search/first-rows.ts'

describe('first rows', () => {
  let db: SqliteConnection
  beforeEach(() => (db = new SqliteConnection(':memory:')))
  afterEach(() => {
    vi.useRealTimers()
    db.close()
  })

  it('are left out where most searches of the same shape found too few there', () => {
    expect(oftenFills(db, 'a')).toBe(true)
    noteFirstRows(db, 'a', false)
    expect(oftenFills(db, 'a')).toBe(false)
    expect(oftenFills(db, 'b')).toBe(true)
    noteFirstRows(db, 'a', true)
    expect(oftenFills(db, 'a')).toBe(true)
  })

  it('are tried again after a while', () => {
    vi.useFakeTimers()
    noteFirstRows(db, 'a', false)
    vi.advanceTimersByTime(5001)
    expect(oftenFills(db, 'a')).toBe(true)
    noteFirstRows(db, 'a', true)
    expect(oftenFills(db, 'a')).toBe(true)
  })

  it('are so counted for five seconds after the last of them', () => {
    vi.useFakeTimers()
    noteFirstRows(db, 'a', false)
    vi.advanceTimersByTime(5000)
    expect(oftenFills(db, 'a')).toBe(false)
    noteFirstRows(db, 'a', false)
    vi.advanceTimersByTime(5000)
    noteFirstRows(db, 'a', true)
    expect(oftenFills(db, 'a')).toBe(false)
    noteFirstRows(db, 'a', true)
    noteFirstRows(db, 'a', false)
    vi.advanceTimersByTime(5001)
    // What was before is forgotten.
    noteFirstRows(db, 'a', true)
    noteFirstRows(db, 'a', false)
    noteFirstRows(db, 'a', false)
    expect(oftenFills(db, 'a')).toBe(false)
  })

  it('are counted for a thousand shapes, of which those go first that were not used for longest', () => {
    vi.useFakeTimers()
    for (let i = 0; i < 1000; i++) noteFirstRows(db, `${i}`, false)
    expect(oftenFills(db, '0')).toBe(false)
    noteFirstRows(db, 'another', false)
    expect(oftenFills(db, '1')).toBe(true)
    expect(['0', '2', '999', 'another'].some((shape) => oftenFills(db, shape))).toBe(false)
  })

  it('are known by the shape of a filter, not by its values', () => {
    const search = (text: string) => ({ kind: 'search', text }) as const
    expect(shapeKey(search('a'), 50)).toBe(shapeKey(search('b'), 50))
    expect(shapeKey(search('a'), 50)).not.toBe(shapeKey(search('a'), 51))
    expect(shapeKey(search('a'), 50)).not.toBe(shapeKey(search('a'), 50, true))
    expect(shapeKey(search('a'), 50)).not.toBe(shapeKey({ kind: 'not', child: search('a') }, 50))
  })
})
