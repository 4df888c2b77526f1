import { afterAll, describe, expect, it } from 'vitest'
import { parseExactJson } from '#src/json/exact-json.ts'
import { JsonThread } from '#src/json/json-thread.ts'
import { longestTurn } from '#test/support/longest-turn.ts'

const json = new JsonThread()
afterAll(() => json.close())

const filler = Array.from({ length: 20_000 }, (_, i) => ({ name: `item ${i}`, note: 'ü😀' }))
const large = (value: object) => Buffer.from(JSON.stringify({ filler, ...value }))

describe('a large JSON text', () => {
  it('is read as a small one is', async () => {
    const bytes = large({ a: [1.5, null, 'x'], b: { c: true } })
    expect(await json.parse(bytes)).toEqual(parseExactJson(bytes))
    expect(await json.parseLoosely(bytes)).toEqual(parseExactJson(bytes))
    const text = Buffer.from(JSON.stringify('é'.repeat(300_000)))
    expect(await json.parse(text)).toEqual(parseExactJson(text))
  })

  it('takes the memory of a source that nobody reads any more', async () => {
    const bytes = large({})
    const own = Buffer.allocUnsafeSlow(bytes.length)
    bytes.copy(own)
    expect(await json.parse(own, {}, true)).toEqual(parseExactJson(bytes))
    expect(own).toHaveLength(0)
  })

  const faulty: Record<string, Buffer> = {
    'a rounded integer': Buffer.from(
      large({})
        .toString()
        .replace('"item 7"', () => '9007199254740993'),
    ),
    'a key twice': Buffer.from(large({}).toString().replace('"item 7"', '{"a":1,"a":2}')),
    'broken JSON': large({}).subarray(0, -5),
    'ill-formed UTF-8': Buffer.concat([large({}), Buffer.from([0xff])]),
    'too many keys': Buffer.from(
      JSON.stringify({ a: Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`key ${i}`, 1])) }),
    ),
  }
  for (const [what, bytes] of Object.entries(faulty))
    it(`with ${what} is refused in the same words`, async () => {
      let expected: unknown
      try {
        parseExactJson(bytes)
      } catch (error) {
        expected = error
      }
      const refusal: unknown = await json.parse(bytes).catch((error: unknown) => error)
      expect(refusal).toEqual(expected)
      expect(refusal).toHaveProperty('details', (expected as { details?: object }).details)
      expect((refusal as object).constructor).toBe((expected as object).constructor)
    })

  it('never holds up the event loop for long', async () => {
    const bytes = Buffer.from(
      `{"a":[${Array.from({ length: 400_000 }, (_, i) => `{"key ${i % 9000}":1}`).join()}]}`,
    )
    await json.parse(bytes) // everything is loaded and warm
    const longest = await longestTurn(() => json.parse(bytes))
    expect(longest).toBeLessThan(250)
  })
})
