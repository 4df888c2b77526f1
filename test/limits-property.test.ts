import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Caller, NOBODY } from '#src/domain/caller.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { type GivenLimit, keptLimit } from '#src/operations/account/kept-limit.ts'
import { explainQuery } from '#src/operations/filters/explain-query.ts'
import { findHint } from '#src/operations/filters/find-hint.ts'
import { findNearest } from '#src/operations/filters/find-nearest.ts'
import { validateFilter } from '#src/operations/filters/validate-filter.ts'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { getBacklinks } from '#src/operations/items/get-backlinks.ts'
import { getItem } from '#src/operations/items/get-item.ts'
import { purgeDeleted } from '#src/operations/items/purge-deleted.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { getTag } from '#src/operations/tags/get-tag.ts'
import { searchTags } from '#src/operations/tags/search-tags.ts'
import type { SqlContext, SqlOperation, Step } from '#src/runtime/operation.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { validateInput } from '#src/runtime/validate-input.ts'
import { insertAccount } from '#src/storage/accounts/accounts.ts'
import { insertKey } from '#src/storage/accounts/api-keys.ts'
import { limitedDb } from '#src/storage/sight/read-sight.ts'
import { type Base, openBase } from '#test/support/base.ts'
import type { OracleTag, World } from '#test/support/oracle.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { filterArbitrary, sortArbitrary } from '#test/support/random-filter.ts'
import { randomWorld } from '#test/support/random-world.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

// More on demand: LIMIT_WORLDS=200 LIMIT_SEED=7 npx vitest run --project facet test/limits-property.test.ts
const WORLDS = TEST_ENGINE === 'sqlite' ? runs(2, 3, 'LIMIT_WORLDS') : runs(1, 2, 'LIMIT_WORLDS')
const SEED = Number(process.env.LIMIT_SEED ?? 1)
const FILTERS = runs(12, 25)
const TIMEOUT = 300_000
const TIME = { now: new Date('2026-02-01T12:00:00.000Z'), time_zone: 'UTC' }

type OpenBase = Base & { close(): void | Promise<void> }
type Filter = Record<string, unknown>
// oxlint-disable-next-line typescript/no-explicit-any -- of whatever kind
type Read = readonly [operation: SqlOperation<any, any> | Step<any, any>, input: Record<string, unknown>]

/** A key that sees a part of a base. */
class LimitedKey {
  private readonly base: Base
  private readonly caller: Caller

  private constructor(base: Base, key_id: string) {
    this.base = base
    const client = { kind: 'key' as const, id: key_id, name: 'part' }
    this.caller = { ...NOBODY, user_id: key_id, role: 'editor', client, limited: true }
  }

  static async of(base: Base, key_id: string, limit: GivenLimit): Promise<LimitedKey> {
    const { limited_to } = await keptLimit({ db: base.db, ...TIME } as SqlContext, limit, key_id)
    const email = `${key_id}@example.org`
    const created_at = TIME.now.toISOString()
    await insertAccount(base.db, {
      user_id: key_id,
      email,
      email_key: email,
      display_name: null,
      password_hash: null,
      email_proven_at: null,
      created_at,
      role: 'editor',
    })
    await insertKey(base.db, {
      key_id,
      user_id: key_id,
      name: 'part',
      scope: 'write',
      prefix: 'facet_',
      key_hash: key_id,
      created_at,
      expires_at: null,
      limited_to,
    })
    return new LimitedKey(base, key_id)
  }

  /** What is answered, or refused, but for the times of changes. */
  async answer([operation, input]: Read): Promise<string> {
    try {
      const db = await limitedDb(this.base.db, this.caller.client!, TIME)
      const valid = 'input' in operation ? await validateInput(operation as SqlOperation, input) : input
      const context = { db, caller: this.caller, ...TIME, newId: () => 'never' }
      const { json, meta } = await runSql(operation, context, valid)
      // The newest event is one of the whole base: an interface seals it.
      const { event_id: _, ...said } = meta ?? {}
      return withoutTimes(JSON.stringify([json, said]))
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const { code, message, suggestion, details } = error
      return withoutTimes(JSON.stringify({ code, message, suggestion, details }))
    }
  }

