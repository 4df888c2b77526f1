import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance, TEST_SEED } from '#test/support/chance.ts'
import type { Client } from '#test/support/client.ts'
import { type Service, startService } from '#test/support/service.ts'
import { runs } from '#test/support/runs.ts'

/** More on demand: TEST_SEED=7 PROPOSAL_ROUNDS=100 npx vitest run --project facet test/proposals-property.test.ts */
const ROUNDS = runs(3, 8, 'PROPOSAL_ROUNDS')
const ITEMS = 8
const AT_ONCE = 4

let service: Service
let owner: Client
let reader: Client
let tags: Record<'Task' | 'Person', string>

beforeAll(async () => {
  service = await startService()
  owner = await service.user()
  reader = await service.user()
  const { user_id } = await reader.ok('GET', '/api/auth/me')
  await owner.ok('PUT', `/api/users/${user_id}`, { role: 'reader' })
  const tag = async (name: string, fields: object) =>
    (await owner.ok('POST', '/api/tags', { name, fields })).tag_id
  tags = {
    Task: await tag('Task', { n: 'Number', text: 'String', who: 'Reference', kinds: 'MultiReference' }),
    Person: await tag('Person', { mail: 'String' }),
  }
})
afterAll(() => service.close())

interface Item {
  item_id: string
  name: string
  description: string | null
  tags: Record<string, { tag_name: string; field_values: Record<string, unknown> }>
}

