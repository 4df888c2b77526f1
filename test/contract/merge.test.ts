import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
let tag_id: string

const FIELDS = {
  email: 'String',
  age: 'Number',
  boss: 'Reference',
  friends: 'MultiReference',
  labels: { type: 'MultiSelect', variants: ['a', 'b', 'c'] },
  status: {
    type: 'Select',
    variants: ['new', { name: 'won', fields: { on: 'Date' } }, { name: 'lost', fields: { why: 'String' } }],
  },
}

beforeAll(async () => {
  service = await startService()
  client = await service.user()
  ;({ tag_id } = await client.ok('POST', '/api/tags', { name: 'Person', fields: FIELDS }))
  await client.ok('POST', '/api/tags', { name: 'Customer', fields: { vat_id: 'String' } })
})
afterAll(() => service.close())

async function nextMillisecond(): Promise<void> {
  const now = Date.now()
  while (Date.now() === now) await new Promise((resume) => setTimeout(resume, 1))
}
const create = async (field_values?: object, more: object = {}): Promise<string> => {
  const tags = field_values ? [{ tag_ref: { Existing: 'Person' }, field_values }] : []
  return (await client.ok('POST', '/api/items', { name: 'Ada', tags, ...more })).item_id
}
const merge = (item_id: string, from: string[], more: object = {}) =>
  client.ok('POST', `/api/items/${item_id}/merge`, { from, ...more })
const item = (item_id: string) => client.ok('GET', `/api/items/${item_id}`)
const values = async (item_id: string) => (await item(item_id)).data[tag_id].field_values
const find = async (filter: object): Promise<string[]> =>
  (await client.ok('POST', '/api/items/search', { filter })).map((each: { item_id: string }) => each.item_id)

