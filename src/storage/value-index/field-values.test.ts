import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceError } from '#src/domain/errors.ts'
import { flattenFields, type FieldMap, type FieldSchema, type FieldType } from '#src/domain/field-schema.ts'
import { indexValues } from '#src/domain/index-values.ts'
import { applyTag } from '#src/operations/items/apply-tag.ts'
import { createItem } from '#src/operations/items/create-item.ts'
import { deleteItem } from '#src/operations/items/delete-item.ts'
import { removeTag } from '#src/operations/items/remove-tag.ts'
import { restoreItem } from '#src/operations/items/restore-item.ts'
import { updateTagValues } from '#src/operations/items/update-tag-values.ts'
import { createTag } from '#src/operations/tags/create-tag.ts'
import { deleteTag } from '#src/operations/tags/delete-tag.ts'
import { updateTag } from '#src/operations/tags/update-tag.ts'
import { query } from '#src/sql/query.ts'
import { sqliteDialect } from '#src/sql/sqlite-dialect.ts'
import { takeSomeOut } from '#src/storage/large/leaving-items.ts'
import { findTagById } from '#src/storage/tags/tags.ts'
import { deleteAsOneOfMany } from '#test/support/delete-as-one-of-many.ts'
import { openBase } from '#test/support/base.ts'

type Base = Awaited<ReturnType<typeof openBase>>
const BASE_TAGS = ['First', 'Second']
const FIELDS = ['a', 'b', 'c', 'constructor']
const ITEMS = 4

const select: FieldSchema = { type: 'Select', variants: ['x', { name: 'y', fields: { sub: 'Number' } }] }
/** What values a type takes; `item0` … stand for the ids of items. */
const TYPES: Record<string, { schema: FieldSchema; values: readonly unknown[] }> = {
  String: { schema: 'String', values: ['', 'x', '2026-01-31', 'item0'] },
  Number: { schema: 'Number', values: [0, -1.5, 1e300, 7] },
  Boolean: { schema: 'Boolean', values: [true, false] },
  Date: { schema: 'Date', values: ['2026-01-31', '2024-02-29'] },
  Reference: { schema: 'Reference', values: ['item0', 'item1', 'item2'] },
  Select: { schema: select, values: [{ variant: 'x' }, { variant: 'y' }] },
  MultiSelect: { schema: { type: 'MultiSelect', variants: ['x', 'y'] }, values: [[], ['y', 'x'], ['x']] },
}
const fieldMap = fc
  .dictionary(fc.constantFrom(...FIELDS), fc.constantFrom(...Object.values(TYPES)), { noNullPrototype: true })
  .map((types): FieldMap =>
    Object.fromEntries(Object.entries(types).map(([name, { schema }]) => [name, schema])),
  )

/** Which of its type's values a field gets; 9 stands for null. */
const choices = fc.dictionary(fc.constantFrom(...FIELDS, 'sub'), fc.nat(9), { noNullPrototype: true })

