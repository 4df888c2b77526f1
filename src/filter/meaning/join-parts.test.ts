import { describe, expect, it } from 'vitest'
import { joinMissingParts, joinParts } from '#src/filter/meaning/join-parts.ts'
import type { FilterPlan, ValueTest } from '#src/filter/meaning/plan.ts'
import { FIELDS, hop, name, not, of, search } from '#test/support/plan-table.ts'

const texts = (count: number) => Array.from({ length: count }, (_, i) => `part ${i}`)
const holds = (text: string): ValueTest => ({ test: 'substring', text })
const holdsAny = (...of: string[]): ValueTest => ({ test: 'any_substring', texts: of })
const other: FilterPlan[] = [search('x'), name({ test: 'prefix', text: 'p' })]

describe('alternatives that look for a part of one text', () => {
  const places: Record<string, (test: ValueTest) => FilterPlan> = {
    'the name': name,
    'a field': (test) => of(FIELDS.text, test),
    'the name behind a reference': (test) => hop(name(test)),
    'a field behind two': (test) => hop(hop(of(FIELDS.labels, test)), FIELDS.people),
  }
  for (const [place, at] of Object.entries(places))
    it(`are one where there are many, in ${place}`, () => {
      const many = texts(64)
      const found = joinParts([other[0]!, ...many.map((text) => at(holds(text))), other[1]!])
      expect(found).toHaveLength(3)
      expect(found).toEqual(expect.arrayContaining([...other, at(holdsAny(...many.toSorted(byLength)))]))
    })

  it('stay as they are where they are few, or in different texts', () => {
    const few = texts(63).map((text) => name(holds(text)))
    expect(joinParts([...few, ...other])).toEqual([...few, ...other])
    const elsewhere = texts(63).map((text) => of(FIELDS.text, holds(text)))
    expect(joinParts([...few, ...elsewhere])).toEqual([...few, ...elsewhere])
    const behind = [FIELDS.next, FIELDS.people].flatMap((field) => few.map((plan) => hop(plan, field)))
    expect(joinParts(behind)).toEqual(behind)
  })

  it('look for each part once, and for long ones by themselves', () => {
    const twice = [...texts(64), ...texts(64)]
    expect(joinParts(twice.map((text) => name(holds(text))))).toEqual([
      name(holdsAny(...texts(64).toSorted(byLength))),
    ])
    const long = ['a'.repeat(200_000), 'b'.repeat(200_000)].map((text) => name(holds(text)))
    const joined = joinParts([...long, ...texts(64).map((text) => name(holds(text)))])
    expect(joined).toEqual([
      name(holdsAny(...texts(64).toSorted(byLength), 'a'.repeat(200_000))),
      name(holds('b'.repeat(200_000))),
    ])
  })

  it('are one where none of them may be there', () => {
    const many = texts(64)
    const missing = many.map((text) => not(name(holds(text))))
    expect(joinMissingParts([...missing, ...other])).toEqual([
      ...other,
      not(name(holdsAny(...many.toSorted(byLength)))),
    ])
    expect(joinMissingParts([...missing.slice(1), ...other])).toEqual([...missing.slice(1), ...other])
  })
})

const byLength = (a: string, b: string) => a.length - b.length
