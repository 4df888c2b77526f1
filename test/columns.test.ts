import { afterEach, describe, expect, it } from 'vitest'
import { Random } from '#bench/random.ts'
import { ServiceError } from '#src/domain/errors.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { enterDrafts } from '#src/storage/large/audit-drafts.ts'
import { aggregateItems } from '#src/operations/items/aggregate-items.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { CodedColumn, type Column, FlagColumn } from '#src/storage/columns/column.ts'
import { Columns } from '#src/storage/columns/columns.ts'
import { warmColumns } from '#src/storage/columns/warm-columns.ts'
import type { Db } from '#src/sql/query.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { type Transactional, withinTransaction } from '#src/engine/transaction.ts'
import { runSql } from '#src/runtime/sql-runner.ts'
import { type Base, openBase } from '#test/support/base.ts'
import { baseState } from '#test/support/base-state.ts'
import { openPostgresBase } from '#test/support/postgres-base.ts'
import { RandomChanges } from '#test/support/random-changes.ts'
import { runs } from '#test/support/runs.ts'
import { TEST_ENGINE } from '#test/support/test-database.ts'

// What is kept in memory is what the database has, whatever was done to it, and however it was done.

const SEEDS = [1, 2, 3, 4].slice(0, runs(TEST_ENGINE === 'sqlite' ? 2 : 1, 4))
const CHANGES = 60
const TIMEOUT = 300_000

let base: Base & { close(): void | Promise<void> }
afterEach(() => base.close())

const openAny = async () => (TEST_ENGINE === 'postgres' ? openPostgresBase() : openBase())
/** A connection that keeps columns, as readers do: here nothing is read but what is committed. */
const keeping = (db: Db): Db => Object.create(db, { committed: { value: new Map() } })

let now = Date.parse('2026-01-31T09:30:00.000Z')
const ids = ulidSource()

/** Makes this many changes at random; those that are refused change nothing. */
async function change(changes: RandomChanges, count: number): Promise<string> {
  const db = base.db as Transactional
  let name = ''
  for (let i = 0; i < count; i++) {
    const { operation, input } = changes.next(await baseState(db))
    const time = now++
    const context = { db, caller: base.caller, now: new Date(time), time_zone: 'UTC', newId: () => ids(time) }
    await withinTransaction(db, db.dialect.begin.write, () => runSql(operation, context, input)).catch(
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error
      },
    )
    name = operation.name
  }
  return name
}

interface Kept {
  live: unknown[]
  tags: unknown[][]
  fields: unknown[][]
}

async function contentOf(db: Db): Promise<Kept> {
  const columns = (await Columns.of(db))!
  const rows = <Row>(sql: string) => db.select<Row>({ sql, parameters: [] })
  const tags = await rows<{ id: number }>('select id from tag order by id')
  const fields = await rows<{ id: number; kind: string }>('select id, kind from field order by id')
  const kept: Kept = { live: cells(await columns.live(), columns.rows), tags: [], fields: [] }
  for (const { id } of tags) kept.tags.push(cells(await columns.tag(id), columns.rows))
  for (const { id, kind } of fields)
    kept.fields.push(cells(await columns.field({ id, type: kind } as BoundField), columns.rows))
  return kept
}

/** What an aggregate answers, or how it is refused. */
function answerOf(db: Db, input: object): Promise<unknown> {
  const context = { db, caller: base.caller, now: new Date(0), time_zone: 'UTC' }
  const reply = aggregateItems.run(context as never, input)
  return Promise.resolve(reply).catch((error: Error) => error.message)
}

function cells(column: Column | undefined, rows: number): unknown[] {
  if (!column) return ['no column']
  return Array.from({ length: rows }, (_, row) => {
    if (column instanceof FlagColumn) return column.flags[row]
    if (column instanceof CodedColumn) return [column.codes[row] === 1, column.values[column.codes[row]!]]
    return column.numbers[row]
  })
}

describe.each(SEEDS)('columns, with the seed %i', (seed) => {
  it('stay what the database has', { timeout: TIMEOUT }, async () => {
    base = await openAny()
    const reader = keeping(base.db)
    const changes = new RandomChanges(new Random(seed), { purges: false })
    for (let i = 0; i < CHANGES; i++) {
      const name = await change(changes, 1)
      expect(await contentOf(reader), `after ${i + 1} changes: ${name}`).toEqual(
        await contentOf(keeping(base.db)),
      )
    }
  })
})