const item = fc.nat(ITEMS - 1)
const tag = fc.constantFrom(...BASE_TAGS)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('apply' as const), item, tag, choices }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('update' as const), item, tag, choices, merge: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('schema' as const), tag, fields: fieldMap }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), item, tag }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), item }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete with many' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restore' as const), item }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete tag' as const), tag }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const indexRows = query((_: object, sql) => sql.selectFrom('field_value').select(['field', 'val', 'item']))
const stored = query((_: object, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('item', 'item.id', 'item_tag.item')
    .select(['item', 'tag', 'field_values'])
    .where('deleted_at', 'is', null),
)
const fieldRows = query((_: object, sql) => sql.selectFrom('field').select(['id', 'tag', 'name', 'kind']))
const itemRows = query((_: object, sql) => sql.selectFrom('item').select(['id', 'item_id']))

const asLine = (field: number, val: unknown, item: number) =>
  `${field} ${val instanceof Uint8Array ? `marker ${Buffer.from(val).toString('hex')}` : `${typeof val === 'string' ? 'text' : 'number'} ${String(val)}`} ${item}`

/** The whole index as it is made from nothing but the stored values. */
async function indexFromScratch({ db }: Base): Promise<string[]> {
  const rowOf = new Map((await db.all(itemRows, {})).map(({ item_id, id }) => [item_id, id]))
  const fields = new Map((await db.all(fieldRows, {})).map((row) => [`${row.tag} ${row.name}`, row]))
  return (await db.all(stored, {}))
    .flatMap(({ item, tag, field_values }) => [
      asLine(0, BigInt(tag), item),
      ...Object.entries(JSON.parse(field_values) as object).flatMap(([name, each]) => {
        const { id, kind } = fields.get(`${tag} ${name}`)!
        return indexValues(kind as FieldType, each, (ulid) => rowOf.get(ulid)).map((entry) =>
          asLine(id, sqliteDialect.fieldValue.encode(entry)[0], item),
        )
      }),
    ])
    .sort()
}

async function indexAsItIs({ db }: Base): Promise<string[]> {
  return (await db.all(indexRows, {})).map(({ field, val, item }) => asLine(field, val, item)).sort()
}

describe('the value index', () => {
  let base: Base
  beforeAll(async () => {
    base = await openBase()
  })
  afterAll(() => base.close())

  it('is what the stored values say, whatever happens to items and schemas', async () => {
    let round = 0
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
        round++
        const tags = new Map<string, string>()
        for (const name of BASE_TAGS)
          tags.set(
            name,
            (await base.run(createTag, { name: `${name} ${round}`, fields: { a: 'String', b: select } }))
              .tag_id,
          )
        const items: string[] = []
        for (let i = 0; i < ITEMS; i++)
          items.push((await base.run(createItem, { name: `Item ${i}` })).item_id)
        for (const given of steps) {
          if (await attempt(base, given, tags, items)) taken++
          expect(await indexAsItIs(base)).toEqual(await indexFromScratch(base))
          for (const tag_id of tags.values()) await expectKindsOfSchema(base, tag_id)
        }
        for (const tag_id of tags.values()) await base.run(deleteTag, { tag_id }).catch(serviceErrorOnly)
        expect(await indexAsItIs(base)).toEqual([])
      }),
      { numRuns: 60, endOnFailure: true },
    )
    expect(taken).toBeGreaterThan(300) // most refusals are the point of other tests
  })
})

/** Each field is indexed by the type that it has now. */
async function expectKindsOfSchema({ db }: Base, tag_id: string): Promise<void> {
  const tag = await findTagById(db, tag_id)
  for (const { name, type } of tag?.schema.values() ?? []) expect(tag!.rows.get(name)?.kind).toBe(type)
}

function serviceErrorOnly(error: unknown): false {
  if (error instanceof ServiceError) return false
  throw error
}

/** Whether the step was taken; a refused one changes nothing. */
function attempt(base: Base, given: Step, tags: Map<string, string>, items: string[]): Promise<boolean> {
  return take(base, given, tags, items).then(() => true, serviceErrorOnly)
}

async function take(base: Base, given: Step, tags: Map<string, string>, items: string[]): Promise<unknown> {
  const item_id = 'item' in given ? items[given.item]! : ''
  const tag_id = 'tag' in given ? tags.get(given.tag)! : ''
  switch (given.kind) {
    case 'apply':
      return base.run(applyTag, {
        item_id,
        tag: {
          tag_ref: { Existing: tag_id },
          field_values: await valuesFor(base, tag_id, given.choices, items),
        },
      })
    case 'update':
      return base.run(updateTagValues, {
        item_id,
        tag_id,
        field_values: await valuesFor(base, tag_id, given.choices, items),
        merge: given.merge,
      })
    case 'schema':
      return base.run(updateTag, { tag_id, fields: given.fields })
    case 'remove':
      return base.run(removeTag, { item_id, tag_id })
    case 'delete':
      return base.run(deleteItem, { item_id })
    case 'delete with many':
      return base.run(deleteAsOneOfMany, { item_id })
    case 'clear':
      return takeSomeOut(base.db, 1)
    case 'restore':
      return base.run(restoreItem, { item_id })
    case 'delete tag':
      return base.run(deleteTag, { tag_id })
  }
}

/** The chosen values as far as the tag has such fields; a few that it has not, so that some are refused. */
async function valuesFor(base: Base, tag_id: string, choices: Record<string, number>, items: string[]) {
  const schema = (await findTagById(base.db, tag_id))?.schema ?? flattenFields({})
  return Object.fromEntries(
    Object.entries(choices).flatMap(([name, choice]) => {
      const type = schema.get(name)?.type
      if (!type) return choice === 0 ? [[name, null]] : []
      const { values } = TYPES[type]!
      const value = choice === 9 ? null : values[choice % values.length]
      const isItem = typeof value === 'string' && value.startsWith('item')
      return [[name, isItem ? items[Number(value.slice(4))] : value]]
    }),
  )
}
