import { type RawBuilder, sql } from 'kysely'
import type { BoundField } from '#src/filter/plan.ts'
import { valueKind } from '#src/filter/value-kind.ts'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { boundsOf } from '#src/storage/key-bounds.ts'
import type { OrderValue } from '#src/storage/order-values.ts'
import { countRows } from '#src/storage/search-counts.ts'
import type { Position } from '#src/storage/search-cursor.ts'
import type { OrderKey, SearchOrder } from '#src/storage/search-order.ts'
import { worthGoingThrough } from '#src/storage/search-planner.ts'
import {
  allIds,
  type Candidates,
  type Condition,
  hasValue,
  idsByKey,
  idsInOrder,
  idsOf,
  idsSorted,
  type Rows,
} from '#src/storage/search-sql.ts'

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
    const [key, ...rest] = keys
    if (!key) return this.byId(tie, position?.item, limit)
    const ids: number[] = []
    for (const part of this.partsOf(key, rest, position, tie)) {
      if (ids.length >= limit) break
      ids.push(...(await part(limit - ids.length)))
    }
    return ids
  }

  /** What the key makes of the items that are tied, in order: each gives up to so many ids. */
  private *partsOf(
    key: OrderKey,
    rest: readonly OrderKey[],
    position: Position | undefined,
    tie: Tie,
  ): Generator<(limit: number) => Promise<number[]>> {
    const start = position?.values[0]
    const within = position && { item: position.item, values: position.values.slice(1) }
    const group = (value: OrderValue) => (limit: number) =>
      this.group(rest, { key, value, tie }, start === value ? within : undefined, limit)
    if (key.field?.type === 'Select') {
      const positions = this.positionsOf(key.field)
      if (key.descending) positions.reverse()
      const isAhead = (each: number) => (key.descending ? each <= Number(start) : each >= Number(start))
      for (const each of positions)
        if (start === undefined || (start !== null && isAhead(each))) yield group(each)
    } else if (start !== null) {
      if (!rest.length)
        yield (limit) => this.byLastKey(key, tie, position && { value: start!, item: position.item }, limit)
      else {
        if (start !== undefined) yield group(start)
        yield (limit) => this.byGroups(key, rest, tie, start, limit)
      }
    }
    if (key.field && this.mayLackValue(key)) yield group(null)
  }

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

  private async byLastKey(
    key: OrderKey,
    tie: Tie,
    after: { value: OrderValue; item: number } | undefined,
    limit: number,
  ): Promise<number[]> {
    return (await this.rowsByKey(key, tie, after, limit)).map(({ item }) => item)
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

  /** Groups of equal value after `start`: those that are read whole are sorted by the other keys, a cut one is walked. */
  private async byGroups(
    key: OrderKey,
    rest: readonly OrderKey[],
    tie: Tie,
    start: OrderValue | undefined,
    limit: number,
  ): Promise<number[]> {
    const rows = await this.rowsByKey(key, tie, start === undefined ? undefined : { value: start }, limit)
    const cut = rows.length < limit ? undefined : rows.at(-1)!.value
    const whole = rows.filter(({ value }) => value !== cut).map(({ item }) => item)
    const ids = whole.length ? await this.sorted(whole, [key, ...rest]) : []
    if (cut === undefined) return ids
    return [...ids, ...(await this.group(rest, { key, value: cut, tie }, undefined, limit - ids.length))]
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

  /** Items of one value of a key (null: without one) by the keys that follow. */
  private async group(
    rest: readonly OrderKey[],
    { key, value, tie }: { key: OrderKey; value: OrderValue; tie: Tie },
    position: Position | undefined,
    limit: number,
  ): Promise<number[]> {
    const { rows, condition } = this.equal(key, value)
    const narrower: Tie = { sources: tie.sources, conditions: [...tie.conditions, condition] }
    const driven: Tie = rows ? { sources: [{ rows, distinct: true }], conditions: tie.conditions } : narrower
    if (!rest.length) return this.byId(driven, position?.item, limit)
    const few = await worthGoingThrough(this.db, limit)
    if (rows && (await countRows(this.db, allIds(this.among(driven), this.dialect), few)) <= few) {
      const order = { ...this.order, keys: rest }
      return idsOf(this.db, idsSorted(this.among(driven), order, { position, limit }, this.dialect))
    }
    return this.page(rest, position, limit, narrower)
  }

  private equal(key: OrderKey, value: OrderValue): { rows?: Rows; condition: Condition } {
    const { dialect } = this
    if (key.column) {
      const column = sql.raw(key.column)
      return {
        rows: sql`select e.id as item from item e where e.deleted_at is null and e.${column} = ${value}`,
        condition: (item) =>
          sql`exists (select 1 from item e where e.id = ${item} and ${dialect.filter.unindexed(sql`e.${column}`)} = ${value})`,
      }
    }
    const { field } = key
    if (value === null) return { condition: (item) => sql`not ${hasValue(field, dialect)(item)}` }
    const stored = field.type === 'Select' ? field.variants[Number(value)] : value
    const held: RawBuilder<unknown> = dialect.filter.value('e', valueKind(field.type))
    return {
      rows: sql`select e.item as item from field_value e where e.field = ${field.id} and ${held} = ${stored}`,
      condition: (item) =>
        sql`exists (select 1 from field_value e where e.item = ${item} and e.field = ${field.id} and ${dialect.filter.unindexed(held)} = ${stored})`,
    }
  }
}
