import { describe, expect, it } from 'vitest'
import { fieldsNow, valuesNow } from '#src/domain/past-rename.ts'

const renamed = (fields: Record<string, string>) => ({
  fields: new Map(Object.entries(fields)),
  variants: new Map<string, ReadonlyMap<string, string>>(),
})

describe('names of now', () => {
  it('leave out what had a name that something else has got', () => {
    const renames = [renamed({ text: 'extra' }), renamed({ n: 'text' })]
    const fields = { text: 'String', extra: 'Date', n: 'Number' } as const
    expect(fieldsNow(fields, renames)).toEqual({ extra: 'String', text: 'Number' })
    expect(valuesNow({ text: 'a', extra: '2026-02-01', n: 3 }, renames)).toEqual({ extra: 'a', text: 3 })
  })

  it('keep both of two that have changed names with each other', () => {
    const renames = [renamed({ a: 'b', b: 'a' })]
    expect(fieldsNow({ a: 'String', b: 'Number' }, renames)).toEqual({ b: 'String', a: 'Number' })
    expect(valuesNow({ a: 'x', b: 1 }, renames)).toEqual({ b: 'x', a: 1 })
  })
})
