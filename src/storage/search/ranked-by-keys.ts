import { badRequest } from '#src/domain/errors.ts'
import type { Db } from '#src/sql/query.ts'
import { compareValues } from '#src/storage/columns/value-holds.ts'
import { orderValues } from '#src/storage/search/order-values.ts'
import type { RankedPlace } from '#src/storage/search/ranked-cursor.ts'
import type { SearchOrder } from '#src/storage/search/search-order.ts'
import type { Scored } from '#src/storage/words/rank-items.ts'

/** Alongside other keys, no index has the order: all that is found is put in order for each page. */
const MOST_SORTED = 100_000
/** Values are looked up for so many items at once. */
const AT_ONCE = 5000

/**
 * Places in an order of several keys of which one is the score: the first so many behind a place, or of all.
 * @throws BadRequest where more are found than can be put in order
 */
export async function placesByKeys(
  db: Db,
  scored: Scored,
  order: SearchOrder,
  { wanted, after }: { wanted: number; after: RankedPlace | undefined },
): Promise<RankedPlace[]> {
  const found = scored.items.length
  if (found > MOST_SORTED)
    throw badRequest(`sort: ${found} items are too many for 'relevance' beside other keys`, {
      suggestion: `Narrow the filter to ${MOST_SORTED} items at most, or sort by 'relevance' alone`,
    })
  const compare = comparison(order)
  const places: RankedPlace[] = []
  for (let at = 0; at < found; at += AT_ONCE) {
    const ids = [...scored.items.subarray(at, at + AT_ONCE)]
    const known = await orderValues(db, order, ids)
    for (const [i, item] of ids.entries())
      places.push({
        score: scored.scores[at + i]!,
        name_length: scored.name_lengths[at + i]!,
        // What the order goes by is among the values.
        updated_at: '',
        item,
        values: known.get(item)?.values ?? [],
      })
  }
  const sorted = places.toSorted(compare)
  const first = after ? sorted.findIndex((each) => compare(after, each) < 0) : 0
  return first < 0 ? [] : sorted.slice(first, first + wanted)
}

/** Below zero where the first comes first; what has no value comes last. */
function comparison({
  keys,
  by_score = 0,
  descending,
}: SearchOrder): (a: RankedPlace, b: RankedPlace) => number {
  const byKeys = (from: number, to: number) => (a: RankedPlace, b: RankedPlace) => {
    for (let i = from; i < to; i++) {
      const [one = null, other = null] = [a.values?.[i], b.values?.[i]]
      if (one === other) continue
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      const order = compareValues(one, other)
      return keys[i]!.descending ? -order : order
    }
    return 0
  }
  const before = byKeys(0, by_score)
  const behind = byKeys(by_score, keys.length)
  const byId = (a: RankedPlace, b: RankedPlace) => (descending ? b.item - a.item : a.item - b.item)
  return (a, b) => before(a, b) || b.score - a.score || behind(a, b) || byId(a, b)
}
