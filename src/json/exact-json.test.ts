import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { MAX_DEPTH, MAX_VALUES, parseExactJson } from '#src/json/exact-json.ts'

function refusalOf(source: string | Buffer): ServiceError {
  try {
    parseExactJson(source)
  } catch (error) {
    return error as ServiceError
  }
  throw new Error('was accepted')
}

const faults = (source: string | Buffer) => refusalOf(source).details?.errors

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('parseExactJson', () => {
  const accepted = [
    '{}',
    '[]',
    'null',
    ' "a" ',
    '{"a":[1,2.5,-3e10,true,false,null,"x"]}',
    '{"emoji":"\\ud83d\\ude00","plain":"😀","é":"\\u00e9"}',
    '{"limit":9007199254740991,"exact":9007199254740992,"far":100000000000000000000}',
    '[71534576247214090,-123456789012345680000,100000000000000000000000]', // as JSON.stringify writes them
    '{"small":0.1234567890123456789,"tiny":1e-400,"long":1.7976931348623157e308}',
    '{"constructor":1,"toString":2,"note":"__proto__"}',
    '{"a":{"x":1},"b":{"x":1}}',
    '{"a":":,{}[]\\"\\\\"}',
    nested(MAX_DEPTH),
  ]
  for (const text of accepted)
    it(`reads ${text.slice(0, 60)}`, () => {
      expect(parseExactJson(text)).toEqual(JSON.parse(text))
      expect(parseExactJson(Buffer.from(text))).toEqual(JSON.parse(text))
    })

  it('skips a byte order mark', () => {
    expect(parseExactJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 })
  })

  const refused: [text: string, path: string, message: RegExp][] = [
    ['{"a":"\\ud800"}', 'a', /lone surrogate/],
    ['{"a":["x","\\udc00\\ud83d"]}', 'a[1]', /lone surrogate/],
    ['{"a":{"b":"\\u0000"}}', 'a.b', /U\+0000/],
    ['{"a\\u0000":1}', 'a\0', /key must not contain U\+0000/],
    ['{"a":1e999}', 'a', /1e999 is too large/],
    ['{"a":-1e+0999}', 'a', /too large/],
    [`{"a":${'9'.repeat(400)}}`, 'a', /too large/],
    ['[9007199254740993]', '[0]', /would be rounded to 9007199254740992/],
    ['{"items":[{},{"n":-9007199254740993}]}', 'items[1].n', /rounded/],
    ['{"__proto__":{"admin":true}}', '__proto__', /not allowed/],
    ['{"a":[{"\\u005f_proto__":1}]}', 'a[0].__proto__', /not allowed/],
    ['{"a":{"b":1,"b":1}}', 'a.b', /twice/],
    ['{"b":1,"\\u0062":2}', 'b', /twice/],
  ]
  for (const [text, path, message] of refused)
    it(`refuses ${text.slice(0, 50)}`, () => {
      expect(faults(text)).toEqual([{ path, message: expect.stringMatching(message) }])
      expect(faults(Buffer.from(text))).toEqual([{ path, message: expect.stringMatching(message) }])
      expect(Object.prototype).not.toHaveProperty('admin')
    })

  it('names every fault at once', () => {
    expect(faults('{"a":1e999,"b":"\\ud800","c":[{"__proto__":9007199254740993}]}')).toMatchObject([
      { path: 'a' },
      { path: 'b' },
      { path: 'c[0].__proto__' },
      { path: 'c[0].__proto__' },
    ])
  })

  it('names the strings that are not UTF-8', () => {
    const body = Buffer.concat([Buffer.from('{"é":["fine","'), Buffer.from([0xff, 0xfe]), Buffer.from('"]}')])
    expect(faults(body)).toEqual([{ path: 'é[1]', message: 'must be well-formed UTF-8' }])
  })

  for (const depth of [MAX_DEPTH + 1, 1_000, 1_000_000])
    it(`refuses nesting of ${depth}`, () => {
      expect(faults(nested(depth))).toMatchObject([{ message: 'nesting is deeper than 128 levels' }])
      expect(faults(`{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth + 1)}`)?.[0]?.path).toMatch(/^a\.a\.a/)
    })

  it(`reads ${MAX_VALUES} values and refuses more before it builds them`, () => {
    const full = `{"list":[${'{},'.repeat(MAX_VALUES - 3)}1]}`
    expect(parseExactJson(full)).toHaveProperty('list.length', MAX_VALUES - 2)
    const said = [{ path: '', message: 'The body must hold at most 1000000 values; send it in parts' }]
    for (const rest of ['1', '1e999', '9007199254740993'])
      expect(faults(full.replace('1]', `{},${rest}]`))).toEqual(said)
    expect(parseExactJson(`"${'{},'.repeat(MAX_VALUES + 1)}"`)).toHaveLength(3 * (MAX_VALUES + 1))
  })

  const broken: [text: string, line: number, column: number][] = [
    ['{"a":1,}', 1, 8],
    ['{\n  "a": tru\n}', 2, 8],
    ['{"a":1', 1, 7],
    ['{a:1}', 1, 2],
    ['[1 2]', 1, 4],
    ['{"a":"x\ny"}', 1, 8],
    ['{"a":"\\x"}', 1, 7],
    ['{} {}', 1, 4],
    ['01', 1, 2],
    ['nan', 1, 1],
    ["{'a':1}", 1, 2],
    ['['.repeat(100_000), 1, 100_001],
  ]
  for (const [text, line, column] of broken)
    it(`points into ${JSON.stringify(text.slice(0, 30))}`, () => {
      const { code, message, details } = refusalOf(text)
      expect({ code, line: details?.line, column: details?.column }).toEqual({
        code: 'BadRequest',
        line,
        column,
      })
      expect(message).toContain(`line ${line}, column ${column}`)
    })

  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.json({ depthSize: 'medium', stringUnit: 'binary' }), (text) => {
        fc.pre(!/\\u(0000|d[89a-f])|__proto__/i.test(text) && text.isWellFormed() && !text.includes('\0'))
        expect(parseExactJson(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })

  it('is broken exactly where JSON.parse says so', () => {
    const soup = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"a"',
        '"',
        '1',
        '-',
        '.5',
        'e9',
        'true',
        ' ',
        '\\',
        '\n',
      ),
    )
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join('')
        let valid = true
        try {
          JSON.parse(text)
        } catch {
          valid = false
        }
        let read = true
        try {
          parseExactJson(text)
        } catch (error) {
          // Names that come twice, and numbers like 1e911, are what it refuses besides.
          read = /twice|too large/.test((error as Error).message)
        }
        expect(read).toBe(valid)
      }),
      { numRuns: 5000, examples: [[['1', 'e9', '1', '1']]] },
    )
  })
})

describe('an object of more keys than any record has', () => {
  it('is refused, however deep it is, and one of as many as are allowed is read', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))
    expect(parseExactJson(JSON.stringify({ a: [keys(10_000), keys(10_000)] }))).toBeTruthy()
    expect(faults(JSON.stringify({ a: [keys(1), keys(10_001)] }))).toEqual([
      { path: 'a[1]', message: 'an object must have at most 10000 keys' },
    ])
  })
})
