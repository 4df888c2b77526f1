import { describe, expect, it } from 'vitest'
import { checkFieldValues, checkSubFields } from '#src/domain/check-field-values.ts'
import { flattenFields } from '#src/domain/field-schema.ts'

const ID = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
const OTHER = '01JJXZ5T7GQ3M8K4B9R2C6D0EG'

const schema = flattenFields({
  title: 'String',
  effort: 'Number',
  urgent: 'Boolean',
  due: 'Date',
  assignee: 'Reference',
  status: {
    type: 'Select',
    variants: [
      'open',
      {
        name: 'done',
        fields: {
          finished_on: 'Date',
          how: { type: 'Select', variants: ['well', { name: 'badly', fields: { why: 'String' } }] },
        },
      },
    ],
  },
  labels: { type: 'MultiSelect', variants: ['home', 'work'] },
  starts: 'DateTime',
  people: { type: 'MultiReference', of: [] },
  constructor: 'String' as const,
})

describe('checkFieldValues', () => {
  const right: [name: string, value: unknown][] = [
    ['title', ''],
    ['title', 'x'],
    ['effort', 0],
    ['effort', -1.5e300],
    ['urgent', false],
    ['due', '2024-02-29'],
    ['due', '0001-01-01'],
    ['due', '9999-12-31'],
    ['assignee', ID],
    ['starts', '2026-01-31T09:30:00.000Z'],
    ['people', []],
    ['people', [OTHER, ID]],
    ['status', { variant: 'open' }],
    ['labels', []],
    ['labels', ['work', 'home']],
    ['finished_on', '2026-01-31'],
    ['why', 'rain'],
    ['constructor', 'x'],
  ]
  for (const [name, value] of right)
    it(`takes ${JSON.stringify(value)} for ${name}`, () =>
      expect(checkFieldValues(schema, { [name]: value })).toMatchObject({
        problems: [],
        values: { [name]: value },
      }))

  it('takes null and absence for every field', () => {
    const nulls = Object.fromEntries([...schema.keys()].map((name) => [name, null]))
    expect(checkFieldValues(schema, nulls)).toEqual({ problems: [], values: nulls, references: [] })
    expect(checkFieldValues(schema, {})).toEqual({ problems: [], values: {}, references: [] })
  })

  const DATE = 'expected a date YYYY-MM-DD'
  const DATE_TIME = 'a date with a time, e.g. 2026-01-31T09:30:00Z'
  const REFERENCE = 'the id of an item (a ULID)'
  type Wrong = [name: string, value: unknown, ...[path: string, message: string][]]
  const beyond = (value: string, year: number): Wrong => [
    'starts',
    value,
    ['starts', `'${value}' is in the year ${year} in UTC; that must be one of 0000 to 9999`],
  ]
  const wrong: Wrong[] = [
    ['title', 5, ['title', 'expected a string']],
    ['title', { a: 1 }, ['title', 'expected a string']],
    ['effort', '5', ['effort', 'expected a number']],
    ['effort', Infinity, ['effort', 'expected a number']],
    ['effort', Number.NaN, ['effort', 'expected a number']],
    ['effort', [1], ['effort', 'expected a number']],
    ['urgent', 1, ['urgent', 'expected true or false']],
    ['urgent', 'true', ['urgent', 'expected true or false']],
    ['due', '2023-02-29', ['due', `'2023-02-29' is no day of the calendar`]],
    ['due', '2100-02-29', ['due', `'2100-02-29' is no day of the calendar`]],
    ['due', '2026-13-01', ['due', `'2026-13-01' is no day of the calendar`]],
    ['due', '2026-00-10', ['due', `'2026-00-10' is no day of the calendar`]],
    ['due', '2026-04-31', ['due', `'2026-04-31' is no day of the calendar`]],
    ['due', '2026-04-00', ['due', `'2026-04-00' is no day of the calendar`]],
    ['due', '2026-1-1', ['due', DATE]],
    ['due', '2026-01-01T00:00:00', ['due', DATE]],
    ['due', '2026-01-01\n', ['due', DATE]],
    ['due', '２０２６-01-01', ['due', DATE]],
    ['due', 20260101, ['due', DATE]],
    ['assignee', 'Ada', ['assignee', `expected ${REFERENCE}`]],
    ['assignee', { id: ID }, ['assignee', `expected ${REFERENCE}`]],
    ['starts', 5, ['starts', `expected ${DATE_TIME}`]],
    ['starts', '2026-01-31', ['starts', `expected ${DATE_TIME}`]],
    ['starts', 'tomorrow at nine', ['starts', `expected ${DATE_TIME}`]],
    ['starts', '2026-02-30T09:30', ['starts', `'2026-02-30T09:30' is no time of the calendar`]],
    ['starts', '2026-01-31T24:00:00Z', ['starts', `'2026-01-31T24:00:00Z' is no time of the calendar`]],
    [
      'starts',
      '2026-01-31T09:30:00.0001Z',
      ['starts', 'times are kept in milliseconds; give at most three digits behind the second'],
    ],
    beyond('9999-12-31T23:30:00-01:00', 10000),
    beyond('0000-01-01T00:00+14:00', -1),
    beyond('+010000-01-01T00:30:00.000Z', 10000),
    beyond('-000001-12-31T10:00:00.000Z', -1),
    ['people', ID, ['people', 'expected an array of ids of items']],
    ['people', Array(1001).fill(ID), ['people', 'expected at most 1000 ids, not 1001']],
    [
      'people',
      ['Ada', ID, ID.toLowerCase()],
      ['people[0]', `expected ${REFERENCE}`],
      ['people[2]', `the item '${ID}' appears here twice`],
    ],
    ['status', 'open', ['status', 'expected an object, e.g. {"variant":"open"}']],
    ['status', 'done', ['status', 'expected an object, e.g. {"variant":"done"}']],
    ['status', 'Done', ['status', 'expected an object, e.g. {"variant":"done"}']],
    ['status', ['done'], ['status', 'expected an object, e.g. {"variant":"done"}']],
    ['status', { name: 'done' }, ['status', 'expected an object, e.g. {"variant":"done"}']],
    ['status', [], ['status', 'expected an object, e.g. {"variant":"open"}; variants: open, done']],
    [
      'status',
      { variant: null },
      ['status', 'expected an object, e.g. {"variant":"open"}; variants: open, done'],
    ],
    ['status', { variant: 'opne' }, ['status.variant', `unknown variant 'opne'; did you mean 'open'?`]],
    [
      'status',
      { variant: 'wontfix' },
      ['status.variant', `unknown variant 'wontfix'; expected one of: open, done`],
    ],
    [
      'status',
      { variant: 'done', finished_on: '2026-01-01' },
      ['status.finished_on', 'unknown property; sub-fields belong beside the field, not in it'],
    ],
    ['labels', 'home', ['labels', 'expected an array of variant names']],
    ['labels', ['home', 5], ['labels[1]', 'expected a string']],
    ['labels', ['hame'], ['labels[0]', `unknown variant 'hame'; did you mean 'home'?`]],
    [
      'labels',
      ['home', 'home', 'x'],
      ['labels[1]', `the variant 'home' appears here twice`],
      ['labels[2]', `unknown variant 'x'; expected one of: home, work`],
    ],
    ['asignee', ID, ['asignee', `unknown field; did you mean 'assignee'?`]],
    [
      'toString',
      'x',
      [
        'toString',
        'unknown field; expected one of: title, effort, urgent, due, assignee, status, finished_on, how, why, labels, starts, people, constructor',
      ],
    ],
    [
      'zzzzzzzzzzzz',
      null,
      [
        'zzzzzzzzzzzz',
        'unknown field; expected one of: title, effort, urgent, due, assignee, status, finished_on, how, why, labels, starts, people, constructor',
      ],
    ],
  ]
  for (const [name, value, ...faults] of wrong)
    it(`refuses ${JSON.stringify(value).slice(0, 90)} for ${name}`, () =>
      expect(checkFieldValues(schema, { [name]: value }).problems).toEqual(
        faults.map(([path, message]) => ({ path: `field_values.${path}`, message })),
      ))

  it('lists every fault at once, under the path given', () => {
    const { problems } = checkFieldValues(
      schema,
      { title: 1, due: 'x', nope: 1 },
      { path: 'items[3].tags[0].field_values' },
    )
    expect(problems.map(({ path }) => path)).toEqual([
      'items[3].tags[0].field_values.title',
      'items[3].tags[0].field_values.due',
      'items[3].tags[0].field_values.nope',
    ])
  })

  it('soon stops looking for faults', () => {
    const strange = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, 1]))
    expect(checkFieldValues(schema, strange).problems.length).toBeLessThan(110)
    expect(checkFieldValues(schema, { labels: Array(1_000_000).fill('home') }).problems.length).toBeLessThan(
      110,
    )
  })

  it('refuses every value of a tag without fields', () =>
    expect(checkFieldValues(new Map(), { a: null }).problems).toEqual([
      { path: 'field_values.a', message: 'unknown field; the tag has no fields' },
    ]))

  it('upper-cases item ids, leaves the input as it is and names what is referenced', () => {
    const given = { assignee: ID.toLowerCase(), title: 'x' }
    const checked = checkFieldValues(schema, given, { stored: { assignee: OTHER } })
    expect(checked.values).toEqual({ assignee: ID, title: 'x' })
    expect(given.assignee).toBe(ID.toLowerCase())
    expect(checked.references).toEqual([{ path: 'field_values.assignee', item_id: ID, unchanged: false }])
  })

  it('knows an unchanged reference', () =>
    expect(checkFieldValues(schema, { assignee: ID }, { stored: { assignee: ID } }).references).toEqual([
      { path: 'field_values.assignee', item_id: ID, unchanged: true },
    ]))

  it('brings times to UTC and names every reference of several', () => {
    const given = { starts: '2026-01-31T09:30+02:00', people: [ID.toLowerCase(), OTHER] }
    const checked = checkFieldValues(schema, given, { stored: { people: [OTHER] } })
    expect(checked.values).toEqual({ starts: '2026-01-31T07:30:00.000Z', people: [ID, OTHER] })
    expect(checked.references).toEqual([
      { path: 'field_values.people[0]', item_id: ID, unchanged: false },
      { path: 'field_values.people[1]', item_id: OTHER, unchanged: true },
    ])
  })

  it('lets a null reach a stored field that has left the schema, in a merge only', () => {
    const options = { stored: { old: 5 } }
    expect(checkFieldValues(schema, { old: null }, { ...options, merge: true }).problems).toEqual([])
    expect(checkFieldValues(schema, { old: 5 }, { ...options, merge: true }).problems).toHaveLength(1)
    expect(checkFieldValues(schema, { gone: null }, { ...options, merge: true }).problems).toHaveLength(1)
    expect(checkFieldValues(schema, { old: null }, options).problems).toHaveLength(1)
  })
})

