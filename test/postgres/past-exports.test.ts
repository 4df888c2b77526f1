import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'

const ITEMS = 3000
const EXPORTS = 8

let service: Service
let users: Client[]
let moment: number

beforeAll(async () => {
  service = await startService({ env: { QUERY_TIMEOUT: '4s' } })
  users = []
  for (let i = 0; i < EXPORTS; i++) users.push(await service.user())
  const [first] = users as [Client]
  const { tag_id } = await first.ok('POST', '/api/tags', { name: 'Row', fields: { state: 'String' } })
  const tags = [{ tag_ref: { Existing: tag_id }, field_values: { state: 'then' } }]
  for (let made = 0; made < ITEMS; made += 1000)
    await first.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1000 }, (_, i) => ({ name: `Item ${made + i}`, tags })),
    })
  await new Promise((resume) => setTimeout(resume, 50))
  moment = Date.now()
  await new Promise((resume) => setTimeout(resume, 50))
  await first.ok('POST', '/api/items/bulk-update-fields', {
    filter: { has_tag: 'Row' },
    tag_id,
    field_values: { state: 'now' },
  })
})
afterAll(() => service.close())

it('exports of as many moments at once all end, each with all items as they were', async () => {
  const exported = users.map(async (client, i) => {
    const as_of = new Date(moment - i).toISOString()
    const asked = { format: 'csv', filter: { has_tag: 'Row' }, as_of }
    const { status, body } = await client.post('/api/items/export', asked)
    const rows = String(body).trimEnd().split('\r\n').slice(1)
    return [status, rows.length, new Set(rows).size, rows.filter((row) => row.endsWith(',then')).length]
  })
  for (const each of await Promise.all(exported)) expect(each).toEqual([200, ITEMS, ITEMS, ITEMS])
})
