import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SqliteConnection } from '#src/sql/sqlite-connection.ts'
import { takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { expectedChain, type ToldEvent } from '#test/support/audit-chain.ts'
import type { Client } from '#test/support/client.ts'
import { countIndexRows } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { startService, type Service } from '#test/support/service.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

/** So many that their events are entered into the log after the change. */
const ITEMS = 5050
const TIMEOUT = 120_000

let service: Service
let client: Client
let tag_id: string

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ tag_id } = await client.ok('POST', '/api/tags', { name: 'Task', fields: { owner: 'String' } }))
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    name: `Task ${i}`,
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { owner: `owner ${i % 7}` } }],
  }))
  await client.ok('POST', '/api/items/bulk', { items })
}, TIMEOUT)
afterAll(() => service.close())

/** Found by its text, its value and its tag. */
const ONE = {
  filter: { and: [{ has_tag: 'Task' }, { search: 'Task 4711' }, { 'Task.owner': { exists: true } }] },
  limit: 1,
}

const update = (owner: string) =>
  client.send('POST', '/api/items/bulk-update-fields', {
    filter: { has_tag: 'Task' },
    tag_id: 'Task',
    field_values: { owner },
    merge: true,
  })

async function count(filter: object): Promise<number> {
  const { headers } = await client.post('/api/items/search', { filter, limit: 0, count: true })
  return Number(headers.get('x-total-count'))
}

/** Oldest first. */
async function eventsOf(query: object): Promise<ToldEvent[]> {
  const events: ToldEvent[] = []
  for (let after_event = '0'.repeat(26); ;) {
    const page: ToldEvent[] = await client.ok('POST', '/api/audit-log/search', {
      ...query,
      after_event,
      limit: 1000,
    })
    events.push(...page)
    if (page.length < 1000) return events
    after_event = page.at(-1)!.event_id
  }
}

/** As the service does once no large change was made for a while. */
async function clearIndexes(database_url: string): Promise<void> {
  const db = new SqliteConnection(database_url.slice('file:'.length))
  try {
    for (let left = true; left;) {
      db.exec('BEGIN IMMEDIATE')
      db.refresh()
      left = await takeSomeOut(db, 2000)
      db.exec('COMMIT')
    }
  } finally {
    db.close()
  }
}

/** Indexes of items: of those that a change leaves out at its end, a list would notice in its time alone. */
function indexesOfItems(): string[] {
  const db = new SqliteConnection(service.database_url.slice('file:'.length), { readonly: true })
  try {
    return db.raw
      .prepare(`select name from sqlite_schema where type = 'index' and tbl_name = 'item' order by name`)
      .pluck()
      .all() as string[]
  } finally {
    db.close()
  }
}

