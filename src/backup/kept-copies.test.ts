import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copyName, isUnfinishedCopy, readCopyName } from '#src/backup/copy-name.ts'
import { keptCopies } from '#src/backup/kept-copies.ts'

const BASE = '0123456789ab'
const copyAt = (time: string) => readCopyName(copyName(BASE, Date.parse(time), 'sqlite'), BASE)!
const NOW = Date.parse('2026-12-01T00:00Z')
const PLAN = { days: 7, weeks: 4, months: 12 }

describe('what is kept of copies', () => {
  it('is the newest of each of the last days, ISO weeks and months that have one', () => {
    const twoADay = Array.from({ length: 800 }, (_, day) =>
      ['02:00', '20:00'].map((hour) =>
        copyAt(new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 11) + hour),
      ),
    ).flat()
    const names = keptCopies(twoADay, PLAN, 'UTC', NOW)
    const kept = twoADay.filter(({ name }) => names.has(name))
    expect(kept.map(({ at }) => new Date(at).toISOString().slice(0, 16))).toEqual(
      '2025-04-30 2025-05-31 2025-06-30 2025-07-31 2025-08-31 2025-09-30 2025-10-31 2025-11-30 2025-12-31 2026-01-31 2026-02-22 2026-02-28 2026-03-01 2026-03-04 2026-03-05 2026-03-06 2026-03-07 2026-03-08 2026-03-09 2026-03-10'
        .split(' ')
        .map((day) => `${day}T20:00`),
    )
  })

  it('goes by the days of the zone, and counts only those that have a copy', () => {
    const late = ['2026-01-01T23:30Z', '2026-01-02T22:30Z', '2025-06-01T10:00Z'].map(copyAt)
    const one = { days: 1, weeks: 0, months: 0 }
    expect(keptCopies(late, { ...one, days: 2 }, 'Europe/Vienna', NOW)).toEqual(
      new Set([late[1]!.name, late[2]!.name]),
    )
    expect(keptCopies(late, { ...one, days: 2 }, 'UTC', NOW)).toEqual(new Set([late[0]!.name, late[1]!.name]))
  })

  it('always has the newest, is bounded by the plan, and stays the same when it is asked again', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 4e12 }), { maxLength: 60 }),
        fc.record({ days: fc.nat(9), weeks: fc.nat(9), months: fc.nat(9) }),
        (times, plan) => {
          const copies = [...new Set(times)].map((at) => readCopyName(copyName(BASE, at, 'sqlite'), BASE)!)
          const kept = keptCopies(copies, plan, 'America/New_York', 4e12)
          const newest = copies.toSorted((a, b) => b.at - a.at)[0]
          if (newest) expect(kept).toContain(newest.name)
          expect(kept.size).toBeLessThanOrEqual(Math.max(plan.days + plan.weeks + plan.months, 1))
          const left = copies.filter(({ name }) => kept.has(name))
          expect(keptCopies(left, plan, 'America/New_York', 4e12)).toEqual(kept)
        },
      ),
    )
  })

  it('is decided apart for copies whose time has not come: neither kind takes the place of the other', () => {
    const [ahead, aheadToo, right, before] = [
      '2031-01-02T03:00Z',
      '2031-01-01T03:00Z',
      '2026-01-02T03:00Z',
      '2026-01-01T03:00Z',
    ].map(copyAt)
    const keptAt = (time: string, plan: typeof PLAN) =>
      keptCopies([ahead!, aheadToo!, right!, before!], plan, 'UTC', Date.parse(time))
    const one = { days: 1, weeks: 0, months: 0 }
    expect(keptAt('2026-01-02T03:00Z', one)).toEqual(new Set([right!.name, ahead!.name]))
    // By clocks that differ a little.
    expect(keptAt('2026-01-02T02:59:30Z', one)).toEqual(new Set([right!.name, ahead!.name]))
    // By a clock that has lost its time.
    expect(keptAt('1970-01-01T00:00Z', { ...one, days: 2 })).toEqual(new Set([ahead!.name, aheadToo!.name]))
    expect(keptAt('2031-01-03T00:00Z', one)).toEqual(new Set([ahead!.name]))
  })

  it('knows no name but its own', () => {
    const name = copyName(BASE, 0, 'postgres')
    expect(name).toBe('facet-0123456789ab-19700101T000000000Z.jsonl')
    expect(isUnfinishedCopy(`${name}.unfinished-journal`, BASE)).toBe(true)
    for (const other of [
      `${name}.old`,
      `my-${name}`,
      name.replace('0123', 'ffff'),
      'facet.db',
      `${name}.unfinished`,
    ])
      expect(readCopyName(other, BASE)).toBe(null)
  })
})
