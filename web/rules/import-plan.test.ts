import { expect, it } from 'vitest'
import { guessTargets, planImport, resolveNames } from '#web/rules/import-plan.ts'

const TASK = {
  tag_id: 'T',
  name: 'Task',
  schema_version: 1,
  fields: {
    due: 'Date',
    effort: 'Number',
    status: { type: 'Select', variants: ['open', 'done'] },
    assignee: { type: 'Reference', of: ['P'] },
    watchers: 'MultiReference',
  },
}

it('guesses where columns go', () => {
  expect(guessTargets(['Title', 'Due', 'E-ffort', 'Colour', 'Description'], TASK)).toEqual([
    'name',
    { field: 'due' },
    { field: 'effort' },
    'skip',
    'description',
  ])
  expect(guessTargets(['x', 'due'], TASK)).toEqual(['name', { field: 'due' }])
  expect(guessTargets(['a', 'b'], null)).toEqual(['name', 'skip'])
})

it('finds faults by cell', () => {
  const targets = guessTargets(['Name', 'due', 'effort', 'status'], TASK)
  const { items, faults } = planImport(
    [
      ['One', '1.3.2026', '1,5', 'open'],
      ['Two', 'soon', 'many', 'closed'],
      ['', '', '', ''],
    ],
    targets,
    TASK,
  )
  expect(items[0]).toEqual({
    row: 0,
    name: 'One',
    values: { due: '2026-03-01', effort: 1.5, status: { variant: 'open' } },
  })
  expect(faults.map(({ row, column }) => [row, column])).toEqual([
    [1, 1],
    [1, 2],
    [1, 3],
    [2, 0],
  ])
})

it('takes references by their names, and says which are not clear', () => {
  const targets = guessTargets(['Name', 'assignee', 'watchers'], TASK)
  const plan = planImport(
    [
      ['One', 'Ada', 'Ada; Grace'],
      ['Two', 'Nobody', ''],
      ['Three', 'Eve', ''],
    ],
    targets,
    TASK,
  )
  const found = new Map([
    ['Ada', ['A']],
    ['Grace', ['G']],
    ['Eve', ['E1', 'E2']],
  ])
  const { items, faults } = resolveNames(plan, targets, found)
  expect(items[0]!.values).toEqual({ assignee: 'A', watchers: ['A', 'G'] })
  expect(faults.map(({ row, message }) => [row, message])).toEqual([
    [1, 'There is no item called “Nobody”'],
    [2, '2 items are called “Eve”: give the id of the one that is meant'],
  ])
})