describe('the values of the item that stays (additions §12)', () => {
  const cases: {
    kept: object
    from: object[]
    prefer?: 'newest'
    result: object
    taken: [path: string, from: number, value: unknown][]
  }[] = [
    {
      kept: { age: 1 },
      from: [{ age: 2, email: 'x' }],
      result: { age: 1, email: 'x' },
      taken: [['Person.email', 0, 'x']],
    },
    {
      kept: { email: null },
      from: [{ age: 2 }, { age: 3, email: 'y' }],
      result: { email: 'y', age: 2 },
      taken: [
        ['Person.email', 1, 'y'],
        ['Person.age', 0, 2],
      ],
    },
    {
      kept: { age: 1, email: 'k' },
      from: [{ age: 2 }, { age: 3, email: null }],
      prefer: 'newest',
      result: { age: 3, email: 'k' },
      taken: [['Person.age', 1, 3]],
    },
    {
      kept: { labels: ['b'] },
      from: [{ labels: ['a', 'b'] }, { labels: ['c', 'a'] }],
      result: { labels: ['b', 'a', 'c'] },
      taken: [
        ['Person.labels', 0, ['a']],
        ['Person.labels', 1, ['c']],
      ],
    },
    {
      kept: { labels: ['b'] },
      from: [{ labels: ['a'] }],
      prefer: 'newest',
      result: { labels: ['b', 'a'] },
      taken: [['Person.labels', 0, ['a']]],
    },
    // Sub-fields go with their variant.
    {
      kept: { status: { variant: 'new' } },
      from: [{ status: { variant: 'won' }, on: '2026-01-01' }],
      result: { status: { variant: 'new' } },
      taken: [],
    },
    {
      kept: { age: 1 },
      from: [
        { status: { variant: 'won' }, on: '2026-01-01' },
        { status: { variant: 'lost' }, why: 'w' },
      ],
      result: { age: 1, status: { variant: 'won' }, on: '2026-01-01' },
      taken: [
        ['Person.status', 0, { variant: 'won' }],
        ['Person.on', 0, '2026-01-01'],
      ],
    },
    {
      kept: { status: { variant: 'won' } },
      from: [{ status: { variant: 'won' }, on: '2026-01-01' }],
      result: { status: { variant: 'won' }, on: '2026-01-01' },
      taken: [['Person.on', 0, '2026-01-01']],
    },
    {
      kept: { status: { variant: 'won' }, on: '2026-01-01' },
      from: [{ status: { variant: 'lost' }, why: 'w' }],
      prefer: 'newest',
      result: { status: { variant: 'lost' }, why: 'w' },
      taken: [
        ['Person.status', 0, { variant: 'lost' }],
        ['Person.why', 0, 'w'],
      ],
    },
  ]
  for (const { kept, from, prefer, result, taken } of cases)
    it(`are ${JSON.stringify(result)} of ${JSON.stringify([kept, ...from])}${prefer ? ', newest' : ''}`, async () => {
      const [stays, goes] = [await create(kept), [] as string[]]
      for (const each of from) {
        await nextMillisecond() // of two in the same one none is newer
        goes.push(await create(each))
      }
      const told = taken.map(([path, i, value]) => ({ path, from: goes[i], value }))
      const dry = await merge(stays, goes, { prefer, dry_run: true })
      expect(await values(stays)).toEqual(kept)
      const real = await merge(stays, goes, { prefer })
      for (const answer of [dry, real]) {
        expect(answer.taken).toEqual(told)
        expect(answer.item.data[tag_id].field_values).toEqual(result)
        expect(answer.deleted_ids).toEqual(goes)
      }
      expect([dry.dry_run, dry.change_id, real.dry_run]).toEqual([true, null, false])
      expect({ ...dry.item, updated_at: '' }).toEqual({ ...real.item, updated_at: '' })
      expect(await values(stays)).toEqual(result)
      expect(await find({ id: { in: goes } })).toEqual([])
    })

  it('and its tags: those that it lacks come with their values, the name stays, a description comes', async () => {
    const stays = await create(undefined, { name: 'Ada L.' })
    const goes = await create(
      { age: 36 },
      {
        description: '<p>The first</p>',
        tags: [
          { tag_ref: { Existing: 'Customer' }, field_values: { vat_id: 'AT1' } },
          { tag_ref: { Existing: 'Person' }, field_values: { age: 36 } },
        ],
      },
    )
    const { item: merged, taken } = await merge(stays, [goes])
    expect([merged.name, merged.description]).toEqual(['Ada L.', '<p>The first</p>'])
    expect(taken).toEqual([
      { path: 'description', from: goes, value: '<p>The first</p>' },
      { path: 'Person', from: goes, value: { age: 36 } },
      { path: 'Customer', from: goes, value: { vat_id: 'AT1' } },
    ])
    expect(await find({ 'Customer.vat_id': 'AT1' })).toEqual([stays])
    expect(await find({ search: 'the first' })).toEqual([stays])
  })

  it('hold at most 1000 elements in a united list', async () => {
    const made: { item_id: string }[] = await client.ok('POST', '/api/items/bulk', {
      items: Array.from({ length: 1001 }, (_, i) => `Friend ${i}`),
    })
    const ids = made.map(({ item_id }) => item_id)
    const stays = await create({ friends: ids.slice(0, 600) })
    const goes = await create({ friends: ids.slice(500) })
    const refused = await client.post(`/api/items/${stays}/merge`, { from: [goes] })
    expect(refused.status).toBe(400)
    expect(refused.body.details.errors[0].path).toBe('Person.friends')
    expect(await find({ id: goes })).toEqual([goes])
  })
})

