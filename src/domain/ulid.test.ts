import { describe, expect, it } from 'vitest'
import { firstUlidAt, lastUlidAt, parseUlid, ulidTime } from '#src/domain/ulid.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'

describe('ulidSource', () => {
  const now = Date.parse('2026-01-31T09:30:00.000Z')

  it('makes ids of the time that they are asked for', () => {
    const id = ulidSource()(now)
    expect(parseUlid(id)).toBe(id)
    expect(ulidTime(id)).toBe(now)
    expect(firstUlidAt(now) <= id && id <= lastUlidAt(now)).toBe(true)
    expect(lastUlidAt(now - 1) < id && id < firstUlidAt(now + 1)).toBe(true)
  })

  it('goes up while the clock stands still, steps back and goes on', () => {
    const source = ulidSource()
    const ids = [...Array.from({ length: 2000 }, () => now), now - 3_600_000, now - 1, now + 1].map(source)
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it('starts after the newest id of the database', () => {
    const newest = lastUlidAt(now)
    const id = ulidSource(newest)(now - 1000)
    expect(id > newest).toBe(true)
    expect(ulidTime(id)).toBe(now + 1)
    const source = ulidSource('01JJXZ5T7GQ3M8K4B9R2C6DZZZ')
    expect(source(0)).toBe('01JJXZ5T7GQ3M8K4B9R2C6E000')
  })
})

describe('parseUlid', () => {
  const good = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
  for (const [text, parsed] of [
    [good, good],
    [good.toLowerCase(), good],
    ['', null],
    [good.slice(1), null],
    [`${good}0`, null],
    [`8${good.slice(1)}`, null],
    [`${good.slice(0, 25)}U`, null],
    [`${good.slice(0, 25)}ı`, null],
  ] as const)
    it(`takes '${text}' as ${parsed}`, () => expect(parseUlid(text)).toBe(parsed))
})
