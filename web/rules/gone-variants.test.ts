import { expect, it } from 'vitest'
import type { Filter } from '#web/rules/filter-edits.ts'
import { goneVariants, withoutVariant, withVariantNow } from '#web/rules/gone-variants.ts'

const TASK = {
  tag_id: '01M8M2ZF7KM6W38T2TCAY0TEKZ',
  name: 'Task',
  extends: [],
  fields: {
    status: { type: 'Select', variants: ['open', 'done'] },
    labels: { type: 'MultiSelect', variants: ['home'] },
    parent: 'Reference',
    note: 'String',
  },
} as const
const TAGS = [TASK]
const names = (filter: unknown) =>
  goneVariants(filter, TAGS).map(({ field, name }) => `${field.name} ${name}`)

it.each<[unknown, string[]]>([
  [{ 'Task.status': 'open' }, []],
  [{ 'Task.status': 'doing' }, ['status doing']],
  [{ 'Task.status': { variant: 'doing' } }, ['status doing']],
  [{ 'Task.status': { match: 'doing' } }, ['status doing']],
  [{ 'Task.status': { neq: { variant: 'doing' } } }, ['status doing']],
  [{ 'Task.labels': { in: ['home', 'work', 'garden'] } }, ['labels work', 'labels garden']],
  [{ or: [{ not: { 'Task.status': 'doing' } }, { 'Task.status': { gt: 'doing' } }] }, ['status doing']],
  [{ 'Task.parent->Task.status': 'doing' }, ['status doing']],
  [{ '<-Task.parent': { filter: { 'Task.status': 'doing' }, count: { gt: 1 } } }, ['status doing']],
  [{ [`${TASK.tag_id}.status`]: 'doing' }, ['status doing']],
  [{ and: [{ 'Task.status': { exists: true } }, { 'Task.status': null }, { 'Task.note': 'doing' }] }, []],
  [{ and: [{ 'Task.gone': 'doing' }, { 'Gone.status': 'doing' }, { name: 'doing' }] }, []],
])('finds in %j the variants that are not there: %j', (filter, gone) => {
  expect(names(filter)).toEqual(gone)
})

it.each<[Filter, Filter]>([
  [{ 'Task.status': 'doing' }, { 'Task.status': 'done' }],
  [
    { and: [{ 'Task.status': { in: ['open', 'doing'] } }, { 'Task.note': 'doing' }] },
    { and: [{ 'Task.status': { in: ['open', 'done'] } }, { 'Task.note': 'doing' }] },
  ],
  [
    { not: { 'Task.parent->Task.status': { eq: { variant: 'doing' } } } },
    { not: { 'Task.parent->Task.status': { eq: { variant: 'done' } } } },
  ],
])('asks in %j for another one', (filter, now) => {
  expect(withVariantNow(filter, goneVariants(filter, TAGS)[0]!, 'done', TAGS)).toEqual(now)
})

it.each<[Filter, object | null]>([
  [{ 'Task.status': 'doing' }, null],
  [{ and: [{ 'Task.status': { match: 'doing' } }, { 'Task.status': 'open' }] }, { 'Task.status': 'open' }],
])('takes the conditions on it out of %j', (filter, left) => {
  expect(withoutVariant(filter, goneVariants(filter, TAGS)[0]!, TAGS)).toEqual(left)
})
