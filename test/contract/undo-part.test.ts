import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#test/support/client.ts'
import { fixtures } from '#test/support/fixtures.ts'
import { startService, type Service } from '#test/support/service.ts'

let service: Service
let client: Client
beforeAll(async () => {
  service = await startService()
  client = await service.user()
})
afterAll(() => service.close())
const { createItem, createTag, valuesOf } = fixtures(() => client)

const undo = (change_id: string, only_item_ids: string[], more: object = {}) =>
  client.ok('POST', '/api/changes/undo', { change_ids: [change_id], only_item_ids, ...more })
const undoneBy = async (change_id: string): Promise<string | null> => {
  const changes: { change_id: string; undone_by: string | null }[] = await client.ok(
    'POST',
    '/api/changes/search',
    { limit: 100 },
  )
  return changes.find((each) => each.change_id === change_id)!.undone_by
}
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-change-id')!

/** Two items whose value one change has set from 1 to 2. */
async function changedPair() {
  const { tag_id } = await createTag({ n: 'Number' })
  const ids = [await createItem('A', tag_id, { n: 1 }), await createItem('B', tag_id, { n: 1 })] as const
  const set = async (n: number, filter: object = { has_tag: tag_id }) =>
    idOf(
      await client.post('/api/items/bulk-update-fields', {
        filter,
        tag_id,
        field_values: { n },
        merge: true,
      }),
    )
  return {
    tag_id,
    ids,
    set,
    change_id: await set(2),
    n: async (id: string) => (await valuesOf(id, tag_id)).n,
  }
}

