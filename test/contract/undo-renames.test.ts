import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countIndexRows } from '#test/support/dump-tables.ts'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

/* oxlint-disable typescript/no-explicit-any -- answers are looked at, not typed */
const STATUS = { type: 'Select', variants: ['open', { name: 'done', fields: { on: 'Date' } }] }
const FIELDS = {
  due: 'Date',
  n: 'Number',
  status: STATUS,
  labels: { type: 'MultiSelect', variants: ['a', 'b'] },
}
const VALUES = { due: '2026-02-01', n: 1, status: { variant: 'done' }, on: '2026-01-01', labels: ['a', 'b'] }
const RENAMES = {
  rename_fields: { due: 'deadline', on: 'finished' },
  rename_variants: { status: { done: 'closed' }, labels: { a: 'x' } },
}
const RENAMED = {
  deadline: '2026-02-01',
  n: 1,
  status: { variant: 'closed' },
  finished: '2026-01-01',
  labels: ['x', 'b'],
}

let service: Service
let client: Client
let now = Date.parse('2026-01-31T09:30:00.000Z')
let names = 0
let tag: { tag_id: string; name: string }
let path: string

beforeAll(async () => {
  service = await startService({ clock: () => (now += 10) })
  client = await service.user()
})
afterAll(() => service.close())
beforeEach(async () => {
  tag = await client.ok('POST', '/api/tags', { name: `Task ${++names}`, fields: FIELDS })
  path = `/api/tags/${tag.tag_id}`
})

