import { HighestNumbers } from '#src/storage/words/highest-numbers.ts'
import {
  joinedScore,
  mostWordScore,
  rarityOf,
  TIMES,
  togetherOf,
  type Weights,
  wordScore,
  type Worths,
  worthsOf,
} from '#src/storage/words/score.ts'
import { hasBit } from '#src/storage/words/parts.ts'
import { firstPlace, placesAt, placesOf, type Postings, type WordHits } from '#src/storage/words/word-hits.ts'
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

/** Of how many items the scores are wanted. */
export interface Wanted {
  /** So many of the best; equals of the last one come along. */
  readonly best: number
  /** Of those with no higher score; all with just this one come along. */
  readonly at_most: number
}

/**
 * The items that have a word of one of the alternatives, with the score of the alternative that suits best: one look
 * at each place where a word occurs, section by section. Where the best alone are `wanted`, items that cannot be among
 * them are left out, some of them before they are looked at.
 */
export function rankItems(
  index: WordIndex,
  alternatives: readonly (readonly WeighedWord[])[],
  weights: Weights,
  { mask, wanted }: { mask: number; wanted?: Wanted | undefined },
): Scored {
  const worths = keptWorths(weights)
  const places = placesOf(mask)
  const found = new Found(wanted)
  for (const [number, { documents, size, gone }] of index.sections.entries()) {
    if (!alternatives.some((words) => words.some(({ hits }) => hits.sections[number]))) continue
    const least = Math.max(1, found.least)
    const { scores, able } = bestScores({
      documents,
      size,
      number,
      alternatives,
      weights,
      worths,
      least,
      places,
    })
    const count = able ? able.length : size
    for (let i = 0; i < count; i++) {
      const at = able ? able[i]! : i
      if (scores[at]! >= least && !(gone && hasBit(gone, at))) found.take(documents, at, scores[at]!)
    }
  }
  return found.scored()
}

/** Scores of items, of the best alone where these are wanted. */
class Found {
  private items = new Float64Array(1024)
  private scores = new Float64Array(1024)
  private name_lengths = new Uint16Array(1024)
  private size = 0
  private readonly at_most: number
  private readonly highest: HighestNumbers | undefined

  constructor(wanted: Wanted | undefined) {
    this.at_most = wanted?.at_most ?? Infinity
    this.highest = wanted && new HighestNumbers(wanted.best)
  }

  /** What scores less is not wanted. */
  get least(): number {
    return this.highest?.isFull ? this.highest.lowest : 0
  }

  take({ items, name_lengths }: Section['documents'], at: number, score: number): void {
    if (score > this.at_most || score < this.least) return
    if (score < this.at_most) this.highest?.take(score)
    if (this.size === this.items.length) this.grow()
    this.items[this.size] = items[at]!
    this.scores[this.size] = score
    this.name_lengths[this.size++] = name_lengths[at]!
  }

  private grow(): void {
    const twice = 2 * this.size
    const { items, scores, name_lengths } = this
    this.items = new Float64Array(twice)
    this.items.set(items)
    this.scores = new Float64Array(twice)
    this.scores.set(scores)
    this.name_lengths = new Uint16Array(twice)
    this.name_lengths.set(name_lengths)
  }

  scored(): Scored {
    const { size } = this
    return {
      items: this.items.subarray(0, size),
      scores: this.scores.subarray(0, size),
      name_lengths: this.name_lengths.subarray(0, size),
    }
  }
}

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
  /** What scores less need not be right. */
  least: number
  /** Those that are asked for, by the bits of `placesOf`. */
  places: number
}

/** What one section after the other is worked out in. */
let rooms: Int32Array[] = []
let counted = new Uint32Array(0)

function cleanRoom(index: number, size: number): Int32Array {
  if ((rooms[0]?.length ?? 0) < size) {
    rooms = [new Int32Array(size), new Int32Array(size)]
    counted = new Uint32Array(size)
  }
  return rooms[index]!.fill(0, 0, size)
}

interface Best {
  /** By document; zero where it has none of the words. */
  scores: Int32Array
  /** The documents that score enough are among these, in their order; undefined: among all. */
  able: Uint32Array | undefined
}

function bestScores({
  alternatives,
  ...work
}: SectionWork & { alternatives: readonly (readonly WeighedWord[])[] }): Best {
  const best = cleanRoom(0, work.size)
  let able: Uint32Array | undefined
  for (const [i, words] of alternatives.entries()) {
    const scores = i ? cleanRoom(1, work.size) : best
    able = scoreSection({ ...work, words, scores })
    if (i) for (let at = 0; at < work.size; at++) if (scores[at]! > best[at]!) best[at] = scores[at]!
  }
  return { scores: best, able: alternatives.length === 1 ? able : undefined }
}

