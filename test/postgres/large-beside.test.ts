import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { countIndexRows } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { startService, type Service } from '#test/support/service.ts'

/** So many that a change of them is written before its turn. */
const ITEMS = 5050
const TIMEOUT = 120_000
const FILTER = { has_tag: 'Task' }

let service: Service
let client: Client
let task: string
let item_ids: string[]
/** Items that others have made beside changes. */
let made_beside = 0

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ tag_id: task } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: { owner: 'String', n: 'Number' },
  }))
  await client.ok('POST', '/api/tags', { name: 'Mark', fields: {} })
  const items = Array.from({ length: ITEMS }, (_, n) => ({
    name: `Task ${n}`,
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: `owner ${n % 7}`, n } }],
  }))
  const made = await client.ok('POST', '/api/items/bulk', { items })
  item_ids = made.map(({ item_id }: { item_id: string }) => item_id)
}, TIMEOUT)
afterAll(() => service.close())

/** Holds the row of an item, as somebody who would change it; what it gives waits until somebody else wants it, or lets it go. */
async function holdItem(item_id: string) {
  const other = new pg.Client({ connectionString: service.database_url })
  await other.connect()
  await other.query('begin')
  const { rows } = await other.query(
    'select pg_backend_pid() as pid from item where item_id = $1 for update',
    [item_id],
  )
  const look = `select 1 from pg_locks where not granted and $1 = any(pg_blocking_pids(pid))`
  return {
    async wanted() {
      while (!(await other.query(look, [rows[0].pid])).rows.length)
        await new Promise((resume) => setTimeout(resume, 10))
    },
    letGo: () => other.end(),
  }
}

type Answer = Awaited<ReturnType<Client['send']>>

/** What is answered to a change that cannot go on, because of one of its items, until others have written. */
async function besideOthers(change: () => Promise<Answer>): Promise<Answer> {
  const held = await holdItem(item_ids.at(-1)!)
  const answer = change()
  await held.wanted()
  for (let i = 0; i < 3; i++) {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Beside' })
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Beside, changed' })
    made_beside++
  }
  await held.letGo()
  return answer
}

/** What the indexes have, but for what others have made. */
async function indexRows() {
  const { liveItems, texts, ...rows } = await countIndexRows(service)
  return { ...rows, liveItems: liveItems - made_beside, texts: texts - made_beside }
}

async function count(filter: object): Promise<number> {
  const { headers } = await client.post('/api/items/search', { filter, limit: 0, count: true })
  return Number(headers.get('x-total-count'))
}

const post = (path: string, body: object) => () => client.send('POST', path, body)
const bulk = (path: string, body: object = {}) => post(`/api/items/${path}`, { ...body, filter: FILTER })
const SET = { tag_id: 'Task', field_values: { owner: 'Nobody' }, merge: true }
const MARK = { tag: { tag_ref: { Existing: 'Mark' } } }

describe('others write while a change of many items is written', () => {
  for (const [what, change, found] of [
    ['that sets a field', bulk('bulk-update-fields', SET), { 'Task.owner': { eq: 'Nobody' } }],
    ['that applies a tag', bulk('bulk-apply-tag', MARK), { has_tag: 'Mark' }],
    ['that takes a tag off', bulk('bulk-remove-tag', { tag_id: 'Mark' }), { not: { has_tag: 'Mark' } }],
    ['that deletes', bulk('bulk-delete'), { never: true }],
  ] as const)
    it(
      `${what}, and while it is taken back`,
      async () => {
        if (what === 'that takes a tag off') await bulk('bulk-apply-tag', MARK)()
        const rows = await indexRows()
        const all = { and: [FILTER, ...('never' in found ? [] : [found])] }
        const before = await count(all)
        const made = await besideOthers(change)
        expect(made).toMatchObject({ status: 200, body: { affected_count: ITEMS } })
        expect(await count(all)).toBe('never' in found ? 0 : ITEMS)
        const change_ids = [made.headers.get('x-change-id')!]
        const undone = await besideOthers(post('/api/changes/undo', { change_ids }))
        expect(undone).toMatchObject({ status: 200, body: { undone_events: ITEMS, conflicts: [] } })
        expect(await count(all)).toBe(before)
        expect(await indexRows()).toEqual(rows)
      },
      TIMEOUT,
    )

  it(
    'that restores',
    async () => {
      const rows = await indexRows()
      await bulk('bulk-delete')()
      const restored = await besideOthers(bulk('restore'))
      expect(restored).toMatchObject({ status: 200, body: { affected_count: ITEMS, changed_count: ITEMS } })
      expect(await count({ and: [FILTER, { search: 'Task 4711' }] })).toBe(1)
      expect(await indexRows()).toEqual(rows)
    },
    TIMEOUT,
  )

  it(
    'and one that has waited for an item of it comes first: what it wrote is part of what the change finds',
    async () => {
      const [item_id] = item_ids as [string]
      const held = await holdItem(item_ids.at(-1)!)
      const changed = bulk('bulk-update-fields', { ...SET, field_values: { owner: 'Somebody' } })()
      await held.wanted()
      await client.ok('PUT', `/api/items/${item_id}/tags/${task}`, { field_values: { n: -1 }, merge: true })
      await held.letGo()
      expect(await changed).toMatchObject({ status: 200, body: { changed_count: ITEMS } })
      const { data } = await client.ok('GET', `/api/items/${item_id}`)
      expect(data[task]).toMatchObject({ field_values: { owner: 'Somebody', n: -1 } })
      expect(await count({ 'Task.owner': { eq: 'Somebody' } })).toBe(ITEMS)
    },
    TIMEOUT,
  )

  it(
    'and the log is whole after all of it',
    async () => {
      await client.ok('GET', '/api/audit-log/head')
      expect(await facet(service.database_url, 'audit', 'verify')).toMatchObject({ code: 0, err: '' })
    },
    TIMEOUT,
  )
})
