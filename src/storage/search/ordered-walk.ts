import { sql } from 'kysely'
import type { Dialect } from '#src/sql/dialect.ts'
import type { Db } from '#src/sql/query.ts'
import { allIds, type Candidates, idsInOrder, idsOf, type Rows } from '#src/storage/search/candidates.ts'
import { worthGoingThrough } from '#src/storage/search/strategy.ts'
import { type Entry, OrderIndex, type Place } from '#src/storage/search/order-index.ts'
import type { OrderValue } from '#src/storage/search/order-values.ts'
import type { CursorPlace } from '#src/storage/search/search-cursor.ts'
import type { OrderKey, SearchOrder } from '#src/storage/search/search-order.ts'
import { idsSorted } from '#src/storage/search/sort-sql.ts'

/** Items that are equal in the keys before: what the candidates are narrowed to while the next key orders them. */
type Tie = Pick<Candidates, 'sources' | 'conditions'>

const NO_TIE: Tie = { sources: undefined, conditions: [] }

/**
 * A page of many candidates in the order of several keys. The index of the first key is walked (`OrderIndex`); items
 * that are equal in it, a tie, are ordered by the next key, and so on: so a page never costs a sort of everything (decision 21).
 */
export class OrderedWalk {
  private readonly db: Db
  private readonly candidates: Candidates
  private readonly order: SearchOrder
  private readonly limit: number

  constructor(db: Db, candidates: Candidates, order: SearchOrder, limit: number) {
    this.db = db
    this.candidates = candidates
    this.order = order
    this.limit = limit
  }

  /** The next ids of a tie by the keys that are left, of which there is one at least; `position.values` are of these. */
  async page(
    keys: readonly OrderKey[],
    position: CursorPlace | undefined,
    limit = this.limit,
    tie: Tie = NO_TIE,
  ): Promise<number[]> {
    const ids: number[] = []
    for (const part of this.partsOf(keys, position, tie)) {
      if (ids.length >= limit) break
      ids.push(...(await part(limit - ids.length)))
    }
    return ids
  }

  /** The first key's values from the position on, in order: each part gives up to this many ids. */
  private *partsOf(
    keys: readonly OrderKey[],
    position: CursorPlace | undefined,
    tie: Tie,
  ): Generator<(limit: number) => Promise<number[]>> {
    const key = keys[0]!
    const index = this.indexOf(key)
    const start = index.held(position?.values[0])
    const withValue = (value: OrderValue) => (limit: number) =>
      this.withValue(keys, { value, tie }, start === value ? position : undefined, limit)
    if (key.field?.type === 'Select') {
      const isAhead = (each: number) => (key.descending ? each <= Number(start) : each >= Number(start))
      for (const each of index.variantPositions(key.field))
        if (start === undefined || (start !== null && isAhead(each))) yield withValue(each)
    } else if (start !== null) {
      const isTied = start !== undefined && this.keysWithin(keys, start).length > 0
      if (isTied) yield withValue(start)
      const after = position && { value: start!, item: isTied ? undefined : position.item }
      yield (limit) => this.byEntries(keys, tie, after, limit)
    }
    if (index.mayLackValue()) yield withValue(null)
  }

  private indexOf(key: OrderKey): OrderIndex {
    if (key.tier) throw new Error('ties are sorted whole by the tier of relevance, which no index has')
    return new OrderIndex(key, this.candidates.probe, this.db.dialect)
  }

  /** What still orders the items of one entry: the keys after it, and the key itself where the entry is cut. */
  private keysWithin = (keys: readonly OrderKey[], entry: OrderValue): readonly OrderKey[] =>
    this.indexOf(keys[0]!).isCut(entry) ? keys : keys.slice(1)

  private byRowId(tie: Tie, after: number | undefined, limit: number): Promise<number[]> {
    const span = { after, descending: this.order.descending, limit }
    return idsOf(this.db, idsInOrder(this.among(tie), span, this.db.dialect))
  }

  private among({ sources, conditions }: Tie): Candidates {
    const all = [...this.candidates.conditions, ...conditions]
    return { ...this.candidates, sources: sources ?? this.candidates.sources, conditions: all }
  }

  /** Entries of the first key's index: ties that are read whole are sorted by the other keys, a cut one is walked. */
  private async byEntries(
    keys: readonly OrderKey[],
    tie: Tie,
    after: Place | undefined,
    limit: number,
  ): Promise<number[]> {
    const entries = await this.indexOf(keys[0]!).entriesAfter(this.db, this.among(tie), after, limit)
    const isTied = ({ value }: Entry) => this.keysWithin(keys, value).length > 0
    const last = entries.at(-1)
    const cut = last && entries.length === limit && isTied(last) ? last.value : undefined
    const whole = entries.filter(({ value }) => value !== cut)
    let ids = whole.map(({ item }) => item)
    if (whole.some(isTied)) ids = await this.sorted(ids, keys)
    if (cut === undefined) return ids
    return [...ids, ...(await this.withValue(keys, { value: cut, tie }, undefined, limit - ids.length))]
  }

  private sorted(items: readonly number[], keys: readonly OrderKey[]): Promise<number[]> {
    const { dialect } = this.db
    return idsOf(this.db, idsSorted(theseItems(items, dialect), { ...this.order, keys }, {}, dialect))
  }

  /** Items that have one value of the first key (null: none), by what still orders them. */
  private async withValue(
    keys: readonly OrderKey[],
    { value, tie }: { value: OrderValue; tie: Tie },
    position: CursorPlace | undefined,
    limit: number,
  ): Promise<number[]> {
    const [key] = keys
    const left = this.keysWithin(keys, value)
    const place = position && {
      item: position.item,
      values: position.values.slice(keys.length - left.length),
    }
    const { rows, condition } = this.indexOf(key!).itemsOf(value)
    const narrower: Tie = { sources: tie.sources, conditions: [...tie.conditions, condition] }
    const indexed: Tie = rows ? { sources: [{ rows, distinct: true }], conditions: tie.conditions } : narrower
    if (!left.length) return this.byRowId(indexed, place?.item, limit)
    const among =
      left[0] === key || left[0]!.tier
        ? this.among(indexed) // what orders long texts that begin alike, or tiers of relevance, is in no index
        : rows && (await this.ifFew(indexed, limit))
    if (!among) return this.page(left, place, limit, narrower)
    const order = { ...this.order, keys: left }
    return idsOf(this.db, idsSorted(among, order, { position: place, limit }, this.db.dialect))
  }

  /** The items of a tie by their row ids, where they are few: found once, they need no probing again. */
  private async ifFew(tie: Tie, limit: number): Promise<Candidates | undefined> {
    const few = await worthGoingThrough(this.db, limit)
    const { dialect } = this.db
    const found = await idsOf(
      this.db,
      sql`select q.item as item from (${allIds(this.among(tie), dialect)}) q limit ${few + 1}`,
    )
    return found.length > few ? undefined : theseItems(found, dialect)
  }
}

function theseItems(items: readonly number[], dialect: Dialect): Candidates {
  const rows: Rows = sql`select g.id as item from item g where g.id in ${dialect.integers(JSON.stringify(items))}`
  return { sources: [{ rows, distinct: true }], intersectWith: [], probe: { kind: 'always' }, conditions: [] }
}