/** Bits for each place, in which the words that are there are counted. */
const BITS = 8
const MOST = 2 ** BITS - 1
const [IN_NAME, IN_DESCRIPTION, IN_VALUES] = [1, 1 << BITS, 1 << (2 * BITS)]

interface Scoring extends SectionWork {
  words: readonly WeighedWord[]
  scores: Int32Array
}

/** Answers which documents can score enough, where not all were looked at. */
function scoreSection({ words, scores, ...work }: Scoring): Uint32Array | undefined {
  const { number, size, weights, least } = work
  const together = counted.fill(0, 0, size)
  const growth = togetherOf(words.length)
  const there = words.flatMap(({ hits, having }) => {
    const postings = hits.sections[number]
    return postings ? [{ postings, rarity: rarityOf(weights, having) }] : []
  })
  const rest = mostOfRest(there, work)
  let candidates: Uint32Array | undefined
  for (const [i, word] of there.entries()) {
    const scoring = { ...work, ...word, scores, together }
    const left = there.length - i
    const needed = sumsNeeded(least, growth, left)
    // Words come rarest first: who has none of those before cannot score enough any more.
    if (candidates || rest[i]! < needed[0]!) {
      candidates = ableToScore(candidates ?? size, { scores, together, needed, rest: rest[i]! })
      addWord(scoring, placesAmong(word.postings.documents, candidates))
    } else addWord(scoring)
  }
  join(scores, together, growth, candidates ?? size)
  return candidates
}

interface SectionWord {
  postings: Postings
  rarity: number
}

/** What an item can score at most by a word and those behind it, by the place of the word. */
function mostOfRest(words: readonly SectionWord[], work: SectionWork): number[] {
  const most: number[] = []
  let sum = 0
  for (const [i, { postings, rarity }] of [...words.entries()].toReversed())
    most[i] = sum += knownScores({ ...work, postings, rarity })?.most ?? mostWordScore(rarity)
  return most
}

/**
 * The sum that a document's words have to come to, by how many of them are in one place already, where so many are
 * left. Rounded down.
 */
const sumsNeeded = (least: number, growth: Float64Array, left: number): Float64Array =>
  growth.map((_, together) => (least - 2) / (1 + growth[Math.min(growth.length - 1, together + left)]!))

interface SoFar {
  scores: Int32Array
  together: Uint32Array
  needed: Float64Array
  /** What the words that are left add at most. */
  rest: number
}

/** The documents that score enough if they have all of what is left: of some in their order, or of so many. */
function ableToScore(among: Uint32Array | number, { scores, together, needed, rest }: SoFar): Uint32Array {
  const some = typeof among === 'number' ? reaching(needed.at(-1)! - rest, scores, among) : among
  let n = 0
  for (let i = 0; i < some.length; i++) {
    const at = some[i]!
    if (scores[at]! + rest >= needed[inOnePlace(together[at]!)]!) some[n++] = at
  }
  return some.subarray(0, n)
}

let reached = new Uint32Array(0)

/** Those of so many documents that score so much, and something. */
function reaching(least: number, scores: Int32Array, size: number): Uint32Array {
  if (reached.length < size) reached = new Uint32Array(size)
  const whole = Math.max(1, Math.ceil(least))
  let n = 0
  // Without a branch that nobody could foretell.
  for (let at = 0; at < size; at++) {
    reached[n] = at
    n += Number(scores[at]! >= whole)
  }
  return reached.subarray(0, n)
}

/** How many words are in the place that has the most. */
const inOnePlace = (bits: number): number =>
  Math.max(bits & MOST, (bits >>> BITS) & MOST, bits >>> (2 * BITS))

/** Of these documents, or of so many, the scores with what words in one place add. */
function join(
  scores: Int32Array,
  together: Uint32Array,
  growth: Float64Array,
  documents: Uint32Array | number,
): void {
  const count = typeof documents === 'number' ? documents : documents.length
  for (let i = 0; i < count; i++) {
    const at = typeof documents === 'number' ? i : documents[i]!
    const bits = together[at]!
    if (!bits) continue
    scores[at] = joinedScore(scores[at]!, growth[inOnePlace(bits)]!)
  }
}

