import { sql } from 'kysely'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { testedKind, valueKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { ValueKind } from '#src/sql/filter-dialect.ts'
import { FIELD_VALUE } from '#src/sql/live-views.ts'
import type { Db } from '#src/sql/query.ts'
import type { Candidates, Condition, Rows } from '#src/storage/search/candidates.ts'
import { indexedCondition } from '#src/storage/search/indexed-condition.ts'
import { boundsOf } from '#src/storage/search/key-bounds.ts'
import { idsByKey, indexedColumn } from '#src/storage/search/order-index-sql.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { IndexedKey } from '#src/storage/search/search-order.ts'
import { hasValue } from '#src/storage/search/sort-sql.ts'

/** An entry of the index: its value, and the item (row id) that has it. */
export interface Entry {
  item: number
  value: string | number
}

/** A place in the index: after all items of this value, or with `item` after that one of them. */
export interface Place {
  value: OrderValue
  item?: number | undefined
}

/** The index of one sort key, narrowed to where the filter allows values. It knows nothing of further keys. */
export class OrderIndex {
  private readonly key: IndexedKey
  private readonly dialect: Dialect
  /** The filter of the search: it may bound the key. */
  private readonly probe: Candidates['probe']

  constructor(key: IndexedKey, probe: Candidates['probe'], dialect: Dialect) {
    this.key = key
    this.probe = probe
    this.dialect = dialect
  }

  /** The next entries of candidates, in the key's direction. */
  entriesAfter(db: Db, candidates: Candidates, after: Place | undefined, limit: number): Promise<Entry[]> {
    const rows = idsByKey(candidates, this.key, { after, limit }, this.dialect)
    return db.select(rows.compile(this.dialect.builder))
  }

  /** The value as the index holds it: of a long text it may hold the beginning. */
  held<T extends OrderValue | undefined>(value: T): T | string {
    return typeof value === 'string' ? this.dialect.filter.indexed(value) : value
  }

  /** The entry is but the beginning of longer texts, whose order it does not show. */
  isCut(value: OrderValue): boolean {
    return typeof value === 'string' && this.dialect.filter.needsFullText(value)
  }

  /** For a Select: the positions of the variants that the filter leaves, in the key's direction. */
  variantPositions(field: BoundField): number[] {
    const only = this.onlyVariant()
    const left = [...field.variants.keys()].filter(
      (each) => only === undefined || field.variants[each] === only,
    )
    return this.key.descending ? left.toReversed() : left
  }

  /** Items without a value may be among the candidates. A variant that the schema has no longer is no value. */
  mayLackValue(): boolean {
    const { field } = this.key
    if (!field) return false
    if (field.type !== 'Select') return !this.bounds()
    const only = this.onlyVariant()
    return only === undefined || !field.variants.includes(String(only))
  }

  private onlyVariant = () => this.bounds()?.lower?.value

  private bounds = () => boundsOf(this.probe, this.key, this.dialect)

  /**
   * The items of one value (null: without one) as a condition, and as rows where the index gives them. None but a
   * Select's variant is both long and whole.
   */
  itemsOf(value: OrderValue): { rows?: Rows; condition: Condition } {
    const { filter } = this.dialect
    const { column } = this.key
    if (column) {
      const held = indexedColumn('e', column, filter)
      return {
        rows: sql`select e.id as item from item e where e.deleted_at is null and ${held} = ${value}`,
        condition: (item) =>
          sql`exists (select 1 from item e where e.id = ${item} and ${filter.withoutIndex(held, column === 'name_length' ? 'number' : 'text')} = ${value}${filter.forEachRow})`,
      }
    }
    const { field } = this.key
    if (value === null) return { condition: (item) => sql`not ${hasValue(field, this.dialect)(item)}` }
    const isSelect = field.type === 'Select'
    const test = { test: 'one_of', values: [isSelect ? field.variants[Number(value)]! : value] } as const
    const kind = isSelect ? testedKind(field.type, test, filter) : valueKind(field.type)
    const valueAs = (as: ValueKind) => filter.value('e', as)
    return {
      rows: sql`select e.item as item from ${FIELD_VALUE} e where e.field = ${field.id} and ${indexedCondition<ValueKind>(test, valueAs, kind, filter)}`,
      condition: (item) =>
        sql`exists (select 1 from ${FIELD_VALUE} e where e.item = ${item} and e.field = ${field.id} and ${filter.isOneOf(filter.withoutIndex(valueAs(kind), kind), test.values, kind)}${filter.forEachRow})`,
    }
  }
}
