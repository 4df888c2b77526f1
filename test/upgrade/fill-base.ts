import { Client } from '#test/support/client.ts'

export const ADA = { email: 'ada@example.org', password: 'correct horse battery' }

/** Puts something of every kind that every version has into an empty base; what it answers is to stay so. */
export async function fillBase(url: string): Promise<object> {
  const client = new Client(url)
  await client.ok('POST', '/api/auth/register', ADA)
  const { tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      title: 'String',
      effort: 'Number',
      urgent: 'Boolean',
      due: 'Date',
      priority: { type: 'Select', variants: ['low', 'medium', 'high'] },
      areas: { type: 'MultiSelect', variants: ['home', 'work'] },
      blocked_by: 'Reference',
    },
  })
  const names = Array.from({ length: 30 }, (_, i) => `Task ${i} — Straße ﬁne 日本`)
  const ids: string[] = []
  for (const [i, name] of names.entries())
    ids.push((await client.ok('POST', '/api/items', itemOf(name, i, ids.at(-1)))).item_id)
  await client.ok('PUT', `/api/items/${ids[0]}`, {
    name: 'Renamed',
    description: '<p>Said <b>clearly</b></p>',
  })
  await client.ok('POST', '/api/items/bulk-update-fields', {
    filter: { 'Task.effort': { gte: 20 } },
    tag_id,
    field_values: { priority: { variant: 'high' } },
    merge: true,
  })
  await client.ok('DELETE', `/api/items/${ids[5]}`)
  await client.ok('POST', '/api/views', { name: 'Urgent', filter: { 'Task.urgent': true } })
  return answersOf(client)
}

const itemOf = (name: string, i: number, before: string | undefined) => ({
  name,
  tags: [
    {
      tag_ref: { Existing: 'Task' },
      field_values: {
        title: `Title ${i}`,
        effort: i + 0.5,
        urgent: i % 3 === 0,
        due: `2026-0${1 + (i % 9)}-11`,
        priority: { variant: (['low', 'medium', 'high'] as const)[i % 3] },
        areas: i % 2 ? ['home', 'work'] : [],
        ...(before && { blocked_by: before }),
      },
    },
  ],
})

const SEARCHES = [
  {},
  { filter: { search: 'strasse' } },
  { filter: { 'Task.priority': { gte: 'medium' } }, sort: [{ by: 'Task.effort', direction: 'desc' }] },
  { filter: { 'Task.blocked_by->Task.urgent': true } },
]

/** What any version says of such a base, as far as all of them say it alike. */
export async function answersOf(client: Client) {
  const found = []
  for (const search of SEARCHES) {
    const items = await client.ok('POST', '/api/items/search', search)
    found.push(
      items.map(({ item_id, name, description, tags, data }: Item) => ({
        item_id,
        name,
        description,
        tags,
        data,
      })),
    )
  }
  const log: Event[] = await client.ok('POST', '/api/audit-log/search', { limit: 200 })
  const events = log.map(({ event_id, event_type, item_id = null }) => ({ event_id, event_type, item_id }))
  const views: { name: string; filter: object }[] = await client.ok('GET', '/api/views')
  const head = await client.get('/api/audit-log/head')
  return {
    found,
    events,
    /** Of the log; versions without a chain have none. */
    head: head.status === 200 ? (head.body as object) : null,
    views: views.map(({ name, filter }) => ({ name, filter })),
  }
}

type Item = Record<'item_id' | 'name' | 'description' | 'tags' | 'data', unknown>
interface Event {
  event_id: string
  event_type: string
  item_id?: string | null
}
