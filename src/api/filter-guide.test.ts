import { describe, expect, it } from 'vitest'
import { FILTER_GUIDE, OPERATOR_TABLE } from '#src/api/filter-guide.ts'
import { ANY, operatorsFor } from '#src/filter/language/operators.ts'
import { COLUMN_TYPES, type SubjectType } from '#src/filter/language/subject.ts'
import { parseFilter } from '#src/filter/language/parse-filter.ts'

const lines = OPERATOR_TABLE.split('\n')

/** What the table says of a type or a key of the item. */
function told(subject: string): string[] {
  return lines.flatMap((line) => {
    const [subjects = '', rest = ''] = line.split(/: (.*)/s)
    return subjects.split(', ').includes(subject) ? rest.replace(/ \(.*|no others.*/s, '').split(', ') : []
  })
}

describe('the table of operators', () => {
  it('has at most 12 lines', () => expect(lines.length).toBeLessThanOrEqual(12))

  for (const type of ANY.filter((each) => each !== 'Text'))
    it(`names those that apply to ${type}`, () => {
      const usual = type === 'File' ? [] : told('every field but File')
      const named = [...told('every field'), ...usual, ...told(type)].filter(Boolean)
      expect(named.toSorted()).toEqual(operatorsFor(type).toSorted())
    })

  for (const [column, type] of Object.entries<SubjectType>(COLUMN_TYPES))
    it(`names those that apply to ${column}`, () => {
      expect(told(column).toSorted()).toEqual(operatorsFor(type).toSorted())
    })
})

describe('the filter guide', () => {
  it('names every key that is no field', () => {
    const { faults } = parseFilter({ nonsense: 1 })
    const expected = /Expected: (.*), or Tag\.field/.exec(faults[0]!.message)![1]!.split(', ')
    for (const key of expected) expect(FILTER_GUIDE).toContain(`"${key}"`)
  })

  it('shows filters that parse', () => {
    const examples = FILTER_GUIDE.split('\n').filter((line) => line.startsWith('{'))
    expect(examples.length).toBeGreaterThan(1)
    for (const example of examples) expect(parseFilter(JSON.parse(example)).faults).toEqual([])
  })

  it('fits on a page', () => expect(FILTER_GUIDE.length).toBeLessThan(3500))
})
