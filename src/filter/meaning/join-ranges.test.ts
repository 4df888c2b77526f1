import { describe, expect, it } from 'vitest'
import type { FieldType } from '#src/domain/field-schema.ts'
import { joinRanges } from '#src/filter/meaning/join-ranges.ts'
import type { BoundField, FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'

const field = (id: number, type: FieldType = 'Number'): BoundField => ({
  id,
  name: `f${id}`,
  type,
  variants: [],
  tag_id: '01JJXZ5T7GQ3M8K4B9R2C6D0EF',
  tag_name: 'Tag',
  tag: 1,
})
type Range = Extract<ValueTest, { test: 'range' }>
const range = (of: BoundField, test: Omit<Range, 'test'>): FilterPlan => ({
  kind: 'field',
  field: of,
  test: { test: 'range', ...test },
})
const above = (value: number) => ({ lower: { value, inclusive: false } })
const upTo = (value: number) => ({ upper: { value, inclusive: true } })
const other: FilterPlan = { kind: 'search', text: 'x' }

describe('joining ranges', () => {
  it('makes one of a bound below and a bound above', () => {
    expect(joinRanges([range(field(1), upTo(5)), other, range(field(1), above(2))])).toEqual([
      range(field(1), { ...above(2), ...upTo(5) }),
      other,
    ])
  })

  const apart: Record<string, FilterPlan[]> = {
    'of different fields': [range(field(1), upTo(5)), range(field(2), above(2))],
    'both below': [range(field(1), above(5)), range(field(1), above(2))],
    'of a MultiSelect': [range(field(1, 'MultiSelect'), upTo(5)), range(field(1, 'MultiSelect'), above(2))],
    'with a second spelling': [
      range(field(1), { ...upTo(5), also: [6] }),
      range(field(1), { ...above(2), except: [3] }),
    ],
  }
  for (const [kind, parts] of Object.entries(apart))
    it(`leaves bounds ${kind} apart`, () => {
      expect(joinRanges(parts)).toEqual(parts)
    })

  it('joins what belongs together and leaves the rest', () => {
    const name: FilterPlan = {
      kind: 'text',
      column: 'name',
      test: { test: 'range', lower: { value: 'a', inclusive: true } },
    }
    const parts = [range(field(1), above(1)), name, range(field(1), upTo(9)), range(field(1), above(3))]
    expect(joinRanges(parts)).toEqual([
      range(field(1), { ...above(1), ...upTo(9) }),
      name,
      range(field(1), above(3)),
    ])
  })
})
