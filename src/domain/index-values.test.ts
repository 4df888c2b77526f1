import { describe, expect, it } from 'vitest'
import { FIELD_TYPES, type FieldType } from '#src/domain/field-schema.ts'
import { indexValues, type IndexEntry } from '#src/domain/index-values.ts'

const KNOWN = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
const UNKNOWN = '01JJXZ5T7GQ3M8K4B9R2C6D0EG'
const targetRow = (id: string) => (id === KNOWN ? 7 : undefined)

const text = (...list: string[]): IndexEntry[] => list.map((each) => ({ as: 'text', text: each }))
const number = (value: number): IndexEntry[] => [{ as: 'number', number: value }]
const mismatch: IndexEntry[] = [{ as: 'type_mismatch' }]

describe('indexValues', () => {
  const cases: [FieldType, unknown, IndexEntry[]][] = [
    ['String', 'x', text('x')],
    ['String', '', text('')],
    ['String', 5, mismatch],
    ['String', { variant: 'x' }, mismatch],
    ['Number', 1.5, number(1.5)],
    ['Number', '1.5', mismatch],
    ['Number', true, mismatch],
    ['Boolean', true, number(1)],
    ['Boolean', false, number(0)],
    ['Boolean', 1, mismatch],
    ['Date', '2026-01-31', text('2026-01-31')],
    ['Date', '2026-02-31', mismatch],
    ['Date', 'soon', mismatch],
    ['Reference', KNOWN, [{ as: 'reference', item: 7 }]],
    ['Reference', UNKNOWN, mismatch],
    ['Reference', 'Ada', mismatch],
    ['Reference', 7, mismatch],
    ['DateTime', '2026-01-31T09:30:00.000Z', text('2026-01-31T09:30:00.000Z')],
    ['DateTime', '2026-01-31T09:30+02:00', text('2026-01-31T07:30:00.000Z')],
    ['DateTime', '2026-01-31', mismatch],
    ['DateTime', 5, mismatch],
    ['MultiReference', [KNOWN], [{ as: 'reference', item: 7 }]],
    ['MultiReference', [KNOWN, KNOWN.toLowerCase()], [{ as: 'reference', item: 7 }]],
    ['MultiReference', [], [{ as: 'empty' }]],
    ['MultiReference', [KNOWN, UNKNOWN], mismatch],
    ['MultiReference', KNOWN, mismatch],
    ['Select', { variant: 'x' }, text('x')],
    ['Select', { variant: 5 }, mismatch],
    ['Select', 'x', mismatch],
    ['Select', ['x'], mismatch],
    ['MultiSelect', ['b', 'a', 'b'], text('b', 'a')],
    ['MultiSelect', [], [{ as: 'empty' }]],
    ['MultiSelect', [1], mismatch],
    ['MultiSelect', { variant: 'x' }, mismatch],
    ['MultiSelect', 'x', mismatch],
  ]
  for (const [type, value, rows] of cases)
    it(`makes ${JSON.stringify(rows)} of ${JSON.stringify(value)} as ${type}`, () =>
      expect(indexValues(type, value, targetRow)).toEqual(rows))

  for (const type of FIELD_TYPES)
    it(`makes no row of null as ${type}`, () => expect(indexValues(type, null, targetRow)).toEqual([]))
})
