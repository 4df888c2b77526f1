import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { toReply } from '#src/domain/reply.ts'
import { ulidSource } from '#src/domain/ulid-source.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { bulkApplyTag } from '#src/operations/items/bulk-apply-tag.ts'
import { bulkCreate } from '#src/operations/items/bulk-create.ts'
import { bulkDelete } from '#src/operations/items/bulk-delete.ts'
import { bulkRemoveTag } from '#src/operations/items/bulk-remove-tag.ts'
import { bulkUpdateFields } from '#src/operations/items/bulk-update-fields.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import type { SqlOperation } from '#src/runtime/operation.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { indexDisagreements } from '#test/support/index-disagreements.ts'
import { openBase } from '#test/support/base.ts'
import { OpenChange } from '#src/storage/changes/open-change.ts'

const STATUS = {
  type: 'Select',
  variants: [
    'open',
    { name: 'waiting', fields: { on: 'String' } },
    { name: 'done', fields: { on: 'String', at: 'Date' } },
  ],
}
const OLD_FIELDS = { title: 'String', effort: 'Number', gone: 'String', to: 'Reference', status: STATUS }
const FIELDS = {
  title: 'String',
  effort: 'String',
  to: 'Reference',
  status: STATUS,
  labels: { type: 'MultiSelect', variants: ['a', 'b'] },
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
/** Values of the new schema, some wrong, some for fields that have left it. */
const values = (targets: readonly string[]) =>
  fc.record(
    {
      title: maybe(fc.constantFrom('x', 'y', '')),
      effort: maybe(fc.constantFrom<unknown>('1', '2', 3)),
      gone: fc.constantFrom(null, null, 'x'),
      to: maybe(fc.constantFrom(...targets)),
      status: maybe(fc.constantFrom({ variant: 'open' }, { variant: 'waiting' }, { variant: 'done' })),
      on: maybe(fc.constantFrom('rain')),
      at: maybe(fc.constantFrom('2026-01-01')),
      labels: maybe(fc.constantFrom([], ['a'], ['b', 'a'])),
    },
    { requiredKeys: [] },
  )

const filters = fc.constantFrom<object>(
  { search: '' },
  { has_tag: 'Task' },
  { not: { has_tag: 'Task' } },
  { 'Task.title': { exists: true } },
  { 'Task.status': 'done' },
  { and: [{ has_tag: 'Task' }, { 'Task.to': { exists: false } }] },
  { 'Task.title': 'nothing has this' },
)

type Outcome = { answer: any } | { code: string; message: string; details: unknown } // eslint-disable-line typescript/no-explicit-any

describe('bulk operations', () => {
  let base: Awaited<ReturnType<typeof openBase>>
  let items: string[]
  let tag_id: string
  const newId = ulidSource()
  let now = Date.parse('2026-03-01T00:00:00.000Z')

  async function run(operation: SqlOperation, input: object): Promise<Outcome> {
    const time = now++
    try {
      const nextId = () => newId(time)
      const change = new OpenChange('bulkCreate', nextId)
      const context = {
        db: base.db,
        caller: base.caller,
        now: new Date(time),
        time_zone: 'UTC',
        newId: nextId,
        change,
      }
      return { answer: JSON.parse(toReply(await operation.run(context, input as never)).json) }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return { code: error.code, message: error.message, details: error.details }
    }
  }

  /** What `work` leaves behind, taken back again. */
  async function tried<T>(work: () => Promise<T>): Promise<{ result: T; left: State }> {
    base.db.exec('BEGIN IMMEDIATE')
    try {
      const result = await work()
      return { result, left: state() }
    } finally {
      base.db.rollback()
    }
  }

  type Row = Record<string, unknown>
  type State = ReturnType<typeof state>

  /** Everything but times and the ids of events. */
  function state() {
    const rows = (sql: string) => base.db.raw.prepare(sql).all() as Row[]
    return {
      items: rows(
        'select id, name, deleted_at is null as live, updated_at >= ? as moved from item'.replace(
          '?',
          "'2026-03-01'",
        ),
      ),
      tags: rows('select * from item_tag order by item, tag'),
      values: rows('select * from field_value order by field, item, val'),
      texts: rows('select * from item_text'),
      events: rows(
        `select event_type, item_id, tag_id, details from audit_event where created_at >= '2026-03-01' order by item_id, id`,
      ),
      disagreements: indexDisagreements(base.db),
    }
  }

  beforeAll(async () => {
    base = await openBase()
    tag_id = (await base.run(createTag, { name: 'Task', fields: OLD_FIELDS })).tag_id
    await base.run(createTag, { name: 'Other', fields: {} })
    const created = await base.run(bulkCreate, { items: Array.from({ length: 12 }, (_, i) => `Item ${i}`) })
    items = created.map(({ item_id }) => item_id)
    const apply = (i: number, field_values: object) =>
      base.run(applyTag, {
        item_id: items[i]!,
        tag: { tag_ref: { Existing: 'Task' }, field_values: field_values as Record<string, unknown> },
      })
    const to = items[11]!
    await apply(0, { title: 'x', effort: 1, gone: 'old', status: { variant: 'done' }, at: '2026-01-01' })
    await apply(1, { gone: null, to, status: { variant: 'waiting' }, on: 'rain' })
    await apply(2, { effort: 3, to })
    await apply(3, { title: 'x', to, status: { variant: 'open' } })
    await base.run(updateTag, { tag_id, fields: FIELDS })
    await apply(4, { title: 'x', effort: '1', labels: ['a'] })
    await apply(5, { labels: [], status: { variant: 'done' }, on: 'rain' })
    await apply(6, {})
    await apply(7, { title: null, to: items[10]! })
    await base.run(deleteItem, { item_id: items[10]! })
  })
  afterAll(() => base.close())

  const tagOf = (input: { tag_id?: string; tag?: { tag_ref: { Existing: string } } }) =>
    input.tag_id ? 'Task' : input.tag!.tag_ref.Existing

  /** What a sample says of the items that differ: the values of a tag, or all where they are deleted. */
  function shownOf(before: State, after: State, tag: string | null) {
    const tagRows = base.db.raw.prepare('select id, name from tag').all() as Row[]
    const names = new Map(tagRows.map((row) => [row.id, row.name]))
    const entries = ({ tags }: State, item: unknown) => tags.filter((entry) => entry.item === item)
    return before.items.flatMap((item, i) => {
      const [had, has] = [entries(before, item.id), entries(after, item.id)]
      const goes = item.live !== after.items[i]!.live
      if (!goes && JSON.stringify(had) === JSON.stringify(has)) return []
      const values = (rows: State['tags']) => {
        const of = rows.map((row) => [names.get(row.tag), JSON.parse(row.field_values as string)])
        return Object.fromEntries(of) as Record<string, unknown>
      }
      const told = tag
        ? { before: values(had)[tag] ?? null, after: values(has)[tag] ?? null }
        : { before: values(had), after: null }
      return [{ item_id: itemIdOf(item.id), name: item.name, ...told }]
    })
  }
  const itemIdOf = (id: unknown) =>
    (base.db.raw.prepare('select item_id from item where id = ?').get(id) as Row).item_id

  /** The bulk call does what the single calls do to each affected item, or refuses when one of them is refused. */
  async function expectSameAsOneByOne(
    bulk: SqlOperation,
    input: object,
    one: SqlOperation,
    inputOf: (item_id: string) => object,
  ) {
    const before = state()
    const dry = await tried(() => run(bulk, { ...input, dry_run: true }))
    expect(dry.left).toEqual(before)
    const real = await tried(() => run(bulk, input))
    if ('code' in real.result) {
      expect(dry.result).toEqual(real.result)
      return real.result
    }
    const { answer } = real.result
    const sample = shownOf(before, real.left, bulk === bulkDelete ? null : tagOf(input))
    expect(dry.result).toEqual({ answer: { ...answer, dry_run: true, sample: sample.slice(0, 20) } })
    expect(answer.changed_count).toBe(sample.length)
    const affected: string[] = answer.affected_ids
    const singles = await tried(async () => {
      for (const item_id of affected) expect(await run(one, inputOf(item_id))).toHaveProperty('answer')
    })
    expect(real.left).toEqual(singles.left)
    return real.result
  }

  it('update fields as updating one item after the other would', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        values([items[9]!, items[10]!, items[11]!]),
        fc.boolean(),
        async (filter, field_values, merge) => {
          const outcome = await expectSameAsOneByOne(
            bulkUpdateFields,
            { filter, tag_id, field_values, merge },
            updateTagValues,
            (item_id) => ({
              item_id,
              tag_id,
              merge,
              // A null for a field that the item has no more of is accepted in bulk where another item has it.
              field_values: hasGone(item_id) || !merge ? field_values : without(field_values, 'gone'),
            }),
          )
          if ('answer' in outcome) return
          expect(outcome.code).toBe('BadRequest')
          const results: boolean[] = []
          for (const item_id of items.slice(0, 8))
            results.push(
              'code' in
                (await tried(() => run(updateTagValues, { item_id, tag_id, field_values, merge }))).result,
            )
          expect(results).toContain(true)
        },
      ),
      { numRuns: 300 },
    )
  })

  const hasGone = (item_id: string) => items.indexOf(item_id) < 2
  const without = ({ ...values }: Record<string, unknown>, name: string) => {
    if (values[name] === null) delete values[name]
    return values
  }

  it('apply a tag as applying it to one item after the other would', async () => {
    await fc.assert(
      fc.asyncProperty(
        filters,
        values([items[9]!, items[11]!]),
        fc.constantFrom('Task', 'Other'),
        async (filter, given, Existing) => {
          const tag = { tag_ref: { Existing }, field_values: Existing === 'Task' ? given : {} }
          await expectSameAsOneByOne(bulkApplyTag, { filter, tag }, applyTag, (item_id) => ({ item_id, tag }))
        },
      ),
      { numRuns: 100 },
    )
  })

  it('remove a tag and delete as one item after the other would', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        await expectSameAsOneByOne(bulkRemoveTag, { filter, tag_id }, removeTag, (item_id) => ({
          item_id,
          tag_id,
        }))
        await expectSameAsOneByOne(bulkDelete, { filter }, deleteItem, (item_id) => ({ item_id }))
      }),
      { numRuns: 20 },
    )
  })
})