describe('undo of a part (further §18)', () => {
  it('takes back only what was done to these items, and the change is undone with the last of them', async () => {
    const { ids, change_id, n } = await changedPair()
    const [a, b] = ids
    const dry = await undo(change_id, [a], { dry_run: true })
    expect(dry).toMatchObject({ undone_events: 1, affected_item_ids: [a], change_id: null })
    const first = await undo(change_id, [a.toLowerCase()])
    expect(first).toMatchObject({ undone_events: 1, affected_item_ids: [a], conflicts: [] })
    expect([await n(a), await n(b)]).toEqual([1, 2])
    expect(await undoneBy(change_id)).toBeNull()
    const last = await undo(change_id, [b])
    expect([await n(a), await n(b)]).toEqual([1, 1])
    expect(await undoneBy(change_id)).toBe(last.change_id)
    await client.ok('POST', '/api/changes/undo', { change_ids: [last.change_id] })
    expect([await n(a), await n(b)]).toEqual([1, 2])
    expect(await undoneBy(change_id)).toBeNull()
  })

  it('leaves out of the undo of all what the undo of a part has taken back', async () => {
    const { ids, change_id, n } = await changedPair()
    await undo(change_id, [ids[0]])
    const rest = { change_ids: [change_id] }
    const dry = await client.ok('POST', '/api/changes/undo', { ...rest, dry_run: true })
    expect(dry).toMatchObject({ undone_events: 1, affected_item_ids: [ids[1]], conflicts: [] })
    const last = await client.ok('POST', '/api/changes/undo', rest)
    expect(last).toMatchObject({ undone_events: 1, affected_item_ids: [ids[1]], conflicts: [] })
    expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
    expect(await undoneBy(change_id)).toBe(last.change_id)
  })

  it('still refuses the undo of all where what it took back has another value since, or is purged', async () => {
    const { ids, set, change_id, n } = await changedPair()
    const [a, b] = ids
    await undo(change_id, [a])
    await set(3, { id: a })
    const whole = () => client.post('/api/changes/undo', { change_ids: [change_id] })
    expect((await whole()).body.details.conflicts).toMatchObject([{ item_id: a, present: 3, restored: 1 }])
    await client.ok('DELETE', `/api/items/${a}`)
    await client.ok('POST', '/api/items/purge', { item_ids: [a] })
    expect((await whole()).body.details.conflicts).toMatchObject([{ item_id: a, item_name: null }])
    expect(await n(b)).toBe(2)
  })

  it('refuses the undo of all where a value came back by hand', async () => {
    const { ids, set, change_id } = await changedPair()
    await set(1, { id: ids[0] })
    const whole = await client.post('/api/changes/undo', { change_ids: [change_id] })
    expect(whole.status).toBe(409)
    expect(whole.body.details.conflicts).toMatchObject([{ item_id: ids[0], present: 1, restored: 1 }])
  })

  it('does not count a change as undone where another one stands on its rest', async () => {
    const { ids, set, change_id, n } = await changedPair()
    const [a, b] = ids
    await set(3, { id: b })
    await undo(change_id, [a])
    expect([await n(a), await n(b)]).toEqual([1, 3])
    expect(await undoneBy(change_id)).toBeNull()
    const refused = await client.post('/api/changes/undo', { change_ids: [change_id], only_item_ids: [b] })
    expect(refused.status).toBe(409)
    expect(refused.body.details.conflicts).toMatchObject([{ item_name: 'B', present: 3, restored: 1 }])
    await undo(change_id, [b], { on_conflict: 'skip' })
    expect(await undoneBy(change_id)).toBeNull()
  })

  it('takes items that were made away one after the other', async () => {
    const { tag_id } = await createTag({ n: 'Number' })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { n: 1 } }]
    const made = await client.post('/api/items/bulk', { items: ['C', 'D'].map((name) => ({ name, tags })) })
    const [c, d] = made.body.map(({ item_id }: { item_id: string }) => item_id)
    await undo(idOf(made), [c])
    expect((await client.send('GET', `/api/items/${c}`)).status).toBe(404)
    expect(await undoneBy(idOf(made))).toBeNull()
    const operations = [{ operation: 'undoChanges', input: { change_ids: [idOf(made)], only_item_ids: [d] } }]
    const batch = await client.ok('POST', '/api/batch', { operations })
    expect((await client.send('GET', `/api/items/${d}`)).status).toBe(404)
    expect(await undoneBy(idOf(made))).toBe(batch.change_id)
  })

  it('of a whole change is as without it', async () => {
    const { ids, change_id, n } = await changedPair()
    const { change_id: undone } = await undo(change_id, [...ids])
    expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
    expect(await undoneBy(change_id)).toBe(undone)
    expect(
      (await client.post('/api/changes/undo', { change_ids: [change_id], only_item_ids: [] })).status,
    ).toBe(400)
  })

  it('says of a part that is undone already that it is', async () => {
    const { ids, change_id } = await changedPair()
    const only_item_ids = [ids[0]]
    await undo(change_id, only_item_ids)
    const again = await client.post('/api/changes/undo', { change_ids: [change_id], only_item_ids })
    expect(again.status).toBe(409)
    expect(again.body.details.conflicts).toMatchObject([
      {
        reason: 'It is as it was before already: undone, or set back by hand',
        suggestion: 'Leave this out: nothing of it is left to take back',
        present: 1,
        restored: 1,
      },
    ])
    const renamed = idOf(await client.put(`/api/items/${ids[0]}`, { name: 'Renamed' }))
    await client.ok('PUT', `/api/items/${ids[0]}`, { name: 'A' })
    const name = await client.post('/api/changes/undo', { change_ids: [renamed] })
    expect(name.body.message).toContain('name: It is as it was before already')
  })

  describe('of several changes', () => {
    /** The ids of two changes of both, 1 → 2 → 3. */
    async function changedTwice() {
      const pair = await changedPair()
      const change_ids = [pair.change_id, await pair.set(3)]
      return { ...pair, change_ids, undoneByBoth: () => Promise.all(change_ids.map(undoneBy)) }
    }

    it('leaves out of the undo of all what the undo of a part has taken back', async () => {
      const { ids, n, change_ids, undoneByBoth } = await changedTwice()
      await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [ids[0]] })
      expect(await undoneByBoth()).toEqual([null, null])
      const last = await client.ok('POST', '/api/changes/undo', { change_ids })
      expect(last).toMatchObject({ undone_events: 2, affected_item_ids: [ids[1]], conflicts: [] })
      expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
      expect(await undoneByBoth()).toEqual([last.change_id, last.change_id])
    })

    it('counts them as undone with the last part', async () => {
      const { ids, n, change_ids, undoneByBoth } = await changedTwice()
      await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [ids[0]] })
      const last = await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [ids[1]] })
      expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
      expect(await undoneByBoth()).toEqual([last.change_id, last.change_id])
    })

    it('knows the part of one that was taken back beside the whole of another', async () => {
      const { ids, set, change_id, n } = await changedPair()
      const of_one = await set(3, { id: ids[0] })
      const change_ids = [change_id, of_one]
      const first = await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [ids[0]] })
      expect([await undoneBy(of_one), await undoneBy(change_id)]).toEqual([first.change_id, null])
      const rest = await client.ok('POST', '/api/changes/undo', { change_ids: [change_id] })
      expect(rest).toMatchObject({ undone_events: 1, affected_item_ids: [ids[1]], conflicts: [] })
      expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
    })

    it('knows the part of one that stood on the whole of another', async () => {
      const { ids, set, n } = await changedPair()
      const [a, b] = ids
      const of_one = await set(3, { id: a })
      const both = await set(4)
      const change_ids = [of_one, both]
      await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [a] })
      const rest = await client.ok('POST', '/api/changes/undo', { change_ids: [both] })
      expect(rest).toMatchObject({ undone_events: 1, affected_item_ids: [b], conflicts: [] })
      expect([await n(a), await n(b)]).toEqual([2, 2])
    })

    it('knows a part that was taken back to before an earlier change', async () => {
      const { tag_id, ids, set, n } = await changedPair()
      const of_one = await set(3, { id: ids[0] })
      const removed = idOf(
        await client.post('/api/items/bulk-remove-tag', { filter: { id: { in: ids } }, tag_id }),
      )
      const change_ids = [of_one, removed]
      await client.ok('POST', '/api/changes/undo', { change_ids, only_item_ids: [ids[0]] })
      const rest = await client.ok('POST', '/api/changes/undo', { change_ids: [removed] })
      expect(rest).toMatchObject({ undone_events: 1, affected_item_ids: [ids[1]], conflicts: [] })
      expect([await n(ids[0]), await n(ids[1])]).toEqual([2, 2])
    })

    it('counts one as undone that was taken back with different others at each item', async () => {
      const { ids, set, change_id, n } = await changedPair()
      const [a, b] = ids
      const both = await set(3)
      await set(4, { id: b })
      await client.ok('POST', '/api/changes/undo', { change_ids: [change_id, both], only_item_ids: [a] })
      await undo(both, [b], { on_conflict: 'skip' })
      expect(await undoneBy(both)).toBeNull()
      await set(3, { id: b })
      const last = await undo(both, [b])
      expect([await n(a), await n(b)]).toEqual([1, 2])
      expect(await undoneBy(both)).toBe(last.change_id)
      expect(await undoneBy(change_id)).toBeNull()
    })

    it('does not take the undo of another one for that of a part', async () => {
      const { ids, set, change_id } = await changedPair()
      await set(1, { id: ids[0] })
      const other = await set(3, { id: ids[0] })
      await client.ok('POST', '/api/changes/undo', { change_ids: [other] })
      const whole = await client.post('/api/changes/undo', { change_ids: [change_id] })
      expect(whole.status).toBe(409)
      expect(whole.body.details.conflicts).toMatchObject([{ item_id: ids[0], present: 1, restored: 1 }])
    })

    it('takes the older one back where a part of the newer one was taken back by itself', async () => {
      const { ids, n, change_ids } = await changedTwice()
      await undo(change_ids[1]!, [ids[0]])
      const all = await client.ok('POST', '/api/changes/undo', { change_ids })
      expect(all).toMatchObject({ undone_events: 3, conflicts: [] })
      expect([await n(ids[0]), await n(ids[1])]).toEqual([1, 1])
    })
  })

  it('does not count a change as undone that an item in the trash still has', async () => {
    const { ids, change_id, n } = await changedPair()
    const [a, b] = ids
    await client.ok('DELETE', `/api/items/${b}`)
    await undo(change_id, [a])
    expect(await undoneBy(change_id)).toBeNull()
    await client.ok('POST', `/api/items/${b}/restore`)
    await undo(change_id, [b])
    expect([await n(a), await n(b)]).toEqual([1, 1])
    expect(await undoneBy(change_id)).not.toBeNull()
  })
})
