import { describe, expect, it, test } from 'vitest'
import { type DecimalSign, readNumber, SignCount } from '#src/domain/number-text.ts'

describe('a number in a text', () => {
  it.each<[string, DecimalSign, number]>([
    ['1234567.5', '.', 1_234_567.5],
    ['1,234,567.5', '.', 1_234_567.5],
    ['1.234.567,5', ',', 1_234_567.5],
    // As French, Swiss and the SI part thousands, by whatever blank or apostrophe.
    ['1 234 567,5', ',', 1_234_567.5],
    ['1 234.5', '.', 1234.5],
    ['1\u00a0234,5', ',', 1234.5],
    ['1\u202f234\u202f567', '.', 1_234_567],
    ["1'234'567.5", '.', 1_234_567.5],
    ['1’234', '.', 1234],
    ['212 555 123', '.', 212_555_123],
    // Accounts have their sign at the left end of the column.
    ['-   1 234,50', ',', -1234.5],
    [' 12 ', '.', 12],
    ['-3e2', '.', -300],
    // As typesetters and some spreadsheets write a minus.
    ['−1.234,5', ',', -1234.5],
    ['−2', '.', -2],
    ['.5', '.', 0.5],
    ['-0', '.', 0],
  ])('%j with %j is %d', (text, sign, value) => expect(readNumber(text, sign)).toBe(value))

  it.each([
    '+49 30 1234567',
    '212 555 1234',
    '4111 1111 1111',
    "5'11",
    '5’11',
    '1.5 2',
    '1 23',
    '1  234',
    '1 234 56',
    "1 234'567",
    '1,234 567',
    '1.234 567',
    '1234 567',
    '1 .5',
    '1 e5',
    "'12",
    "12'",
    '1,5 00',
    '',
  ])('%j is none', (text) => {
    expect(readNumber(text, '.')).toBeNull()
    expect(readNumber(text, ',')).toBeNull()
  })

  test('a long text that is none is read in no time', () => {
    const long = '1 234'.repeat(200_000)
    expect(readNumber(long, '.')).toBeNull()
    expect(readNumber(`- ${' '.repeat(1_000_000)}x`, ',')).toBeNull()
  })
})

test.each([
  [['1 234,5', '7'], ','],
  [["1'234.5", '7'], '.'],
  [['1 234', '7'], '.'],
  [['1.234'], undefined],
  [['0.125'], '.'],
])('the sign of %j is %j', (texts, sign) => {
  const count = new SignCount()
  for (const text of texts) count.take(text)
  expect(count.sign).toBe(sign)
})