async function change(method: string, at: string, body?: unknown): Promise<string> {
  const answer = await client.send(method, at, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.headers.get('x-change-id')!
}
const undo = (...change_ids: string[]) => client.ok('POST', '/api/changes/undo', { change_ids })
const refused = async (...change_ids: string[]) => {
  const { status, body } = await client.post('/api/changes/undo', { change_ids })
  expect(status).toBe(409)
  return body.details.conflicts
}
const make = fixtures(() => client)
const newItem = (field_values: object = VALUES) => make.createItem('I', tag.tag_id, field_values)
const entry = async (id: string) => (await client.ok('GET', `/api/items/${id}`)).data[tag.tag_id]
const values = async (id: string) => (await entry(id)).field_values
const update = (id: string, field_values: object) =>
  change('PUT', `/api/items/${id}/tags/${tag.tag_id}`, { field_values, merge: true })
const found = async (filter: object) =>
  (await client.ok('POST', '/api/items/search', { filter })).map((each: any) => each.item_id)
const fields = async () => (await client.ok('GET', path)).fields

describe('the undo of a rename', () => {
  it('renames back: fields, variants, values of live and deleted items, filters of views', async () => {
    const id = await newItem()
    const gone = await newItem()
    await client.ok('DELETE', `/api/items/${gone}`)
    const view = await client.ok('POST', '/api/views', {
      name: 'V',
      icon: '✅',
      filter: { [`${tag.name}.due`]: '2026-02-01' },
    })
    const renaming = await change('PUT', path, RENAMES)
    expect(await values(id)).toEqual(RENAMED)
    const back = await undo(renaming)
    expect(back).toMatchObject({ undone_events: 1, affected_tag_ids: [tag.tag_id], conflicts: [] })
    expect(await fields()).toEqual(FIELDS)
    expect(await entry(id)).toMatchObject({ schema_version: 3, field_values: VALUES })
    expect(await found({ [`${tag.name}.due`]: '2026-02-01' })).toEqual([id])
    expect(await found({ [`${tag.name}.status`]: 'done' })).toEqual([id])
    expect(await found({ [`${tag.name}.labels`]: { match: 'a' } })).toEqual([id])
    expect(Object.keys((await client.ok('GET', `/api/views/${view.view_id}`)).filter)).toEqual([
      expect.stringMatching(/\.due$/),
    ])
    await client.ok('POST', `/api/items/${gone}/restore`)
    expect(await values(gone)).toEqual(VALUES)
    await undo(back.change_id)
    expect(await values(id)).toEqual(RENAMED)
    expect(await values(gone)).toEqual(RENAMED)
    const { valuesOfDeleted } = await countIndexRows(service)
    expect(valuesOfDeleted).toBe(0)
  })

  it('is a conflict where the fields have been changed since, or a value is in the way', async () => {
    const id = await newItem()
    const first = await change('PUT', path, { rename_fields: { n: 'm' } })
    const second = await change('PUT', path, { rename_fields: { m: 'o' } })
    expect(await refused(first)).toMatchObject([{ path: 'fields', tag_id: tag.tag_id, item_id: null }])
    await undo(second, first)
    expect(await values(id)).toEqual(VALUES)

    const renaming = await change('PUT', path, { rename_fields: { n: 'm' } })
    const { due, status, labels } = FIELDS
    await change('PUT', path, { fields: { due, m: 'Number', status, labels, n: 'String' } })
    const set = await update(id, { n: 'here' })
    await change('PUT', path, { fields: { due, m: 'Number', status, labels } })
    const reason = `item '${id}' has a value of an earlier field 'n', where the old name comes back`
    const suggestion = 'Clear that value first'
    expect(await refused(renaming)).toMatchObject([{ path: 'fields', reason: `The ${reason}`, suggestion }])
    await client.ok('DELETE', `/api/items/${id}`)
    const way = expect.stringMatching(/^Restore that item .* and clear that value, or purge the item$/)
    expect(await refused(renaming)).toMatchObject([{ reason: `The deleted ${reason}`, suggestion: way }])
    await client.ok('POST', `/api/items/${id}/restore`)
    await undo(set)
    await undo(renaming)
    expect(await values(id)).toEqual(VALUES)
  })

  it('is left out by skip, also where another rename of the tag is in the same way', async () => {
    const [kept, other] = [await newItem(), await newItem()]
    const renamings = [
      await change('PUT', path, { rename_fields: { n: 'm' } }),
      await change('PUT', path, { rename_fields: { due: 'deadline' } }),
    ]
    const { status, labels } = FIELDS
    const renamed = { deadline: 'Date', m: 'Number', status, labels }
    await change('PUT', path, { fields: { ...renamed, n: 'String', due: 'Date' } })
    await update(other, { n: 'here', due: '2026-03-01' })
    await change('PUT', path, { fields: renamed })
    const before = await values(other)
    for (const dry_run of [true, false]) {
      const body = { change_ids: renamings, on_conflict: 'skip', dry_run }
      const { status: code, body: answer } = await client.post('/api/changes/undo', body)
      expect(code, JSON.stringify(answer)).toBe(200)
      expect(answer).toMatchObject({ undone_events: 0, change_id: null })
      expect(answer.conflicts.map(({ reason }: { reason: string }) => reason)).toEqual([
        expect.stringMatching(/'due'/),
        expect.stringMatching(/'n'/),
      ])
    }
    expect(await values(other)).toEqual(before)
    expect(Object.keys(await values(kept))).toContain('deadline')
  })

  it('goes with everything around it', async () => {
    const id = await newItem({ n: 1 })
    const all = [
      await update(id, { n: 2, due: '2026-03-01' }),
      await change('PUT', path, {
        rename_fields: { n: 'm' },
        fields: { m: 'Number', due: 'Date', more: 'String' },
      }),
      await update(id, { m: 3, more: 'x' }),
      await change('PUT', path, { rename_fields: { m: 'o' } }),
      await change('PUT', path, { rename_fields: { due: 'm' } }),
      await update(id, { o: 4, m: '2026-04-01' }),
    ]
    const last = await values(id)
    const { change_id } = await undo(...all)
    expect(await values(id)).toEqual({ n: 1 })
    expect(await fields()).toEqual(FIELDS)
    await undo(change_id)
    expect(await values(id)).toEqual(last)
    expect(await found({ [`${tag.name}.o`]: 4 })).toEqual([id])
  })

  describe('with values where the old name comes back', () => {
    const labels = (...variants: string[]) => ({
      fields: { ...FIELDS, labels: { type: 'MultiSelect', variants } },
    })
    const rename = { rename_variants: { labels: { a: 'x' } } }

    it('sets back those that it undoes itself, of live and deleted items, and can be undone', async () => {
      const [live, deleted, other] = [await newItem(), await newItem(), await newItem()]
      const all = [
        await change('PUT', path, rename),
        await change('PUT', path, labels('x', 'b', 'a')),
        await update(live, { labels: ['x', 'a'] }),
        await update(deleted, { labels: ['a'] }),
        await update(other, { labels: ['a', 'b'] }),
        await change('DELETE', `/api/items/${deleted}`),
      ]
      const bare = (await client.ok('POST', '/api/items', { name: 'bare' })).item_id
      const given = { tag_ref: { Existing: tag.tag_id }, field_values: { labels: ['x', 'a'] } }
      all.push(await change('POST', `/api/items/${bare}/tags`, { tag: given }))
      const at = new Date((now += 10)).toISOString()
      const shown = await client.ok('GET', `/api/items/${live}`)
      const dry = await client.ok('POST', '/api/changes/undo', { change_ids: all, dry_run: true })
      expect(dry.conflicts).toEqual([])

      const { change_id } = await undo(...all)
      expect(await fields()).toEqual(FIELDS)
      for (const id of [live, deleted, other]) expect(await values(id)).toEqual(VALUES)
      expect((await client.ok('GET', `/api/items/${bare}`)).data).toEqual({})
      expect((await found({ [`${tag.name}.labels`]: { match: 'a' } })).toSorted()).toEqual(
        [live, deleted, other].toSorted(),
      )
      expect(await client.ok('GET', `/api/items/${live}?as_of=${at}`)).toEqual(shown)

      const again = await undo(change_id)
      expect(await values(live)).toEqual({ ...VALUES, labels: ['x', 'a'] })
      expect(await values(bare)).toEqual({ labels: ['x', 'a'] })
      expect(await values(other)).toEqual({ ...VALUES, labels: ['a', 'b'] })
      expect((await client.get(`/api/items/${deleted}`)).status).toBe(404)
      await undo(again.change_id)
      expect(await values(live)).toEqual(VALUES)
      expect(await values(deleted)).toEqual(VALUES)
    })

    it('is a conflict for one that it leaves as it is, which a dry run tells', async () => {
      const [mine, other] = [await newItem(), await newItem()]
      const all = [
        await change('PUT', path, rename),
        await change('PUT', path, labels('x', 'b', 'a')),
        await update(mine, { labels: ['x', 'a'] }),
      ]
      const set = await update(other, { labels: ['a'] })
      const told = [{ path: 'fields', tag_id: tag.tag_id, reason: expect.stringMatching(/variant 'a'/) }]
      expect(await refused(...all)).toMatchObject(told)
      const dry = await client.ok('POST', '/api/changes/undo', { change_ids: all, dry_run: true })
      expect(dry.conflicts).toMatchObject(told)
      expect(await values(mine)).toEqual({ ...VALUES, labels: ['x', 'a'] })
      await undo(...all, set)
      for (const id of [mine, other]) expect(await values(id)).toEqual(VALUES)
    })
  })

  it('puts back the null of an earlier field, which the rename dropped', async () => {
    const id = await newItem({ n: 1, due: null })
    await change('PUT', path, { fields: { n: 'Number' } })
    const renaming = await change('PUT', path, { rename_fields: { n: 'due' } })
    expect(await values(id)).toEqual({ due: 1 })
    await undo(renaming)
    expect(await values(id)).toEqual({ n: 1, due: null })
  })
})

describe('after a rename', () => {
  it('changes of values from before are undone under the new names', async () => {
    const id = await newItem({ n: 1, status: { variant: 'open' } })
    const set = await update(id, { n: 2, status: { variant: 'done' } })
    const bare = (await client.ok('POST', '/api/items', { name: 'bare' })).item_id
    const applied = await change('POST', `/api/items/${bare}/tags`, {
      tag: { tag_ref: { Existing: tag.tag_id }, field_values: { n: 7 } },
    })
    const removed = await change('DELETE', `/api/items/${bare}/tags/${tag.tag_id}`)
    await change('PUT', path, { ...RENAMES, rename_fields: { n: 'm' } })
    await undo(set)
    expect(await values(id)).toEqual({ m: 1, status: { variant: 'open' } })
    expect(await found({ [`${tag.name}.m`]: 1 })).toEqual([id])
    await undo(removed)
    expect(await values(bare)).toEqual({ m: 7 })
    await undo(applied)
    expect((await client.ok('GET', `/api/items/${bare}`)).data).toEqual({})
    const later = await update(id, { m: 9 })
    await update(id, { m: 10 })
    expect(await refused(later)).toMatchObject([{ path: `${tag.name}.m`, item_id: id }])
  })

  it('the creation of an item can be undone, and one of a changed item cannot', async () => {
    const tags = [{ tag_ref: { Existing: tag.tag_id }, field_values: VALUES }]
    const one = await client.post('/api/items', { name: 'one', tags })
    const two = await client.post('/api/items', { name: 'two', tags })
    await change('PUT', path, RENAMES)
    await update(two.body.item_id, { n: 5 })
    await undo(one.headers.get('x-change-id')!)
    expect((await client.get(`/api/items/${one.body.item_id}`)).status).toBe(404)
    expect(await refused(two.headers.get('x-change-id')!)).toHaveLength(1)
  })

  it('the history reads the present names, also when a rename was taken back', async () => {
    const id = await newItem({ n: 1, labels: ['a'] })
    await update(id, { n: 2, labels: ['a', 'b'] })
    const paths = async () =>
      (await client.ok('GET', `/api/items/${id}/history`)).flatMap(({ changes }: any) =>
        changes.map(({ path: at, old, new: after }: any) => [at, old, after]),
      )
    const renaming = await change('PUT', path, {
      rename_fields: { n: 'm' },
      rename_variants: RENAMES.rename_variants,
    })
    await update(id, { m: 3 })
    expect(await paths()).toEqual([
      [`${tag.name}.m`, 2, 3],
      [`${tag.name}.m`, 1, 2],
      [`${tag.name}.labels`, ['x'], ['x', 'b']],
      [tag.name, null, { m: 1, labels: ['x'] }],
      ['name', null, 'I'],
    ])
    await undo(renaming)
    expect((await paths())[0]).toEqual([`${tag.name}.n`, 2, 3])
  })

  it('the audit log is searched by the present names, and says of others that they are none', async () => {
    const { item_id } = await client.ok('POST', '/api/items', {
      name: 'I',
      tags: [{ tag_ref: { Existing: tag.tag_id }, field_values: { n: 1, due: '2026-02-01' } }],
    })
    await update(item_id, { n: 2 })
    const renaming = await change('PUT', path, { rename_fields: { n: 'm' } })
    await update(item_id, { m: 3 })
    const search = async (field: string) => {
      const paths = [`${tag.name}.${field}`]
      const { body, headers } = await client.post('/api/audit-log/search', { paths })
      return [body.length, headers.get('x-filter-warnings') !== null]
    }
    expect([await search('m'), await search('n')]).toEqual([
      [3, false],
      [0, true],
    ])
    await undo(renaming)
    expect([await search('m'), await search('n')]).toEqual([
      [0, true],
      [3, false],
    ])
    await change('PUT', path, { fields: { n: 'Number' } })
    expect([await search('due'), await search('never')]).toEqual([
      [1, false],
      [0, true],
    ])
  })

  it('as_of shows the names, versions and times of then', async () => {
    const id = await newItem()
    const snapshots: [string, unknown][] = []
    const snap = async () => {
      const shown = await client.ok('GET', `/api/items/${id}`)
      snapshots.push([new Date((now += 10)).toISOString(), shown])
    }
    await snap()
    const renaming = await change('PUT', path, RENAMES)
    await snap()
    await update(id, { n: 5 })
    await snap()
    const { due: _, ...rest } = FIELDS
    await undo(renaming)
    await snap()
    await change('PUT', path, { rename_fields: { n: 'm' }, fields: { m: 'String', status: rest.status } })
    await snap()
    await update(id, { m: null })
    await snap()
    for (const [at, shown] of snapshots)
      expect(await client.ok('GET', `/api/items/${id}?as_of=${at}`)).toEqual(shown)
  })
})

describe('a rename that was taken back, and that taken back', () => {
  it.each([
    ['of a field', { rename_fields: { n: 'm' } }],
    ['of variants', { rename_variants: RENAMES.rename_variants }],
    ['of both', RENAMES],
  ])('can be undone again: %s', async (_, body) => {
    const id = await newItem()
    const renaming = await change('PUT', path, body)
    const renamed = [await fields(), await values(id)]
    const { change_id } = await undo(renaming)
    await undo(change_id)
    expect([await fields(), await values(id)]).toEqual(renamed)
    const again = await undo(renaming)
    expect(again.undone_events).toBe(1)
    expect([await fields(), await values(id)]).toEqual([FIELDS, VALUES])
    const at = new Date((now += 10)).toISOString()
    expect(await client.ok('GET', `/api/items/${id}?as_of=${at}`)).toMatchObject({ item_id: id })
    await undo(again.change_id)
    expect([await fields(), await values(id)]).toEqual(renamed)
  })

  it('lets a field that was dropped before come back', async () => {
    const { due: _, ...rest } = FIELDS
    const dropping = await change('PUT', path, { fields: rest })
    const renaming = await change('PUT', path, { rename_fields: { n: 'due' } })
    expect(await refused(dropping)).toMatchObject([{ path: 'fields', reason: expect.stringMatching(/name/) }])
    await undo(renaming)
    await undo(dropping)
    expect(await fields()).toEqual(FIELDS)
  })

  it('gives no two variants one name', async () => {
    const labels = (...variants: string[]) => ({
      fields: { ...FIELDS, labels: { type: 'MultiSelect', variants } },
    })
    const dropping = await change('PUT', path, labels('a'))
    const renaming = await change('PUT', path, { rename_variants: { labels: { a: 'b' } } })
    expect(await refused(dropping)).toMatchObject([{ path: 'fields' }])
    await change('PUT', path, labels('b', 'c'))
    await change('PUT', path, { rename_variants: { labels: { c: 'a' } } })
    expect(await refused(renaming)).toMatchObject([{ path: 'fields' }])
  })
})
