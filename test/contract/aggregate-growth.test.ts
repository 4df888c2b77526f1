import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

const ITEMS = 3000
const LABELS = ['home', 'work', 'later', 'never']
/** Milliseconds of computing. It takes some tens; going through all values for each item took more than a second. */
const MOST = 400

let service: Service
let client: Client

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { labels: { type: 'MultiSelect', variants: LABELS }, points: 'Number', with: 'MultiReference' },
  })
  const { item_id } = await client.ok('POST', '/api/items', { name: 'friend' })
  for (let made = 0; made < ITEMS; made += 1000)
    await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => ({
        name: `Item ${made + i}`,
        tags: [
          {
            tag_ref: { Existing: 'Task' },
            field_values: { labels: LABELS.slice(i % 2, 3 + (i % 2)), points: i, with: [item_id] },
          },
        ],
      })),
    })
})
afterAll(() => service.close())

async function leastComputed(body: object): Promise<number> {
  const times = []
  for (let i = 0; i < 3; i++) {
    const begun = process.cpuUsage()
    await client.ok('POST', '/api/items/aggregate', body)
    const { user, system } = process.cpuUsage(begun)
    times.push((user + system) / 1000)
  }
  return Math.min(...times)
}

for (const [what, body] of Object.entries({
  'a field of several values': { group_by: ['Task.labels'] },
  'a field of several values, with a sum': { group_by: ['Task.labels'], metrics: [{ sum: 'Task.points' }] },
  'a field of several values, of some items': {
    filter: { has_tag: 'Task' },
    group_by: ['Task.labels'],
    metrics: [{ sum: 'Task.points' }],
  },
  'what several references lead to': { group_by: ['Task.with->name'], metrics: [{ sum: 'Task.points' }] },
  'what several references of some items lead to': {
    filter: { has_tag: 'Task' },
    group_by: ['Task.with->name'],
  },
  'a field, with a count of several values': {
    group_by: ['Task.points'],
    metrics: [{ count_distinct: 'Task.labels' }],
    limit: 10,
  },
}))
  it(`grouping ${ITEMS} items by ${what} goes through each value once`, async () => {
    expect(await leastComputed(body)).toBeLessThan(MOST)
  })
