import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { BulkTargets, changedSince } from '#src/operations/items/bulk-targets.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import type { SqlContext } from '#src/runtime/operation.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'
import { openBase } from '#test/support/base.ts'
import { computed } from '#test/support/computed.ts'
import { endlessPattern, letters } from '#test/support/endless-pattern.ts'

let base: Awaited<ReturnType<typeof openBase>>
let tag_id: string
const items: string[] = []
const newId = ulidSource()

const context = (planned?: string): SqlContext => ({
  db: base.db,
  caller: base.caller,
  now: new Date('2026-03-01T00:00:00.000Z'),
  time_zone: 'UTC',
  newId: () => newId(Date.now()),
  change: new OpenChange('bulkDelete', () => newId(Date.now())),
  planned,
})
const select = async (filter: object, planned?: string) => {
  const targets = await BulkTargets.select(context(planned), filter, false)
  return targets === 'overtaken' ? targets : targets.items
}
const found = (filter: object) => select(filter)
/** As a reader would have planned it, had it been slow. */
const plan = async (filter: object) => {
  const { json } = await BulkTargets.plan(context(), filter, () => Promise.reject(new Error('not so many')))
  return JSON.stringify({ ...JSON.parse(json), ms: 1000 })
}
const written = (filter: object, planned: string) => select(filter, planned)

const OWN = [
  { search: 'item' },
  { has_tag: 'Task' },
  { not: { has_tag: 'Task' } },
  { 'Task.n': { gte: 2 } },
  { or: [{ 'Task.n': 1 }, { name: { starts_with: 'New' } }] },
  { name: { matches: 'm [0-4]$' } },
  { updated_at: { gte: '2026-02-01' } },
]

const value = fc.integer({ min: 0, max: 4 })
const one = fc.nat({ max: 200 })
const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), value }),
  fc.record({
    does: fc.constantFrom('rename', 'set', 'tag', 'untag', 'delete', 'restore', 'purge'),
    one,
    value,
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const tagged = (n: number) => ({ tag_ref: { Existing: tag_id }, field_values: { n } })

async function take(each: Step): Promise<void> {
  if (each.does === 'create') {
    const { item_id } = await base.run(createItem, { name: `New ${each.value}`, tags: [tagged(each.value)] })
    items.push(item_id)
    return
  }
  const item_id = items[('one' in each ? each.one : 0) % items.length]!
  const n = each.value
  const steps = {
    rename: () => base.run(updateItem, { item_id, name: `Item ${n}` }),
    set: () => base.run(updateTagValues, { item_id, tag_id, field_values: { n } }),
    tag: () => base.run(applyTag, { item_id, tag: tagged(n) }),
    untag: () => base.run(removeTag, { item_id, tag_id }),
    delete: () => base.run(deleteItem, { item_id }),
    restore: () => base.run(restoreItem, { item_id }),
    purge: () => base.run(purgeDeleted, { item_ids: [item_id] }),
  }
  await steps[each.does]().catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
  })
}

beforeAll(async () => {
  base = await openBase()
  ;({ tag_id } = await base.run(createTag, { name: 'Task', fields: { n: 'Number', to: 'Reference' } }))
  for (let i = 0; i < 30; i++) {
    const { item_id } = await base.run(createItem, {
      name: `item ${i % 7}`,
      tags: i % 2 ? [tagged(i % 4)] : [],
    })
    items.push(item_id)
  }
})
afterAll(() => base.close())

describe('targets that were found beforehand', () => {
  it('are those that the filter selects when the change is written, whatever came between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...OWN),
        fc.array(step, { minLength: 1, maxLength: 8 }),
        async (filter, steps) => {
          const planned = await plan(filter)
          for (const each of steps) await take(each)
          expect(await written(filter, planned)).toEqual(await found(filter))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('hold as they are while nothing is written', async () => {
    const planned = JSON.stringify({ ...JSON.parse(await plan(OWN[0]!)), items: [1, 2] })
    expect(await written(OWN[0]!, planned)).toEqual([1, 2])
  })

  it('are found again where that is quick', async () => {
    const filter = { 'Task.to->Task.n': { gte: 2 } }
    const planned = JSON.stringify({ ...JSON.parse(await plan(filter)), ms: 1, items: [1] })
    await take({ does: 'create', value: 1 })
    expect(await written(filter, planned)).toEqual(await found(filter))
  })

  it.each([
    ['through a reference', { 'Task.to->Task.n': { gte: 2 } }],
    ['by what refers to it', { '<-Task.to': { has_tag: 'Task' } }],
    ['by a reference that dangles', { 'Task.to': { dangling: true } }],
  ])('do not hold %s once anything has changed', async (_, filter) => {
    const planned = await plan(filter)
    await take({ does: 'create', value: 1 })
    expect(await written(filter, planned)).toBe('overtaken')
  })

  describe('where a text comes between over which the filter takes minutes', () => {
    const filter = { description: { matches: endlessPattern(1) } }
    let item_id: string
    let before: string
    beforeAll(async () => {
      before = await plan(filter)
      ;({ item_id } = await base.run(createItem, { name: 'Letters', description: letters(200_000) }))
    })
    afterAll(() => base.run(deleteItem, { item_id }))
    const soonOvertaken = async (targets: () => Promise<unknown>) => {
      const began = computed()
      expect(await targets()).toBe('overtaken')
      expect(computed() - began).toBeLessThan(1000)
    }
    const inBatch = (more: object) => BulkTargets.select({ ...context(), soon: true, ...more }, filter, false)

    it('are to be found beside others', () => soonOvertaken(() => written(filter, before)))

    it('also where it was quick before', () =>
      soonOvertaken(() => written(filter, JSON.stringify({ ...JSON.parse(before), ms: 1 }))))

    it('also in a batch', async () => {
      const changed = (await changedSince(base.db, JSON.parse(before).newest))!
      await soonOvertaken(() => inBatch({ found: { items: [], changed } }))
    })

    it('also in a batch, where it was quick before', () => soonOvertaken(() => inBatch({})))
  })

  it('are planned again from what was found before, by what has changed since', async () => {
    const filter = { name: { matches: 'm [0-4]$' } }
    const stale = JSON.stringify({ ...JSON.parse(await plan(filter)), items: [] })
    await take({ does: 'create', value: 1 })
    await base.run(createItem, { name: 'item 3' })
    const again = async (planned: string) => {
      const { json } = await BulkTargets.plan(context(planned), filter, () =>
        Promise.reject(new Error('few')),
      )
      return JSON.parse(json)
    }
    const { items, ms, newest } = await again(stale)
    expect(items).toEqual(((await found(filter)) as number[]).slice(-1))
    expect(ms).toBeGreaterThanOrEqual(1000) // it is as slow as ever
    expect(newest > JSON.parse(stale).newest).toBe(true)
    // What was quick is found from the beginning.
    const quick = JSON.stringify({ ...JSON.parse(stale), ms: 1 })
    expect((await again(quick)).items).toEqual(await found(filter))
  })

  it('do not hold once a tag has changed', async () => {
    const planned = await plan(OWN[3]!)
    await base.run(updateTag, { tag_id, description: 'again' })
    expect(await written(OWN[3]!, planned)).toBe('overtaken')
  })
})
