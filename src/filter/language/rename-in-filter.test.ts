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
  for (const [filter, renamed] of cases)
    it(JSON.stringify(filter), () => {
      const result = renameInFilter(filter, TASK, renames)
      if (renamed === undefined) expect(result).toBe(filter)
      else expect(result).toEqual(renamed)
    })
})
