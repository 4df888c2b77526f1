import type { Client } from '#test/support/client.ts'

const WORDS = [
  'Water the plants',
  'Mend the roof',
  'Write to Grace',
  'Order seeds',
  'Plan the greenhouse',
  'Call the plumber',
  'Paint the fence',
  'Sort the archive',
  'Test the engine',
  'Draft the contract',
]
const MOST_AT_ONCE = 10_000
const STATUS = ['idea', 'open', 'doing', 'done'] as const
const LABELS = ['home', 'work', 'garden', 'later'] as const

export interface Tasks {
  task: string
  person: string
  ids: readonly string[]
  people: readonly string[]
}

/** Two tags with a field of every type, and items for them. */
export async function makeTasks(client: Client, count = 60): Promise<Tasks> {
  const { tag_id: person } = await client.ok('POST', '/api/tags', {
    name: 'Person',
    fields: { team: 'String' },
  })
  const people = await createItems(
    client,
    ['Ada', 'Grace', 'Linus'].map((name) => ({ name, tags: [{ tag_ref: { Existing: person } }] })),
  )
  const { tag_id: task } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      status: {
        type: 'Select',
        variants: ['idea', 'open', 'doing', { name: 'done', fields: { finished_on: 'Date' } }],
      },
      due: 'Date',
      effort: { type: 'Number', description: 'Hours' },
      urgent: 'Boolean',
      labels: { type: 'MultiSelect', variants: [...LABELS] },
      assignee: { type: 'Reference', of: [person] },
      watchers: { type: 'MultiReference', of: [person] },
      starts_at: 'DateTime',
      note: 'String',
    },
  })
  const items = Array.from({ length: count }, (_, i) => ({
    name: `${WORDS[i % WORDS.length]} ${i + 1}`,
    tags: [
      {
        tag_ref: { Existing: task },
        field_values: {
          status: { variant: STATUS[i % 4] },
          due: `2026-0${(i % 9) + 1}-1${i % 10}`,
          effort: (i % 13) + 0.25,
          ...(i % 3 && { urgent: i % 3 === 1 }),
          labels: LABELS.slice(i % 4, (i % 4) + 2),
          assignee: people[i % 3],
          ...(i % 2 && { watchers: [people[(i + 1) % 3], people[(i + 2) % 3]] }),
          ...(i % 4 === 0 && { starts_at: `2026-03-1${i % 10}T09:30:00.000Z`, note: 'Ask before it rains' }),
        },
      },
    ],
  }))
  return { task, person, people, ids: await createItems(client, items) }
}

async function createItems(client: Client, items: readonly object[]): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < items.length; i += MOST_AT_ONCE) {
    const some = items.slice(i, i + MOST_AT_ONCE)
    const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', { items: some })
    ids.push(...made.map(({ item_id }) => item_id))
  }
  return ids
}
