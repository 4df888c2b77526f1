import { sql } from 'kysely'
import { indexedCondition } from '#src/storage/search/indexed-condition.ts'
import type { BoundField } from '#src/filter/meaning/plan.ts'
import { testedKind, valueKind } from '#src/filter/sql/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { ValueKind } from '#src/sql/filter-dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { boundsOf } from '#src/storage/search/key-bounds.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import { countRows } from '#src/storage/search/search-counts.ts'
import type { Position } from '#src/storage/search/search-cursor.ts'
import type { OrderKey, SearchOrder } from '#src/storage/search/search-order.ts'
import { worthGoingThrough } from '#src/storage/search/search-planner.ts'
import {
  allIds,
  type Candidates,
  type Condition,
  hasValue,
  idsByKey,
  idsInOrder,
  idsOf,
  idsSorted,
  indexedColumn,
  type Rows,
} from '#src/storage/search/search-sql.ts'

/** Items that are equal in the first keys. */
interface Tie extends Pick<Candidates, 'sources' | 'conditions'> {}

/**
 * Walks the index of the first key; items that are equal there are walked by the next key, and so on, so that a page
 * never costs a sort of everything. Many candidates, an index for every key.
 */
export class OrderedWalk {
  private readonly db: Db
  private readonly candidates: Candidates
  private readonly order: SearchOrder
  private readonly limit: number
  private readonly dialect: Dialect

  constructor(db: Db, candidates: Candidates, order: SearchOrder, limit: number) {
    this.db = db
    this.candidates = candidates
    this.order = order
    this.limit = limit
    this.dialect = db.dialect
  }

  /** The next ids among those that are tied; `position.values` are of these keys. */
  async page(
    keys: readonly OrderKey[],
    position: Position | undefined,
    limit = this.limit,
    tie: Tie = { sources: undefined, conditions: [] },
  ): Promise<number[]> {
    if (!keys.length) return this.byId(tie, position?.item, limit)
    const ids: number[] = []
    for (const part of this.partsOf(keys, position, tie)) {
      if (ids.length >= limit) break
      ids.push(...(await part(limit - ids.length)))
    }
    return ids
  }

  /** What the first key makes of the items that are tied, in order: each gives up to so many ids. */
  private *partsOf(
    keys: readonly OrderKey[],
    position: Position | undefined,
    tie: Tie,
  ): Generator<(limit: number) => Promise<number[]>> {
    const key = keys[0]!
    const start = this.entryOf(position?.values[0])
    const group = (value: OrderValue) => (limit: number) =>
      this.group(keys, { value, tie }, start === value ? position : undefined, limit)
    if (key.field?.type === 'Select') {
      const positions = this.positionsOf(key.field)
      if (key.descending) positions.reverse()
      const isAhead = (each: number) => (key.descending ? each <= Number(start) : each >= Number(start))
      for (const each of positions)
        if (start === undefined || (start !== null && isAhead(each))) yield group(each)
    } else if (start !== null) {
      const isTied = start !== undefined && this.keysWithin(keys, start).length > 0
      if (isTied) yield group(start)
      const after = position && { value: start!, item: isTied ? undefined : position.item }
      yield (limit) => this.byEntries(keys, tie, after, limit)
    }
    if (key.field && this.mayLackValue(key)) yield group(null)
  }

  /** As the index holds what an item is sorted by. */
  private entryOf = <T extends OrderValue | undefined>(value: T) =>
    typeof value === 'string' ? this.dialect.filter.indexed(value) : value

  /** What still orders the items of one entry of the first key's index: also that key, where it is but a beginning. */
  private keysWithin = (keys: readonly OrderKey[], entry: OrderValue): readonly OrderKey[] =>
    typeof entry === 'string' && this.dialect.filter.needsFullText(entry) ? keys : keys.slice(1)

  /** Of the variants those that the filter leaves. */
  private positionsOf(field: BoundField): number[] {
    const only = this.onlyVariant(field)
    return [...field.variants.keys()].filter((each) => only === undefined || field.variants[each] === only)
  }

  /** A variant that the schema has no longer counts as no value. */
  private mayLackValue({ field }: OrderKey & { field: BoundField }): boolean {
    if (field.type !== 'Select') return !this.boundsOf(field)
    const only = this.onlyVariant(field)
    return only === undefined || !field.variants.includes(String(only))
  }

  private onlyVariant = (field: BoundField) => this.boundsOf(field)?.lower?.value

  private boundsOf = (field: BoundField) =>
    boundsOf(this.candidates.probe, { field, descending: false }, this.dialect)

  private byId(tie: Tie, after: number | undefined, limit: number): Promise<number[]> {
    const span = { after, descending: this.order.descending, limit }
    return idsOf(this.db, idsInOrder(this.among(tie), span, this.dialect))
  }

