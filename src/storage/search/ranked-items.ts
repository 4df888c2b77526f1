import { type RawBuilder, sql } from 'kysely'
import { type Db, query } from '#src/sql/query.ts'
import { HighestNumbers } from '#src/storage/words/highest-numbers.ts'
import type { Scored } from '#src/storage/words/rank-items.ts'
import type { RankedPlace } from '#src/storage/search/ranked-cursor.ts'

/** More than a name has characters. */
const LENGTHS = 65_536
/** One number by which higher scores come first, then shorter names. */
const keyOf = (score: number, name_length: number): number => score * LENGTHS - name_length

/** More equals than these are not looked up one by one: an index has all items in the order of equals. */
const MANY_EQUALS = 3000

const updatedAt = query((p: { ids: string }, db, { integers }) =>
  db.selectFrom('item').select(['id', 'updated_at']).where('id', 'in', integers(p.ids)),
)

/** Items that are put in order as far as a page needs: best score, shorter name, newest change, newest item. */
export class RankedItems {
  private readonly db: Db
  private readonly scored: Scored
  private readonly keys: Float64Array

  constructor(db: Db, scored: Scored) {
    this.db = db
    this.scored = scored
    const { scores, name_lengths } = scored
    this.keys = scores.map((score, i) => keyOf(score, name_lengths[i]!))
  }

  get size(): number {
    return this.keys.length
  }

  /** The best so many behind a place, or of all, in order. */
  async best(wanted: number, after?: RankedPlace): Promise<RankedPlace[]> {
    const last = after ? keyOf(after.score, after.name_length) : Infinity
    const found = await this.equals(this.withKey(last), wanted, after)
    const lowest = this.lowestOf(wanted - found.length, last)
    const better: number[] = []
    const equal: number[] = []
    this.keys.forEach((key, i) => {
      if (key >= last) return
      if (key > lowest) better.push(i)
      else if (key === lowest) equal.push(i)
    })
    found.push(...(await this.inOrder(better)))
    found.push(...(await this.equals(equal, wanted - found.length, undefined)))
    return found
  }

  /** The key of the item that is the last of the best so many below a key. */
  private lowestOf(wanted: number, below: number): number {
    const heap = new HighestNumbers(wanted)
    for (const key of this.keys) if (key < below) heap.take(key)
    return heap.lowest
  }

  /** Those of one key, in order, behind a place. */
  private async equals(
    equal: readonly number[],
    wanted: number,
    after: RankedPlace | undefined,
  ): Promise<RankedPlace[]> {
    const isBehind = (each: RankedPlace) => !after || comparePlaces(after, each) < 0
    if (equal.length <= MANY_EQUALS || wanted > MANY_EQUALS)
      return (await this.inOrder(equal)).filter(isBehind).slice(0, wanted)
    return this.walkEquals(equal, wanted, after)
  }

  private withKey(key: number): number[] {
    const found: number[] = []
    this.keys.forEach((each, i) => {
      if (each === key) found.push(i)
    })
    return found
  }

  private async inOrder(positions: readonly number[]): Promise<RankedPlace[]> {
    if (!positions.length) return []
    const { items, scores, name_lengths } = this.scored
    const ids = JSON.stringify(positions.map((at) => items[at]))
    const times = new Map(
      (await this.db.all(updatedAt, { ids })).map(({ id, updated_at }) => [id, updated_at]),
    )
    return positions
      .map((at) => ({
        score: scores[at]!,
        name_length: name_lengths[at]!,
        updated_at: times.get(items[at]!) ?? '',
        item: items[at]!,
      }))
      .toSorted(comparePlaces)
  }

  /** Walks the items whose names are as long, newest change first, until enough of them are among the equals. */
  private async walkEquals(
    equal: readonly number[],
    wanted: number,
    after: RankedPlace | undefined,
  ): Promise<RankedPlace[]> {
    const { items, scores, name_lengths } = this.scored
    const byItem = new Set(equal.map((at) => items[at]!))
    const [first] = equal
    const [score, name_length] = [scores[first!]!, name_lengths[first!]!]
    const found: RankedPlace[] = []
    let place = after && { updated_at: after.updated_at, item: after.item }
    for (let limit = 4 * wanted + 100; found.length < wanted; limit *= 2) {
      const rows = await this.db.select<{ id: number; updated_at: string }>(
        withLength(name_length, place, limit).compile(this.db.dialect.builder),
      )
      for (const { id, updated_at } of rows)
        if (byItem.has(id)) found.push({ score, name_length, updated_at, item: id })
      const last = rows.at(-1)
      if (!last || rows.length < limit) break
      place = { updated_at: last.updated_at, item: last.id }
    }
    return found.slice(0, wanted)
  }
}

function withLength(
  length: number,
  after: { updated_at: string; item: number } | undefined,
  limit: number,
): RawBuilder<{ id: number; updated_at: string }> {
  const behind = after ? sql` and (i.updated_at, i.id) < (${after.updated_at}, ${after.item})` : sql``
  return sql`select i.id, i.updated_at from item i where i.deleted_at is null and length(i.name) = ${length}${behind} order by i.updated_at desc, i.id desc limit ${limit}`
}

/** Below zero where the first comes first. */
export function comparePlaces(a: RankedPlace, b: RankedPlace): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.name_length !== b.name_length) return a.name_length - b.name_length
  if (a.updated_at !== b.updated_at) return a.updated_at < b.updated_at ? 1 : -1
  return b.item - a.item
}
