import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFieldValues } from '#src/domain/check-field-values.ts'
import { convertValue, convertValues } from '#src/domain/convert-value.ts'
import { flattenFields, type FieldSchema, SIMPLE_TYPES } from '#src/domain/field-schema.ts'

const ID = '01JJXZ5T7GQ3M8K4B9R2C6D0EF'
const UNKNOWN = '01JJXZ5T7GQ3M8K4B9R2C6D0EG'
const isItem = (item_id: string) => item_id === ID
const select: FieldSchema = { type: 'Select', variants: ['open', '5', { name: 'true', fields: {} }] }
const multi: FieldSchema = { type: 'MultiSelect', variants: ['open', '5'] }
const fieldOf = (schema: FieldSchema) => flattenFields({ f: schema }).get('f')!

describe('convertValue', () => {
  const NOTHING = undefined
  const cases: [schema: FieldSchema, value: unknown, converted: unknown][] = [
    ['String', 'x', 'x'],
    ['String', 5.5, '5.5'],
    ['String', 1e21, '1e+21'],
    ['String', true, 'true'],
    ['String', { variant: 'open' }, 'open'],
    ['String', ['open'], 'open'],
    ['String', ['open', '5'], NOTHING],
    ['String', [], NOTHING],
    ['Number', 5, 5],
    ['Number', '5', 5],
    ['Number', ' -5.50 ', -5.5],
    ['Number', '1e3', 1000],
    ['Number', '0.000', 0],
    ['Number', '100', 100],
    ['Number', { variant: '5' }, 5],
    ['Number', true, 1],
    ['Number', '', NOTHING],
    ['Number', 'five', NOTHING],
    ['Number', '5 kg', NOTHING],
    ['Number', '007', NOTHING],
    ['Number', '+5', NOTHING],
    ['Number', '-0', NOTHING],
    ['Number', '0x10', NOTHING],
    ['Number', 'Infinity', NOTHING],
    ['Number', '1e999', NOTHING],
    ['Number', '9007199254740993', NOTHING],
    ['Number', '0.1000000000000000055', NOTHING],
    ['Boolean', true, true],
    ['Boolean', 'true', true],
    ['Boolean', ' False ', false],
    ['Boolean', 1, true],
    ['Boolean', 0, false],
    ['Boolean', 2, NOTHING],
    ['Boolean', 'yes', NOTHING],
    ['Date', '2026-01-31', '2026-01-31'],
    ['Date', ' 2026-01-31 ', '2026-01-31'],
    ['Date', '2026-01-31T00:00:00', '2026-01-31'],
    ['Date', '2026-01-31T02:00:00+02:00', '2026-01-31'],
    ['Date', '2026-01-31T09:30:00Z', NOTHING],
    ['Date', '2026-02-31', NOTHING],
    ['Date', 20260131, NOTHING],
    ['DateTime', '2026-01-31T09:30+02:00', '2026-01-31T07:30:00.000Z'],
    ['DateTime', '2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['DateTime', '2026-01-31T09:30:00.0001Z', NOTHING],
    ['DateTime', 'soon', NOTHING],
    ['Reference', ID, ID],
    ['Reference', ` ${ID.toLowerCase()}`, ID],
    ['Reference', [ID], ID],
    ['Reference', [ID, ID], NOTHING],
    ['Reference', [], NOTHING],
    ['Reference', UNKNOWN, NOTHING],
    ['Reference', 'Ada', NOTHING],
    ['MultiReference', ID, [ID]],
    ['MultiReference', [ID.toLowerCase()], [ID]],
    ['MultiReference', [], []],
    ['MultiReference', [ID, UNKNOWN], NOTHING],
    ['MultiReference', 'Ada', NOTHING],
    [select, { variant: 'open' }, { variant: 'open' }],
    [select, 'open', { variant: 'open' }],
    [select, 5, { variant: '5' }],
    [select, true, { variant: 'true' }],
    [select, ['open'], { variant: 'open' }],
    [select, { variant: 'gone' }, NOTHING],
    [select, 'Open', NOTHING],
    [select, ['open', '5'], NOTHING],
    [multi, ['5', 'open'], ['5', 'open']],
    [multi, [], []],
    [multi, { variant: 'open' }, ['open']],
    [multi, 'open', ['open']],
    [multi, ['open', 'gone'], NOTHING],
    [multi, 'gone', NOTHING],
  ]
  for (const [schema, value, converted] of cases)
    it(`makes ${JSON.stringify(converted) ?? 'nothing'} of ${JSON.stringify(value)} as ${JSON.stringify(schema)}`, () =>
      expect(convertValue(fieldOf(schema), value, isItem)).toEqual(converted))

  const schemas: FieldSchema[] = [...SIMPLE_TYPES, select, multi]
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
    fc.boolean(),
    fc.constantFrom('open', '5', 'true', 'gone', '', ID, UNKNOWN, '2026-01-31', '2026-01-31T00:00:00Z'),
    fc.double({ noNaN: true }).map(String),
    fc.date({ noInvalidDate: true }).map((each) => each.toISOString()),
    fc.string(),
    fc.constantFrom('open', '5', 'gone').map((variant) => ({ variant })),
    fc.array(fc.constantFrom('open', '5', ID), { maxLength: 3 }),
  )
  it('answers what the field takes', () =>
    fc.assert(
      fc.property(fc.constantFrom(...schemas), value, (schema, given) => {
        const converted = convertValue(fieldOf(schema), given, isItem)
        if (converted === undefined) return
        const flat = flattenFields({ f: schema })
        expect(checkFieldValues(flat, { f: converted }).problems).toEqual([])
        expect(convertValue(fieldOf(schema), converted, isItem)).toEqual(converted)
      }),
      { numRuns: 2000, seed: 1 },
    ))

  it('loses no number on the way to text and back', () =>
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = convertValue(fieldOf('String'), number + 0, isItem)
        expect(convertValue(fieldOf('Number'), text, isItem)).toBe(number + 0)
      }),
      { numRuns: 2000, seed: 1 },
    ))

  it('takes texts for numbers only where the number says all of their digits', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?$/), (text) => {
        const number = convertValue(fieldOf('Number'), text, isItem)
        if (number === undefined) return
        const plain = (digits: string) =>
          digits.includes('.') ? digits.replace(/0+$/, '').replace(/\.$/, '') : digits
        const written = BigInt(Math.trunc(Number(number)))
        if (Number.isInteger(number)) expect(written.toString()).toBe(plain(text))
        else expect(Number(plain(text))).toBe(number)
      }),
      { numRuns: 2000, seed: 1 },
    ))
})

describe('convertValues', () => {
  const schema = flattenFields({
    n: 'Number',
    state: { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] },
  })
  const cases: [stored: Record<string, unknown>, values: Record<string, unknown>, unfitting: string[]][] = [
    [{ n: '5', state: 'open' }, { n: 5, state: { variant: 'open' } }, []],
    [{ n: null, gone: null }, { n: null }, []],
    [{ gone: 5, n: 1 }, { n: 1 }, ['gone']],
    [{ state: 'done', on: '2026-01-31' }, { state: { variant: 'done' }, on: '2026-01-31' }, []],
    [{ state: 'open', on: '2026-01-31' }, { state: { variant: 'open' } }, ['on']],
    [{ state: { variant: 'lost' }, on: '2026-01-31' }, {}, ['state', 'on']],
    [{ on: '2026-01-31' }, {}, ['on']],
  ]
  for (const [stored, values, unfitting] of cases)
    it(`finds ${JSON.stringify(unfitting)} in ${JSON.stringify(stored)}`, () =>
      expect(convertValues(schema, stored, isItem)).toEqual({ values, unfitting }))
})
