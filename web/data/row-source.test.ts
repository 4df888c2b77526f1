import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askFirstRows } from '#web/data/first-rows.ts'
import { beginHearing } from '#web/data/last-heard.ts'
import { renewRows } from '#web/data/renew-rows.ts'
import { RowSource } from '#web/data/row-source.ts'
import { keepSavedRows } from '#web/data/saved-rows.ts'
import { NEWEST_FIRST, type Question } from '#web/rules/table-state.ts'
import { emptyStore } from '#web/store.ts'
import { asPage } from '#test/support/as-page.ts'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'

const ITEMS = 900
const nameOf = (i: number) => `Item ${String(i).padStart(3, '0')}`
const BY_NAME: Question = { sort: [{ by: 'name', direction: 'asc' }] }

let service: ServiceProcess
let client: Client
let leave: () => void
beforeAll(async () => {
  service = new ServiceProcess()
  client = new Client(await service.url())
  await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
  leave = asPage(client)
  await client.ok('POST', '/api/items/bulk', { items: Array.from({ length: ITEMS }, (_, i) => nameOf(i)) })
})
afterAll(async () => {
  leave()
  await service[Symbol.asyncDispose]()
})

const newestEvent = async (): Promise<string> => (await client.get('/api/service')).headers.get('x-event-id')!

/** With what is in sight read, and counted. */
async function lookedAt(from: number, before: number, question = BY_NAME): Promise<RowSource> {
  const source = new RowSource(question)
  source.setViewport(from, before)
  await source.read(from, before - 1)
  await expect.poll(() => source.counted).toBe(ITEMS)
  return source
}

