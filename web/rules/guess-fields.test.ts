import { expect, it } from 'vitest'
import { fieldsFrom } from '#web/rules/guess-fields.ts'

it('takes the types that all values fit', () => {
  const headings = ['Title', 'when', 'hours', 'zip', 'state', 'free.text', 'ok']
  const rows = Array.from({ length: 9 }, (_, i) => [
    `Row ${i}`,
    `2026-03-0${i + 1}`,
    `${i},5`,
    `0123${i}`,
    i % 2 ? 'open' : 'done',
    `words ${i}`,
    i % 3 ? 'yes' : 'no',
  ])
  expect(fieldsFrom(headings, rows)).toEqual({
    when: 'Date',
    hours: 'Number',
    zip: 'String',
    state: { type: 'Select', variants: ['done', 'open'] },
    'free text': 'String',
    ok: 'Boolean',
  })
})
