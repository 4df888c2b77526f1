import { expect, it } from 'vitest'
import { readNumber } from '#src/domain/number-text.ts'
import { dateOrderOf, readDate, readMoment } from '#web/rules/date-text.ts'
import { guessType, schemaFor } from '#web/rules/guess-columns.ts'
import { decimalSignOf } from '#web/rules/number-text.ts'

it.each<[values: string[], order: string | undefined]>([
  [['26/10/2026', '3/3/2026', '1/2/2026'], 'DMY'],
  [['10/26/2026', '3/3/2026'], 'MDY'],
  [['1/2/2026', '3/4/2026'], undefined],
  [['26/10/2026', '10/26/2026'], undefined],
  [['1.2.2026', '3.4.2026'], 'DMY'],
  [['3/3/2026'], 'YMD'], // the same both ways
  [['2026-03-01', '2026/3/1'], 'YMD'],
  [['26-03-01'], undefined],
  [['3/4/2026 10:30', '13/4/2026 10:30'], 'DMY'],
])('sees the order of dates in %j', (values, order) => {
  expect(dateOrderOf(values)).toBe(order)
})

it.each([
  ['26/10/2026', 'DMY', '2026-10-26'],
  ['10/26/2026', 'MDY', '2026-10-26'],
  ['3.4.26', 'DMY', '2026-04-03'],
  ['3.4.99', 'DMY', '1999-04-03'],
  ['2026-3-1', 'DMY', '2026-03-01'],
  ['2026-03-01T00:00:00Z', 'DMY', '2026-03-01'],
  ['3 Mar 2026', 'MDY', '2026-03-03'],
  ['March 3rd, 2026', 'DMY', '2026-03-03'],
  ['31/2/2026', 'DMY', null],
  ['10/26/2026', 'DMY', null],
  ['29/2/2024', 'DMY', '2024-02-29'],
  ['1/1/126', 'DMY', null],
  ['soon', 'DMY', null],
] as const)('reads the date %s as %s', (text, order, date) => {
  expect(readDate(text, order)).toBe(date)
})

it('reads moments', () => {
  const local = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString()
  expect(readMoment('26/10/2026 14:05', 'DMY')).toBe(local(2026, 9, 26, 14, 5))
  expect(readMoment('10/26/2026, 2:05 PM', 'MDY')).toBe(local(2026, 9, 26, 14, 5))
  expect(readMoment('10/26/2026 12:05 am', 'MDY')).toBe(local(2026, 9, 26, 0, 5))
  expect(readMoment('2026-10-26T14:05:00Z', 'DMY')).toBe('2026-10-26T14:05:00.000Z')
  expect(readMoment('26/10/2026 25:05', 'DMY')).toBeNull()
})

it.each<[values: string[], sign: string | undefined]>([
  [['1.234,56', '7'], ','],
  [['1,234.56', '7'], '.'],
  [['1,5', '1.234'], ','],
  [['1.234', '2.345'], undefined],
  [['1.234.567'], ','],
  [['0.125'], '.'],
  [['0,125'], ','],
  [['12', '-3'], '.'],
  [['1,5', '1.5'], undefined],
])('sees the sign of the numbers %j', (values, sign) => {
  expect(decimalSignOf(values)).toBe(sign)
})

it.each([
  ['1.234,56', ',', 1234.56],
  ['1 234,56', ',', 1234.56],
  ['1,234.56', '.', 1234.56],
  ['-7', ',', -7],
  ['1e3', '.', 1000],
  ['1.23,4', '.', null],
  ['12.34', ',', null],
  ['n/a', '.', null],
  ['1e999', '.', null],
] as const)('reads the number %s with %s', (text, sign, value) => {
  expect(readNumber(text, sign)).toBe(value)
})

const many = (make: (i: number) => string, count = 200) => Array.from({ length: count }, (_, i) => make(i))

it.each<[string, string[], string]>([
  ['days', many((i) => `${(i % 28) + 1}/3/2026`), 'Date'],
  ['moments', many((i) => `2026-03-01 1${i % 10}:30`), 'DateTime'],
  ['numbers', many((i) => `${i},5`), 'Number'],
  ['numbers but for one in many', [...many((i) => `${i}`, 20_000), 'n/a', 'abc'], 'Number'],
  ['numbers where it often says that there is none', [...many((i) => `${i}`, 9), 'n/a'], 'Number'],
  ['two texts of three', ['1', '2', 'abc'], 'String'],
  ['codes', many((i) => `0${100 + i}`), 'String'],
  ['yes and no', many((i) => (i % 3 ? 'yes' : 'no')), 'Boolean'],
  ['few texts', many((i) => (i % 2 ? 'open' : 'done')), 'Select'],
  ['lists of few texts', many((i) => (i % 2 ? 'red, blue' : 'blue;green')), 'MultiSelect'],
  ['few texts with commas', many((i) => (i % 2 ? 'Doe, Jane' : 'Roe, Ann')), 'Select'],
  ['words', many((i) => `words ${i}`), 'String'],
  ['nothing', [], 'String'],
])('takes the type of %s', (_, values, type) => {
  expect(guessType(values)).toBe(type)
})

it('makes the field of a choice', () => {
  expect(schemaFor({ type: 'MultiSelect' }, ['a, b', 'b;c'])).toEqual({
    type: 'MultiSelect',
    variants: ['a', 'b', 'c'],
  })
  expect(schemaFor({ type: 'Reference', of: 'T' }, ['a'])).toEqual({ type: 'Reference', of: ['T'] })
  expect(schemaFor({ type: 'Date' }, [])).toBe('Date')
})
