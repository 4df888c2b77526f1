import { describe, expect, it } from 'vitest'
import { parseQuery, queryFaults } from '#src/api/http/parse-query.ts'
import { computed } from '#test/support/computed.ts'

describe('a query', () => {
  it('has the texts of a name that comes several times in their order', () => {
    const query = parseQuery('a=1&b=2&a=3&a=%204')
    expect({ ...query }).toEqual({ a: ['1', '3', ' 4'], b: '2' })
    expect(queryFaults(query)).toEqual([])
  })

  it('of more parameters than any route takes is read no further, and refused where it counts', () => {
    const query = parseQuery('a&'.repeat(30_000))
    expect(query.a).toHaveLength(1000)
    expect(queryFaults(query)).toEqual([{ path: '', message: 'a query has at most 1000 parameters' }])
  })

  it('is read in a time that grows with its length alone', () => {
    const start = computed()
    for (let i = 0; i < 20; i++) parseQuery('a&'.repeat(32_000))
    expect(computed() - start).toBeLessThan(2000)
  })
})
