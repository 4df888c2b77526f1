import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import { searchItems } from '#src/operations/items/search-items.ts'
import { type Base, openBase } from '#test/support/base.ts'
import type { World } from '#test/support/oracle.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { filterArbitrary, sortArbitrary } from '#test/support/random-filter.ts'
import { randomHistory } from '#test/support/random-world.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

// More on demand: AS_OF_HISTORIES=200 AS_OF_SEED=7 npx vitest run test/as-of.test.ts
const HISTORIES = runs(1, 3, 'AS_OF_HISTORIES')
const SEED = Number(process.env.AS_OF_SEED ?? 1)
/** Moments of a history, questions at each, and changes from one to the next. */
const [MOMENTS, QUESTIONS, CHANGES] = [4, 8, 12]
const TIMEOUT = 300_000

type OpenBase = Base & { close(): void | Promise<void> }
type Input = Record<string, unknown>

/** What the base itself answered when it was as it was. */
interface Asked {
  time: string
  input: Input
  answer: unknown
  meta: unknown
}

describe.each(Array.from({ length: HISTORIES }, (_, i) => SEED * 1000 + i))(
  'of random history %i',
  (seed) => {
    let base: OpenBase
    const searches: Asked[] = []
    const groups: Asked[] = []
    beforeAll(async () => {
      base = await openAny(seed)
      const history = await randomHistory(base, seed)
      for (let moment = 0; moment < MOMENTS; moment++) {
        const world = await history.snapshot()
        for (const input of fc.sample(searchArbitrary(world), { numRuns: QUESTIONS, seed: seed + moment }))
          searches.push(await ask(base, searchItems, input))
        for (const input of fc.sample(groupArbitrary(world), { numRuns: QUESTIONS, seed: seed + moment }))
          groups.push(await ask(base, aggregateItems, input))
        for (let i = 0; i < CHANGES; i++) {
          await history.change()
          // What was made of the log is kept, and takes in what happens.
          if (i % 4 === 0) await checkSame(base, searchItems, searches[i % QUESTIONS]!)
        }
      }
    }, TIMEOUT)
    afterAll(() => base.close())

    it('searches find what the base found then, page by page', { timeout: TIMEOUT }, async () => {
      for (const [i, asked] of searches.entries()) {
        await checkSame(base, searchItems, asked)
        const input = { ...asked.input, as_of: asked.time }
        if (i % 4 === 0) expect(await inPages(base, input)).toEqual(idsOf(asked.answer))
        if (i % 4 === 2 && Array.isArray(asked.answer))
          expect([input, await counted(base, input)]).toEqual([input, asked.answer.length])
        if (i % 4 === 1) expect(await bySkipping(base, input)).toEqual(idsOf(asked.answer))
      }
    })

    it('groups are what they were then', { timeout: TIMEOUT }, async () => {
      for (const asked of groups) await checkSame(base, aggregateItems, asked)
    })
  },
)

type Operation = typeof searchItems | typeof aggregateItems

async function checkSame(base: Base, operation: Operation, { time, input, answer, meta }: Asked) {
  const asked = { ...input, as_of: time }
  const now = await ask(base, operation, asked)
  expect([asked, now.answer, now.meta]).toEqual([asked, answer, meta])
}

async function ask(base: Base, operation: Operation, input: Input): Promise<Asked> {
  try {
    const answer = await base.run(operation as typeof searchItems, input)
    const time = base.lastTime()
    const meta = await base.meta(operation as typeof searchItems, { as_of: time, ...input })
    return { time, input, answer, meta: { warnings: meta.warnings, total: meta.total } }
  } catch (error) {
    return { time: base.lastTime(), input, answer: String(error), meta: null }
  }
}

const idsOf = (answer: unknown): string[] =>
  Array.isArray(answer) ? answer.map(({ item_id }: { item_id: string }) => item_id) : []

async function inPages(base: Base, input: Input): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ids.length < 1000;) {
    const page = { ...input, limit: 5, ...(after !== undefined && { after }) }
    const list = await tried(base.run(searchItems, page))
    if (!list) return []
    ids.push(...idsOf(list))
    after = (await base.meta(searchItems, page)).next
    if (after === undefined) break
  }
  return ids
}

/** Asked by itself it is counted in another way. */
async function counted(base: Base, { filter, as_of }: Input): Promise<number | undefined> {
  const asked: Input = { filter, as_of, limit: 0, count: true }
  return (await base.meta(searchItems, asked)).total
}

async function bySkipping(base: Base, input: Input): Promise<string[]> {
  const ids: string[] = []
  for (let skip = 0; skip < 1000; skip += 7) {
    const list = await tried(base.run(searchItems, { ...input, limit: 7, skip }))
    if (!list?.length) break
    ids.push(...idsOf(list))
  }
  return ids
}

const tried = <T>(answer: Promise<T>): Promise<T | undefined> => answer.catch(() => undefined)

/** Filters over all of the language, orders, and what is shown of items. */
function searchArbitrary(world: World): fc.Arbitrary<Input> {
  const paths = fieldsOf(world, 'Reference', 'MultiReference').flatMap((key) => [`${key}->name`, key])
  return fc
    .record({
      filter: filterArbitrary(world),
      sort: sortArbitrary(world),
      count: fc.boolean(),
      expand: fc.boolean(),
      fields: fc.option(fc.uniqueArray(fc.constantFrom('item_id', 'name', 'tags', 'updated_at', ...paths))),
    })
    .map(({ sort, fields, ...rest }) => ({
      ...rest,
      ...(sort.length && { sort }),
      limit: 200,
      ...(fields && { fields: [...new Set(['item_id', ...fields])] }),
    }))
}

function groupArbitrary(world: World): fc.Arbitrary<Input> {
  const any = fieldsOf(world)
  const references = fieldsOf(world, 'Reference', 'MultiReference')
  const key = fc.oneof(
    fc.constantFrom(...any, 'has_tag', 'name'),
    fc.tuple(fc.constantFrom(...references), fc.constantFrom('name', ...any)).map((path) => path.join('->')),
    fc.record({
      by: fc.constantFrom('created_at', 'updated_at', ...fieldsOf(world, 'Date', 'DateTime')),
      bucket: fc.constantFrom('day', 'month'),
    }),
  )
  const first = fc
    .uniqueArray(fc.constantFrom(...references.flatMap((path) => [`${path}->name`, 'name'])), {
      minLength: 1,
      maxLength: 3,
    })
    .map((paths) => ({ first: paths }))
  const metric = fc
    .tuple(fc.constantFrom('min', 'max', 'count_distinct', 'sum', 'avg'), fc.constantFrom(...any))
    .map(([of, field]) => ({ [of]: field }))
  return fc.record({
    filter: filterArbitrary(world),
    group_by: fc.array(fc.oneof({ weight: 4, arbitrary: key }, { weight: 1, arbitrary: first }), {
      maxLength: 2,
    }),
    metrics: fc.array(metric, { maxLength: 2 }),
    ids: fc.boolean(),
  })
}

function fieldsOf({ tags }: World, ...types: string[]): string[] {
  return tags.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([field, schema]) => {
      const type = typeof schema === 'string' ? schema : (schema as { type: string }).type
      return !types.length || types.includes(type) ? [`${name}.${field}`] : []
    }),
  )
}

/** In every other history what was made of the log is kept from one question to the next. */
async function openAny(seed: number): Promise<OpenBase> {
  const base: OpenBase = TEST_ENGINE === 'sqlite' ? await openBase() : await openPostgresBase()
  if (seed % 2 === 0) Object.assign(base.db, { committed: new Map() })
  return base
}