describe('the rows of a search', () => {
  it('are read where somebody looks, and counted', async () => {
    const source = await lookedAt(0, 20)
    expect([source.row(0)?.name, source.total, source.ended]).toEqual([nameOf(0), ITEMS, false])
    source.setViewport(700, 720)
    expect((await source.read(700, 719)).map(({ name }) => name)).toEqual(
      Array.from({ length: 20 }, (_, i) => nameOf(700 + i)),
    )
    expect(source.row(450)).toBeUndefined()
    expect(source.readRows(440, 460)).toBeUndefined()
    expect(source.front).toBeLessThan(450)
  })

  it('are all read, in their order, where somebody wants all', async () => {
    const source = await lookedAt(700, 720)
    const all = await source.read(0, ITEMS - 1)
    expect(all.map(({ name }) => name)).toEqual(Array.from({ length: ITEMS }, (_, i) => nameOf(i)))
    expect([source.ended, source.front, source.rows.length]).toEqual([true, ITEMS, ITEMS])
  })

  it('are read to their end where nobody has counted them, and nobody knows where that is', async () => {
    const source = new RowSource(BY_NAME)
    expect(await source.read(0, 1999)).toHaveLength(ITEMS)
    expect([source.ended, source.total]).toEqual([true, ITEMS])
    expect(await new RowSource(BY_NAME).read(0, 499)).toHaveLength(500)
  })

  it('stay where they are as they become others, come and go', async () => {
    const source = await lookedAt(0, 20)
    const [first, second, third] = source.rows as [RowOf, RowOf, RowOf]
    const seen = source.snapshot()
    source.replace({ ...second, name: 'Zzz' })
    expect([source.row(1)?.name, source.snapshot() > seen]).toEqual(['Zzz', true])
    const made = { ...second, item_id: '0'.repeat(26), name: 'New' }
    source.arrived([made.item_id, first.item_id])
    expect(source.newcomers).toEqual(new Set([made.item_id]))
    source.insert(1, made)
    expect([source.row(1)?.name, source.row(2)?.name, source.total]).toEqual(['New', 'Zzz', ITEMS + 1])
    expect(source.newcomers).toEqual(new Set())
    source.remove(new Set([made.item_id, first.item_id]))
    expect([source.row(0)?.name, source.total]).toEqual(['Zzz', ITEMS - 1])
    source.renewed(
      [{ ...third, updated_at: '2100-01-01T00:00:00.000Z', name: 'By others' }],
      [second.item_id],
    )
    expect([source.row(1)?.name, source.lit, source.gone]).toEqual([
      'By others',
      new Set([third.item_id]),
      new Set([second.item_id]),
    ])
    expect(source.row(150)?.name).toBe(nameOf(151))
  })

  it('that this page saved after they were asked for are as it saved them, but in the past', async () => {
    const source = await lookedAt(0, 20)
    const [read, other] = source.rows as [RowOf, RowOf]
    const later = new Date(Date.parse(read.updated_at) + 1).toISOString()
    const saved = { ...read, name: 'Saved', updated_at: later }
    keepSavedRows([saved])
    source.replace(saved)
    source.renewed([read, { ...other, updated_at: later, name: 'By others' }], [])
    expect([source.row(0)?.name, source.row(1)?.name, source.lit]).toEqual([
      'Saved',
      'By others',
      new Set([other.item_id]),
    ])
    const again = await lookedAt(0, 20)
    expect([again.row(0)?.name, again.row(1)?.name]).toEqual(['Saved', nameOf(1)])
    const past = await lookedAt(0, 20, { ...BY_NAME, as_of: new Date().toISOString() })
    expect(past.row(0)?.name).toBe(nameOf(0))
    emptyStore()
    expect((await lookedAt(0, 20)).row(0)?.name).toBe(nameOf(0))
  })

  it('that were answered before what the page has heard of are read again', async () => {
    const { item_id } = await client.ok('POST', '/api/items', { name: 'Read' })
    const filter = { id: { in: [item_id] } }
    askFirstRows({
      pathname: '/items',
      search: new URLSearchParams({ f: JSON.stringify(filter) }).toString(),
    })
    await newestEvent()
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'Heard of' })
    beginHearing(await newestEvent())
    const [row] = await new RowSource({ filter, sort: [...NEWEST_FIRST] }).read(0, 0)
    expect(row?.name).toBe('Heard of')
    emptyStore()
    await client.ok('DELETE', `/api/items/${item_id}`)
  })

  it('announce what came after they were read, and not what came before', async () => {
    const came = async () => {
      const { item_id } = await client.ok('POST', '/api/items', { name: 'Zzz, far from the first ones' })
      return { item_id, event_id: await newestEvent() }
    }
    const before = await came()
    const source = new RowSource(BY_NAME)
    await source.read(0, 19)
    const after = await came()
    const both = [before, after].map(({ item_id }) => item_id)
    const events = new Map([before, after].map(({ item_id, event_id }) => [item_id, event_id]))
    const changed = { item_ids: new Set(both), came: new Set(both), tag_ids: new Set<string>(), events }
    await renewRows(source, { ...changed, isUndo: false }, new AbortController().signal)
    expect(source.newcomers).toEqual(new Set([after.item_id]))
    for (const item_id of both) await client.ok('DELETE', `/api/items/${item_id}`)
  })

  it('have an end that was not counted, where there are fewer', async () => {
    const source = await lookedAt(0, 20)
    source.counted = ITEMS + 400
    source.setViewport(ITEMS + 300, ITEMS + 320)
    await expect.poll(() => source.total).toBe(ITEMS)
  })

  it('that cannot be read are a fault, for those who wait too, until somebody tries again', async () => {
    const question: Question = { ...BY_NAME, filter: { 'No such tag.field': 1 } }
    const source = new RowSource(question)
    await expect(source.read(0, 5)).rejects.toMatchObject({ status: 400 })
    expect([source.fault?.status, source.isEmptyYet]).toEqual([400, false])
    const { fault } = source
    source.retry()
    await expect.poll(() => source.fault).toBeDefined()
    expect(source.fault).not.toBe(fault)
  })

  it('are read no further when nobody is there any more', async () => {
    const source = new RowSource(BY_NAME)
    const reading = source.read(0, ITEMS - 1)
    source.close()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(source.fault).toBeUndefined()
  })
})

type RowOf = RowSource['rows'][number]