describe('checkSubFields', () => {
  const done = { status: { variant: 'done' } }
  const cases: [
    given: Record<string, unknown>,
    result: Record<string, unknown>,
    faults: [string, string][],
  ][] = [
    [{ finished_on: '2026-01-31' }, done, []],
    [{ finished_on: null }, {}, []],
    [{ finished_on: '2026-01-31' }, {}, [['finished_on', `applies only while 'status' is 'done'`]]],
    [
      { finished_on: '2026-01-31' },
      { status: { variant: 'open' } },
      [['finished_on', `applies only while 'status' is 'done'`]],
    ],
    [{ why: 'x' }, { ...done, how: { variant: 'badly' } }, []],
    [{ why: 'x' }, { ...done, how: { variant: 'well' } }, [['why', `applies only while 'how' is 'badly'`]]],
    // The Select above is itself not active.
    [
      { why: 'x' },
      { status: { variant: 'open' }, how: { variant: 'badly' } },
      [['why', `applies only while 'how' is 'badly'`]],
    ],
  ]
  for (const [given, result, faults] of cases)
    it(`finds ${faults.length || 'no'} fault in ${JSON.stringify(given)} beside ${JSON.stringify(result)}`, () =>
      expect(checkSubFields(schema, given, { ...result, ...given })).toEqual(
        faults.map(([name, message]) => ({ path: `field_values.${name}`, message })),
      ))
})
