import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { countIndexRows, queryDatabase } from '#test/support/dump-tables.ts'
import { facet } from '#test/support/facet-command.ts'
import { hold } from '#test/support/hold-lock.ts'
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

/** The row of an item, as somebody who would change it. */
const holdItem = (item_id: string) =>
  hold(service.database_url, `select 1 from item where item_id = '${item_id}' for update`)

/** What an application of a tag comes to when it has locked its items, and others who make tags do not. */
const holdValues = () => hold(service.database_url, 'lock table field_value in share row exclusive mode')

type Answer = Awaited<ReturnType<Client['send']>>

async function writeItems(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Beside' })
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Beside, changed' })
    made_beside++
  }
}

/** What is answered to a change that cannot go on, because of one of its items, until others have written. */
async function besideOthers(
  change: () => Promise<Answer>,
  write = writeItems,
  holding = () => holdItem(item_ids.at(-1)!),
): Promise<Answer> {
  const held = await holding()
  const answer = change()
  await held.wanted()
  await write()
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
    'that purges, and one of its items that is restored first is none of it',
    async () => {
      const items = Array.from({ length: ITEMS + 1 }, (_, n) => ({ name: `Passing ${n}` }))
      const made = await client.ok('POST', '/api/items/bulk', { items })
      const passing = made.map(({ item_id }: { item_id: string }) => item_id) as string[]
      await post('/api/items/bulk-delete', { filter: { name: { starts_with: 'Passing' } } })()
      const [first] = passing as [string]
      const restoreFirst = async () => {
        await writeItems()
        await client.ok('POST', `/api/items/${first}/restore`)
      }
      const purge = post('/api/items/purge', {})
      const purged = await besideOthers(purge, restoreFirst, () => holdItem(passing.at(-1)!))
      expect(purged).toMatchObject({ status: 200, body: { purged_item_ids: passing.slice(1) } })
      expect(await client.ok('GET', `/api/items/${first}`)).toMatchObject({ name: 'Passing 0' })
      expect(await client.ok('GET', '/api/items/deleted')).toEqual([])
      const left = `select count(*)::int as n from purged_item where item_id in ('${passing.join("','")}')`
      expect(await queryDatabase(service, left)).toEqual([{ n: ITEMS }])
      await client.send('DELETE', `/api/items/${first}`)
      await purge()
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

  describe('that makes the tag it applies', () => {
    const apply = (name: string, filter: object = FILTER) =>
      post('/api/items/bulk-apply-tag', {
        filter,
        tag: { tag_ref: { New: newTag(name) }, field_values: values() },
      })
    const newTag = (name: string) => ({
      name,
      description: 'Made by what applies it',
      extends: ['Task'],
      fields: {
        text: 'String',
        n: 'Number',
        to: { type: 'Reference', of: ['Task', name] },
        pick: { type: 'Select', variants: ['a', { name: 'b', fields: { since: 'Date' } }] },
      },
    })
    const values = () => ({ text: 'Words', n: 2 ** 40, to: item_ids[7], pick: { variant: 'a' } })
    const undo = async (made: Answer) =>
      client.ok('POST', '/api/changes/undo', { change_ids: [made.headers.get('x-change-id')!] })

    /** A tag and all that is there of it on an item, but for what no two tags have in common. */
    async function all({ tag_id, name }: { tag_id: string; name: string }, item_id: string) {
      const unlike = (value: unknown) =>
        JSON.parse(JSON.stringify(value).replaceAll(tag_id, 'its id').replaceAll(name, 'its name'))
      const { created_at: _c, updated_at: _u, ...tag } = await client.ok('GET', `/api/tags/${tag_id}`)
      const { data } = await client.ok('GET', `/api/items/${item_id}`)
      const history = await client.ok('GET', `/api/items/${item_id}/history`)
      const applied = history.find((event: object) => JSON.stringify(event).includes(name))
      const after_event = '0'.repeat(26)
      const query = { tag_ids: [tag_id], after_event, limit: 2 }
      const of_tag = await client.ok('POST', '/api/audit-log/search', query)
      const rows = await queryDatabase(
        service,
        `select field.name, num, text, ref from field_value join field on field.id = field join tag on tag.id = tag
          join item on item.id = item where tag_id = '${tag_id}' and item_id = '${item_id}' order by field.id`,
      )
      const told = (event: Record<string, unknown>) => [event['event_type'], event['details']]
      return unlike({ tag, data: data[tag_id], applied: told(applied), of_tag: of_tag.map(told), rows })
    }

    it(
      'and comes to what a small one comes to',
      async () => {
        const rows = await indexRows()
        const made = await besideOthers(apply('Fresh'))
        const { tag_id } = made.body
        const few = await apply('Small', { name: { eq: 'Task 0' } })()
        // Where the filter speaks of other items too, what was planned is written in its turn.
        const other = { 'Small.to->name': { eq: 'Task 7' } }
        const later = await apply('Later', { or: [FILTER, other] })()
        const [item_id] = item_ids as [string]
        const ofSmall = await all({ tag_id: few.body.tag_id, name: 'Small' }, item_id)
        for (const [name, { body }] of Object.entries({ Fresh: made, Later: later })) {
          expect(body).toMatchObject({ affected_count: ITEMS, changed_count: ITEMS })
          expect(await all({ tag_id: body.tag_id, name }, item_id)).toEqual(ofSmall)
        }
        for (const found of [{ 'Fresh.text': 'Words' }, { 'Fresh.n': { gt: 1 } }, { 'Fresh.pick': 'a' }])
          expect(await count({ and: [FILTER, found] })).toBe(ITEMS)
        for (const each of [later, few, made]) await undo(each)
        expect((await client.get(`/api/tags/${tag_id}`)).status).toBe(404)
        expect(await indexRows()).toEqual(rows)
      },
      TIMEOUT,
    )

    it(
      'and another tag is made first, where somebody makes one',
      async () => {
        const makeAnother = async () => {
          await client.ok('POST', '/api/tags', { name: 'Also', fields: { n: 'Number' } })
        }
        const made = await besideOthers(apply('Fresh'), makeAnother, holdValues)
        expect(made).toMatchObject({ status: 200, body: { affected_count: ITEMS } })
        expect(await count({ and: [FILTER, { 'Fresh.text': 'Words' }] })).toBe(ITEMS)
        await undo(made)
      },
      TIMEOUT,
    )

    it(
      'and whoever gives its name to a tag meanwhile is first: the change is refused, and nothing of it is there',
      async () => {
        const rows = await indexRows()
        let taken = ''
        const takeName = async () => {
          ;({ tag_id: taken } = await client.ok('POST', '/api/tags', { name: 'Fresh', fields: {} }))
        }
        const made = await besideOthers(apply('Fresh'), takeName, holdValues)
        expect(made).toMatchObject({ status: 409, body: { details: { tag_id: taken } } })
        expect(await client.ok('GET', '/api/tags/deleted')).not.toContainEqual(
          expect.objectContaining({ name: '' }),
        )
        expect(await indexRows()).toEqual(rows)
        await client.ok('DELETE', `/api/tags/${taken}`)
      },
      TIMEOUT,
    )
  })

  it(
    'and the log is whole after all of it',
    async () => {
      await client.ok('GET', '/api/audit-log/head')
      expect(await facet(service.database_url, 'audit', 'verify')).toMatchObject({ code: 0, err: '' })
    },
    TIMEOUT,
  )
})
