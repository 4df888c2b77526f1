import { describe, expect, it } from 'vitest'
import { sameJson } from '#src/domain/same-json.ts'

describe('sameJson', () => {
  const cases: [a: unknown, b: unknown, same: boolean][] = [
    [1, 1, true],
    [0, -0, true],
    [1, '1', false],
    [null, null, true],
    [null, undefined, false],
    [null, {}, false],
    [[], {}, false],
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
    [['x', 'y'], ['y', 'x'], false],
    [['x'], ['x', 'x'], false],
    [{ a: null }, {}, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ constructor: 1 }, { x: 1 }, false],
    [{ toString: 'a' }, { toString: 'a' }, true],
  ]
  for (const [a, b, same] of cases)
    it(`${JSON.stringify(a)} and ${JSON.stringify(b)}: ${same}`, () => {
      expect(sameJson(a, b)).toBe(same)
      expect(sameJson(b, a)).toBe(same)
    })
})
