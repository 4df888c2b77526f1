import { compareValues } from '#src/storage/columns/value-holds.ts'
import type { Group } from '#src/storage/aggregate/groups.ts'
import type { KeyWords } from '#src/storage/aggregate/key-words.ts'

export interface GroupOrder {
  /** A number is the index of a metric. */
  by: 'key' | 'count' | number
  descending: boolean
}

type Rank = string | number | null

/** Sorts in place: by the orders asked for, what has no value last both ways; ties by key, then oldest first. */
export function sortGroups(groups: Group[], orders: readonly GroupOrder[], words: readonly KeyWords[]): void {
  const asTheyAre = words.every(({ rank: rankOf }) => !rankOf)
  const ranksOf = ({ keys }: Group): readonly Rank[] =>
    asTheyAre ? keys : keys.map((raw, i) => words[i]!.rank?.(raw) ?? raw)
  const ranked = groups.map((group): Ranked => ({ group, ranks: ranksOf(group) }))
  ranked.sort((a, b) => {
    for (const { by, descending } of orders) {
      const order =
        by === 'key'
          ? compareLists(a.ranks, b.ranks, descending)
          : compare(rank(a, by), rank(b, by), descending)
      if (order) return order
    }
    // Several items can have one name, and what is purged has none.
    return compareLists(a.ranks, b.ranks, false) || compareLists(a.group.keys, b.group.keys, false)
  })
  for (const [i, { group }] of ranked.entries()) groups[i] = group
}

interface Ranked {
  readonly group: Group
  /** What its keys are sorted by. */
  readonly ranks: readonly Rank[]
}

const rank = ({ group }: Ranked, by: 'count' | number): Rank =>
  by === 'count' ? group.count : group.metrics[by]!

function compareLists(a: readonly Rank[], b: readonly Rank[], descending: boolean): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i]!, b[i]!, descending)
    if (order) return order
  }
  return 0
}

function compare(a: Rank, b: Rank, descending: boolean): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  const order = ascending(a, b)
  return descending ? -order : order
}

/** Numbers come before texts; texts go by code point. */
function ascending(a: string | number, b: string | number): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : compareValues(a, b)
}
