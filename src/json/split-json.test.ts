import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { joinJson } from '#src/json/join.ts'
import { splitJson } from '#src/json/split-json.ts'

const items = Array.from({ length: 50 }, (_, i) => ({ name: `item ${i}`, note: '],[{"\\' }))

describe('a JSON text in pieces', () => {
  it('is cut at the elements of its longest list, wherever that is', () => {
    const split = splitJson(JSON.stringify({ a: [1], params: { name: 'x', arguments: { items } } }), 500)!
    expect(split.path).toEqual(['params', 'arguments', 'items'])
    expect(JSON.parse(split.outer)).toEqual({ a: [1], params: { name: 'x', arguments: { items: [] } } })
    expect(split.pieces.flatMap((piece) => JSON.parse(piece))).toEqual(items)
    for (const piece of split.pieces) expect(piece.length).toBeLessThan(600)
  })

  it('is left whole where it has no long list', () => {
    for (const value of [1, 'x'.repeat(1000), { a: 'x'.repeat(1000) }, [1, 2], {}, { a: {} }, []])
      expect(splitJson(JSON.stringify(value), 500)).toBeNull()
  })

  it('comes together to the same value, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.constantFrom(undefined, 1, '\t'),
        fc.integer({ min: 0, max: 20 }),
        async (value, space, size) => {
          const text = ` ${JSON.stringify(value, null, space)}\n`
          const split = splitJson(text, size)
          if (split) expect(await joinJson(split)).toEqual(JSON.parse(text))
        },
      ),
      { numRuns: 1000 },
    )
  })
})
