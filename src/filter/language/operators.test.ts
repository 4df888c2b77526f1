import { describe, expect, it } from 'vitest'
import { MAX_PROBLEMS } from '#src/domain/errors.ts'
import { filterError } from '#src/filter/language/filter-fault.ts'
import { A_LIST, A_VALUE, AN_ENDING, endingIn, ORDERED } from '#src/filter/language/operand-kinds.ts'
import { brief, quote } from '#src/filter/language/operator-words.ts'
import { OPERATORS, type Operator, operatorsFor } from '#src/filter/language/operators.ts'
import type { Subject, SubjectType } from '#src/filter/language/subject.ts'

// What every operator makes of every kind of operand for every type, written down. After a change read the difference
// and accept it by `vitest run src/filter/language/operators.test.ts -u`.

const KNOWN = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const VARIANTS = ['new', 'begun', 'done']
const TYPES: SubjectType[] = [
  'Text',
  'Id',
  'Time',
  'String',
  'Number',
  'Boolean',
  'Date',
  'DateTime',
  'Reference',
  'MultiReference',
  'Select',
  'MultiSelect',
  'File',
]
const subjectOf = (type: SubjectType): Subject => ({
  label: `Task.${type}`,
  type,
  variants: type === 'Select' || type === 'MultiSelect' ? VARIANTS : [],
})

const DAYS = ['2024-02-29', '2024-02-29T00:00:00', '2024-02-29T12:00:00', { today: -7 }, ['2024-02-29', 'a']]
const TIMES = [
  '2024-02-29',
  '2024-02-29T12:00:00.0005Z',
  '-000001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+01:00',
  { now: 'PT0S' },
]
const IDS = [KNOWN, KNOWN.replace('A', 'B'), [KNOWN], [KNOWN, 'a']]
const CHOICES = ['begun', 'new', 'done', 'gone', ['begun'], ['begun', 'new', 'begun']]
/** What every type is compared with, and what means something to some. */
const USUAL: unknown[] = [
  null,
  true,
  false,
  0,
  'a.b',
  { variant: 'begun' },
  [],
  [1, null, true, { variant: 'new' }],
]
const OWN: Partial<Record<SubjectType, unknown[]>> = {
  Text: DAYS,
  String: DAYS,
  Date: DAYS,
  DateTime: TIMES,
  Time: TIMES,
  Number: [5, [5, 5]],
  Boolean: [[true, false]],
  Id: IDS,
  Reference: IDS,
  MultiReference: IDS,
  Select: CHOICES,
  MultiSelect: CHOICES,
}
const operandsOf = (type: SubjectType): unknown[] => [...USUAL, ...(OWN[type] ?? [])]

/** What is asked of a value, what is remarked, and in words. */
function lineOf(name: string, operator: Operator, type: SubjectType, operand: unknown): string {
  const remarks: string[] = []
  const subject = subjectOf(type)
  const test = operator.test(subject, operand, {
    rowId: (item_id) => {
      expect(item_id).toHaveLength(26) // What is no id is not looked up.
      return item_id === KNOWN ? 77 : undefined
    },
    warn: (remark) => void remarks.push(remark()),
  })
  const words = operator.words(subject, operand)
  const told = remarks.map((remark) => ` ! ${remark}`).join('')
  return `${type} ${name} ${JSON.stringify(operand)}\n  ${words}: ${JSON.stringify(test)}${told}`
}

