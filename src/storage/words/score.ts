import { decodeCounts } from '#src/storage/words/counts.ts'

/**
 * What scores are computed from besides the words of an item: whole numbers, the same on both engines. The formula is
 * in docs/reference/relevance.md.
 */
export interface Weights {
  /** Living items. */
  readonly items: number
  /** Of name, description and values: words of those that have any, on the average, in 1/FINE. */
  readonly averages: readonly [number, number, number]
}

export const FINE = 1024

/** What a word that occurs once counts for in a text of usual length, by its place. */
const NAME = 3
/** How much the length of a text counts: a name is short anyway. */
const [OF_NAME, OF_TEXT] = [0.3, 0.75]
/** However short a text is, a word in it counts for no more than twice: less than one in a name. */
const SHORTEST = 0.5
/** A word that occurs again counts for less and less. */
const SATURATION = 2
/** What a word counts for, and another that begins alike. */
export const [ITSELF, ALIKE] = [20, 17]
/** What all words in one place add to their score, and what some of them do, by the square of their share. */
const TOGETHER = 0.25
const SHARED = 0.1

/** How rare a word is that so many of the items have. */
export const rarityOf = ({ items }: Weights, having: number): number =>
  Math.max(1, Math.round(FINE * Math.log(1 + (items - having + 0.5) / (having + 0.5))))

/** How often a word occurs by the byte of its counts, where all occurrences weigh the same. */
interface Times {
  readonly name: Uint16Array
  readonly description: Uint16Array
  readonly values: Uint16Array
}

function timesOf(weight: number): Times {
  const by = (place: 'name' | 'description' | 'values') =>
    Uint16Array.from({ length: 256 }, (_, byte) => weight * decodeCounts(byte)[place])
  return { name: by('name'), description: by('description'), values: by('values') }
}

/** Of words themselves, and of those that begin alike. */
export const TIMES: Readonly<Record<number, Times>> = { [ITSELF]: timesOf(ITSELF), [ALIKE]: timesOf(ALIKE) }

const MOST_WORDS = 65_535

/** What one occurrence in a place counts for, by the number of words there. */
export interface Worths {
  readonly name: Float64Array
  readonly description: Float64Array
  readonly values: Float64Array
}

/** Made for the averages of a base, once for all items. */
export function worthsOf({ averages }: Weights): Worths {
  const by = (worth: number, share: number, average: number) => {
    const usual = Math.max(average, FINE)
    const all = new Float64Array(MOST_WORDS + 1)
    for (let length = 0; length <= MOST_WORDS; length++)
      all[length] = worth / ITSELF / Math.max(SHORTEST, 1 - share + (share * length * FINE) / usual)
    return all
  }
  return {
    name: by(NAME, OF_NAME, averages[0]),
    description: by(1, OF_TEXT, averages[1]),
    values: by(1, OF_TEXT, averages[2]),
  }
}

/**
 * What one word adds to the score of an item in which it occurs so often, `worth` by its places: something, however
 * common the word is and long the text.
 */
export const wordScore = (rarity: number, worth: number): number =>
  worth && Math.max(1, Math.round((rarity * worth * (SATURATION + 1)) / (worth + SATURATION)))

/** What a word adds at most, however often it occurs. */
export const mostWordScore = (rarity: number): number => rarity * (SATURATION + 1)

/**
 * By how much a score grows where so many of the words that are sought are in one place, by that number. All scores
 * are whole numbers.
 */
export const togetherOf = (sought: number): Float64Array =>
  Float64Array.from(
    { length: sought + 1 },
    (_, together) => SHARED * (together / sought) ** 2 + (together === sought ? TOGETHER : 0),
  )

export const joinedScore = (sum: number, together: number): number => sum + Math.round(sum * together)
