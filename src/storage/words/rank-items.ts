import {
  joinedScore,
  rarityOf,
  TIMES,
  togetherOf,
  type Weights,
  wordScore,
  type Worths,
  worthsOf,
} from '#src/storage/words/score.ts'
import type { SectionHits, WordHits } from '#src/storage/words/word-hits.ts'
import type { Section, WordIndex } from '#src/storage/words/word-index.ts'

/** Items with their scores, in no promised order. */
export interface Scored {
  readonly items: Float64Array
  readonly scores: Float64Array
  readonly name_lengths: Uint16Array
}

/** A word with what it weighs. */
export interface WeighedWord {
  readonly hits: WordHits
  /** How many items have it, of those that the weights are about. */
  readonly having: number
}

/**
 * The items that have a word of one of the alternatives, with the score of the alternative that suits best: one look
 * at each place where a word occurs, section by section.
 */
export function rankItems(
  index: WordIndex,
  alternatives: readonly (readonly WeighedWord[])[],
  weights: Weights,
): Scored {
  const worths = keptWorths(weights)
  const most = index.sections.reduce((sum, { size }, i) => sum + Math.min(size, mostIn(alternatives, i)), 0)
  const all = {
    items: new Float64Array(most),
    scores: new Float64Array(most),
    name_lengths: new Uint16Array(most),
  }
  let n = 0
  for (const [number, { documents, size }] of index.sections.entries()) {
    if (!mostIn(alternatives, number)) continue
    const best = bestScores({ documents, size, number, alternatives, weights, worths })
    for (let at = 0; at < size; at++) {
      const score = best[at]!
      if (!score) continue
      all.items[n] = documents.items[at]!
      all.scores[n] = score
      all.name_lengths[n++] = documents.name_lengths[at]!
    }
  }
  return {
    items: all.items.subarray(0, n),
    scores: all.scores.subarray(0, n),
    name_lengths: all.name_lengths.subarray(0, n),
  }
}

const mostIn = (alternatives: readonly (readonly WeighedWord[])[], section: number): number =>
  alternatives.reduce(
    (sum, words) =>
      sum + words.reduce((own, { hits }) => own + (hits.sections[section]?.documents.length ?? 0), 0),
    0,
  )

let last: { key: string; worths: Worths } | undefined

/** They change only where the averages do. */
function keptWorths(weights: Weights): Worths {
  const key = weights.averages.join()
  if (last?.key !== key) last = { key, worths: worthsOf(weights) }
  return last.worths
}

interface SectionWork {
  documents: Section['documents']
  size: number
  number: number
  weights: Weights
  worths: Worths
}

/** By document; zero where it has none of the words. */
function bestScores({
  alternatives,
  ...work
}: SectionWork & { alternatives: readonly (readonly WeighedWord[])[] }): Int32Array {
  let best: Int32Array | undefined
  for (const words of alternatives) {
    const scores = new Int32Array(work.size)
    scoreSection({ ...work, words, scores })
    if (!best) best = scores
    else for (let at = 0; at < work.size; at++) if (scores[at]! > best[at]!) best[at] = scores[at]!
  }
  return best ?? new Int32Array(work.size)
}

/** Bits for each place, in which the words that are there are counted. */
const BITS = 8
const MOST = 2 ** BITS - 1
const [IN_NAME, IN_DESCRIPTION, IN_VALUES] = [1, 1 << BITS, 1 << (2 * BITS)]

interface Scoring extends SectionWork {
  words: readonly WeighedWord[]
  scores: Int32Array
}

function scoreSection({ documents, size, number, weights, worths, words, scores }: Scoring): void {
  const together = new Uint32Array(size)
  for (const { hits, having } of words) {
    const found = hits.sections[number]
    if (!found) continue
    const scoring = { documents, worths, rarity: rarityOf(weights, having), scores, together }
    if (found.bytes) addSingle(found, scoring)
    else addSummed(found, scoring)
  }
  const growth = togetherOf(words.length)
  for (let at = 0; at < size; at++) {
    const places = together[at]!
    if (!places) continue
    const most = Math.max(places & MOST, (places >>> BITS) & MOST, places >>> (2 * BITS))
    scores[at] = joinedScore(scores[at]!, growth[most]!)
  }
}

interface WordScoring {
  documents: Section['documents']
  worths: Worths
  rarity: number
  scores: Int32Array
  together: Uint32Array
}

/** By the byte of counts: in which places the word is. */
const PLACES_OF = Uint32Array.from(
  { length: 256 },
  (_, byte) => (byte & 3 ? IN_NAME : 0) | (byte & 0x3c ? IN_DESCRIPTION : 0) | (byte & 0xc0 ? IN_VALUES : 0),
)

function addSingle(
  { documents, bytes, weight }: Extract<SectionHits, { bytes: Uint8Array }>,
  { documents: { lengths }, worths, rarity, scores, together }: WordScoring,
): void {
  const [names, descriptions, values] = lengths
  const { name, description, values: ofValues } = TIMES[weight]!
  const { name: nameWorth, description: descriptionWorth, values: valuesWorth } = worths
  for (let i = 0; i < documents.length; i++) {
    const at = documents[i]!
    const byte = bytes[i]!
    const worth =
      name[byte]! * nameWorth[names[at]!]! +
      description[byte]! * descriptionWorth[descriptions[at]!]! +
      ofValues[byte]! * valuesWorth[values[at]!]!
    scores[at]! += wordScore(rarity, worth)
    together[at]! += PLACES_OF[byte]!
  }
}

function addSummed(
  { documents, sums: [inName, inDescription, inValues] }: Extract<SectionHits, { bytes?: undefined }>,
  { documents: { lengths }, worths, rarity, scores, together }: WordScoring,
): void {
  const [names, descriptions, values] = lengths
  for (let i = 0; i < documents.length; i++) {
    const at = documents[i]!
    const worth =
      inName[i]! * worths.name[names[at]!]! +
      inDescription[i]! * worths.description[descriptions[at]!]! +
      inValues[i]! * worths.values[values[at]!]!
    scores[at]! += wordScore(rarity, worth)
    together[at]! +=
      (inName[i] ? IN_NAME : 0) | (inDescription[i] ? IN_DESCRIPTION : 0) | (inValues[i] ? IN_VALUES : 0)
  }
}
