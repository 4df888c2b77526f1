import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { longestTurn } from '#test/support/longest-turn.ts'
import { type Service, startService } from '#test/support/service.ts'

/** Milliseconds that the main thread may compute in one piece; once of three times, as code is compiled at first. */
const MOST = 50
const ITEMS = 10_000
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

let service: Service
let user: Client
let change_id: string

beforeAll(async () => {
  service = await startService({ env: { QUERY_TIMEOUT: '60s' } })
  user = await service.user()
  await user.ok('POST', '/api/tags', { name: 'Row', fields: { a: 'Number', b: 'Number', c: 'Number' } })
  const response = await user.fetch('/api/items/bulk', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      items: times(ITEMS, (i) => ({
        name: `Row ${i}`,
        tags: [{ tag_ref: { Existing: 'Row' }, field_values: { a: i, b: -i, c: i % 1000 } }],
      })),
    }),
  })
  expect(response.status).toBe(200)
  change_id = response.headers.get('x-change-id')!
  await response.arrayBuffer()
}, 180_000)
afterAll(() => service.close())

/** Sends what was made into text before, and reads the answer as bytes: neither is the service's work. */
async function send(path: string, text: string): Promise<void> {
  const response = await user.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  })
  const answer = await response.arrayBuffer()
  if (response.status !== 200) throw new Error(new TextDecoder().decode(answer.slice(0, 500)))
}

const ROWS = { has_tag: 'Row' }
const KEYS = ['Row.a', 'Row.b', 'Row.c']
const REQUESTS: Record<string, () => [path: string, body: object]> = {
  'groups by three keys': () => ['/api/items/aggregate', { group_by: KEYS, limit: 1000 }],
  'groups by three keys, of some items, with sums': () => [
    '/api/items/aggregate',
    { filter: ROWS, group_by: KEYS, metrics: [{ sum: 'Row.a' }], limit: 1000 },
  ],
  '300,000 values': () => [
    '/api/items/search',
    { filter: { 'Row.a': { in: times(300_000, (i) => i + 0.5) } }, limit: 10 },
  ],
  'a whole list': () => ['/api/items/search', { filter: ROWS }],
  'the plan of an undo': () => ['/api/changes/undo', { change_ids: [change_id], dry_run: true }],
  'a change of all, tried': () => [
    '/api/items/bulk-update-fields',
    { filter: ROWS, tag_id: 'Row', field_values: { c: 1 }, merge: true, dry_run: true },
  ],
}

describe('the main thread is never held for long by', () => {
  for (const [what, request] of Object.entries(REQUESTS))
    it(what, async () => {
      const [path, body] = request()
      const text = JSON.stringify(body)
      const turns: number[] = []
      do turns.push(await longestTurn(() => send(path, text)))
      while (turns.at(-1)! >= MOST && turns.length < 3)
      expect(turns.at(-1), turns.map(Math.round).join()).toBeLessThan(MOST)
    })
})
