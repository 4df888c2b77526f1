/**
 * How often a word occurs in the name, the description and the values of an item, in one byte: what the index keeps of
 * it, and what the score is computed from. Often is often: high numbers are kept roughly.
 */

/** Times in a description that can be told apart; what lies between counts as the lower one. */
const TIMES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 28, 40, 64]
const MOST_LEVEL = TIMES.length - 1
/** By the number of times, up to the highest. */
const LEVELS = Uint8Array.from({ length: TIMES.at(-1)! + 1 }, (_, times) =>
  TIMES.findLastIndex((each) => each <= times),
)
/** In a name or in values. */
const MOST_FEW = 3

export interface PlaceCounts {
  name: number
  description: number
  values: number
}

export const encodeCounts = ({ name, description, values }: PlaceCounts): number =>
  Math.min(name, MOST_FEW) |
  (LEVELS[Math.min(description, LEVELS.length - 1)]! << 2) |
  (Math.min(values, MOST_FEW) << 6)

export const decodeCounts = (byte: number): PlaceCounts => ({
  name: byte & MOST_FEW,
  description: TIMES[(byte >>> 2) & MOST_LEVEL]!,
  values: byte >>> 6,
})

export interface Places {
  readonly name: boolean
  readonly description: boolean
  readonly values: boolean
}

/** The mask of all places. */
export const EVERYWHERE = 0xff

/** To be put over the byte, so that only the counts of some places are left. */
export const placesMask = ({ name, description, values }: Places): number =>
  (name ? MOST_FEW : 0) | (description ? MOST_LEVEL << 2 : 0) | (values ? MOST_FEW << 6 : 0)
