import { afterEach, describe, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { updateItem } from '#src/operations/items/update-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { clearWordIndex, findWordWork } from '#src/operations/service/upkeep-steps.ts'
import type { SqlOperation } from '#src/runtime/operation.ts'
import { takeInSome } from '#src/work/word-indexer.ts'
import { type Base, openBase } from '#test/support/base.ts'
import { baseState } from '#test/support/base-state.ts'
import {
  hasTypingError,
  oracleItems,
  type OracleItem,
  oracleOrder,
  oracleScores,
} from '#test/support/any-oracle.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { RandomChanges } from '#test/support/random-changes.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

// More on demand: ANY_WORLDS=100 ANY_SEED=7 npx vitest run --project facet test/any-words.test.ts
const WORLDS = runs(TEST_ENGINE === 'sqlite' ? 2 : 1, 3, 'ANY_WORLDS')
const SEED = Number(process.env.ANY_SEED ?? 1)
const CHANGES = 40
const TIMEOUT = 300_000

/** Words that are alike in parts, in many scripts. */
const WORDS =
  'recipe recipes Reciprocal car cars carpet choose chosen São naïve x2 a книга книги преимущество преимущественно βιβλίο βιβλιοθήκη كتاب مكتبة ספר ספרייה किताब पुस्तकालय 東京 東京都 京都タワー サーバー が 한국어 한국어를 สวัสดี ครับ ភាសា မြန်မာ ລາວ 🎉 ❤️ — e\u0301e\u0323 abc漢字def \u20d0\u20d1'.split(
    ' ',
  )
const PLACES = [
  ['name'],
  ['description'],
  ['values'],
  ['name', 'description'],
  ['name', 'description', 'values'],
] as const

let base: Base & { close(): void | Promise<void> }
afterEach(() => base.close())

const openAny = () => (TEST_ENGINE === 'postgres' ? openPostgresBase() : openBase())

function text(random: Random, most: number): string {
  return Array.from({ length: random.below(most + 1) }, () => random.pick(WORDS)).join(
    random.pick([' ', ' ', ', ', '']),
  )
}

const newItem = (random: Random, tag_id: string) => ({
  name: text(random, 3) || 'nothing',
  description: random.chance(0.3) ? null : `<p>${text(random, random.chance(0.2) ? 60 : 8)}</p>`,
  ...(random.chance(0.5) && {
    tags: [
      {
        tag_ref: { Existing: tag_id },
        field_values: { title: text(random, 4), kind: { variant: random.pick(['recipe', '東京']) } },
      },
    ],
  }),
})

/** Anything may be refused: it is made at random. */
async function tryTo(operation: SqlOperation, input: Record<string, unknown>): Promise<void> {
  try {
    await base.run(operation, input)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
  }
}

async function changeSomething(random: Random, changes: RandomChanges, tag_id: string): Promise<void> {
  const state = await baseState(base.db)
  const live = Object.keys(state.items).filter((id) => state.items[id]!.live)
  const kind = random.below(10)
  if (kind < 3) await tryTo(createItem, newItem(random, tag_id))
  else if (kind < 5 && live.length)
    await tryTo(updateItem, { item_id: random.pick(live), name: text(random, 3) || 'n' })
  else {
    const { operation, input } = changes.next(state)
    if ('input' in operation) await tryTo(operation, input)
  }
  if (random.chance(0.3)) await takeIn(random)
  if (random.chance(0.2)) await base.runStep(clearWordIndex, {})
}

/** Longer than a turn lasts, in milliseconds. */
const LONG = 61_000
let now = 0

/** A few words in each transaction. Some are left in the middle, or overtaken there, or meet what was changed. */
async function takeIn(random: Random, depth = 0): Promise<void> {
  now += LONG
  const end = random.chance(0.3) ? random.below(8) : Infinity
  let steps = 0
  await takeInSome({
    run: base.runStep,
    clock: () => now,
    rows: 1 + random.below(8),
    giveWay: async () => {
      if (steps++ >= end) throw new Error('killed')
      if (depth < 2 && random.chance(0.1)) await takeIn(random, depth + 1)
      if (random.chance(0.1)) await purgeOne(random)
    },
  }).catch((error: Error) => expect(error.message).toBe('killed'))
}

async function purgeOne(random: Random): Promise<void> {
  const state = await baseState(base.db)
  const ids = Object.keys(state.items)
  if (!ids.length) return
  const item_id = random.pick(ids)
  await tryTo(deleteItem, { item_id })
  await tryTo(purgeDeleted, { item_ids: [item_id] })
}

/** Page by page, as row ids. */
async function found(search: object, limit: number): Promise<number[]> {
  const ids: string[] = []
  let after: string | undefined
  do {
    const input = { filter: { search }, limit, ...(after !== undefined && { after }) }
    ids.push(...(await base.run(searchItems, input)).map(({ item_id }) => item_id))
    after = (await base.meta(searchItems, input)).next
  } while (after !== undefined)
  const rows = await base.db.select<{ id: number; item_id: string }>({
    sql: 'select id, item_id from item',
    parameters: [],
  })
  const byId = new Map(rows.map(({ id, item_id }) => [item_id, id]))
  return ids.map((id) => byId.get(id)!)
}

async function check(random: Random, items: readonly OracleItem[]): Promise<void> {
  const places = random.pick(PLACES)
  const made = () =>
    Array.from(
      { length: random.chance(0.7) ? 1 : 3 },
      () => `${random.pick(WORDS.slice(0, 20))} ${text(random, 6)}`,
    )
  let texts = made()
  // What is taken for a typing error is looked for by other words: test/contract/any-search.test.ts.
  for (let tries = 0; hasTypingError(items, texts, places); texts = made()) if (tries++ === 50) return
  const search = { text: texts.length > 1 ? texts : texts[0], match: 'any', in: places }
  const expected = oracleOrder(items, oracleScores(items, texts, places))
  expect(await found(search, 1 + random.below(6)), JSON.stringify(search)).toEqual(expected)
}

async function takeAllIn(): Promise<void> {
  while (await takeInSome({ run: base.runStep, clock: () => (now += LONG) }));
  while ((await base.runStep(findWordWork, {})).clear) await base.runStep(clearWordIndex, {})
}

/** So many are purged by a plan that is made on a reader. */
const MANY = 5000

it(
  'what was taken in while a purge was planned is found, and so is what comes after it',
  { timeout: TIMEOUT },
  async () => {
    base = await openAny()
    const items = Array.from({ length: MANY }, (_, i) => ({ name: `Passing ${i}` }))
    await base.run(bulkCreate, { items })
    await base.run(createItem, { name: 'Heron' })
    await takeAllIn()
    await base.run(bulkDelete, { filter: { name: { starts_with: 'Passing' } } })
    const planned = await base.plan(purgeDeleted, {})
    await base.run(createItem, { name: 'Kingfisher' })
    const [heron] = await base.run(searchItems, { filter: { name: 'Heron' } })
    await base.run(updateItem, { item_id: heron!.item_id, name: 'Bittern' })
    await takeAllIn()
    expect((await base.run(purgeDeleted, {}, planned)).purged_item_ids).toHaveLength(MANY)
    await base.run(createItem, { name: 'Dipper' })
    await takeAllIn()

    const namesOf = async (text: string) => {
      const search = { text, match: 'any' as const }
      return (await base.run(searchItems, { filter: { search } })).map(({ name }) => name).toSorted()
    }
    expect(await namesOf('kingfisher dipper bittern')).toEqual(['Bittern', 'Dipper', 'Kingfisher'])
    expect(await namesOf('heron')).toEqual([])
    const words = await base.db.select<{ n: number }>({
      sql: `select count(*) as n from word_block where word like '%passing%'`,
      parameters: [],
    })
    expect(words).toEqual([{ n: 0 }])
  },
)

describe.each(Array.from({ length: WORLDS }, (_, i) => SEED * 1000 + i))('in random world %i', (seed) => {
  it(
    'the same items come in the same order as by looking at each of them',
    { timeout: TIMEOUT },
    async () => {
      base = await openAny()
      const random = new Random(seed)
      const changes = new RandomChanges(random, { purges: true })
      const { tag_id } = await base.run(createTag, {
        name: 'Book',
        fields: { title: 'String', kind: { type: 'Select', variants: ['recipe', '東京'] } },
      })
      await base.run(bulkCreate, { items: Array.from({ length: 30 }, () => newItem(random, tag_id)) })
      for (let i = 0; i < CHANGES; i++) {
        await changeSomething(random, changes, tag_id)
        const items = await oracleItems(base.db)
        await check(random, items)
        await check(random, items)
      }
    },
  )
})
