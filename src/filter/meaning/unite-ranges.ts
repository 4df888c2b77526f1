import type { ValueTest } from '#src/filter/meaning/plan.ts'

type Range = Extract<ValueTest, { test: 'range' }>
type Bound = NonNullable<Range['lower']>

/** The fewest ranges in which a value lies exactly when it is in one of these; all of one field, plain ones. */
export function uniteRanges(ranges: readonly Range[]): Range[] {
  const fromLeast = ranges.filter(({ lower }) => !lower)
  const bounded = ranges.filter(({ lower }) => lower)
  const [first, ...others] = [...fromLeast, ...bounded.toSorted((a, b) => compareLower(a.lower!, b.lower!))]
  if (!first) return []
  const united = [first]
  for (const next of others) {
    const last = united.at(-1)!
    if (!meets(last.upper, next.lower)) united.push(next)
    else united[united.length - 1] = { ...last, upper: farther(last.upper, next.upper) }
  }
  return united
}

const compareLower = (a: Bound, b: Bound): number =>
  compareValues(a.value, b.value) || Number(b.inclusive) - Number(a.inclusive)

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
const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : compareTexts(a, String(b))

function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return compareUnits(a.charCodeAt(i), b.charCodeAt(i))
  return a.length - b.length
}

/** Halves of characters beyond 16 bits come after all others. */
const compareUnits = (a: number, b: number) => Number(isHalf(a)) - Number(isHalf(b)) || a - b
const isHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
