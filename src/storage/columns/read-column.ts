import { type RawBuilder, sql } from 'kysely'
import type { FieldType } from '#src/domain/field-schema.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { valueKind } from '#src/filter/sql/value-kind.ts'
import type { ValueKind } from '#src/sql/filter-dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import type { Db } from '#src/sql/query.ts'
import { HAS_TAG } from '#src/sql/tables.ts'
import { CodedColumn, type Column, FlagColumn, MAX_CODES, NumberColumn } from '#src/storage/columns/column.ts'

/** A value, and the items (row ids) that have it, joined by commas: few rows, and long ones, are read quickly. */
interface ItemsOfValue {
  val: unknown
  /** Null where there are none. */
  items: string | null
}

/** Where the next entries of a value index begin: behind this one in the order of values, or of items. */
export interface EntryPlace {
  readonly val: unknown
  readonly item: number
  /** The greatest item so far. */
  readonly highest: number
}

/** A value, the items of some entries that have it, joined by commas, and the last of them. */
export interface EntriesOfValue {
  readonly val: unknown
  readonly items: string
  readonly last: number
}

/** What a column is made of: the statements that read it, whole or of certain items. */
export interface ColumnSource {
  readonly key: string
  readonly holds: 'flags' | 'texts' | 'numbers' | 'row ids'
  /** Undefined where it would not be small. */
  read(db: Db, rows: number): Promise<Column | undefined>
  /** `item` and `val` of those of the items (JSON) that have something. */
  of(items: string, db: Db): RawBuilder<{ item: number; val: unknown }>
  /** This many of its entries after a place, those of a value together; the last row has the place that comes then. */
  after(db: Db, place: EntryPlace | undefined, entries: number): RawBuilder<EntriesOfValue>
}

/** Of items (`item`) that are in order. */
const flagged = ({ dialect }: Db, items: RawBuilder<unknown>): RawBuilder<EntriesOfValue> =>
  sql`select * from (select 1 as val, ${dialect.joined(sql`s.item`)} as items, max(s.item) as last from (${items}) s) e where e.last is not null`

/** Whether an item lives. */
export const LIVE: ColumnSource = {
  key: 'live',
  holds: 'flags',
  read: (db, rows) =>
    flags(
      db,
      rows,
      sql`select 1 as val, ${db.dialect.joined(sql`i.id`)} as items from item i where i.deleted_at is null`,
    ),
  of: (items, { dialect }) =>
    sql`select i.id as item, 1 as val from item i where i.deleted_at is null and i.id in ${dialect.integers(items)}`,
  after: (db, place, entries) =>
    flagged(
      db,
      sql`select i.id as item from item i where i.deleted_at is null and i.id > ${place?.item ?? 0} order by i.id limit ${entries}`,
    ),
}

/** Whether an item has a tag (row id). */
export const tagSource = (tag: number): ColumnSource => ({
  key: `tag ${tag}`,
  holds: 'flags',
  read: (db, rows) =>
    flags(
      db,
      rows,
      sql`select 1 as val, ${db.dialect.joined(sql`v.item`)} as items from ${FIELD_VALUE} v where v.field = ${HAS_TAG} and ${db.dialect.filter.value('v', 'row_id')} = ${tag}`,
    ),
  of: (items, { dialect }) =>
    sql`select v.item as item, 1 as val ${dialect.fieldValue.ofItems(HAS_TAG, items)} and ${dialect.filter.value('v', 'row_id')} = ${tag}`,
  after: (db, place, entries) =>
    flagged(
      db,
      sql`select v.item as item from ${FIELD_VALUE} v where v.field = ${HAS_TAG} and ${db.dialect.filter.value('v', 'row_id')} = ${tag} and v.item > ${place?.item ?? 0} order by v.item limit ${entries}`,
    ),
})

async function flags(db: Db, rows: number, statement: RawBuilder<unknown>): Promise<FlagColumn> {
  const column = new FlagColumn(rows)
  for (const { items } of await listsOf(db, statement)) eachItem(items, (item) => column.set(item, 1))
  return column
}

const listsOf = async (db: Db, statement: RawBuilder<unknown>): Promise<ItemsOfValue[]> =>
  (await db.select(statement.compile(db.dialect.builder))) as ItemsOfValue[]

/** Fields of which an item has several values have no column. */
const READ_AS: Partial<Record<FieldType, 'texts' | 'numbers' | 'row ids'>> = {
  String: 'texts',
  Select: 'texts',
  Date: 'texts',
  DateTime: 'texts',
  Boolean: 'numbers',
  Number: 'numbers',
  Reference: 'row ids',
}

export const hasColumn = ({ type }: BoundField): boolean => READ_AS[type] !== undefined

/** The values of a field that has a column. */
export function fieldSource({ id, type }: BoundField): ColumnSource {
  const kind: ValueKind = valueKind(type) === 'text' ? 'full_text' : valueKind(type)
  return {
    key: `field ${id}`,
    holds: READ_AS[type]!,
    async read(db, rows) {
      const { joined, filter } = db.dialect
      const value = filter.value('v', kind)
      const as = READ_AS[type]
      // Of texts that are nearly all different nothing small can be made.
      const limit = as === 'texts' ? sql` limit ${sql.lit(MAX_CODES + 1)}` : sql``
      const found = await listsOf(
        db,
        sql`select ${value} as val, ${joined(sql`v.item`)} as items from ${FIELD_VALUE} v where v.field = ${id} group by ${value}${limit}`,
      )
      const isCoded = as !== 'row ids' && found.length < MAX_CODES - 1
      if (as === 'texts' && !isCoded) return undefined
      const column = isCoded ? new CodedColumn(rows) : new NumberColumn(rows)
      for (const { val, items } of found) {
        const held = heldValue(val)
        eachItem(items, (item) => column.set(item, held))
      }
      return column
    },
    of: (items, { dialect }) =>
      sql`select v.item as item, ${dialect.filter.value('v', kind)} as val ${dialect.fieldValue.ofItems(id, items)}`,
    after: ({ dialect }, place, entries) => {
      const value = dialect.filter.value('v', kind)
      return sql`select ${value} as val, ${dialect.joined(sql`v.item`)} as items, max(v.item) as last from (${dialect.fieldValue.entriesAfter(id, place, entries)}) v group by ${value} order by ${value}`
    },
  }
}

/** A misfit is marked by a blob or by null. */
export const heldValue = (val: unknown): string | number | null =>
  typeof val === 'string' || typeof val === 'number' ? val : null

const COMMA = 44
const ZERO = 48

export function eachItem(list: string | null, take: (item: number) => void): void {
  if (list === null) return
  let item = 0
  for (let at = 0; at < list.length; at++) {
    const code = list.charCodeAt(at)
    if (code === COMMA) {
      take(item)
      item = 0
    } else item = item * 10 + (code - ZERO)
  }
  take(item)
}
