import { describe, expect, it } from 'vitest'
import { netRenames } from '#src/domain/net-renames.ts'
import { fieldsNow, pastRename, valuesNow } from '#src/domain/past-rename.ts'

const renamed = (fields: Record<string, string>) => ({
  fields: new Map(Object.entries(fields)),
  variants: new Map<string, ReadonlyMap<string, string>>(),
})

describe('names of now', () => {
  it('leave out what had a name that something else has got', () => {
    const renames = netRenames([renamed({ text: 'extra' }), renamed({ n: 'text' })])
    const fields = { text: 'String', extra: 'Date', n: 'Number' } as const
    expect(fieldsNow(fields, renames)).toEqual({ extra: 'String', text: 'Number' })
    expect(valuesNow({ text: 'a', extra: '2026-02-01', n: 3 }, renames)).toEqual({ extra: 'a', text: 3 })
  })

  it('keep both of two that have changed names with each other', () => {
    const renames = netRenames([renamed({ a: 'b', b: 'a' })])
    expect(fieldsNow({ a: 'String', b: 'Number' }, renames)).toEqual({ b: 'String', a: 'Number' })
    expect(valuesNow({ a: 'x', b: 1 }, renames)).toEqual({ b: 'x', a: 1 })
  })

  it('are those of then where renames have been taken back', () => {
    const renames = netRenames([
      renamed({ a: 'b' }),
      renamed({ c: 'a' }),
      renamed({ a: 'c' }),
      renamed({ b: 'a' }),
    ])
    expect(valuesNow({ a: 1, b: 2, c: 3 }, renames)).toEqual({ a: 1, b: 2, c: 3 })
  })
})

it('an event that says of fields that they were renamed, and left them as they were, renamed nothing', () => {
  const details = { fields_changed: [], old_values: {}, new_values: {}, renamed_fields: { a: 'b' } }
  const event = { event_id: 'E', change_id: 'C', event_type: 'tag_updated', item_id: null, tag_id: 'T' }
  expect(pastRename({ ...event, created_at: '', details, redacted: false, state: null })).toBeNull()
})
