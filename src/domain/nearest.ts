/** How far apart two names may be (in single-character edits, relative to the longer) and still be a slip. */
const MAX_DISTANCE_RATIO = 0.4

/** The candidate that was probably meant, for "did you mean": same but for case, or within a few edits. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  const wanted = text.toLowerCase()
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (
      distance < bestDistance &&
      distance <= Math.max(wanted.length, candidate.length) * MAX_DISTANCE_RATIO
    ) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein distance, over the first 64 characters. */
function editDistance(a: string, b: string): number {
  const [from, to] = [a.slice(0, 64), b.slice(0, 64)]
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1))
    row = next
  }
  return row[to.length]!
}
