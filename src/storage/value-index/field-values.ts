import { sql } from 'kysely'
import { isReference } from '#src/domain/field-schema.ts'
import { valueOf, type FieldValues } from '#src/domain/field-values.ts'
import { indexValues, type TargetRow } from '#src/domain/index-values.ts'
import { sameJson } from '#src/domain/same-json.ts'
import { parseUlid, type Ulid } from '#src/domain/ulid.ts'
import { rowInserter } from '#src/sql/insert-rows.ts'
import { type Db, query } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { isTextType } from '#src/storage/tags/text-fields.ts'
import { markWords } from '#src/storage/words/mark-words.ts'
import type { FieldRow, FieldRows, IndexedTag } from '#src/storage/value-index/fields.ts'
import { findTargets, type ReferenceTargets } from '#src/storage/value-index/reference-targets.ts'
import {
  unindexFieldEverywhere,
  unindexFieldOfItems,
  unindexFieldsOfItem,
} from '#src/storage/value-index/unindex.ts'

/** A tag on an item (row id) with its values. */
export interface AppliedValues {
  item: number
  tag: IndexedTag
  values: FieldValues
}

const insertRows = rowInserter('field_value', (dialect) => ['field', ...dialect.fieldValue.columns, 'item'])

/**
 * Writes the index rows of tags applied to live items (decision 4). `targets` saves a query where the references of the values
 * have been looked up already: all of them; `fresh` are items whose texts were inserted just now.
 */
export async function indexApplied(
  db: Db,
  applied: readonly AppliedValues[],
  targets?: ReferenceTargets,
  { fresh = false } = {},
): Promise<void> {
  if (!fresh) await markWords(db, withTexts(applied))
  const known = targets ?? (await findTargets(db, referencedIds(applied)))
  const { encode } = db.dialect.fieldValue
  const rows = applied.flatMap(({ item, tag, values }) => [
    [HAS_TAG, ...encode({ as: 'reference', item: tag.id }), item],
    ...valueRows(db, item, tag.rows, values, known),
  ])
  await insertSorted(db, rows)
}

/** The same of some fields of tags that are applied already. */
export async function indexFields(
  db: Db,
  applied: readonly AppliedValues[],
  targets: ReferenceTargets,
): Promise<void> {
  const rows = applied.flatMap(({ item, tag, values }) => valueRows(db, item, tag.rows, values, targets))
  await insertSorted(db, rows)
}

/** From this many items with the same value in a field on, their ids are all that is sent. */
const ALIKE = 64

/** Takes the list over. */
async function insertSorted(db: Db, rows: unknown[][]): Promise<void> {
  if (rows.length > 1) rows.sort(inIndexOrder)
  if (rows.length < ALIKE) return insertRows(db, rows)
  const others: unknown[][] = []
  for (let at = 0, end = 0; at < rows.length; at = end) {
    while (end < rows.length && isAlike(rows[at]!, rows[end]!)) end++
    const alike = rows.slice(at, end)
    if (alike.length < ALIKE) others.push(...alike)
    else await insertForMany(db, [alike[0]!], alike.map(itemOf))
  }
  await insertRows(db, others)
}

const itemOf = (row: readonly unknown[]) => row.at(-1) as number

/** They differ in nothing but the item. */
const isAlike = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.every((value, i) => i === a.length - 1 || value === b[i])

/** Neighbours in the index are written one after the other: its pages are found in memory. */
function inIndexOrder(a: readonly unknown[], b: readonly unknown[]): number {
  for (const [i, value] of a.entries()) {
    const other = b[i]
    if (value !== other) return (value as string) < (other as string) ? -1 : 1
  }
  return 0
}

/**
 * Brings the index of one tag on one live item from old values to new ones; only what differs is written.
 * `targets` as for `indexApplied`; the references of `after` are enough.
 */
export async function reindexValues(
  db: Db,
  { item, tag, values: after }: AppliedValues,
  before: FieldValues,
  targets?: ReferenceTargets,
): Promise<void> {
  const differing = differingNames(before, after)
  await unindexFieldsOfItem(db, item, fieldIds(tag.rows, namesWithValue(before, differing)))
  if (haveText(tag, differing)) await markWords(db, [item])
  const changed = Object.fromEntries(differing.map((name) => [name, valueOf(after, name)]))
  const known = targets ?? (await findTargets(db, referencedIds([{ item, tag, values: changed }])))
  await insertRows(db, valueRows(db, item, tag.rows, changed, known))
}

/** The same of many items at once, each with values of its own. */
export async function reindexValuesOfMany(
  db: Db,
  tag: IndexedTag,
  changed: readonly { item: number; before: FieldValues; after: FieldValues }[],
  targets?: ReferenceTargets,
): Promise<void> {
  const cleared = new Map<number, number[]>()
  const applied: AppliedValues[] = []
  const marked: number[] = []
  for (const { item, before, after } of changed) {
    const names = differingNames(before, after)
    if (haveText(tag, names)) marked.push(item)
    for (const id of fieldIds(tag.rows, namesWithValue(before, names)))
      (cleared.get(id) ?? cleared.set(id, []).get(id)!).push(item)
    applied.push({ item, tag, values: Object.fromEntries(names.map((name) => [name, valueOf(after, name)])) })
  }
  await markWords(db, marked)
  for (const [field, items] of cleared) await unindexFieldOfItems(db, field, items)
  const known = targets ?? (await findTargets(db, referencedIds(applied)))
  const rows = applied.flatMap(({ item, values }) => valueRows(db, item, tag.rows, values, known))
  await insertSorted(db, rows)
}

const differingNames = (before: FieldValues, after: FieldValues): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !sameJson(valueOf(before, name), valueOf(after, name)),
  )

