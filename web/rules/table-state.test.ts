import { describe, expect, it } from 'vitest'
import { questionOf, readTableState, type TableState, writeTableState } from '#web/rules/table-state.ts'

const EMPTY: TableState = {
  filter: null,
  text: '',
  sort: [],
  group: null,
  layout: null,
  day: null,
  at: null,
  item: null,
}

describe('the address of a table', () => {
  it.each<[string, Partial<TableState>]>([
    ['', {}],
    ['q=a+b%26c', { text: 'a b&c' }],
    [
      's=Task.due%3Adesc%2Cname',
      {
        sort: [
          { by: 'Task.due', direction: 'desc' },
          { by: 'name', direction: 'asc' },
        ],
      },
    ],
    ['g=Task.status&item=01JJ', { group: 'Task.status', at: null, item: '01JJ' }],
    [
      'l=board&by=01JJ.status&sum=01JJ.effort',
      { layout: { kind: 'board', by: '01JJ.status', sum: '01JJ.effort' } },
    ],
    ['l=calendar&week=1&on=2027-03-28', { layout: { kind: 'calendar', week: true }, day: '2027-03-28' }],
    ['f=%7B%22has_tag%22%3A%22Task%22%7D', { filter: { has_tag: 'Task' } }],
  ])('%s is read and written', (query, state) => {
    expect(readTableState(query)).toEqual({ ...EMPTY, ...state })
    expect(writeTableState({ ...EMPTY, ...state })).toBe(query)
  })

  it('keeps the keys of a filter in their order, and any name of a field', () => {
    const filter = { or: [{ 'B.x': { eq: 1 } }, { 'A.y': { lt: 2 } }] }
    const sort = [{ by: 'T.a,b:desc %', direction: 'asc' as const }]
    const read = readTableState(writeTableState({ ...EMPTY, filter, sort }))
    expect(JSON.stringify(read.filter)).toBe(JSON.stringify(filter))
    expect(read.sort).toEqual(sort)
  })

  it.each(['f=nonsense', 'f=[1]', 'f=null', 's=,,', 's=%25E0%25A4%25A'])('takes %s', (query) => {
    expect(readTableState(query).filter).toBeNull()
  })
})

describe('questionOf', () => {
  it.each([
    [null, {}, {}],
    [{ has_tag: 'T' }, {}, { filter: { has_tag: 'T' } }],
    [
      { has_tag: 'T' },
      { text: ' x ' },
      { filter: { and: [{ has_tag: 'T' }, { search: { text: 'x', match: 'words' } }] }, snippets: true },
    ],
    [
      null,
      { filter: { name: { eq: 'x' } }, sort: [{ by: 'name', direction: 'asc' as const }] },
      { filter: { name: { eq: 'x' } }, sort: [{ by: 'name', direction: 'asc' }] },
    ],
  ])('narrows %j by %j', (base, state, question) => {
    expect(questionOf(base, { ...EMPTY, ...state })).toEqual(question)
  })
})