describe('references to the items that go', () => {
  it('point to the item that stays, once in a list, with the index, and come back by undo', async () => {
    const [stays, one, two] = [await create({ age: 1 }), await create({ age: 2 }), await create({})]
    const outside = await create()
    const referring = await create({ boss: one, friends: [two, outside, stays] })
    const within = await create({ boss: two })
    await client.ok('PUT', `/api/items/${stays}/tags/${tag_id}`, { field_values: { boss: one, age: 1 } })
    const deleted = await create({ boss: one })
    await client.ok('DELETE', `/api/items/${deleted}`)
    const told = [
      { item_id: stays, tag_id, field: 'boss' },
      { item_id: referring, tag_id, field: 'boss' },
      { item_id: referring, tag_id, field: 'friends' },
      { item_id: within, tag_id, field: 'boss' },
    ]
    const before = await Promise.all([stays, one, two, referring].map(item))
    expect((await merge(stays, [one, two], { dry_run: true })).repointed).toEqual(told)
    expect(await find({ 'Person.boss': one })).toEqual([referring, stays].toSorted())

    const { repointed, change_id } = await merge(stays, [one.toLowerCase(), two])
    expect(repointed).toEqual(told)
    expect(await values(referring)).toEqual({ boss: stays, friends: [stays, outside] })
    expect(await find({ 'Person.boss': stays })).toEqual([stays, referring, within].toSorted())
    expect(await find({ 'Person.friends': { match: stays } })).toEqual([referring])
    expect(await find({ 'Person.boss': { dangling: true } })).toEqual([])

    const events = await client.ok('POST', '/api/audit-log/search', { change_id })
    expect(new Set(events.map(({ event_type }: { event_type: string }) => event_type))).toEqual(
      new Set(['tag_values_updated', 'item_deleted']),
    )
    const undone = await client.ok('POST', '/api/changes/undo', { change_ids: [change_id] })
    expect(undone.conflicts).toEqual([])
    const after = await Promise.all([stays, one, two, referring].map(item))
    const unmoved = (all: object[]) => all.map((each) => ({ ...each, updated_at: '' }))
    expect(unmoved(after)).toEqual(unmoved(before))
    expect(await find({ 'Person.boss': one })).toEqual([stays, referring].toSorted())
  })

  it('are recorded tag by tag, the oldest first', async () => {
    const tags: string[] = []
    for (const name of ['Sold', 'Bought', 'Lent'])
      tags.push((await client.ok('POST', '/api/tags', { name, fields: { to: 'Reference' } })).tag_id)
    const [stays, goes] = [await create(), await create()]
    const refer = (tag: string, to: string) =>
      create(undefined, { tags: [{ tag_ref: { Existing: tag }, field_values: { to } }] })
    // Rows of items and of values in another order than the tags.
    for (const tag of tags.toReversed()) await refer(tag, goes)
    const { change_id } = await merge(stays, [goes])
    const events = await client.ok('POST', '/api/audit-log/search', { change_id })
    expect(events.map((event: { tag_id: string | null }) => event.tag_id)).toEqual([
      null,
      ...tags.toReversed(),
    ])
  })

  it('are set right where the item that goes is among those of the item that stays', async () => {
    const goes = await create({ friends: [] })
    const other = await create({ friends: [goes] })
    const stays = await create({ friends: [other, goes] })
    await merge(stays, [goes, other])
    expect(await values(stays)).toEqual({ friends: [stays] })
  })
})

describe('what is merged', () => {
  it('is named once each, lives, and is no more than 100', async () => {
    const [stays, goes] = [await create(), await create()]
    const status = async (from: unknown, of = stays) =>
      (await client.post(`/api/items/${of}/merge`, { from })).status
    expect(await status([goes, goes.toLowerCase()])).toBe(400)
    expect(await status([stays])).toBe(400)
    expect(await status([])).toBe(400)
    expect(await status(Array.from({ length: 101 }, () => goes))).toBe(400)
    expect(await status(['nonsense'])).toBe(404)
    expect(await status([goes], '01JJXZ5T7GQ3M8K4B9R2C6D0EF')).toBe(404)
    await client.ok('DELETE', `/api/items/${goes}`)
    expect(await status([goes])).toBe(404)
  })

  it('may be part of a batch', async () => {
    const [stays, goes] = [await create({ age: 1 }), await create({ email: 'b' })]
    const operations = [{ operation: 'mergeItems', input: { item_id: stays, from: [goes] } }]
    const { results, change_id } = await client.ok('POST', '/api/batch', { operations })
    expect(results[0].change_id).toBe(change_id)
    expect(await values(stays)).toEqual({ age: 1, email: 'b' })
  })
})