/** All that lives, by names in place of ids. */
async function state(): Promise<unknown> {
  const items: Item[] = await owner.ok('GET', '/api/items?limit=1000')
  const names = new Map(items.map(({ item_id, name }) => [item_id, name]))
  const plain = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(plain) : (names.get(value as string) ?? value)
  return items
    .map(({ name, description, tags: own }) => ({
      name,
      description,
      tags: Object.fromEntries(
        Object.values(own)
          .map(({ tag_name, field_values }): [string, object] => [
            tag_name,
            Object.fromEntries(
              Object.entries(field_values).map(([field, value]) => [field, plain(value)] as const),
            ),
          ])
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    }))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

let made = 0

/** Operations on what there is, and on what they make themselves. */
class RandomOperations {
  private readonly chance: Chance
  private readonly ids: readonly string[]

  constructor(chance: Chance, ids: readonly string[]) {
    this.chance = chance
    this.ids = ids
  }

  private one<T>(list: readonly T[]): T {
    return list[this.chance.below(list.length)]!
  }

  private values(): object {
    return {
      ...(this.chance.is(0.6) && { n: this.chance.below(5) }),
      ...(this.chance.is(0.5) && { text: this.one(['a', 'b', null]) }),
      ...(this.chance.is(0.4) && { who: this.one([...this.ids, null]) }),
      ...(this.chance.is(0.3) && { kinds: [this.one(this.ids)] }),
    }
  }

  /** Some that come after one another. */
  some(count: number): object[] {
    const created: string[] = []
    return Array.from({ length: count }, () => {
      const item_id = created.length && this.chance.is(0.3) ? { $ref: this.one(created) } : this.one(this.ids)
      const tag_id = tags.Task
      const kind = this.chance.below(7)
      if (kind === 0) {
        const as = `made${++made}`
        created.push(as)
        const given = [{ tag_ref: { Existing: 'Task' }, field_values: this.values() }]
        return { operation: 'createItem', as, input: { name: `Made ${made}`, tags: given } }
      }
      if (kind === 1) return { operation: 'updateItem', input: { item_id, name: `Name ${++made}` } }
      if (kind === 2 && typeof item_id === 'string')
        return {
          operation: 'updateItem',
          input: { item_id, description: this.one(['<p>One</p>', '<p>Two</p>']) },
        }
      if (kind === 3) {
        const filter = { 'Task.n': { gte: this.chance.below(5) } }
        const input = { filter, tag_id, field_values: this.values(), merge: true }
        return { operation: 'bulkUpdateFields', input }
      }
      const input = { item_id, tag_id, field_values: this.values(), merge: true }
      return { operation: 'updateTagValues', input }
    })
  }
}

async function randomBase(chance: Chance): Promise<string[]> {
  const old: Item[] = await owner.ok('GET', '/api/items?limit=1000&fields=item_id')
  if (old.length)
    await owner.ok('POST', '/api/items/bulk-delete', {
      filter: { id: { in: old.map(({ item_id }) => item_id) } },
    })
  const items = Array.from({ length: ITEMS }, (_, i) => ({
    name: `Item ${i}`,
    tags: [{ tag_ref: { Existing: 'Task' }, field_values: { n: chance.below(5), text: 'a' } }],
  }))
  return (await owner.ok('POST', '/api/items/bulk', { items })).map(({ item_id }: Item) => item_id)
}

const undo = (change_ids: string[]) => owner.ok('POST', '/api/changes/undo', { change_ids })

describe(`proposals on random bases, by seed ${TEST_SEED}`, () => {
  it('give the same as their batch where they are accepted on the base they were made on', async () => {
    let kept = 0
    for (let round = 0; round < ROUNDS; round++) {
      const chance = new Chance(TEST_SEED + round)
      const random = new RandomOperations(chance, await randomBase(chance))
      const operations = random.some(1 + chance.below(6))
      const proposal = await reader.post('/api/proposals', { operations })
      const batch = await owner.post('/api/batch', { operations })
      expect([proposal.status >= 400, JSON.stringify(operations)]).toEqual([
        batch.status >= 400,
        JSON.stringify(operations),
      ])
      if (proposal.status !== 201) continue
      kept++
      const right = await state()
      await undo([batch.headers.get('x-change-id')!])
      // The base moved and came back: what is there is what the proposal was made on.
      const { change_ids } = await owner.ok('POST', `/api/proposals/${proposal.body.proposal_id}/accept`, {})
      expect(change_ids).toHaveLength(1)
      expect([await state(), JSON.stringify(operations)]).toEqual([right, JSON.stringify(operations)])
    }
    expect(kept).toBeGreaterThan(ROUNDS / 4)
  })

  it('accepted in any order give what they keep, or a conflict that is named', async () => {
    let [accepted, refused] = [0, 0]
    // By most seeds both are there within the rounds; by the others a few more are needed.
    for (let round = 0; round < ROUNDS || (round < 10 * ROUNDS && !(accepted && refused)); round++) {
      const chance = new Chance(TEST_SEED + 1000 + round)
      const random = new RandomOperations(chance, await randomBase(chance))
      const proposals: string[] = []
      for (let i = 0; i < AT_ONCE; i++) {
        const { status, body } = await reader.post('/api/proposals', { operations: random.some(2) })
        if (status === 201) proposals.push(body.proposal_id)
      }
      const order = proposals.map((id) => [chance.next(), id] as const).toSorted(([a], [b]) => a - b)
      for (const [, id] of order) {
        const before = await state()
        const { changes, conflicts } = await owner.ok('GET', `/api/proposals/${id}`)
        const { status, body } = await owner.post(`/api/proposals/${id}/accept`, {})
        expect(status).toBe(conflicts.length ? 409 : 200)
        if (status === 409) {
          refused++
          expect(await state()).toEqual(before)
          for (const each of conflicts) expect(each.reason).not.toBe('')
          await owner.ok('POST', `/api/proposals/${id}/refuse`, {})
          continue
        }
        accepted++
        await expectKept(changes, body.made)
      }
    }
    expect(accepted).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})

interface Part {
  item_id: string
  action: string
  changes: { path: string; new: unknown }[]
}

/** What each part wanted is there now. */
async function expectKept(changes: readonly Part[], ids: Record<string, string>): Promise<void> {
  const real = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(real) : (ids[value as string] ?? value)
  for (const part of changes) {
    const { data, ...item } = await owner.ok('GET', `/api/items/${ids[part.item_id] ?? part.item_id}`)
    for (const { path, new: wanted } of part.changes) {
      const field = /^Task\.(.+)$/.exec(path)?.[1]
      if (field === undefined && !(path in item)) continue
      const present = field === undefined ? item[path] : data[tags.Task].field_values[field]
      expect([path, present ?? null]).toEqual([path, real(wanted) ?? null])
    }
  }
}
