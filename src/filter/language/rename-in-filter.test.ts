import { describe, expect, it } from 'vitest'
import { renameInFilter } from '#src/filter/language/rename-in-filter.ts'

const TASK = '01JJXZ5T7GQ3M8K4B9R2C6D0TG'
const OTHER = '01JJXZ5T7GQ3M8K4B9R2C6D0TH'
const renames = {
  fields: new Map([
    ['due', 'deadline'],
    ['state', 'status'],
  ]),
  variants: new Map([
    ['status', new Map([['open', 'todo']])],
    ['labels', new Map([['a', 'b']])],
  ]),
}

describe('renameInFilter', () => {
  const cases: [filter: unknown, renamed: unknown][] = [
    [{ [`${TASK}.due`]: '2026-01-31' }, { [`${TASK}.deadline`]: '2026-01-31' }],
    [{ [`${TASK.toLowerCase()}.due`]: null }, { [`${TASK.toLowerCase()}.deadline`]: null }],
    [{ [`${TASK}.state`]: 'open' }, { [`${TASK}.status`]: 'todo' }],
    [{ [`${TASK}.state`]: { eq: { variant: 'open' } } }, { [`${TASK}.status`]: { eq: { variant: 'todo' } } }],
    [
      { [`${TASK}.state`]: { in: ['open', 'done', null] } },
      { [`${TASK}.status`]: { in: ['todo', 'done', null] } },
    ],
    [{ [`${TASK}.state`]: { select_gt: 'open' } }, { [`${TASK}.status`]: { select_gt: 'todo' } }],
    [{ [`${TASK}.labels`]: { eq: ['a', 'c'] } }, { [`${TASK}.labels`]: { eq: ['b', 'c'] } }],
    [{ [`${TASK}.labels`]: { exists: true } }, undefined],
    [{ [`${OTHER}.due`]: 'open' }, undefined],
    [{ [`${OTHER}.owner->${TASK}.due`]: 1 }, { [`${OTHER}.owner->${TASK}.deadline`]: 1 }],
    [{ [`${TASK}.due->${OTHER}.due`]: 1 }, { [`${TASK}.deadline->${OTHER}.due`]: 1 }],
    [{ [`${TASK}.due->name`]: 'open' }, { [`${TASK}.deadline->name`]: 'open' }],
    [{ has_tag: TASK }, undefined],
    [{ name: 'open' }, undefined],
    [
      { and: [{ has_tag: TASK }, { not: { or: [{ [`${TASK}.due`]: 1 }, { name: 'x' }] } }] },
      { and: [{ has_tag: TASK }, { not: { or: [{ [`${TASK}.deadline`]: 1 }, { name: 'x' }] } }] },
    ],
    [
      { [`<-${TASK}.due`]: { [`${TASK}.state`]: 'open' } },
      { [`<-${TASK}.deadline`]: { [`${TASK}.status`]: 'todo' } },
    ],
    [
      { [`<-${OTHER}.x`]: { filter: { [`${TASK}.state`]: 'open' }, count: { gte: 3 } } },
      { [`<-${OTHER}.x`]: { filter: { [`${TASK}.status`]: 'todo' }, count: { gte: 3 } } },
    ],
  ]
  const more: [filter: unknown, renamed: unknown][] = [
    [{ [`${TASK}.state`]: { match: 'open' } }, { [`${TASK}.status`]: { match: 'todo' } }],
    [{ [`${TASK}.state`]: { exists: 'open' } }, { [`${TASK}.status`]: { exists: 'open' } }],
    [{ [`${TASK}.state`]: { is_null: 'open' } }, { [`${TASK}.status`]: { is_null: 'open' } }],
    [{ [`${TASK}.state`]: {} }, { [`${TASK}.status`]: {} }],
    [{ [`${TASK}.state`]: 5 }, { [`${TASK}.status`]: 5 }],
    [{ [`${TASK}.state`]: { variant: 'open' } }, { [`${TASK}.status`]: { variant: 'todo' } }],
    [
      { [`${TASK}.state`]: { in: [{ variant: 'open' }, { variant: 'done' }] } },
      { [`${TASK}.status`]: { in: [{ variant: 'todo' }, { variant: 'done' }] } },
    ],
    // Of a field that keeps its name the variants are looked at, too.
    [{ [`${TASK}.labels`]: 'a' }, { [`${TASK}.labels`]: 'b' }],
    [{ [`${TASK}.labels`]: ['c'] }, undefined],
    [{ [`${TASK}.labels`]: 'c' }, undefined],
    [{ [`${TASK}.labels`]: { in: ['c', 'd'] } }, undefined],
    [{ [`${TASK}.other`]: 'open' }, undefined],
    [{ [`${OTHER}.state`]: 'open' }, undefined],
    [{ [`${OTHER}.x->${TASK}.state`]: 'open' }, { [`${OTHER}.x->${TASK}.status`]: 'todo' }],
    [{ [`${TASK}.state->${OTHER}.x`]: 'open' }, { [`${TASK}.status->${OTHER}.x`]: 'open' }],
    [
      { [`${OTHER}.x-><-${TASK}.due`]: { name: 'open' } },
      { [`${OTHER}.x-><-${TASK}.deadline`]: { name: 'open' } },
    ],
    [{ [`<-${TASK}.state`]: 'open' }, { [`<-${TASK}.status`]: 'open' }],
    [{ [`<-${OTHER}.x`]: { name: 'open' } }, undefined],
    [{ name: { [`${TASK}.due`]: 1 } }, undefined],
    [{ and: [{ name: 'x' }, { or: [{ name: 'y' }] }] }, undefined],
    [{ filter: { [`${TASK}.due`]: 1 } }, { filter: { [`${TASK}.deadline`]: 1 } }],
    [{ or: { [`${TASK}.due`]: 1 } }, { or: { [`${TASK}.deadline`]: 1 } }],
    [{ [TASK]: 1 }, undefined],
    [{ [`.due`]: 1 }, undefined],
    ['due', undefined],
    [null, undefined],
    [5, undefined],
  ]
  const past = (name: string) => `${name} (earlier)\u{FDD0}`
  /** What a new name meant before. */
  const earlier: [filter: unknown, renamed: unknown][] = [
    [{ [`${TASK}.deadline`]: 1 }, { [`${TASK}.${past('deadline')}`]: 1 }],
    [{ [`${TASK}.${past('deadline')}`]: 1 }, { [`${TASK}.${past(past('deadline'))}`]: 1 }],
    [{ [`${TASK}.${past('due')}`]: 1 }, { [`${TASK}.due`]: 1 }],
    [{ [`${TASK}.${past(past('due'))}`]: 1 }, { [`${TASK}.${past('due')}`]: 1 }],
    [{ [`${TASK}.${past('other')}`]: 1 }, undefined],
    [{ [`${OTHER}.deadline`]: 1 }, undefined],
    [{ [`<-${TASK}.deadline`]: {} }, { [`<-${TASK}.${past('deadline')}`]: {} }],
    // The variants of the field that the name meant are not those of the one that has it now.
    [
      { [`${TASK}.status`]: { in: ['open', 'todo'] } },
      { [`${TASK}.${past('status')}`]: { in: ['open', 'todo'] } },
    ],
    [{ [`${TASK}.state`]: { in: ['open', 'todo'] } }, { [`${TASK}.status`]: { in: ['todo', past('todo')] } }],
    [{ [`${TASK}.labels`]: [past('a'), 'a', 'b'] }, { [`${TASK}.labels`]: ['a', 'b', past('b')] }],
  ]
  const back = {
    fields: new Map([...renames.fields].map(([old, name]) => [name, old])),
    variants: new Map([
      ['state', new Map([['todo', 'open']])],
      ['labels', new Map([['b', 'a']])],
    ]),
  }
  for (const [filter] of earlier)
    it(`${JSON.stringify(filter)} and back`, () => {
      expect(renameInFilter(renameInFilter(filter, TASK, renames), TASK, back)).toEqual(filter)
    })
  it('lets two change names with each other', () => {
    const fields = new Map([
      ['a', 'b'],
      ['b', 'a'],
    ])
    const both = { and: [{ [`${TASK}.a`]: 1 }, { [`${TASK}.b`]: 2 }, { [`${TASK}.${past('b')}`]: 3 }] }
    expect(renameInFilter(both, TASK, { fields, variants: new Map() })).toEqual({
      and: [{ [`${TASK}.b`]: 1 }, { [`${TASK}.a`]: 2 }, { [`${TASK}.${past('b')}`]: 3 }],
    })
  })
  for (const [filter, renamed] of [...cases, ...more, ...earlier])
    it(JSON.stringify(filter), () => {
      const result = renameInFilter(filter, TASK, renames)
      if (renamed === undefined) expect(result).toBe(filter)
      else expect(result).toEqual(renamed)
    })
})
