import { describe, expect, it } from 'vitest'
import { flattenFields, variantsOf, type FieldMap } from '#src/domain/field-schema.ts'

const fields: FieldMap = {
  title: 'String',
  status: {
    type: 'Select',
    variants: [
      'open',
      { name: 'paused', fields: { note: 'String' } },
      {
        name: 'done',
        fields: {
          note: 'String',
          how: { type: 'Select', variants: ['well', { name: 'badly', fields: { why: 'String' } }] },
        },
      },
    ],
  },
  mood: { type: 'Select', variants: [{ name: 'bad', fields: { note: 'String' } }] },
}

describe('flattenFields', () => {
  const flat = flattenFields(fields)

  it('lays sub-fields of any depth beside the fields', () =>
    expect([...flat.keys()]).toEqual(['title', 'status', 'note', 'how', 'why', 'mood']))

  it('says under which variants of which Selects a sub-field applies', () => {
    expect(flat.get('title')!.parents).toBeUndefined()
    expect(flat.get('note')!.parents).toEqual([
      { field: 'status', variants: ['paused', 'done'] },
      { field: 'mood', variants: ['bad'] },
    ])
    expect(flat.get('how')!.parents).toEqual([{ field: 'status', variants: ['done'] }])
    expect(flat.get('why')!.parents).toEqual([{ field: 'how', variants: ['badly'] }])
  })

  it('knows type and variants of each', () => {
    expect(flat.get('why')!.type).toBe('String')
    expect(flat.get('how')!.type).toBe('Select')
    expect(variantsOf(flat.get('how')!.schema)).toEqual(['well', 'badly'])
    expect(variantsOf('String')).toEqual([])
  })
})
