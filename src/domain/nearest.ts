/** How far apart two names may be (in single-character edits, relative to the longer) and still be a slip. */
const MAX_DISTANCE_RATIO = 0.4
/** Characters of a name that are compared. */
const MAX_COMPARED = 64

/** The candidate that was probably meant, for "did you mean": same but for case, or within a few edits. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = comparable(text)
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const other = comparable(candidate)
    const limit = Math.min(
      bestDistance - 1,
      Math.floor(Math.max(wanted.length, other.length) * MAX_DISTANCE_RATIO),
    )
    // Lengths alone rule most of a long list out.
    if (Math.abs(wanted.length - other.length) > limit) continue
    const distance = editDistance(wanted, other)
    if (distance > limit) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

const comparable = (text: string) => text.slice(0, MAX_COMPARED).toLowerCase()

/** Edits that make one text the other: a character inserted, removed, replaced, or two neighbours swapped. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, j) => j)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, beforeLast[j - 2]! + 1)
      row[j] = least
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}
