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
  const keysOf = ranksOfKeys(words)
  groups.sort((a, b) => {
    for (const { by, descending } of orders) {
      const order =
        by === 'key'
          ? compareLists(keysOf(a), keysOf(b), descending)
          : compare(rank(a, by), rank(b, by), descending)
      if (order) return order
    }
    // Several items can have one name, and what is purged has none.
    return compareLists(keysOf(a), keysOf(b), false) || compareLists(a.keys, b.keys, false)
  })
}

const rank = (group: Group, by: 'count' | number): Rank => (by === 'count' ? group.count : group.metrics[by]!)

function ranksOfKeys(words: readonly KeyWords[]): (group: Group) => Rank[] {
  const known = new Map<Group, Rank[]>()
  return (group) => {
    let ranks = known.get(group)
    if (!ranks) known.set(group, (ranks = group.keys.map((raw, i) => words[i]!.rank(raw))))
    return ranks
  }
}

function compareLists(a: readonly Rank[], b: readonly Rank[], descending: boolean): number {
  for (const [i, rank] of a.entries()) {
    const order = compare(rank, b[i]!, descending)
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
