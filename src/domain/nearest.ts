/** How far apart two names may be (in single-character edits, relative to the longer) and still be a slip. */
const MAX_DISTANCE_RATIO = 0.4
/** Characters of a name that are compared. */
const MAX_COMPARED = 64
/** Of a longer list the rest is not looked at: a hint is not worth seconds. */
const MAX_CANDIDATES = 5000

/** The candidate that was probably meant, for "did you mean": same but for case, or within a few edits (`ratio`). */
export function nearest(
  text: string,
  candidates: Iterable<string>,
  ratio = MAX_DISTANCE_RATIO,
): string | undefined {
  const wanted = comparable(text)
  let best: string | undefined
  let bestDistance = Infinity
  let left = MAX_CANDIDATES
  for (const candidate of candidates) {
    if (left-- === 0) break
    const other = comparable(candidate)
    const limit = Math.min(bestDistance - 1, Math.floor(Math.max(wanted.length, other.length) * ratio))
    // Lengths alone rule most of a long list out.
    if (Math.abs(wanted.length - other.length) > limit) continue
    const distance = editDistance(wanted, other, limit)
    if (distance > limit) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

const comparable = (text: string) => text.slice(0, MAX_COMPARED).toLowerCase().slice(0, MAX_COMPARED)

/** Rows of the table of distances, reused: the last two and the one being made. */
const rows = [0, 1, 2].map(() => new Uint8Array(MAX_COMPARED + 1))

/**
 * Edits that make one text the other: a character inserted, removed, replaced, or two neighbours swapped. Beyond
 * `limit` any number may come back that is beyond it too.
 */
function editDistance(from: string, to: string, limit: number): number {
  let [beforeLast, last, row] = rows as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= to.length; j++) last[j] = j
  for (let i = 1; i <= from.length; i++) {
    const char = from.charCodeAt(i - 1)
    row[0] = i
    let least = i
    for (let j = 1; j <= to.length; j++) {
      let distance = last[j - 1]!
      if (char !== to.charCodeAt(j - 1)) {
        distance = Math.min(distance, last[j]!, row[j - 1]!) + 1
        if (
          i > 1 &&
          j > 1 &&
          char === to.charCodeAt(j - 2) &&
          from.charCodeAt(i - 2) === to.charCodeAt(j - 1)
        )
          distance = Math.min(distance, beforeLast[j - 2]! + 1)
      }
      row[j] = distance
      if (distance < least) least = distance
    }
    if (least > limit) return least
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return last[to.length]!
}
