import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { type Base, openBase } from '#test/support/base.ts'

export const STATUSES = ['Open', 'Ready', 'Done']
const DAY = 86_400_000
const CHUNK = 5000

/**
 * A base with `item 0`, without tags, and this many tasks `item 1` … that refer to it, whose values follow from their
 * numbers: so many that a search has to choose its ways.
 */
export async function openManyTasks(tasks: number) {
  const base = await openBase()
  base.db.exec('PRAGMA synchronous = OFF')
  await addManyTasks(base, tasks)
  return base
}

/** The same in a base that is open already. */
export async function addManyTasks(base: Base, tasks: number): Promise<void> {
  await base.run(createTag, { name: 'Thing', fields: {} })
  await base.run(createTag, {
    name: 'Task',
    extends: ['Thing'],
    fields: {
      status: { type: 'Select', variants: STATUSES },
      owner: 'String',
      points: 'Number',
      due: 'Date',
      done: 'Boolean',
      labels: { type: 'MultiSelect', variants: ['home', 'work'] },
      parent: 'Reference',
    },
  })
  const [first] = await base.run(bulkCreate, { items: ['item 0'] })
  for (let from = 1; from <= tasks; from += CHUNK)
    await base.run(bulkCreate, {
      items: Array.from({ length: Math.min(CHUNK, tasks + 1 - from) }, (_, i) => ({
        name: `item ${from + i}`,
        tags: [
          {
            tag_ref: { Existing: 'Task' },
            field_values: { ...taskValues(from + i), parent: first!.item_id },
          },
        ],
      })),
    })
}

/** Every status goes with every number of points; what is `done` is never `Ready`. */
export const taskValues = (i: number) => ({
  status: { variant: STATUSES[i % 3]! },
  owner: i % 10 ? `owner ${i % 50}` : null,
  points: i % 5,
  due: new Date(Date.UTC(2026, 0, 1) + (i % 100) * DAY).toISOString().slice(0, 10),
  done: i % 3 === 0,
  labels: ['home', 'work'].slice(0, i % 3),
})
