import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { runBatch } from '#src/operations/changes/run-batch.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { enterTexts, findWaitingTexts } from '#src/operations/service/upkeep-steps.ts'
import { MOST_ENTERED } from '#src/sql/query.ts'
import { Chance } from '#test/support/chance.ts'
import { openBase } from '#test/support/base.ts'

let base: Awaited<ReturnType<typeof openBase>>
beforeEach(async () => {
  base = await openBase()
})
afterEach(() => base.close())

/** As in a transaction that has no room left: whatever is written waits. */
const waiting = <T>(work: () => Promise<T>): Promise<T> => {
  base.db.room.texts = 0
  base.db.room.has_waiting = false
  return work().finally(() => (base.db.room.texts = Infinity))
}
const names = async (search: string, sort?: [{ by: 'relevance' }]) =>
  (await base.run(searchItems, { filter: { search }, ...(sort && { sort }), limit: 100 })).map(
    ({ name }) => name,
  )
/** Fails where the index is not that of the texts. */
const checkIndex = () =>
  base.db.raw.exec("insert into item_trigram (item_trigram, rank) values ('integrity-check', 1)")
const enterAll = async () => {
  while ((await base.runStep(enterTexts, {})).waiting);
}
const areWaiting = async () => (await base.runStep(findWaitingTexts, {})).waiting > 0

describe('texts that wait for the trigram index', () => {
  it('are found at once, and those that they take the place of no more', async () => {
    const { item_id } = await base.run(createItem, { name: 'One', description: 'an old lighthouse' })
    await waiting(() => base.run(updateItem, { item_id, description: 'a new windmill' }))
    await waiting(() => base.run(createItem, { name: 'Two windmills' }))
    for (const sort of [undefined, [{ by: 'relevance' }] as [{ by: 'relevance' }]]) {
      expect((await names('windmill', sort)).toSorted()).toEqual(['One', 'Two windmills'])
      expect(await names('lighthouse', sort)).toEqual([])
    }
    expect(await areWaiting()).toBe(true)
    await enterAll()
    expect(await areWaiting()).toBe(false)
    expect(await names('windmill')).toEqual(['One', 'Two windmills'])
    expect(await names('lighthouse')).toEqual([])
    checkIndex()
  })

  it('wait together where they are long together', async () => {
    base.db.beginRoom()
    const half = 'ab '.repeat(MOST_ENTERED / 6)
    await base.run(createItem, { name: 'First', description: half })
    expect(await areWaiting()).toBe(false)
    await base.run(createItem, { name: 'Second', description: half })
    expect(await areWaiting()).toBe(true)
  })

  it('are no more than there is room for', async () => {
    const insert = base.db.raw.prepare(
      "insert into item_text (id, name, description, waits) values (?, '', ?, 1)",
    )
    base.db.raw.pragma('foreign_keys = OFF')
    for (let id = 1001; id < 1035; id++) {
      insert.run(id, 'a'.repeat(2 ** 20))
      base.db.raw.prepare('insert into waiting_text (id) values (?)').run(id)
    }
    const error = await waiting(() => base.run(createItem, { name: 'One more' })).catch((caught) => caught)
    expect(error).toMatchObject({ reason: 'no_text_room' })
    // A part of a batch says so too: it is no fault of the part.
    const operations = [{ operation: 'createItem', input: { name: 'One more' } }]
    const batch = { operations, dry_run: false, allow_warnings: false }
    const inBatch = await waiting(() => base.runStep(runBatch, batch)).catch((caught) => caught)
    expect(inBatch).toMatchObject({ reason: 'no_text_room' })
    base.db.raw.exec('delete from waiting_text where id < 1010')
    await waiting(() => base.run(createItem, { name: 'One more' }))
  })

  it('are right whatever is done to them meanwhile', async () => {
    const chance = new Chance(7)
    const below = (end: number) => chance.below(end)
    const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
    const words = ['lighthouse', 'windmill', 'harbour', 'market', 'station', 'of the', 'old town hall of']
    const texts = new Map<string, string>()
    const deleted = new Map<string, string>()
    for (let step = 0; step < 250; step++) {
      const text = Array.from({ length: 1 + below(3) }, () => pick(words)).join(' and ')
      const what = below(6)
      const some = texts.size ? pick([...texts.keys()]) : undefined
      const work = async () => {
        if (what < 2 || !some) {
          const { item_id } = await base.run(createItem, { name: `Item ${step}`, description: text })
          texts.set(item_id, text)
        } else if (what === 2) {
          await base.run(updateItem, { item_id: some, description: text })
          texts.set(some, text)
        } else if (what === 3) {
          if (below(2)) await base.run(deleteItem, { item_id: some })
          else await base.run(bulkDelete, { filter: { id: some }, dry_run: false })
          deleted.set(some, texts.get(some)!)
          texts.delete(some)
        } else if (what === 4 && deleted.size) {
          const back = pick([...deleted.keys()])
          await base.run(restoreItem, { item_id: back })
          texts.set(back, deleted.get(back)!)
          deleted.delete(back)
        } else await base.runStep(enterTexts, {})
      }
      await (below(2) ? waiting(work) : work())
      if (step % 5) continue
      for (const word of words) {
        const wanted = [...texts].filter(([, each]) => each.includes(word)).map(([id]) => id)
        const found = await base.run(searchItems, { filter: { search: word }, limit: 1000 })
        expect(found.map(({ item_id }) => item_id).toSorted()).toEqual(wanted.toSorted())
      }
    }
    await enterAll()
    checkIndex()
  })
})
