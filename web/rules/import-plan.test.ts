import { expect, it } from 'vitest'
import { askedColumns, guessTargets, matchRows, planImport, resolveNames } from '#web/rules/import-plan.ts'

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
  const readings = targets.map(() => ({ order: 'DMY' as const, sign: ',' as const }))
  const { items, faults } = planImport(
    [
      ['One', '1.3.2026', '1,5', 'open'],
      ['Two', 'soon', 'many', 'closed'],
      ['', '', '', ''],
    ],
    targets,
    TASK,
    readings,
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

const READ = { order: 'DMY' as const, sign: '.' as const }

it('asks where a column can be read in two ways, and reads it in neither before', () => {
  const targets = guessTargets(['Name', 'due', 'effort'], TASK)
  const unread = targets.map(() => ({ order: undefined, sign: undefined }))
  expect(askedColumns(targets, TASK, unread)).toEqual([1, 2])
  expect(
    askedColumns(
      targets,
      TASK,
      targets.map(() => READ),
    ),
  ).toEqual([])
  const { items, faults } = planImport([['One', '1/2/2026', '1.234']], targets, TASK, unread)
  expect([items[0]!.values, faults]).toEqual([{}, []])
})

it('leaves empty what does not fit, where somebody said so', () => {
  const targets = guessTargets(['Name', 'effort', 'assignee', 'watchers'], TASK)
  const readings = targets.map(() => ({ ...READ, isEmptied: true }))
  const plan = planImport([['One', 'n/a', 'Nobody', 'Ada, Nobody']], targets, TASK, readings)
  const { items, faults, emptied } = resolveNames(plan, targets, new Map([['Ada', ['A']]]), readings)
  expect([items[0]!.values, faults]).toEqual([{ watchers: ['A'] }, []])
  expect([...emptied]).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
  ])
})

it('says what rows meet, and which are not clear', () => {
  const targets = guessTargets(['Name', 'effort'], TASK)
  const rows = [
    ['Oak', '1'],
    ['Elm', '2'],
    ['Oak', '3'],
    ['Ash', ''],
    ['Fir', '5'],
  ]
  const { items } = planImport(rows, targets, TASK, [READ, READ])
  const byName = { by: 'name' as const, column: 0 }
  const known = new Map([
    ['Oak', ['O']],
    ['Fir', ['F1', 'F2']],
  ])
  expect(matchRows(items, { ...byName, known })).toMatchObject({
    update: 1,
    make: 2,
    again: 1,
    faults: [{ row: 4, column: 0 }],
  })
  const byEffort = { by: { field: 'effort' }, column: 1, known: new Map([[1, ['O']]]) }
  expect(matchRows(items, byEffort)).toMatchObject({ update: 1, make: 3, faults: [{ row: 3, column: 1 }] })
})
