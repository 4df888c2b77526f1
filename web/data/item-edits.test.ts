import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Fault } from '#web/api/fault.ts'
import { ItemEdits } from '#web/data/item-edits.ts'
import type { Row } from '#web/data/row-source.ts'
import { asPage } from '#test/support/as-page.ts'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'

let service: ServiceProcess
let client: Client
let leave: () => void
let tag_id: string
let saved: Row[]
let edits: ItemEdits

beforeAll(async () => {
  service = new ServiceProcess()
  client = new Client(await service.url())
  await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
  leave = asPage(client)
  ;({ tag_id } = await client.ok('POST', '/api/tags', {
    name: 'Task',
    fields: {
      effort: 'Number',
      owner: 'String',
      labels: { type: 'MultiSelect', variants: ['home', 'work', 'garden', 'later'] },
    },
  }))
})
afterAll(async () => {
  leave()
  await service[Symbol.asyncDispose]()
})
beforeEach(() => {
  saved = []
  edits = new ItemEdits((row) => saved.push(row))
})

async function newTask(effort = 1): Promise<string> {
  const tags = [{ tag_ref: { Existing: tag_id }, field_values: { effort } }]
  return (await client.ok('POST', '/api/items', { name: 'Roof', tags })).item_id
}
const effortOf = (item_id: string) => ({ item_id, tag_id, field: 'effort' })
const stored = async (item_id: string) =>
  (await client.ok('GET', `/api/items/${item_id}`)).data[tag_id].field_values

describe('an edit', () => {
  it('is shown at once, and saved behind the scenes', async () => {
    const item_id = await newTask()
    const saving = edits.save(effortOf(item_id), 2)
    expect(edits.of(effortOf(item_id))).toEqual({ value: 2 })
    expect(await saving).toMatchObject({ row: { item_id }, change_id: expect.any(String) })
    expect(edits.of(effortOf(item_id))).toBeUndefined()
    expect(saved).toMatchObject([{ item_id, tags: { [tag_id]: { field_values: { effort: 2 } } } }])
  })

  it('arrives after those that were made before it, and the last one stays', async () => {
    const item_id = await newTask()
    const all = [2, 3, 4, 5].map((value) => edits.save(effortOf(item_id), value))
    expect(edits.of(effortOf(item_id))).toEqual({ value: 5 })
    await all[0]
    // Of the first one the answer is there; what was typed since is shown before it.
    expect(edits.of(effortOf(item_id))).toEqual({ value: 5 })
    await Promise.all(all)
    expect(saved.map(({ tags }) => tags[tag_id]?.field_values['effort'])).toEqual([2, 3, 4, 5])
    expect(await stored(item_id)).toMatchObject({ effort: 5 })
  })

  it('that is refused stays with its reason, until somebody drops or changes it', async () => {
    const item_id = await newTask()
    const place = effortOf(item_id)
    expect(await edits.save(place, 'many')).toBeInstanceOf(Fault)
    expect(edits.of(place)).toMatchObject({ value: 'many', fault: { status: 400 } })
    expect([edits.failed, saved]).toEqual([1, []])
    await edits.save(place, 7)
    expect([edits.of(place), edits.failed]).toEqual([undefined, 0])
    edits.refuse(place, 'more', 'is no number')
    expect(edits.of(place)).toMatchObject({ fault: { message: 'is no number' } })
    edits.drop(place)
    expect([edits.of(place), edits.failed]).toEqual([undefined, 0])
    expect(await stored(item_id)).toMatchObject({ effort: 7 })
  })

  it('that is being saved cannot be dropped', async () => {
    const item_id = await newTask()
    const saving = edits.save(effortOf(item_id), 2)
    edits.drop(effortOf(item_id))
    expect(edits.of(effortOf(item_id))).toEqual({ value: 2 })
    await saving
    expect(await stored(item_id)).toMatchObject({ effort: 2 })
  })

  it('of many items is one change', async () => {
    const items = [await newTask(), await newTask()]
    const all = await edits.saveMany(items.map((item_id) => ({ item_id, tag_id, values: { effort: 9 } })))
    const change_ids = all.map((each) => (each instanceof Fault ? null : each.change_id))
    expect(change_ids).toEqual([expect.any(String), change_ids[0]])
    for (const item_id of items) expect(await stored(item_id)).toMatchObject({ effort: 9 })
  })

  it('of many items is saved for those that can have it, where one cannot', async () => {
    const [one, other] = [await newTask(), await newTask()]
    const all = await edits.saveMany([
      { item_id: one, tag_id, values: { effort: 'many', owner: 'Ada' } },
      { item_id: other, tag_id, values: { effort: 8 } },
    ])
    expect(all).toMatchObject([{ status: 400 }, { row: { item_id: other } }])
    expect(edits.of(effortOf(one))).toMatchObject({ fault: { status: 400 } })
    expect(await stored(one)).toMatchObject({ effort: 1 })
    expect(await stored(other)).toMatchObject({ effort: 8 })
  })
})

describe('an edit of what others change while its editor is open', () => {
  const seenNow = async (item_id: string) => {
    const { name, updated_at } = await client.ok('GET', `/api/items/${item_id}`)
    return { name, updated_at }
  }
  const theirs = (item_id: string, field_values: object) =>
    client.ok('PUT', `/api/items/${item_id}/tags/${tag_id}`, { field_values, merge: true })

  it('adds to their list and takes from it', async () => {
    const item_id = await newTask()
    await theirs(item_id, { labels: ['home', 'later'] })
    const seen = await seenNow(item_id)
    await theirs(item_id, { labels: ['home', 'later', 'garden'] })
    const place = { item_id, tag_id, field: 'labels' }
    const answer = await edits.save(place, ['home', 'work'], seen, { value: ['home', 'later'] })
    expect(answer).not.toHaveProperty('replaced')
    expect((await stored(item_id)).labels).toEqual(['home', 'work', 'garden'])
    // As it was opened: nothing is added that one took away oneself.
    const again = await seenNow(item_id)
    await edits.save(place, null, again, { value: ['home', 'work', 'garden'] })
    expect((await stored(item_id)).labels ?? null).toBeNull()
  })

  it('says what it has taken the place of, and nothing where that is one’s own', async () => {
    const item_id = await newTask()
    const place = { item_id, tag_id, field: 'owner' }
    const seen = await seenNow(item_id)
    await theirs(item_id, { owner: 'Theirs' })
    expect(await edits.save(place, 'Mine', seen, { value: null })).toMatchObject({
      replaced: { owner: 'Theirs' },
    })
    expect((await stored(item_id)).owner).toBe('Mine')
    const before = await seenNow(item_id)
    const both = [
      edits.save(place, 'Mine 2', before, { value: 'Mine' }),
      edits.save(place, 'Mine 3', before, { value: 'Mine 2' }),
    ]
    for (const answer of await Promise.all(both)) expect(answer).not.toHaveProperty('replaced')
    expect((await stored(item_id)).owner).toBe('Mine 3')
    // What was refused is nobody's.
    const effort = effortOf(item_id)
    await edits.save(effort, 'many', await seenNow(item_id), { value: 1 })
    const last = await seenNow(item_id)
    await theirs(item_id, { owner: 'Theirs again' })
    expect(await edits.save(effort, 3, last, { value: 'many' })).not.toHaveProperty('replaced')
  })
})
