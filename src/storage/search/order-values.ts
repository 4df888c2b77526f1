import type { FieldValues } from '#src/domain/field-values.ts'
import { indexValues } from '#src/domain/index-values.ts'
import type { Ulid } from '#src/domain/ulid.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { exactKind } from '#src/filter/sql/value-kind.ts'
import type { ValueKind } from '#src/sql/filter-dialect.ts'
import { type Db, query } from '#src/sql/query.ts'
import { type WholeItemRow, wholeItemRows } from '#src/storage/items/whole-items.ts'
import { findTargets } from '#src/storage/value-index/reference-targets.ts'
import { tierOf } from '#src/storage/search/relevance.ts'
import type { OrderColumn, SearchOrder } from '#src/storage/search/search-order.ts'

/** What an item is sorted by: a text, a number (of a Select the position of its variant), or nothing. */
export type OrderValue = string | number | null

export interface OrderedItem {
  item_id: Ulid
  values: OrderValue[]
}

const indexed = (kind: ValueKind) =>
  query((p: { field: number; items: string }, sql, { filter, integers }) =>
    sql
      .selectFrom('field_value as v')
      .select(['item', filter.value('v', kind).as('value')])
      .where('field', '=', filter.anyField(p.field))
      .where('item', 'in', integers(p.items))
      .where(filter.inRange(filter.withoutIndex(filter.value('v', kind), kind), kind, {}))
      .$castTo<{ item: number; value: string | number }>(),
  )
/** What the order goes by. */
const INDEXED: Record<ValueKind, ReturnType<typeof indexed>> = {
  text: indexed('text'),
  full_text: indexed('full_text'),
  number: indexed('number'),
  row_id: indexed('row_id'),
}

/** Values that an item (row id) has for the order's keys, deleted items included; purged ones are left out. */
export async function orderValues(
  db: Db,
  { keys, relevance }: SearchOrder,
  ids: readonly number[],
): Promise<Map<number, OrderedItem>> {
  const rows = await wholeItemRows(db, ids)
  const found = new Map(rows.map(({ id, item_id }) => [id, { item_id, values: [] as OrderValue[] }]))
  if (relevance) for (const row of rows) found.get(row.id)!.values.push(tierOf(relevance, row))
  for (const { column, field, tier } of keys) {
    if (tier) {
      for (const row of rows) found.get(row.id)!.values.push(tierOf(tier, row))
      continue
    }
    const values = field && (await fieldValues(db, field, rows))
    for (const row of rows)
      found.get(row.id)!.values.push(column ? columnOf(row, column) : sortable(field, values?.get(row.id)))
  }
  return found
}

/** Lengths as the engines count them: in code points. */
const columnOf = (row: WholeItemRow, column: OrderColumn) =>
  column === 'name_length' ? Array.from(row.name).length : row[column]

const sortable = (field: BoundField, value: string | number | undefined): OrderValue => {
  if (value === undefined) return null
  if (field.type !== 'Select') return value
  const position = field.variants.indexOf(String(value))
  return position < 0 ? null : position
}

/** The index holds live items only; what a deleted one was sorted by is read from what it keeps. */
async function fieldValues(
  db: Db,
  field: BoundField,
  rows: readonly WholeItemRow[],
): Promise<Map<number, string | number>> {
  const items = JSON.stringify(rows.map(({ id }) => id))
  const live = await db.all(INDEXED[exactKind(field, db.dialect.filter)], { field: field.id, items })
  const values = new Map(live.map(({ item, value }) => [item, value]))
  for (const { id, deleted_at } of rows) {
    const kept = deleted_at === null ? undefined : await keptValue(db, field, id)
    if (kept !== undefined) values.set(id, kept)
  }
  return values
}

const keptValues = query((p: { item: number; tag_id: Ulid }, sql) =>
  sql
    .selectFrom('item_tag')
    .innerJoin('tag', 'tag.id', 'item_tag.tag')
    .select('field_values')
    .where('item', '=', p.item)
    .where('tag_id', '=', p.tag_id),
)

async function keptValue(db: Db, field: BoundField, item: number): Promise<string | number | undefined> {
  const row = await db.get(keptValues, { item, tag_id: field.tag_id })
  const value = row && (JSON.parse(row.field_values) as FieldValues)[field.name]
  const targets = await findTargets(
    db,
    field.type === 'Reference' && typeof value === 'string' ? [value] : [],
  )
  const [entry] = indexValues(field.type, value ?? null, (item_id) => targets.get(item_id)?.id)
  switch (entry?.as) {
    case 'text':
      return entry.text
    case 'number':
      return entry.number
    case 'reference':
      return entry.item
    default:
      return undefined
  }
}