describe('a change of many items', () => {
  if (TEST_ENGINE === 'sqlite')
    it(
      'has all indexes again when it is answered, those too that it made nobody wait for',
      async () => {
        const before = indexesOfItems()
        expect(before).toContain('item_rank')
        const { headers } = await update('Somebody')
        expect(indexesOfItems()).toEqual(before)
        await client.ok('POST', '/api/changes/undo', { change_ids: [headers.get('x-change-id')] })
        expect(indexesOfItems()).toEqual(before)
        // It has one event, and gives all items another time.
        for (const [from, to] of [
          ['owner', 'holder'],
          ['holder', 'owner'],
        ] as const) {
          const fields = { [to]: 'String' }
          await client.ok('GET', '/api/audit-log/head') // nothing waits to be entered
          await client.ok('PUT', `/api/tags/${tag_id}`, { fields, rename_fields: { [from]: to } })
          expect(indexesOfItems()).toEqual(before)
        }
      },
      TIMEOUT,
    )

  it(
    'is in the log as soon as that is read, chained with what others wrote meanwhile',
    async () => {
      const [changed, ...beside] = await Promise.all([
        update('Nobody'),
        ...Array.from({ length: 20 }, (_, i) => client.ok('POST', '/api/items', { name: `Beside ${i}` })),
      ])
      const after = await client.ok('POST', '/api/items', { name: 'After' })
      expect(changed.body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS })

      const [last] = await client.ok('GET', `/api/items/${after.item_id}/history`)
      expect(last).toMatchObject({ event_type: 'item_created' })
      const log = await eventsOf({})
      const { event_id, hash, count } = await client.ok('GET', '/api/audit-log/head')
      expect([log.at(-1)!.event_id, log.at(-1)!.hash, log.length]).toEqual([event_id, hash, count])
      expect(log.map(({ details_hash, hash: own }) => ({ details_hash, hash: own }))).toEqual(
        expectedChain(log),
      )
      for (const { item_id } of beside) expect(log.some((event) => event.item_id === item_id)).toBe(true)

      const change_id = changed.headers.get('x-change-id')!
      const own = log.filter((event) => event.change_id === change_id)
      expect(own).toHaveLength(ITEMS)
      const first = log.indexOf(own[0]!)
      expect(log.slice(first, first + ITEMS)).toEqual(own)
    },
    TIMEOUT,
  )

  it(
    'is read, and taken back, at once',
    async () => {
      const page = await client.ok('POST', '/api/items/search', { filter: { has_tag: 'Task' }, limit: 1 })
      const { item_id } = page[0]
      const before = await client.ok('GET', `/api/items/${item_id}`)
      const changed = await update('Somebody')
      const change_id = changed.headers.get('x-change-id')!
      expect(await client.ok('GET', `/api/items/${item_id}?as_of=${before.updated_at}`)).toEqual(before)
      const [newest] = await client.ok('GET', `/api/items/${item_id}/history`)
      expect(newest).toMatchObject({ change_id, changes: [{ path: 'Task.owner', new: 'Somebody' }] })
      expect(await eventsOf({ change_id })).toHaveLength(ITEMS)

      const again = await update('Anybody')
      const undone = await client.ok('POST', '/api/changes/undo', {
        change_ids: [again.headers.get('x-change-id')!, change_id],
      })
      expect(undone).toMatchObject({ undone_events: 2 * ITEMS, conflicts: [] })
      const { updated_at: _, ...now } = await client.ok('GET', `/api/items/${item_id}`)
      expect({ ...now, updated_at: before.updated_at }).toEqual(before)
      const taken = await eventsOf({ change_id: undone.change_id })
      expect(new Set(taken.map(({ event_type }) => event_type))).toEqual(new Set(['tag_values_updated']))
    },
    TIMEOUT,
  )

  it(
    'is whole beside another one of the same items',
    async () => {
      const both = await Promise.all([update('One'), update('Two')])
      for (const { body } of both) expect(body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS })
      const groups = await client.ok('POST', '/api/items/aggregate', {
        filter: { has_tag: 'Task' },
        group_by: ['Task.owner'],
      })
      expect(groups.groups ?? groups).toHaveLength(1)
      for (const { headers } of both)
        expect(await eventsOf({ change_id: headers.get('x-change-id')! })).toHaveLength(ITEMS)
    },
    TIMEOUT,
  )

  it(
    'takes items away and brings them back, with all that finds them',
    async () => {
      const { updated_at: _, ...before } = (await client.ok('POST', '/api/items/search', ONE))[0]
      const rows = await countIndexRows(service)
      const filter = { has_tag: 'Task' }
      const deleted = await client.send('POST', '/api/items/bulk-delete', { filter })
      expect(deleted.body).toMatchObject({ affected_count: ITEMS })
      expect(await client.ok('POST', '/api/items/search', ONE)).toEqual([])
      const undone = await client.ok('POST', '/api/changes/undo', {
        change_ids: [deleted.headers.get('x-change-id')!],
      })
      expect(undone).toMatchObject({ undone_events: ITEMS, conflicts: [] })
      expect((await client.ok('POST', '/api/items/search', ONE))[0]).toMatchObject(before)
      expect(await countIndexRows(service)).toEqual(rows)

      await client.ok('POST', '/api/items/bulk-delete', { filter })
      const restored = await client.ok('POST', '/api/items/restore', { filter })
      expect(restored).toMatchObject({ matched_count: ITEMS, affected_count: ITEMS, changed_count: ITEMS })
      expect(restored.affected_ids).toEqual(deleted.body.affected_ids)
      expect((await client.ok('POST', '/api/items/search', ONE))[0]).toMatchObject(before)
      expect(await countIndexRows(service)).toEqual(rows)
    },
    TIMEOUT,
  )

  it(
    'makes the tag that it applies: it is the first in the log, and is taken back with it',
    async () => {
      const rows = await countIndexRows(service)
      const [{ item_id, updated_at }] = await client.ok('POST', '/api/items/search', ONE)
      const New = { name: 'Made', extends: ['Task'], fields: { n: 'Number', to: 'Reference' } }
      const body = {
        filter: { has_tag: 'Task' },
        tag: { tag_ref: { New }, field_values: { n: 2 ** 40, to: item_id } },
      }
      const apply = (more = {}) => client.send('POST', '/api/items/bulk-apply-tag', { ...body, ...more })
      const tried = await apply({ dry_run: true })
      expect(tried.body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS, tag_id: null })
      expect((await client.get('/api/tags/Made')).status).toBe(404)

      const made = await apply()
      expect(made.body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS })
      const { tag_id: id } = made.body
      const change_id = made.headers.get('x-change-id')!
      const [first, ...rest] = await eventsOf({ change_id })
      expect(first).toMatchObject({ event_type: 'tag_created', tag_id: id, details: { name: 'Made' } })
      for (const each of rest) expect(each).toMatchObject({ event_type: 'tag_applied', tag_id: id })
      expect(rest.map((each) => each.item_id)).toEqual(made.body.affected_ids)
      expect(await client.ok('GET', `/api/tags/${id}`)).toMatchObject({ ...New, extends: [tag_id] })
      for (const found of [{ 'Made.n': { gt: 2 ** 39 } }, { 'Made.to->name': { eq: 'Task 4711' } }])
        expect(await count(found)).toBe(ITEMS)
      expect((await client.ok('GET', `/api/items/${item_id}?as_of=${updated_at}`)).data).not.toHaveProperty(
        id,
      )
      expect(await apply()).toMatchObject({ status: 409, body: { details: { tag_id: id } } })

      const undone = await client.ok('POST', '/api/changes/undo', { change_ids: [change_id] })
      expect(undone).toMatchObject({ undone_events: ITEMS + 1, conflicts: [] })
      expect((await client.get(`/api/tags/${id}`)).status).toBe(404)
      expect(await countIndexRows(service)).toEqual(rows)
    },
    TIMEOUT,
  )

  // On PostgreSQL nothing leaves the indexes later.
  if (TEST_ENGINE === 'sqlite')
    it(
      'brings back what has left the indexes, beside what others write',
      async () => {
        const rows = await countIndexRows(service)
        const filter = { has_tag: 'Task' }
        const found = (await client.ok('POST', '/api/items/search', ONE))[0]
        for (const how of ['restored', 'undone']) {
          const deleted = await client.send('POST', '/api/items/bulk-delete', { filter })
          await clearIndexes(service.database_url)
          const under = { way: true }
          const others = (async () => {
            while (under.way) await client.ok('POST', '/api/items', { name: 'Beside' })
          })()
          const change_ids = [deleted.headers.get('x-change-id')!]
          const back =
            how === 'restored'
              ? await client.ok('POST', '/api/items/restore', { filter })
              : await client.ok('POST', '/api/changes/undo', { change_ids })
          under.way = false
          await others
          expect(back.affected_count ?? back.undone_events).toBe(ITEMS)
          const { updated_at: _, ...now } = (await client.ok('POST', '/api/items/search', ONE))[0]
          expect({ ...now, updated_at: found.updated_at }).toEqual(found)
        }
        const { hasTag, valuesOfDeleted } = await countIndexRows(service)
        expect({ hasTag, valuesOfDeleted }).toEqual({ hasTag: rows.hasTag, valuesOfDeleted: 0 })
      },
      TIMEOUT,
    )

  it(
    'is whole where it is a migration, the deletion of a tag or a purge, while others write',
    async () => {
      const under = { way: true }
      const others = (async () => {
        while (under.way) await client.ok('POST', '/api/items', { name: 'Beside' })
      })()
      const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Old', fields: { n: 'String' } })
      const items = Array.from({ length: ITEMS }, (_, i) => ({
        name: `Old ${i}`,
        tags: [{ tag_ref: { Existing: 'Old' }, field_values: { n: String(i) } }],
      }))
      const made = await client.ok('POST', '/api/items/bulk', { items })
      await client.ok('PUT', `/api/tags/${tag_id}`, { fields: { n: 'Number' } })
      const migrated = await client.ok('POST', `/api/tags/${tag_id}/migrate`, {})
      expect(migrated).toMatchObject({ migrated: ITEMS, unfitting_count: 0, dry_run: false })
      expect(await count({ 'Old.n': { gte: 0 } })).toBe(ITEMS)

      const deleted = await client.send('DELETE', `/api/tags/${tag_id}`)
      expect(deleted.body).toMatchObject({ tag_id, name: 'Old' })
      expect(await client.ok('GET', `/api/items/${made[7].item_id}`)).toMatchObject({ data: {} })
      expect((await client.get(`/api/tags/${tag_id}`)).status).toBe(404)
      const change_ids = [deleted.headers.get('x-change-id')!]
      expect(await eventsOf({ change_id: change_ids[0] })).toHaveLength(ITEMS + 1)
      await client.ok('POST', '/api/changes/undo', { change_ids })
      expect(await count({ 'Old.n': { gte: 0 } })).toBe(ITEMS)

      await client.ok('POST', '/api/items/bulk-delete', { filter: { has_tag: 'Old' } })
      const purged = await client.ok('POST', '/api/items/purge', {})
      expect(purged.purged_item_ids).toHaveLength(ITEMS)
      expect((await client.get(`/api/items/${made[7].item_id}`)).status).toBe(404)
      under.way = false
      await others
      expect(await client.ok('POST', '/api/items/purge', {})).toMatchObject({ purged_item_ids: [] })
    },
    TIMEOUT,
  )

  it(
    'points all references elsewhere where it is a merge, those made meanwhile too',
    async () => {
      for (const name of ['Link', 'Other'])
        await client.ok('POST', '/api/tags', { name, fields: { to: 'Reference' } })
      const [kept, gone] = await client.ok('POST', '/api/items/bulk', {
        items: [{ name: 'Kept' }, { name: 'Gone' }],
      })
      const link = (tag: string) => ({ tag_ref: { Existing: tag }, field_values: { to: gone.item_id } })
      const made = await client.ok('POST', '/api/items/bulk', {
        items: Array.from({ length: ITEMS }, (_, i) => ({
          name: `Link ${i}`,
          tags: i ? [link('Link')] : [link('Link'), link('Other')],
        })),
      })
      // Refused from the moment on at which there is nothing left that they could refer to.
      const meanwhile = (async () => {
        for (let count = 0; ; count++) {
          const late = await client.send('POST', '/api/items', { name: 'Late', tags: [link('Link')] })
          if (late.status >= 300) return count
        }
      })()
      const merged = await client.send('POST', `/api/items/${kept.item_id}/merge`, { from: [gone.item_id] })
      const links = ITEMS + (await meanwhile)
      expect(links).toBeGreaterThan(ITEMS)
      expect(merged.body.repointed).toHaveLength(links + 1)
      expect(await count({ 'Link.to': kept.item_id })).toBe(links)
      // By two tags: each moves the time of the item, and the log says so.
      const twice = await client.ok('GET', `/api/items/${made[0].item_id}`)
      const [last] = await client.ok('GET', `/api/items/${made[0].item_id}/history?limit=1`)
      expect(last).toMatchObject({ event_type: 'tag_values_updated' })
      const then = await client.ok('GET', `/api/items/${made[0].item_id}?as_of=${last.created_at}`)
      expect(then.updated_at).toBe(twice.updated_at)

      const change_ids = [merged.headers.get('x-change-id')!]
      await client.ok('POST', '/api/changes/undo', { change_ids })
      expect(await count({ 'Link.to': gone.item_id })).toBe(links)
      expect(await count({ 'Link.to': kept.item_id })).toBe(0)
    },
    TIMEOUT,
  )

  it(
    'is undone though others go on writing',
    async () => {
      const changed = await update('Everybody')
      const under = { way: true }
      const others = (async () => {
        while (under.way) await client.ok('POST', '/api/items', { name: 'Beside' })
      })()
      const undone = await client.ok('POST', '/api/changes/undo', {
        change_ids: [changed.headers.get('x-change-id')!],
      })
      under.way = false
      await others
      expect(undone).toMatchObject({ undone_events: ITEMS, conflicts: [] })
      // Of all that was written since the beginning.
      expect(await facet(service.database_url, 'audit', 'verify')).toMatchObject({ code: 0, err: '' })
    },
    TIMEOUT,
  )
})
