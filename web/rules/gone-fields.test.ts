import { expect, it } from 'vitest'
import type { Filter } from '#web/rules/filter-edits.ts'
import { goneFields, withFieldNow, withoutField } from '#web/rules/gone-fields.ts'

const TASK = {
  tag_id: '01M8M2ZF7KM6W38T2TCAY0TEKZ',
  name: 'Task',
  extends: [],
  fields: { deadline: 'Date', lead: 'Reference' },
} as const
const PERSON = {
  tag_id: '01M8M2ZF80FDTMG3MJV1847PHR',
  name: 'Person',
  extends: [],
  fields: { team: 'String' },
} as const
const TAGS = [TASK, PERSON]
const names = (filter: unknown) => goneFields(filter, TAGS).map(({ key }) => key)

it.each<[unknown, string[]]>([
  [{ 'Task.deadline': 'x' }, []],
  [{ 'Task.due': 'x' }, ['Task.due']],
  [{ or: [{ not: { 'Task.due': 'x' } }, { 'Task.due': 'y' }] }, ['Task.due']],
  [{ 'Task.boss->Person.team': 'x' }, ['Task.boss']],
  [{ 'Task.lead->Person.crew': 'x' }, ['Person.crew']],
  [{ '<-Task.boss': { name: 'x' } }, ['Task.boss']],
  [{ [`${TASK.tag_id}.due`]: 'x' }, [`${TASK.tag_id}.due`]],
  // A tag that is gone is said elsewhere; what every item has is in none.
  [{ and: [{ 'Gone.due': 'x' }, { name: 'a.b' }, { created_at: { gte: '2026.1' } }] }, []],
])('finds in %j the fields that are not there: %j', (filter, gone) => {
  expect(names(filter)).toEqual(gone)
})

it.each<[Filter, string, Filter]>([
  [{ 'Task.due': 'x' }, 'deadline', { 'Task.deadline': 'x' }],
  [
    { and: [{ not: { 'Task.due->Person.team': 1 } }, { name: 'Task.due' }] },
    'lead',
    { and: [{ not: { 'Task.lead->Person.team': 1 } }, { name: 'Task.due' }] },
  ],
  [{ '<-Task.due': { count: { gt: 1 } } }, 'lead', { '<-Task.lead': { count: { gt: 1 } } }],
])('asks in %j for %s instead', (filter, name, now) => {
  expect(withFieldNow(filter, goneFields(filter, TAGS)[0]!, name)).toEqual(now)
})

it.each<[Record<string, unknown>, object | null]>([
  [{ 'Task.due': 'x' }, null],
  [
    { and: [{ 'Task.due': 'x' }, { name: 'y' }, { or: [{ 'Task.due': 'z' }, { name: 'z' }] }] },
    { name: 'y' },
  ],
])('takes the conditions on it out of %j', (filter, left) => {
  expect(withoutField(filter, goneFields(filter, TAGS)[0]!)).toEqual(left)
})