/** Whether the words of an item are others where these values of it are. */
const haveText = ({ rows }: IndexedTag, names: readonly string[]): boolean =>
  names.some((name) => {
    const row = rows.get(name)
    return row !== undefined && isTextType(row.kind)
  })

const withTexts = (applied: readonly AppliedValues[]): number[] =>
  applied.flatMap(({ item, tag, values }) => (haveText(tag, Object.keys(values)) ? [item] : []))

const namesWithValue = (values: FieldValues, names: readonly string[]) =>
  names.filter((name) => valueOf(values, name) !== null)

function valueRows(
  db: Db,
  item: number,
  rows: FieldRows,
  values: FieldValues,
  targets: ReferenceTargets,
): unknown[][] {
  const { encode } = db.dialect.fieldValue
  const targetRow: TargetRow = (item_id) => targets.get(item_id)?.id
  return Object.entries(values).flatMap(([name, value]) => {
    const field = rows.get(name)
    if (!field) return []
    return indexValues(field.kind, value, targetRow).map((entry) => [field.id, ...encode(entry), item])
  })
}

const insertForItems = query((p: Record<string, unknown>, db, dialect) => {
  const { columns } = dialect.fieldValue
  return db
    .insertInto('field_value')
    .columns(['field', ...columns, 'item'] as ['field', 'val', 'item'])
    .expression(
      db
        .selectFrom(
          dialect
            .integers(p.items as string)
            .$castTo<{ value: number }>()
            .as('e'),
        )
        .select([
          sql`${p.field}`.as('field'),
          ...columns.map((column) => sql`${p[column]}`.as(column)),
          'e.value as item',
        ]),
    )
})

/**
 * Brings the index of a field of many live items (row ids) from what those that `had` a value had to what those that
 * `gets` one get, which is the same for all.
 */
export async function reindexFieldOfMany(
  db: Db,
  tag: IndexedTag,
  [field, value]: readonly [name: string, value: unknown],
  { had, gets }: { had: readonly number[]; gets: readonly number[] },
  targets: ReferenceTargets,
): Promise<void> {
  const row = tag.rows.get(field)
  if (!row) return
  if (isTextType(row.kind)) await markWords(db, [...new Set([...had, ...gets])])
  if (had.length) await unindexFieldOfItems(db, row.id, had)
  if (gets.length) await insertForMany(db, valueRows(db, 0, tag.rows, { [field]: value }, targets), gets)
}

/** Writes that many live items have a tag, and the index rows of the values that all of them get. */
export async function indexAppliedToMany(
  db: Db,
  tag: IndexedTag,
  values: FieldValues,
  items: readonly number[],
  targets: ReferenceTargets,
): Promise<void> {
  if (haveText(tag, Object.keys(values))) await markWords(db, items)
  const hasTag = [HAS_TAG, ...db.dialect.fieldValue.encode({ as: 'reference', item: tag.id })]
  await insertForMany(db, [hasTag, ...valueRows(db, 0, tag.rows, values, targets)], items)
}

async function insertForMany(
  db: Db,
  rows: readonly (readonly unknown[])[],
  items: readonly number[],
): Promise<void> {
  const names = ['field', ...db.dialect.fieldValue.columns]
  const list = JSON.stringify(items)
  for (const row of rows)
    await db.enqueue(insertForItems, {
      ...Object.fromEntries(names.map((name, i) => [name, row[i]])),
      items: list,
    })
}

/** Every id that is in a Reference or MultiReference field. */
export function referencedIds(applied: Iterable<AppliedValues>): Set<Ulid> {
  const ids = new Set<Ulid>()
  for (const { tag, values } of applied)
    for (const [name, value] of Object.entries(values)) {
      if (!isReference(tag.rows.get(name)?.kind)) continue
      for (const each of Array.isArray(value) ? value : [value]) {
        const id = typeof each === 'string' ? parseUlid(each) : null
        if (id !== null) ids.add(id)
      }
    }
  return ids
}

const fieldIds = (rows: FieldRows, names: readonly string[]) =>
  names.flatMap((name) => rows.get(name)?.id ?? [])

/** Items whose rows are made again at once. */
const REINDEX_CHUNK = 500

const itemsWithField = query((p: { field: number }, sql) =>
  sql.selectFrom('field_value').select('item').distinct().where('field', '=', p.field).orderBy('item'),
)
const storedValues = query((p: { tag: number; items: string }, sql, dialect) =>
  sql
    .selectFrom('item_tag')
    .select(['item', 'field_values'])
    .where(dialect.ofItems('tag'), '=', p.tag)
    .where('item', 'in', dialect.integers(p.items)),
)

/** Makes the rows of a field again under its present kind. Whatever has a value has a row, so those items are all. */
export async function reindexField(db: Db, tag: number, field: FieldRow): Promise<void> {
  const items = (await db.all(itemsWithField, { field: field.id })).map(({ item }) => item)
  await markWords(db, items) // what it was, or is now, may be text
  await unindexFieldEverywhere(db, field)
  const indexed: IndexedTag = { id: tag, rows: new Map([[field.name, field]]) }
  for (let at = 0; at < items.length; at += REINDEX_CHUNK) {
    const chunk = JSON.stringify(items.slice(at, at + REINDEX_CHUNK))
    const stored = (await db.all(storedValues, { tag, items: chunk })).map(({ item, field_values }) => ({
      item,
      tag: indexed,
      values: JSON.parse(field_values) as FieldValues,
    }))
    const targets = await findTargets(db, referencedIds(stored))
    await insertRows(
      db,
      stored.flatMap(({ item, values }) => valueRows(db, item, indexed.rows, values, targets)),
    )
  }
}
