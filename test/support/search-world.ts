import type { Client } from '#test/support/client.ts'

/** A few people and tasks, each with something that a filter can tell it by. */
export interface SearchWorld {
  /** Item ids by name. */
  ids: Record<string, string>
  /** Tag ids by name. */
  tags: Record<string, string>
}

const TAGS = {
  Thing: { fields: {} },
  Person: { fields: { email: 'String', age: 'Number', manager: 'Reference', active: 'Boolean' } },
  Task: {
    extends: ['Thing'],
    description: 'Something to do',
    fields: {
      title: 'String',
      points: 'Number',
      urgent: 'Boolean',
      due: 'Date',
      owner: 'Reference',
      state: {
        type: 'Select',
        variants: ['todo', 'doing', { name: 'done', fields: { finished: 'Date' } }],
      },
      labels: { type: 'MultiSelect', variants: ['home', 'work', 'garden'] },
    },
  },
}

/** `Gone` is deleted, so the owner of `Orphan` dangles. */
export const NAMES = [
  'Ada',
  'Bob',
  'Cyd',
  'Water roses',
  'Fix ROOF',
  'Write report',
  'Élan vital',
  'Loose note',
  'Orphan',
]

export async function createSearchWorld(client: Client): Promise<SearchWorld> {
  const world: SearchWorld = { ids: {}, tags: {} }
  for (const [name, tag] of Object.entries(TAGS))
    world.tags[name] = (await client.ok('POST', '/api/tags', { name, ...tag })).tag_id
  const add = async (name: string, tag?: string, field_values: object = {}, description?: string) => {
    const tags = tag ? [{ tag_ref: { Existing: tag }, field_values }] : []
    const body = { name, tags, ...(description && { description }) }
    world.ids[name] = (await client.ok('POST', '/api/items', body)).item_id
  }
  await add('Ada', 'Person', { email: 'ada@example.org', age: 36, active: true })
  await add('Bob', 'Person', { age: 41, manager: world.ids['Ada'], active: false })
  await add('Cyd', 'Person', { age: null, manager: world.ids['Bob'] })
  await add(
    'Water roses',
    'Task',
    {
      title: 'water',
      points: 3,
      urgent: true,
      due: '2026-02-01',
      owner: world.ids['Bob'],
      state: { variant: 'doing' },
      labels: ['garden', 'home'],
    },
    '<p>Every MORNING</p>',
  )
  await add('Fix ROOF', 'Task', {
    title: 'roof 100%',
    points: 8,
    urgent: false,
    due: '2026-03-15',
    owner: world.ids['Ada'],
    state: { variant: 'todo' },
    labels: ['home'],
  })
  await add(
    'Write report',
    'Task',
    { points: 5.5, state: { variant: 'done' }, finished: '2026-01-10', labels: [] },
    'Straße_100%',
  )
  await add('Élan vital', 'Task')
  await add('Loose note')
  await add('Gone', 'Person', { age: 99 })
  await add('Orphan', 'Task', { owner: world.ids['Gone'] })
  await client.ok('DELETE', `/api/items/${world.ids['Gone']}`)
  return world
}