  private among({ sources, conditions }: Tie): Candidates {
    const all = [...this.candidates.conditions, ...conditions]
    return { ...this.candidates, sources: sources ?? this.candidates.sources, conditions: all }
  }

  private rowsByKey(
    key: OrderKey,
    tie: Tie,
    after: { value: OrderValue; item?: number } | undefined,
    limit: number,
  ): Promise<{ item: number; value: string | number }[]> {
    const rows = idsByKey(this.among(tie), key, { after, limit }, this.dialect)
    return this.db.select(rows.compile(this.dialect.builder))
  }

  /** Entries of the first key's index: groups that are read whole are sorted by the other keys, a cut one is walked. */
  private async byEntries(
    keys: readonly OrderKey[],
    tie: Tie,
    after: { value: OrderValue; item?: number | undefined } | undefined,
    limit: number,
  ): Promise<number[]> {
    const rows = await this.rowsByKey(keys[0]!, tie, after, limit)
    const isTied = ({ value }: { value: OrderValue }) => this.keysWithin(keys, value).length > 0
    const last = rows.at(-1)
    const cut = last && rows.length === limit && isTied(last) ? last.value : undefined
    const whole = rows.filter(({ value }) => value !== cut)
    let ids = whole.map(({ item }) => item)
    if (whole.some(isTied)) ids = await this.sorted(ids, keys)
    if (cut === undefined) return ids
    return [...ids, ...(await this.group(keys, { value: cut, tie }, undefined, limit - ids.length))]
  }

  private sorted(items: readonly number[], keys: readonly OrderKey[]): Promise<number[]> {
    const rows: Rows = sql`select g.id as item from item g where g.id in ${this.dialect.integers(JSON.stringify(items))}`
    const candidates: Candidates = {
      sources: [{ rows, distinct: true }],
      within: [],
      probe: { kind: 'always' },
      conditions: [],
    }
    return idsOf(this.db, idsSorted(candidates, { ...this.order, keys }, {}, this.dialect))
  }

  /** Items of one entry of the first key's index (null: without a value) by what still orders them. */
  private async group(
    keys: readonly OrderKey[],
    { value, tie }: { value: OrderValue; tie: Tie },
    position: Position | undefined,
    limit: number,
  ): Promise<number[]> {
    const [key] = keys
    const left = this.keysWithin(keys, value)
    const place = position && {
      item: position.item,
      values: position.values.slice(keys.length - left.length),
    }
    const { rows, condition } = this.equal(key!, value)
    const narrower: Tie = { sources: tie.sources, conditions: [...tie.conditions, condition] }
    const driven: Tie = rows ? { sources: [{ rows, distinct: true }], conditions: tie.conditions } : narrower
    if (!left.length) return this.byId(driven, place?.item, limit)
    // What orders long texts that begin alike is in no index.
    if (left[0] === key || (rows && (await this.areFew(driven, limit)))) {
      const order = { ...this.order, keys: left }
      return idsOf(this.db, idsSorted(this.among(driven), order, { position: place, limit }, this.dialect))
    }
    return this.page(left, place, limit, narrower)
  }

  private async areFew(tie: Tie, limit: number): Promise<boolean> {
    const few = await worthGoingThrough(this.db, limit)
    return (await countRows(this.db, allIds(this.among(tie), this.dialect), few)) <= few
  }

  /** The items of an entry of the key's index; none but a Select's variant is both long and whole. */
  private equal(key: OrderKey, value: OrderValue): { rows?: Rows; condition: Condition } {
    const { filter } = this.dialect
    if (key.column) {
      const held = indexedColumn('e', key.column, filter)
      return {
        rows: sql`select e.id as item from item e where e.deleted_at is null and ${held} = ${value}`,
        condition: (item) =>
          sql`exists (select 1 from item e where e.id = ${item} and ${filter.unindexed(held)} = ${value}${filter.forEachRow})`,
      }
    }
    const { field } = key
    if (value === null) return { condition: (item) => sql`not ${hasValue(field, this.dialect)(item)}` }
    const isSelect = field.type === 'Select'
    const test = { test: 'one_of', values: [isSelect ? field.variants[Number(value)]! : value] } as const
    const kind = isSelect ? testedKind(field.type, test, filter) : valueKind(field.type)
    const valueAs = (as: ValueKind) => filter.value('e', as)
    return {
      rows: sql`select e.item as item from field_value e where e.field = ${field.id} and ${indexedCondition<ValueKind>(test, valueAs, kind, filter)}`,
      condition: (item) =>
        sql`exists (select 1 from field_value e where e.item = ${item} and e.field = ${field.id} and ${filter.isOneOf(filter.unindexed(valueAs(kind)), test.values, kind)}${filter.forEachRow})`,
    }
  }
}
