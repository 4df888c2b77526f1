import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ServiceError, type Problem } from '#src/domain/errors.ts'
import { defineOperation, type Operation } from '#src/runtime/operation.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { computed } from '#test/support/computed.ts'
import { longestTurn } from '#test/support/longest-turn.ts'

const closed = { additionalProperties: false }
const Tag = Type.Object({ tag: Type.String(), note: Type.Optional(Type.String()) }, closed)
const Item = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    tags: Type.Optional(Type.Array(Tag)),
  },
  closed,
)

const operation = defineOperation({
  name: 'probe',
  summary: 'Takes one of everything.',
  access: 'none',
  effect: 'read',
  ignores: ['id', 'created_at'],
  input: Type.Object(
    {
      text: Type.Optional(Type.String({ minLength: 3, maxLength: 5 })),
      code: Type.Optional(Type.String({ pattern: '^\\d{6}$', patternMessage: 'must be 6 digits' })),
      word: Type.Optional(Type.String({ pattern: '^\\w+$' })),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
      ratio: Type.Optional(Type.Number()),
      flag: Type.Optional(Type.Boolean()),
      direction: Type.Optional(Type.Union([Type.Literal('asc'), Type.Literal('desc')])),
      list: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
      pair: Type.Optional(Type.Array(Type.String(), { minItems: 2 })),
      items: Type.Optional(Type.Array(Type.Union([Item, Type.String()]), { maxItems: 10_000 })),
      ref: Type.Optional(
        Type.Union([Type.Object({ Existing: Type.String() }, closed), Type.Object({ New: Item }, closed)]),
      ),
      item: Type.Optional(Item),
      open: Type.Optional(Type.Unsafe<object>({ type: 'object', additionalProperties: true })),
      anything: Type.Optional(Type.Unsafe<unknown>({})),
    },
    closed,
  ),
  output: Type.Null(),
  run: async () => null,
}) as unknown as Operation

async function problems(input: unknown): Promise<Problem[]> {
  try {
    await validateInput(operation, input)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BadRequest') return error.details!.errors!
    throw error
  }
  return []
}