interface WordScoring extends SectionWork, SectionWord {
  scores: Int32Array
  together: Uint32Array
}

/** By the places that a word is in: one more in each. */
const ONE_MORE = Uint32Array.from(
  { length: 8 },
  (_, places) =>
    (places & 1 ? IN_NAME : 0) | (places & 2 ? IN_DESCRIPTION : 0) | (places & 4 ? IN_VALUES : 0),
)
/** Adds a word to the scores of the documents that have it: of all, or of those at some places. */
function addWord(scoring: WordScoring, only?: Uint32Array): void {
  if (!only) return addAll(scoring, knownScores(scoring) ?? workOutScores(scoring))
  const { postings, rarity, scores, together, places } = scoring
  const known = knownScores(scoring)
  for (const i of only) {
    const at = postings.documents[i]!
    scores[at]! += known ? known.scores[i]! : wordScore(rarity, worthAt(scoring, i))
    together[at]! += ONE_MORE[placesAt(postings, i) & places]!
  }
}

function addAll({ postings, scores, together }: WordScoring, { scores: own, there }: WordScores): void {
  const { documents } = postings
  for (let i = 0; i < documents.length; i++) {
    const at = documents[i]!
    scores[at]! += own[i]!
    together[at]! += ONE_MORE[there[i]!]!
  }
}

interface WordScores {
  worths: Worths
  rarity: number
  places: number
  /** By place in the postings. */
  scores: Uint16Array | Uint32Array
  /** Which of the places that are asked for each has the word in. */
  there: Uint8Array
  /** The highest score. */
  most: number
}

/** What a word added to the scores of a section's documents when all of them were last looked at. */
const scoresOfPostings = new WeakMap<Postings, WordScores>()

function knownScores({ postings, rarity, ...work }: SectionWord & SectionWork): WordScores | undefined {
  const known = scoresOfPostings.get(postings)
  const isOfThis = known?.worths === work.worths && known.rarity === rarity && known.places === work.places
  return isOfThis ? known : undefined
}

function workOutScores(scoring: WordScoring): WordScores {
  const { postings, worths, rarity, places } = scoring
  const Room = mostWordScore(rarity) <= MOST_SHORT ? Uint16Array : Uint32Array
  const scores = new Room(postings.documents.length)
  const there = new Uint8Array(scores.length)
  let most = 0
  for (let i = 0; i < scores.length; i++) {
    const score = wordScore(rarity, worthAt(scoring, i))
    if (score > most) most = score
    scores[i] = score
    there[i] = placesAt(postings, i) & places
  }
  const found = { worths, rarity, places, scores, there, most }
  scoresOfPostings.set(postings, found)
  return found
}

const MOST_SHORT = 65_535

/** What the occurrences of a word in a document count for, by its place in the postings. */
function worthAt({ postings, documents: { lengths }, worths, places }: WordScoring, i: number): number {
  const there = placesAt(postings, i) & places
  const at = postings.documents[i]!
  let worth = 0
  if (postings.bytes) {
    const byte = postings.bytes[i]!
    const { name, description, values } = TIMES[postings.weight]!
    if (there & 1) worth += name[byte]! * worths.name[lengths[0][at]!]!
    if (there & 2) worth += description[byte]! * worths.description[lengths[1][at]!]!
    if (there & 4) worth += values[byte]! * worths.values[lengths[2][at]!]!
  } else {
    const [inName, inDescription, inValues] = postings.sums
    if (there & 1) worth += inName[i]! * worths.name[lengths[0][at]!]!
    if (there & 2) worth += inDescription[i]! * worths.description[lengths[1][at]!]!
    if (there & 4) worth += inValues[i]! * worths.values[lengths[2][at]!]!
  }
  return worth
}

/** Where every so manieth is looked for, a step from one to the next is shorter than a search. */
const STEPS = 16

/** The places of some documents among others, where they are; both in their order. */
function placesAmong(documents: Uint16Array | Uint32Array, some: Uint32Array): Uint32Array {
  if (documents.at(-1) === documents.length - 1) return some.subarray(0, firstPlace(some, documents.length))
  const places = new Uint32Array(some.length)
  const byStep = some.length * STEPS > documents.length
  let n = 0
  let place = 0
  for (let i = 0; i < some.length && place < documents.length; i++) {
    const sought = some[i]!
    if (byStep) while (documents[place]! < sought) place++
    else place = firstPlace(documents, sought, place)
    if (documents[place] === sought) places[n++] = place
  }
  return places.subarray(0, n)
}