describe('columns', () => {
  it(
    'that are read beforehand, little by little between changes, are what the database has',
    { timeout: TIMEOUT },
    async () => {
      base = await openAny()
      const changes = new RandomChanges(new Random(5), { purges: false })
      const status = { type: 'Select', variants: ['open', 'done'] }
      const fields = {
        status,
        done: 'Boolean',
        due: 'Date',
        effort: 'Number',
        parent: 'Reference',
        owner: 'String',
      }
      const { tag_id } = await base.run(createTag, { name: 'Task', fields })
      const { item_id: parent } = await base.run(createItem, { name: 'Parent' })
      const values = (i: number) => ({
        status: { variant: i % 3 ? 'open' : 'done' },
        done: i % 2 > 0,
        due: `2026-01-0${1 + (i % 9)}`,
        effort: i % 5 ? i / 4 : null,
        parent: i % 4 ? parent : null,
        owner: ['Ada', 'Bob', 'ß', ''][i % 4],
      })
      const items = Array.from({ length: 60 }, (_, i) => ({
        name: `Task ${i}`,
        tags: [{ tag_ref: { Existing: tag_id }, field_values: values(i) }],
      }))
      await base.run(bulkCreate, { items })
      const reader = keeping(base.db)
      for (let slice = 0; slice < 60; slice++) {
        await warmColumns(reader, { least: 0, entries: 7 })
        if (slice % 3 === 0) await change(changes, 1)
      }
      // Each slice moves on; at some time nothing is left.
      let slices = 0
      while (await warmColumns(reader, { least: 0, entries: 7 })) slices++
      expect(slices).toBeGreaterThan(20)
      const read: string[] = []
      const watched: Db = Object.create(reader, {
        select: {
          value: (statement: never) => {
            read.push(JSON.stringify(statement))
            return reader.select(statement)
          },
        },
      })
      const columns = (await Columns.of(watched))!
      const own = await base.db.select<{ id: number; kind: string; tag: number }>({
        sql: `select f.id, f.kind, f.tag from field f join tag t on t.id = f.tag where t.name = 'Task'`,
        parameters: [],
      })
      for (const { id, kind, tag } of own)
        for (const column of [
          columns.live(),
          columns.tag(tag),
          columns.field({ id, type: kind } as BoundField),
        ])
          expect(await column).toBeDefined()
      expect(own.length).toBeGreaterThanOrEqual(Object.keys(fields).length)
      expect(read).toEqual([])
      expect(await contentOf(reader)).toEqual(await contentOf(keeping(base.db)))
    },
  )

  it('that are newer than what a call sees are left alone', async () => {
    base = await openAny()
    const reader = keeping(base.db)
    const changes = new RandomChanges(new Random(9), { purges: false })
    await change(changes, 20)
    const before = await contentOf(reader)
    // As a snapshot from before the newest events has it.
    const older: Db = Object.create(reader, {
      all: {
        value: async (query: never, values: { id?: number }) => {
          const rows = (await reader.all(query, values as never)) as { event_id?: string }[]
          return rows.some(({ event_id }) => event_id !== undefined) ? [] : rows
        },
      },
      get: {
        value: async (query: never, values: never) => {
          const row = (await reader.get(query, values)) as { id: number; event_id?: string } | undefined
          return row?.event_id === undefined ? row : { ...row, id: row.id - 1 }
        },
      },
    })
    expect(await Columns.of(older)).toBeUndefined()
    expect(await contentOf(reader)).toEqual(before)
  })

  it('are not asked while the log has yet to learn of a large change', { timeout: TIMEOUT }, async () => {
    base = await openAny()
    const reader = keeping(base.db)
    const { tag_id } = await base.run(createTag, { name: 'Task', fields: { owner: 'String' } })
    const tags = [{ tag_ref: { Existing: tag_id }, field_values: { owner: 'Ada' } }]
    await base.run(bulkCreate, {
      items: Array.from({ length: 5000 }, (_, i) => ({ name: `Task ${i}`, tags })),
    })
    await contentOf(reader)
    const db = base.db as Transactional
    const context = { db, caller: base.caller, now: new Date(now), time_zone: 'UTC', newId: () => ids(now) }
    const input = { filter: { has_tag: 'Task' }, tag_id, field_values: { owner: 'Bob' }, merge: true }
    await withinTransaction(db, db.dialect.begin.write, () => runSql(bulkUpdateFields, context, input))
    expect(await Columns.of(reader)).toBeUndefined()
    while (await withinTransaction(db, db.dialect.begin.write, () => enterDrafts(db)));
    expect(await contentOf(reader)).toEqual(await contentOf(keeping(base.db)))
  })

  it('answer as the statements do', async () => {
    base = await openAny()
    const changes = new RandomChanges(new Random(5), { purges: false })
    await change(changes, 80)
    const { tags } = await baseState(base.db)
    const fields = Object.values(tags).flatMap(({ name, fields: own, live }) =>
      live ? Object.keys(own).map((field) => `${name}.${field}`) : [],
    )
    expect(fields.length).toBeGreaterThan(2)
    const byTag = [undefined, ...fields.slice(0, 4)].map((field) => ({
      group_by: ['has_tag'],
      ...(field !== undefined && { filter: { [field]: { exists: true } } }),
      sort: [{ by: 'key' }],
    }))
    for (const input of byTag)
      expect(await answerOf(keeping(base.db), input)).toEqual(await answerOf(base.db, input))
    for (const by of fields)
      for (const of of fields)
        for (const metric of ['min', 'max', 'sum', 'avg', 'count_distinct']) {
          const input = { group_by: [by], metrics: [{ [metric]: of }], sort: [{ by: 'key' }] }
          const answers = [await answerOf(base.db, input), await answerOf(keeping(base.db), input)]
          expect(answers[1], JSON.stringify(input)).toEqual(answers[0])
        }
  })
})