describe('operators', () => {
  it.each(Object.entries<Operator>(OPERATORS))('%s is as written down', async (name, operator) => {
    const { accepts, fault } = operator.operand
    const isSound = (operand: unknown) => accepts(operand) && !fault?.(operand)
    const lines = TYPES.filter((type) => operator.appliesTo.includes(type)).flatMap((type) =>
      operandsOf(type).flatMap((operand) =>
        isSound(operand) ? [lineOf(name, operator, type, operand)] : [],
      ),
    )
    const refused = operandsOf('DateTime').filter((operand) => !accepts(operand))
    const text = [
      operator.meaning,
      `applies to ${operator.appliesTo.join(', ')}`,
      `requires ${operator.operand.requires}, not ${refused.map((each) => JSON.stringify(each)).join(' ')}`,
      ...lines,
    ]
    await expect(`${text.join('\n')}\n`).toMatchFileSnapshot(`../../../test/golden/operators/${name}.txt`)
  })

  it.each(TYPES)('for %s are as written down', (type) => {
    expect(operatorsFor(type)).toEqual(
      Object.entries<Operator>(OPERATORS).flatMap(([name, { appliesTo }]) =>
        appliesTo.includes(type) ? [name] : [],
      ),
    )
  })

  it('name up to twenty variants of a Select that does not have one', () => {
    const remarkOf = (count: number) => {
      const remarks: string[] = []
      const variants = Array.from({ length: count }, (_, i) => `v${i}`)
      OPERATORS.match.test({ label: 'Task.kind', type: 'Select', variants }, 'x', {
        rowId: () => undefined,
        warn: (remark) => void remarks.push(remark()),
      })
      return remarks
    }
    expect(remarkOf(2)).toEqual([`Task.kind has no variant "x"; it has: "v0", "v1"`])
    expect(remarkOf(20)[0]).toMatch(/"v18", "v19"$/)
    expect(remarkOf(21)[0]).toMatch(/"v18", "v19", …$/)
  })

  it('say a long operand briefly', () => {
    expect(brief('x'.repeat(98))).toBe(`"${'x'.repeat(98)}"`)
    expect(brief('x'.repeat(99))).toBe(`"${'x'.repeat(99)}…`)
    expect(quote({ variant: 'x' })).toBe('"x"')
    expect(quote({ variant: 'x', y: 1 })).toBe('{"variant":"x","y":1}')
  })
})

describe('operands', () => {
  it.each([
    [{ variant: 'a' }, true],
    [{ variant: 1 }, false],
    [{ variant: 'a', other: 1 }, false],
    [{ variant: undefined }, false],
    [{ today: 1 }, true],
    [{ now: 'x' }, true],
    [{ today: 1, now: 'x' }, false],
    [{ later: 1 }, false],
    [{}, false],
    [undefined, false],
    [['a', 'b'], true],
    [[], true],
    [['a', 1], false],
    [() => 'a', false],
  ])('a value may be %j: %j', (value, accepted) => {
    expect(A_VALUE.accepts(value)).toBe(accepted)
  })

  it.each([
    [5, true],
    ['a', true],
    [{ today: 1 }, true],
    [true, false],
    [null, false],
    [['a'], false],
  ])('something in order may be %j: %j', (value, accepted) => {
    expect(ORDERED.accepts(value)).toBe(accepted)
  })

  it('of a list are scalars, variants and relative times that are right', () => {
    expect(A_LIST.fault!([1, 'a', true, null, { variant: 'x' }, { today: 1 }] as never)).toBeUndefined()
    expect(A_LIST.fault!([1, ['a']] as never)).toContain('the array may hold')
    expect(A_LIST.fault!([1, { today: 0.5 }] as never)).toContain(`'today' takes a whole number`)
    expect(A_VALUE.fault!({ now: 'soon' })).toContain(`'now' takes an ISO 8601 duration`)
    expect(A_VALUE.fault!('soon')).toBeUndefined()
  })

  it('an ending has at most 400 characters, each of which stands for itself', () => {
    expect(AN_ENDING.fault!('x'.repeat(400))).toBeUndefined()
    expect(AN_ENDING.fault!('x'.repeat(401))).toBe('an ending has at most 400 characters')
    expect(endingIn(String.raw`\^$.*+?()[]{}|a-`)).toBe(String.raw`\\\^\$\.\*\+\?\(\)\[\]\{\}\|a-\z`)
    expect(AN_ENDING.size!('abc')).toBeGreaterThan(3)
  })
})

describe('the error of a filter', () => {
  const faults = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ path: `p${i}`, message: `m${i}` }))

  it.each([
    [0, 'Invalid filter', 0],
    [1, 'm0', 1],
    [2, 'm0 (and 1 more, see details.errors)', 2],
    [MAX_PROBLEMS, `m0 (and ${MAX_PROBLEMS - 1} more, see details.errors)`, MAX_PROBLEMS],
    [MAX_PROBLEMS + 2, `m0 (and at least ${MAX_PROBLEMS + 1} more, see details.errors)`, MAX_PROBLEMS + 1],
  ])('of %d faults is "%s"', (count, message, listed) => {
    const error = filterError(faults(count))
    expect(error.message).toBe(message)
    const { errors } = error.details as { errors: { path: string; message: string }[] }
    expect(errors).toHaveLength(listed)
    if (count > MAX_PROBLEMS)
      expect(errors.at(-1)).toEqual({ path: '', message: 'and at least 2 more faults' })
  })

  it('suggests what the first of them does', () => {
    const [first, second] = faults(2)
    expect(
      filterError([
        { ...first!, suggestion: 'one' },
        { ...second!, suggestion: 'two' },
      ]).suggestion,
    ).toBe('one')
  })
})
