import { describe, expect, it } from 'vitest'
import { checkFieldSchema } from '#src/domain/check-field-schema.ts'
import { flattenFields } from '#src/domain/field-schema.ts'

const select = (...variants: unknown[]) => ({ type: 'Select', variants })

describe('checkFieldSchema', () => {
  const valid: [string, unknown][] = [
    ['no fields', {}],
    [
      'every type',
      {
        a: 'String',
        b: 'Number',
        c: 'Boolean',
        d: 'Date',
        e: 'Reference',
        f: select('x', 'y'),
        g: { type: 'MultiSelect', variants: ['x'] },
        h: 'DateTime',
        i: 'MultiReference',
      },
    ],
    [
      'descriptions, and tags that references mean',
      {
        a: { type: 'Number', description: 'hours' },
        b: { type: 'DateTime' },
        c: { type: 'Reference', of: ['Person'], description: '' },
        d: { type: 'MultiReference', of: [] },
        e: { ...select('x'), description: 'how it is' },
        f: { type: 'MultiSelect', variants: ['x'], description: 'a'.repeat(10_000) },
      },
    ],
    [
      'hints of how values look',
      {
        a: { type: 'String', format: 'email' },
        b: { type: 'Number', unit: '€', unit_at: 'before', decimals: 2, format: 'percent' },
        c: { type: 'DateTime', relative: true },
        d: select({ name: 'x', closed: true, hue: 0, fields: { n: { type: 'Date', relative: true } } }),
        e: { type: 'MultiSelect', variants: ['x', { name: 'y', hue: 359 }] },
      },
    ],
    [
      'a sub-field that is described differently under two variants',
      {
        a: select(
          { name: 'x', fields: { n: { type: 'Number', description: 'hours' } } },
          { name: 'y', fields: { n: 'Number' } },
        ),
      },
    ],
    [
      'variants with sub-fields of any depth',
      { a: select('x', { name: 'y', fields: { b: select({ name: 'z', fields: { c: 'Date' } }) } }) },
    ],
    ['an object variant without fields', { a: select({ name: 'x' }, { name: 'y', fields: {} }) }],
    [
      'a sub-field of the same type under two variants',
      { a: select({ name: 'x', fields: { n: 'String' } }, { name: 'y', fields: { n: 'String' } }) },
    ],
    [
      'a sub-field of the same type under two Selects',
      {
        a: select({ name: 'x', fields: { n: 'String' } }),
        b: select({ name: 'x', fields: { n: 'String' } }),
      },
    ],
    [
      'names that objects have by themselves',
      {
        constructor: 'String',
        toString: 'Number',
        hasOwnProperty: 'Date',
        valueOf: select('constructor', 'toString'),
      },
    ],
    [
      'names of any writing',
      {
        'Größe in cm': 'Number',
        '🍎': 'String',
        ' ': 'String',
        '1': 'String',
        'a"b\'c%_*': 'String',
        'a-b>c': 'Date',
      },
    ],
    ['a name of 200 characters', { ['😀'.repeat(200)]: 'String' }],
    ['variants in any writing', { a: select('a.b', 'a->b', ' ', 'constructor') }],
  ]
  for (const [what, fields] of valid) it(`takes ${what}`, () => expect(checkFieldSchema(fields)).toEqual([]))

  const TYPES =
    'String, Number, Boolean, Date, DateTime, Reference, MultiReference, File, Select, MultiSelect'
  const faulty: [unknown, ...[path: string, message: string][]][] = [
    ['String', ['fields', 'expected an object with field schemas by field name']],
    [null, ['fields', 'expected an object with field schemas by field name']],
    [[], ['fields', 'expected an object with field schemas by field name']],
    [{ a: 'string' }, ['fields.a', `unknown type 'string'; did you mean 'String'?`]],
    [{ a: 'Nubmer' }, ['fields.a', `unknown type 'Nubmer'; did you mean 'Number'?`]],
    [{ a: 'Blob' }, ['fields.a', `unknown type 'Blob'; expected one of: ${TYPES}`]],
    [{ a: 'Select' }, ['fields.a', `'Select' needs variants: {"type": "Select", "variants": [...]}`]],
    [{ a: 5 }, ['fields.a', `expected a type: ${TYPES}`]],
    [{ a: null }, ['fields.a', `expected a type: ${TYPES}`]],
    [{ a: ['String'] }, ['fields.a', `expected a type: ${TYPES}`]],
    [{ a: {} }, ['fields.a.type', `expected a type: ${TYPES}`]],
    [{ a: { type: 'Number', description: 5 } }, ['fields.a.description', 'expected a string']],
    [
      { a: { type: 'Number', description: 'a'.repeat(10_001) } },
      ['fields.a.description', 'must have at most 10000 characters'],
    ],
    [
      { a: { type: 'Number', of: ['Person'] } },
      ['fields.a.of', 'unknown property; expected: type, description, format, unit, unit_at, decimals'],
    ],
    [
      { a: { type: 'Reference', of: 'Person' } },
      ['fields.a.of', 'expected an array of at most 100 ids or names of tags'],
    ],
    [
      { a: { type: 'Number', variants: ['x'] } },
      ['fields.a.variants', 'unknown property; expected: type, description, format, unit, unit_at, decimals'],
    ],
    [
      { a: { ...select('x'), of: ['Person'] } },
      ['fields.a.of', 'unknown property; expected: type, variants, description'],
    ],
    [
      { a: { type: 'select', variants: ['x'] } },
      ['fields.a.type', `unknown type 'select'; did you mean 'Select'?`],
    ],
    [{ a: { type: 'Select' } }, ['fields.a.variants', 'expected an array with at least one variant']],
    [{ a: select() }, ['fields.a.variants', 'expected an array with at least one variant']],
    [
      { a: { type: 'Select', variants: 'x' } },
      ['fields.a.variants', 'expected an array with at least one variant'],
    ],
    [
      { a: { type: 'Select', variants: ['x'], variant: 'x' } },
      ['fields.a.variant', `unknown property; did you mean 'variants'?`],
    ],
    [{ a: select('x', 'x') }, ['fields.a.variants[1]', `the variant 'x' appears here twice`]],
    [{ a: select('x', { name: 'x' }) }, ['fields.a.variants[1]', `the variant 'x' appears here twice`]],
    [{ a: select('') }, ['fields.a.variants[0]', 'a variant must not be empty']],
    [
      { a: select({ name: '__proto__', hue: 5 }) },
      ['fields.a.variants[0]', `a variant must not be named '__proto__'`],
    ],
    [{ a: select(1) }, ['fields.a.variants[0]', 'expected a string or an object {"name", "fields"}']],
    [{ a: select(null) }, ['fields.a.variants[0]', 'expected a string or an object {"name", "fields"}']],
    [{ a: select({ fields: {} }) }, ['fields.a.variants[0].name', 'expected a string']],
    [
      { a: select({ name: 'x', fields: null }) },
      ['fields.a.variants[0].fields', 'expected an object with field schemas by field name'],
    ],
    [
      { a: select({ name: 'x', feilds: {} }) },
      ['fields.a.variants[0].feilds', `unknown property; did you mean 'fields'?`],
    ],
    [
      { a: { type: 'MultiSelect', variants: [{ name: 'x' }] } },
      ['fields.a.variants[0]', 'expected a string'],
    ],
    [
      { a: { type: 'MultiSelect', variants: ['x', 'y', 'x'] } },
      ['fields.a.variants[2]', `the variant 'x' appears here twice`],
    ],
    [{ '': 'String' }, ['fields.', 'a field name must not be empty']],
    [{ 'a.b': 'String' }, ['fields.a.b', `a field name must not contain '.'`]],
    [{ 'a->b': 'String' }, ['fields.a->b', `a field name must not contain '->'`]],
    [
      { ['x'.repeat(201)]: 'String' },
      [`fields.${'x'.repeat(201)}`, 'a field name must have at most 200 characters'],
    ],
    [
      { 'a (earlier)\u{FDD0}': 'String' },
      ['fields.a (earlier)\u{FDD0}', 'a field must not have U+FDD0 in its name, which is no character'],
    ],
    [JSON.parse('{"__proto__": "String"}'), ['fields.__proto__', `a field must not be named '__proto__'`]],
    [
      { a: 'String', s: select({ name: 'x', fields: { a: 'String' } }) },
      [
        'fields.s.variants[0].fields.a',
        `the sub-field 'a' collides with the field 'a'; give one another name`,
      ],
    ],
    [
      { s: select({ name: 'x', fields: { s: 'String' } }) },
      [
        'fields.s.variants[0].fields.s',
        `the sub-field 's' collides with the field 's'; give one another name`,
      ],
    ],
    [
      { s: select({ name: 'x', fields: { n: 'String' } }, { name: 'y', fields: { n: 'Number' } }) },
      [
        'fields.s.variants[1].fields.n',
        `the sub-field 'n' collides with a sub-field 'n' of another type; give one another name`,
      ],
    ],
    [
      {
        s: select({ name: 'x', fields: { n: select('a', 'b') } }),
        t: select({ name: 'x', fields: { n: select('b', 'a') } }),
      },
      [
        'fields.t.variants[0].fields.n',
        `the sub-field 'n' collides with a sub-field 'n' of another type; give one another name`,
      ],
    ],
    [
      { s: select({ name: 'x', fields: { n: select({ name: 'a', fields: { n: 'String' } }) } }) },
      [
        'fields.s.variants[0].fields.n.variants[0].fields.n',
        `the sub-field 'n' collides with a sub-field 'n' of another type; give one another name`,
      ],
    ],
    [
      {
        a: 'strnig',
        'b.': 'Number',
        c: select('x', 'x', ''),
        d: select({ name: 'y', fields: { e: 'Dat' } }),
      },
      ['fields.a', `unknown type 'strnig'; did you mean 'String'?`],
      ['fields.b.', `a field name must not contain '.'`],
      ['fields.c.variants[1]', `the variant 'x' appears here twice`],
      ['fields.c.variants[2]', 'a variant must not be empty'],
      ['fields.d.variants[0].fields.e', `unknown type 'Dat'; did you mean 'Date'?`],
    ],
  ]
  for (const [fields, ...faults] of faulty)
    it(`refuses ${JSON.stringify(fields).slice(0, 90)}`, () =>
      expect(checkFieldSchema(fields)).toEqual(faults.map(([path, message]) => ({ path, message }))))

  it('lets a variant stay whose name no new one may have', () => {
    const before = flattenFields({ a: { type: 'Select', variants: ['u', '__proto__'] } })
    const refused = (fields: object) => checkFieldSchema(fields, 'fields', before).map(({ path }) => path)
    expect(refused({ a: select('u', '__proto__', 'v') })).toEqual([])
    expect(refused({ a: select('__proto__', '__proto__') })).toEqual(['fields.a.variants[1]'])
    expect(refused({ b: select('__proto__') })).toEqual(['fields.b.variants[0]'])
  })

  const many = (count: number, schema: unknown = 'String') =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, schema]))
  it('takes 1,000 fields and sub-fields, not more', () => {
    expect(checkFieldSchema(many(1000))).toEqual([])
    const tooMany = { ...many(999), s: select({ name: 'x', fields: { g: 'String' } }) }
    expect(checkFieldSchema(tooMany)).toEqual([
      { path: 'fields', message: 'must have at most 1000 fields and sub-fields, not 1001' },
    ])
  })

  it('takes 1 MiB, not more', () => {
    const variants = (length: number) => ({
      a: { type: 'MultiSelect', variants: Array.from({ length }, (_, i) => `variant ${i}`) },
    })
    expect(checkFieldSchema(variants(50_000))).toEqual([])
    expect(checkFieldSchema(variants(100_000))).toEqual([
      { path: 'fields', message: 'must be at most 1 MiB as JSON' },
    ])
  })

  it('soon stops looking for faults', () => {
    expect(checkFieldSchema(many(80_000, 'x')).length).toBeLessThan(110)
    expect(checkFieldSchema({ a: select(...Array(100_000).fill('x')) }).length).toBeLessThan(110)
  })

  it('puts the path of a larger input before its own', () =>
    expect(checkFieldSchema({ a: 'x' }, 'tags[0].tag_ref.New.fields')[0]?.path).toBe(
      'tags[0].tag_ref.New.fields.a',
    ))
})