describe('what validateInput says', () => {
  const said: [input: unknown, ...[path: string, message: string][]][] = [
    [null, ['', 'expected an object']],
    [[], ['', 'expected an object']],
    ['x', ['', 'expected an object']],
    [{ text: 5 }, ['text', 'expected a string']],
    [{ text: 'xy' }, ['text', 'must have at least 3 characters']],
    [{ text: '😀😀😀😀😀😀' }, ['text', 'must have at most 5 characters']],
    [{ code: '12345' }, ['code', 'must be 6 digits']],
    [{ word: '' }, ['word', 'must match ^\\w+$']],
    [{ count: 1.5 }, ['count', 'expected a whole number']],
    [{ count: '1' }, ['count', 'expected a whole number']],
    [{ count: 0 }, ['count', 'must be at least 1']],
    [{ count: 11 }, ['count', 'must be at most 10']],
    [{ ratio: '1' }, ['ratio', 'expected a number']],
    [{ flag: 'true' }, ['flag', 'expected true or false']],
    [{ direction: 'up' }, ['direction', 'expected "asc" or "desc"']],
    [{ list: 'x' }, ['list', 'expected an array']],
    [{ list: [] }, ['list', 'must not be empty']],
    [{ pair: ['x'] }, ['pair', 'must have at least 2 elements']],
    [{ list: ['a', 'b', 'c'] }, ['list', 'must have at most 2 elements']],
    [{ list: ['a', 5] }, ['list[1]', 'expected a string']],
    [{ txet: 'abc' }, ['txet', `unknown property; did you mean 'text'?`]],
    [
      { item: { name: 'x', colour: 1 } },
      ['item.colour', 'unknown property; expected one of: name, description, tags'],
    ],
    [{ item: {} }, ['item.name', 'is required']],
    [{ item: { name: '' } }, ['item.name', 'must not be empty']],
    [
      { item: { name: 'x', tags: [{ tag: 'a' }, { note: 5 }] } },
      ['item.tags[1].tag', 'is required'],
      ['item.tags[1].note', 'expected a string'],
    ],
    [{ item: { name: 'x', description: 5 } }, ['item.description', 'expected a string or null']],
    [{ open: [] }, ['open', 'expected an object']],
    [{ 'a.b/c~d': 1 }, ['a.b/c~d', expect.stringContaining('unknown property; expected one of: text')]],
    // Of a union the branch that was meant speaks.
    [{ items: [5] }, ['items[0]', `expected an object with 'name' or a string`]],
    [
      { items: ['a', {}, { nmae: 'x' }] },
      ['items[1].name', 'is required'],
      ['items[2].name', 'is required'],
      ['items[2].nmae', `unknown property; did you mean 'name'?`],
    ],
    [
      { items: [...Array(1).fill('a'), 5, ...Array(8).fill('a'), {}] },
      ['items[1]', `expected an object with 'name' or a string`],
      ['items[10].name', 'is required'],
    ],
    [{ ref: 5 }, ['ref', `expected an object with 'Existing' or an object with 'New'`]],
    [{ ref: {} }, ['ref', `expected an object with 'Existing' or an object with 'New'`]],
    [{ ref: { Existing: 5 } }, ['ref.Existing', 'expected a string']],
    [{ ref: { New: { name: 'too long' } } }, ['ref.New.name', 'must have at most 5 characters']],
    [
      { ref: { New: { nam: 1, note: 2, tags: 3 } } },
      ['ref.New.name', 'is required'],
      ['ref.New.nam', `unknown property; did you mean 'name'?`],
      ['ref.New.note', expect.stringContaining('unknown property')],
      ['ref.New.tags', 'expected an array'],
    ],
    [{ ref: { Existing: 'x', New: { name: 'x' } } }, ['ref', `expected exactly one of 'Existing' and 'New'`]],
    [
      { ref: { Existing: 'x', Nwe: { name: 'x' } } },
      ['ref.Nwe', 'unknown property; expected one of: Existing'],
    ],
    // All at once.
    [
      { text: 1, count: 0, items: [1], nope: 1 },
      ['nope', expect.any(String)],
      ['text', 'expected a string'],
      ['count', 'must be at least 1'],
      ['items[0]', `expected an object with 'name' or a string`],
    ],
  ]
  for (const [input, ...faults] of said)
    it(JSON.stringify(input).slice(0, 80), async () => {
      const expected = faults.map(([path, message]) => ({ path, message }))
      const found = await problems(input)
      expect(found).toHaveLength(expected.length)
      expect(found).toEqual(expect.arrayContaining(expected))
    })

  it('names the first fault in the message and counts the others', async () => {
    const call = validateInput(operation, { text: 1, count: 0 })
    await expect(call).rejects.toThrow('text: expected a string (and 1 more, see details.errors)')
  })
})

describe('what validateInput lets through', () => {
  const cases: [what: string, input: object, output: object][] = [
    [
      'a right input as it is',
      { text: 'abc', count: 10, open: { a: null }, anything: null },
      { text: 'abc', count: 10, open: { a: null }, anything: null },
    ],
    ['read-only properties, taken out', { id: 'x', created_at: 5, flag: true }, { flag: true }],
    ['a null for an optional property, taken out', { text: null, items: null, count: 1 }, { count: 1 }],
    [
      'a null that has a meaning',
      { item: { name: 'x', description: null } },
      { item: { name: 'x', description: null } },
    ],
    [
      'a null deep inside',
      { item: { name: 'x', tags: [{ tag: 'a', note: null }] } },
      { item: { name: 'x', tags: [{ tag: 'a' }] } },
    ],
    [
      'a null inside of a union',
      { items: ['a', { name: 'x', tags: null }], ref: { New: { name: 'x', tags: null } } },
      { items: ['a', { name: 'x' }], ref: { New: { name: 'x' } } },
    ],
    ['text by its characters, not its code units', { text: '😀😀😀😀😀' }, { text: '😀😀😀😀😀' }],
  ]
  for (const [what, input, output] of cases)
    it(what, async () => {
      const before = JSON.stringify(input)
      expect(await validateInput(operation, input)).toEqual(output)
      expect(JSON.stringify(input)).toBe(before)
    })

  it('no null for what is required', async () =>
    expect(await problems({ item: { name: null } })).toEqual([
      { path: 'item.name', message: 'expected a string' },
    ]))
})

