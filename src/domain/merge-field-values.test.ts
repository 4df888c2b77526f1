import { describe, expect, it } from 'vitest'
import { flattenFields, type FieldMap } from '#src/domain/field-schema.ts'
import { mergeFieldValues } from '#src/domain/merge-field-values.ts'

const fields: FieldMap = {
  title: 'String',
  effort: 'Number',
  status: {
    type: 'Select',
    variants: [
      'open',
      { name: 'paused', fields: { note: 'String', until: 'Date' } },
      {
        name: 'done',
        fields: {
          note: 'String',
          how: { type: 'Select', variants: ['well', { name: 'badly', fields: { why: 'String' } }] },
        },
      },
    ],
  },
}
const schema = flattenFields(fields)
const variant = (name: string) => ({ variant: name })

describe('mergeFieldValues', () => {
  const cases: [
    what: string,
    stored: Record<string, unknown>,
    given: Record<string, unknown>,
    merged: Record<string, unknown>,
  ][] = [
    [
      'changes what is given and keeps the rest',
      { title: 'a', effort: 1 },
      { effort: 2 },
      { title: 'a', effort: 2 },
    ],
    [
      'keeps the place of stored keys and appends new ones',
      { effort: 1, title: 'a' },
      { status: variant('open'), title: 'b' },
      { effort: 1, title: 'b', status: variant('open') },
    ],
    [
      'keeps a null that is given',
      { title: 'a' },
      { title: null, effort: null },
      { title: null, effort: null },
    ],
    [
      'keeps what no longer fits the schema',
      { title: 5, effort: 'x', old: [1], status: variant('gone') },
      { effort: 2 },
      { title: 5, effort: 2, old: [1], status: variant('gone') },
    ],
    [
      'clears a field that has left the schema',
      { title: 'a', old: 1, older: 2 },
      { old: null },
      { title: 'a', older: 2 },
    ],
    ['changes nothing without values', { title: 'a', old: 1 }, {}, { title: 'a', old: 1 }],
    [
      'removes the sub-fields of the variant that is left',
      { status: variant('paused'), note: 'n', until: '2026-01-31' },
      { status: variant('open') },
      { status: variant('open') },
    ],
    [
      'keeps a sub-field that the new variant has too',
      { status: variant('paused'), note: 'n', until: '2026-01-31' },
      { status: variant('done') },
      { status: variant('done'), note: 'n' },
    ],
    [
      'removes sub-fields of sub-fields',
      { status: variant('done'), how: variant('badly'), why: 'w', note: 'n' },
      { status: variant('paused') },
      { status: variant('paused'), note: 'n' },
    ],
    [
      'removes the sub-fields of a Select inside a variant',
      { status: variant('done'), how: variant('badly'), why: 'w' },
      { how: variant('well') },
      { status: variant('done'), how: variant('well') },
    ],
    [
      'removes the sub-fields of a Select that is cleared',
      { status: variant('paused'), note: 'n', title: 'a' },
      { status: null },
      { status: null, title: 'a' },
    ],
    [
      'removes sub-fields when a retired variant is left',
      { status: variant('gone'), until: '2026-01-31', old: 1 },
      { status: variant('open') },
      { status: variant('open'), old: 1 },
    ],
    [
      'keeps sub-fields while the variant stays',
      { status: variant('paused'), note: 'n' },
      { status: variant('paused'), until: '2026-02-01' },
      { status: variant('paused'), note: 'n', until: '2026-02-01' },
    ],
    [
      'keeps an inactive sub-field that nobody switches',
      { status: variant('open'), note: 'n' },
      { title: 'b' },
      { status: variant('open'), note: 'n', title: 'b' },
    ],
    [
      'takes sub-fields of the new variant with the switch',
      { status: variant('open') },
      { status: variant('paused'), note: 'n' },
      { status: variant('paused'), note: 'n' },
    ],
  ]
  for (const [what, stored, given, merged] of cases)
    it(what, () => {
      const before = JSON.stringify([stored, given])
      expect(JSON.stringify(mergeFieldValues(schema, stored, given))).toBe(JSON.stringify(merged))
      expect(JSON.stringify([stored, given])).toBe(before)
    })

  it('treats names that objects have by themselves like others', () => {
    const hostile = flattenFields({ constructor: 'String' as const, toString: 'String' as const })
    const merged = mergeFieldValues(hostile, { constructor: 'a' }, { toString: 'b', valueOf: null })
    expect(JSON.stringify(merged)).toBe('{"constructor":"a","toString":"b"}')
  })
})
