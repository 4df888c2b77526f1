import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setSessionState } from '#web/api/session-state.ts'
import { onItemsChanged } from '#web/data/items-changed.ts'
import { keepUndoable, leaveStoppedUndo, redoLast, stoppedUndo, undoLast } from '#web/data/undo-stack.ts'
import { asPage } from '#test/support/as-page.ts'
import { Client } from '#test/support/client.ts'
import { ServiceProcess } from '#test/support/process.ts'

let service: ServiceProcess
let client: Client
let leave: () => void
let item_id: string

beforeAll(async () => {
  service = new ServiceProcess()
  client = new Client(await service.url())
  await client.ok('POST', '/api/auth/register', { email: 'ada@example.org', password: 'correct horse' })
  leave = asPage(client)
})
afterAll(async () => {
  leave()
  setSessionState('unknown')
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  setSessionState('signed_out')
  setSessionState('signed_in')
  ;({ item_id } = await client.ok('POST', '/api/items', { name: 'zero' }))
})

/** Does it, and keeps it to be taken back. */
async function rename(name: string): Promise<void> {
  const { headers } = await client.put(`/api/items/${item_id}`, { name })
  keepUndoable({ words: `Renamed to ${name}`, change_ids: [headers.get('x-change-id')!] })
}
const name = async () => (await client.ok('GET', `/api/items/${item_id}`)).name

describe('what was done', () => {
  it('is taken back, the last first, and done again, the first first', async () => {
    for (const each of ['one', 'two', 'three']) await rename(each)
    const names: string[] = []
    for (const way of [undoLast, undoLast, undoLast, undoLast, redoLast, redoLast, undoLast]) {
      await way()
      names.push(await name())
    }
    expect(names).toEqual(['two', 'one', 'zero', 'zero', 'one', 'two', 'one'])
  })

  it('is taken back in the order of the keys, however quickly they are pressed', async () => {
    for (const each of ['one', 'two', 'three']) await rename(each)
    await Promise.all([undoLast(), undoLast(), redoLast()])
    expect(await name()).toBe('two')
  })

  it('is not done again after something else was done', async () => {
    await rename('one')
    await undoLast()
    await rename('other')
    await redoLast()
    expect(await name()).toBe('other')
  })

  it('says of which items it was, to all that show them', async () => {
    await rename('one')
    const heard: string[] = []
    const stop = onItemsChanged(({ item_ids, isUndo }) => void (isUndo && heard.push(...item_ids)))
    await undoLast()
    stop()
    expect(heard).toEqual([item_id])
  })

  it('waits for somebody where others have changed it since, and takes back the rest if wanted', async () => {
    const other = await client.ok('POST', '/api/items', { name: 'zero' })
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Both', fields: {} })
    const filter = { or: [{ id: item_id }, { id: other.item_id }] }
    const { headers } = await client.post('/api/items/bulk-apply-tag', {
      filter,
      tag: { tag_ref: { Existing: tag_id } },
    })
    keepUndoable({ words: 'Tagged 2 items', change_ids: [headers.get('x-change-id')!] })
    await client.ok('DELETE', `/api/items/${item_id}/tags/${tag_id}`)
    await undoLast()
    expect(stoppedUndo()).toMatchObject({ words: 'Tagged 2 items', conflicts: [{ item_id }] })
    // Pressed before it was seen: nothing is done.
    await undoLast()
    const tagsOf = async (id: string) => Object.keys((await client.ok('GET', `/api/items/${id}`)).data)
    expect(await tagsOf(other.item_id)).toEqual([tag_id])
    await stoppedUndo()!.undoRest!()
    expect([stoppedUndo(), await tagsOf(other.item_id)]).toEqual([null, []])
  })

  it('takes back the rest of what was several calls, from where it stopped', async () => {
    const other = await client.ok('POST', '/api/items', { name: 'zero' })
    const { tag_id } = await client.ok('POST', '/api/tags', { name: 'Several', fields: {} })
    const { headers } = await client.post('/api/items/bulk-apply-tag', {
      filter: { or: [{ id: item_id }, { id: other.item_id }] },
      tag: { tag_ref: { Existing: tag_id } },
    })
    const renamed = await client.put(`/api/items/${item_id}`, { name: 'one' })
    const change_ids = [headers, renamed.headers].map((each) => each.get('x-change-id')!)
    keepUndoable({ words: 'Did two things', change_ids, at_once: 1 })
    await client.ok('DELETE', `/api/items/${item_id}/tags/${tag_id}`)
    await undoLast()
    expect(await name()).toBe('zero')
    const { undoRest } = stoppedUndo()!
    await undoRest!()
    const { data } = await client.ok('GET', `/api/items/${other.item_id}`)
    expect([stoppedUndo(), Object.keys(data)]).toEqual([null, []])
    // Nothing of it is left: what was done before is next, and all of it is done again.
    await redoLast()
    await redoLast()
    expect(await name()).toBe('one')
  })

  it('offers no rest where there is none, and then stands in the way of nothing', async () => {
    await rename('one')
    await rename('two')
    await client.ok('PUT', `/api/items/${item_id}`, { name: 'theirs' })
    await undoLast()
    expect(stoppedUndo()).toMatchObject({ words: 'Renamed to two', undoRest: null })
    leaveStoppedUndo()
    await undoLast()
    expect(stoppedUndo()).toMatchObject({ words: 'Renamed to one', undoRest: null })
  })

  it('that was taken back elsewhere stands in the way of nothing', async () => {
    await rename('one')
    await rename('two')
    const [{ change_id }] = await client.ok('GET', `/api/items/${item_id}/history`)
    await client.ok('POST', '/api/changes/undo', { change_ids: [change_id] })
    await undoLast()
    if (stoppedUndo()) leaveStoppedUndo()
    await undoLast()
    expect(await name()).toBe('zero')
  })

  it('is nobody’s after a sign-out', async () => {
    await rename('one')
    setSessionState('signed_out')
    keepUndoable({ words: 'An answer that came late', change_ids: ['0'.repeat(26)] })
    setSessionState('signed_in')
    await undoLast()
    expect(await name()).toBe('one')
  })
})
