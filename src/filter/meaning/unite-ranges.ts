import type { ValueTest } from '#src/filter/meaning/plan.ts'

type Range = Extract<ValueTest, { test: 'range' }>
type Bound = NonNullable<Range['lower']>

/** The fewest ranges in which a value lies exactly when it is in one of these; all of one field, plain ones. */
export function uniteRanges(ranges: readonly Range[]): Range[] {
  const [first, ...others] = ranges.toSorted((a, b) => compareLower(a.lower, b.lower))
  if (!first) return []
  const united = [first]
  for (const next of others) {
    const last = united.at(-1)!
    if (!meets(last.upper, next.lower)) united.push(next)
    else united[united.length - 1] = { ...last, upper: farther(last.upper, next.upper) }
  }
  return united
}

/** Undefined comes first: from the least value on. */
function compareLower(a: Bound | undefined, b: Bound | undefined): number {
  if (!a || !b) return (a ? 1 : 0) - (b ? 1 : 0)
  return compareValues(a.value, b.value) || Number(b.inclusive) - Number(a.inclusive)
}

/** No value is between an upper bound and the lower bound of the next range. */
function meets(upper: Bound | undefined, lower: Bound | undefined): boolean {
  if (!upper || !lower) return true
  const order = compareValues(lower.value, upper.value)
  return order < 0 || (order === 0 && (upper.inclusive || lower.inclusive))
}

function farther(a: Bound | undefined, b: Bound | undefined): Bound | undefined {
  if (!a || !b) return undefined
  const order = compareValues(a.value, b.value)
  return order > 0 || (order === 0 && a.inclusive) ? a : b
}

/** Numbers by size, texts by code point, as the index has them. */
function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return rank(a.charCodeAt(i)) - rank(b.charCodeAt(i))
  return a.length - b.length
}

/** Halves of characters beyond 16 bits come after all others. */
const rank = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit)