  async itemIds(): Promise<string[]> {
    const [json] = JSON.parse(await this.answer([searchItems, { limit: 1000 }])) as [string]
    return (JSON.parse(json) as { item_id: string }[]).map(({ item_id }) => item_id)
  }

  async tagIds(): Promise<string[]> {
    const [json] = JSON.parse(await this.answer([searchTags, { limit: 1000 }])) as [string]
    return (JSON.parse(json) as { tag_id: string }[]).map(({ tag_id }) => tag_id)
  }
}

const withoutTimes = (text: string) => text.replaceAll(/(updated_at\\*":\\*")[^"\\]*/g, '$1')

describe.each(Array.from({ length: WORLDS }, (_, i) => SEED * 1000 + i))('in random world %i', (seed) => {
  it(
    'a limited key is answered as if there were nothing but what it sees',
    { timeout: TIMEOUT },
    async () => {
      const base = await openAny()
      try {
        await compare(base, seed)
      } finally {
        await base.close()
      }
    },
  )
})

async function compare(base: OpenBase, seed: number): Promise<void> {
  const world = await randomWorld(base, seed)
  const { key, limit } = await someKey(base, world, seed)
  const reads = readsOf(world, seed)
  const before: string[] = []
  for (const read of reads) before.push(await key.answer(read))
  const [items, tags] = [new Set(await key.itemIds()), new Set(await key.tagIds())]
  await removeOthers(base, world, items, tags)
  const all: GivenLimit = limit.tag_ids
    ? { tag_ids: [...tags] }
    : { filter: { created_at: { gt: '1970-01-01' } } }
  const other = await LimitedKey.of(base, 'K2', all)
  expect(new Set(await other.itemIds())).toEqual(items)
  for (const [i, read] of reads.entries())
    expect(before[i], `${read[0].name} ${JSON.stringify(read[1])} under ${JSON.stringify(limit)}`).toBe(
      await other.answer(read),
    )
}

/** By tags, by a filter, or by both, so that some items are seen and some are not. */
async function someKey(
  base: Base,
  world: World,
  seed: number,
): Promise<{ key: LimitedKey; limit: GivenLimit }> {
  const filters = fc.sample(filterArbitrary(world).filter(isLasting), { seed, numRuns: 200 })
  const chosen = fc.sample(
    fc.uniqueArray(fc.constantFrom(...world.tags.map(({ tag_id }) => tag_id)), {
      minLength: 1,
      maxLength: 2,
    }),
    { seed, numRuns: 200 },
  )
  for (const [i, filter] of filters.entries()) {
    const limit: GivenLimit = {
      ...(seed % 3 !== 1 && { tag_ids: chosen[i]! }),
      ...(seed % 3 !== 0 && { filter }),
    }
    const key = await LimitedKey.of(base, `K1-${i}`, limit).catch((error: unknown) => {
      if (error instanceof ServiceError) return undefined
      throw error
    })
    const seen = key ? (await key.itemIds()).length : 0
    if (key && seen > 3 && seen < world.items.length - 3) {
      expect(await key.itemIds()).toEqual(await seenByFilter(base, limit))
      return { key, limit }
    }
  }
  throw new Error('no limit shows a part')
}

/** What changes as time goes on is not the same twice. */
const isLasting = (filter: Filter) => !/"(today|now)"|updated_at/.test(JSON.stringify(filter))

/** The same by a filter of somebody who sees everything. */
async function seenByFilter(base: Base, { tag_ids, filter }: GivenLimit): Promise<string[]> {
  // Lists of a filter have at least two parts.
  const anything: Filter = { created_at: { gt: '1970-01-01' } }
  const nothing: Filter = { not: anything }
  const tagged = tag_ids && { or: [nothing, ...tag_ids.map((has_tag) => ({ has_tag }))] }
  const and = [anything, anything, tagged ?? anything, filter ?? anything]
  return (await base.run(searchItems, { filter: { and }, limit: 1000 })).map(({ item_id }) => item_id)
}

async function removeOthers(
  base: Base,
  world: World,
  items: ReadonlySet<string>,
  tags: ReadonlySet<string>,
): Promise<void> {
  const hidden = world.items.map(({ item_id }) => item_id).filter((item_id) => !items.has(item_id))
  for (const item_id of hidden) await base.run(deleteItem, { item_id })
  const unknown = world.tags.map(({ tag_id }) => tag_id).filter((tag_id) => !tags.has(tag_id))
  for (const tag_id of unknown) await base.run(deleteTag, { tag_id })
  const deleted = [...world.known].filter((item_id) => !items.has(item_id))
  for (const item_id of deleted)
    await base.run(purgeDeleted, { item_ids: [item_id] }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error // purged before
    })
  await base.run(purgeDeleted, { tag_ids: unknown })
}

function readsOf(world: World, seed: number): Read[] {
  const filters = fc.sample(filterArbitrary(world).filter(isLasting), { seed: seed + 1, numRuns: FILTERS })
  const sorts = fc.sample(
    sortArbitrary(world).filter((sort) => sort.every(({ by }) => by !== 'updated_at')),
    { seed: seed + 2, numRuns: FILTERS },
  )
  const ids = [...world.known]
  return [
    ...filters.flatMap((filter, i) => readsBy(filter, sorts[i]!, ids[i % ids.length]!)),
    ...world.tags.flatMap((tag) => readsOfTag(tag)),
    ...ids.flatMap((item_id): Read[] => [
      [getItem, { item_id, expand: true }],
      [getBacklinks, { item_id, limit: 3, count: true }],
      [getBacklinks, { item_id }],
    ]),
    ...WORDS.flatMap((text) => readsOfWords(text)),
    [searchTags, { count: true }],
    [searchTags, { filter: { search: 'a' }, sort: [{ by: 'name' }], count: true, limit: 2 }],
    [aggregateItems, { group_by: ['has_tag'] }],
    [aggregateItems, { group_by: ['name'], ids: true }],
  ]
}

const readsBy = (filter: Filter, sort: unknown, item_id: string): Read[] => [
  [searchItems, { filter, sort, limit: 5, count: true, expand: true }],
  [searchItems, { filter, limit: 1000, snippets: true }],
  [aggregateItems, { filter, group_by: ['has_tag'], ids: true }],
  [explainQuery, { filter, item_id }],
  [validateFilter, { filter }],
  [findHint, { filter, index: 0 }],
  [findNearest, { filter }],
]

/** What is read of the fields of a tag, whether it is known or not. */
function readsOfTag({ tag_id, name, fields }: OracleTag): Read[] {
  const names = Object.keys(fields).slice(0, 6)
  return [
    [getTag, { tag_id }],
    [searchItems, { filter: { has_tag: `${name}x` } }],
    [
      searchItems,
      { filter: { has_tag: tag_id }, fields: ['name', ...names.map((each) => `${tag_id}.${each}`)] },
    ],
    ...names.flatMap((field): Read[] => [
      [aggregateItems, { group_by: [`${tag_id}.${field}`] }],
      [aggregateItems, { group_by: [`${tag_id}.ref->name`, `${tag_id}.${field}`] }],
      [
        aggregateItems,
        {
          group_by: [`${tag_id}.ref->${tag_id}.${field}`],
          metrics: [{ count: true }, { count_distinct: `${tag_id}.refs->${tag_id}.${field}` }],
        },
      ],
      [searchItems, { fields: [`${tag_id}.ref->name`, `${tag_id}.refs->${tag_id}.${field}`] }],
      [searchItems, { filter: { [`${tag_id}.${field}`]: { is_null: false } }, count: true, limit: 0 }],
      [searchItems, { filter: { [`${tag_id}.${field}`]: { outdated: true } } }],
    ]),
  ]
}

const WORDS = ['open a', 'smile istanbul', 'nothing here', 'opne', 'öffnen 100']

const readsOfWords = (text: string): Read[] =>
  [['name'], ['name', 'description'], ['values'], ['name', 'description', 'values']].flatMap(
    (places): Read[] => [
      [searchItems, { filter: { search: { text, match: 'any', in: places } }, snippets: true, count: true }],
      [searchItems, { filter: { search: { text, match: 'words', in: places } }, snippets: true }],
      [searchItems, { filter: { not: { search: { text, match: 'any', in: places } } } }],
      [aggregateItems, { filter: { search: { text, match: 'any', in: places } }, group_by: ['name'] }],
      [findNearest, { filter: { search: { text, match: 'phrase', in: places } } }],
    ],
  )

async function openAny(): Promise<OpenBase> {
  if (TEST_ENGINE === 'postgres') return openPostgresBase()
  return openBase()
}