describe('an input with very many faults', () => {
  it('gets the first hundred and how many more were seen', async () => {
    const found = await problems({ items: Array(150).fill(5) })
    expect(found).toHaveLength(101)
    expect(found[99]!.path).toBe('items[99]')
    expect(found[100]).toEqual({ path: '', message: 'and 50 more faults' })
  })

  it('says of ten thousand wrong elements how many more there are', async () => {
    const found = await problems({ items: Array.from({ length: 10_000 }, () => ({ name: 5 })) })
    expect(found).toHaveLength(101)
    expect(found[100]).toEqual({ path: '', message: 'and 9900 more faults' })
  })

  it('names faults wherever they are, with their place in the whole list', async () => {
    const items: unknown[] = Array(10_000).fill('x')
    items[150] = { name: 'x', tags: [{ tag: 'a' }, { note: 'b' }] }
    items[9_999] = 5
    expect(await problems({ items, count: 0 })).toEqual([
      { path: 'count', message: 'must be at least 1' },
      { path: 'items[150].tags[1].tag', message: 'is required' },
      { path: 'items[9999]', message: `expected an object with 'name' or a string` },
    ])
  })

  it('ends when it has seen very many, and says so', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`p${i}`, i]))
    const found = await problems({ items: Array.from({ length: 10_000 }, () => ({ name: 'x', ...wrong })) })
    expect(found[100]!.message).toMatch(/^and at least \d+ more faults$/)
  })

  const heavy: [what: string, input: () => object][] = [
    ['10,000 wrong elements', () => ({ items: Array.from({ length: 10_000 }, () => ({ name: 5 })) })],
    [
      '500 elements of 100 unknown properties each',
      () => ({
        items: Array.from({ length: 500 }, () =>
          Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`unknown ${i}`, i])),
        ),
      }),
    ],
    [
      '10,000 elements with a wrong list each',
      () => ({ items: Array.from({ length: 10_000 }, () => ({ name: 'x', tags: [{ tag: 5 }, 5, {}] })) }),
    ],
  ]
  for (const [what, make] of heavy)
    it(`holds nobody up: ${what}`, async () => {
      const input = make()
      await problems(input) // compiles
      const turns: number[] = []
      do turns.push(await longestTurn(() => problems(input)))
      while (turns.at(-1)! >= 50 && turns.length < 3)
      expect(turns.at(-1), turns.map(Math.round).join()).toBeLessThan(50)
    })

  const large: [what: string, input: () => object, first: Problem][] = [
    [
      'a million wrong elements',
      () => ({ items: Array(1_000_000).fill(5) }),
      { path: 'items', message: 'must have at most 10000 elements' },
    ],
    [
      'the one wrong element at the end',
      () => ({ items: [...Array(9_999).fill('x'), 5] }),
      { path: 'items[9999]', message: `expected an object with 'name' or a string` },
    ],
    [
      'a hundred thousand unknown properties',
      () => Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`p${i}`, i])),
      { path: 'p0', message: expect.stringContaining('unknown property') },
    ],
  ]
  for (const [what, make, first] of large)
    it(`is answered quickly: ${what}`, async () => {
      const input = make()
      const start = computed()
      const [found] = await problems(input)
      expect(computed() - start).toBeLessThan(2500)
      expect(found).toEqual(first)
    })
})
