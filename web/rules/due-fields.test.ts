import { expect, it } from 'vitest'
import { dueFields, dueFilter } from '#web/rules/due-fields.ts'

const tag = (fields: Record<string, unknown>) => ({ tag_id: 'T', name: 'Task', fields, schema_version: 1 })

it('finds the dates that somebody waits for', () => {
  const fields = {
    due: 'Date',
    renewal_date: 'Date',
    'Valid until': 'DateTime',
    next_call: { type: 'Date', relative: true },
    birthday: 'Date',
    undue: 'Date',
    due_note: 'String',
    status: { type: 'Select', variants: ['open', { name: 'done', closed: true, fields: { due: 'Date' } }] },
  }
  expect(dueFields([tag({ ...fields, status: 'String' })]).map(({ name }) => name)).toEqual([
    'due',
    'renewal_date',
    'Valid until',
    'next_call',
  ])
})

it('what is late counts where it can be done with, and is not', () => {
  const [plain] = dueFields([tag({ due: 'Date' })])
  expect(dueFilter(plain!)).toEqual({
    and: [{ 'T.due': { gte: { today: 0 } } }, { 'T.due': { lt: { today: 8 } } }],
  })
  const status = { type: 'Select', variants: ['open', { name: 'done', closed: true }] }
  const [closing] = dueFields([tag({ due: 'Date', status })])
  expect(dueFilter(closing!)).toEqual({
    and: [{ 'T.due': { lt: { today: 8 } } }, { not: { 'T.status': { in: ['done'] } } }],
  })
})
