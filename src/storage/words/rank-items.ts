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
import { firstPlace, placesOf, type Postings, type WordHits } from '#src/storage/words/word-hits.ts'
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
    const best = bestScores({ documents, size, number, alternatives, weights, worths, least, places })
    for (let at = 0; at < size; at++)
      if (best[at]! >= least && !(gone && hasBit(gone, at))) found.take(documents, at, best[at]!)
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

/** By document; zero where it has none of the words. */
function bestScores({
  alternatives,
  ...work
}: SectionWork & { alternatives: readonly (readonly WeighedWord[])[] }): Int32Array {
  const best = cleanRoom(0, work.size)
  for (const [i, words] of alternatives.entries()) {
    const scores = i ? cleanRoom(1, work.size) : best
    scoreSection({ ...work, words, scores })
    if (i) for (let at = 0; at < work.size; at++) if (scores[at]! > best[at]!) best[at] = scores[at]!
  }
  return best
}

/** Bits for each place, in which the words that are there are counted. */
const BITS = 8
const MOST = 2 ** BITS - 1
const [IN_NAME, IN_DESCRIPTION, IN_VALUES] = [1, 1 << BITS, 1 << (2 * BITS)]

interface Scoring extends SectionWork {
  words: readonly WeighedWord[]
  scores: Int32Array
}

function scoreSection({ words, scores, ...work }: Scoring): void {
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
    // Words come rarest first: who has none of those before cannot score enough any more.
    if (candidates || mostJoined(rest[i]!, growth[left]!) < least) {
      candidates = ableToScore({
        among: candidates ?? size,
        scores,
        together,
        least,
        rest: rest[i]!,
        growth,
        left,
      })
      addWord(scoring, placesAmong(word.postings.documents, candidates))
    } else addWord(scoring)
  }
  join(scores, together, growth, candidates ?? size)
}

interface SectionWord {
  postings: Postings
  rarity: number
}

/** What an item can score at most by a word and those behind it, by the place of the word. */
function mostOfRest(words: readonly SectionWord[], { worths, places }: SectionWork): number[] {
  const most: number[] = []
  let sum = 0
  for (const [i, { postings, rarity }] of [...words.entries()].toReversed())
    most[i] = sum += Math.ceil(mostWordScore(rarity, knownMost(postings, worths, places)))
  return most
}

/** Rounded up. */
const mostJoined = (sum: number, together: number): number => joinedScore(sum, together) + 1

interface SoFar {
  /** Documents in their order, or so many from the first on. */
  among: Uint32Array | number
  scores: Int32Array
  together: Uint32Array
  least: number
  /** What the words that are left add at most, of which there are so many. */
  rest: number
  left: number
  growth: Float64Array
}

/** The documents that score enough if they have all of what is left; what the others have so far is forgotten. */
function ableToScore({ among, scores, together, least, rest, left, growth }: SoFar): Uint32Array {
  const count = typeof among === 'number' ? among : among.length
  const able = new Uint32Array(count)
  let n = 0
  for (let i = 0; i < count; i++) {
    const at = typeof among === 'number' ? i : among[i]!
    const bits = together[at]!
    if (!bits) continue
    const most = growth[Math.min(growth.length - 1, inOnePlace(bits) + left)]!
    if (mostJoined(scores[at]! + rest, most) >= least) able[n++] = at
    else scores[at] = 0
  }
  return able.subarray(0, n)
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
/** By the byte of counts. */
const PLACES_OF = Uint8Array.from({ length: 256 }, (_, byte) => placesOf(byte))

/** Adds a word to the scores of the documents that have it: of all, or of those at some places. */
function addWord(scoring: WordScoring, only?: Uint32Array): void {
  const { postings, worths, places } = scoring
  const most = postings.bytes ? addBytes(scoring, postings, only) : addSums(scoring, postings, only)
  if (!only) keepMost(postings, worths, places, most)
}

/** Where every so manieth is looked for, a step from one to the next is shorter than a search. */
const STEPS = 16

/** The places of some documents among others, where they are; both in their order. */
function placesAmong(documents: Uint16Array | Uint32Array, some: Uint32Array): Uint32Array {
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

interface KnownMost {
  worths: Worths
  /** By the places that are asked for. */
  most: Float64Array
}

/** What a word is worth at most in a document of a section: known once all of them have been looked at. */
const mosts = new WeakMap<Postings, KnownMost>()

const knownMost = (postings: Postings, worths: Worths, places: number): number => {
  const known = mosts.get(postings)
  return known?.worths === worths && known.most[places] ? known.most[places] : Infinity
}

function keepMost(postings: Postings, worths: Worths, places: number, most: number): void {
  let known = mosts.get(postings)
  if (known?.worths !== worths) mosts.set(postings, (known = { worths, most: new Float64Array(8) }))
  known.most[places] = most
}

function addBytes(
  { documents: { lengths }, worths, rarity, scores, together, places }: WordScoring,
  { documents, bytes, weight }: Extract<Postings, { bytes: Uint8Array }>,
  only: Uint32Array | undefined,
): number {
  const [names, descriptions, values] = lengths
  const { name, description, values: ofValues } = TIMES[weight]!
  const { name: nameWorth, description: descriptionWorth, values: valuesWorth } = worths
  const count = only ? only.length : documents.length
  let most = 0
  for (let n = 0; n < count; n++) {
    const i = only ? only[n]! : n
    const byte = bytes[i]!
    const there = PLACES_OF[byte]! & places
    if (!there) continue
    const at = documents[i]!
    let worth = 0
    if (there & 1) worth += name[byte]! * nameWorth[names[at]!]!
    if (there & 2) worth += description[byte]! * descriptionWorth[descriptions[at]!]!
    if (there & 4) worth += ofValues[byte]! * valuesWorth[values[at]!]!
    if (worth > most) most = worth
    scores[at]! += wordScore(rarity, worth)
    together[at]! += ONE_MORE[there]!
  }
  return most
}

function addSums(
  { documents: { lengths }, worths, rarity, scores, together, places }: WordScoring,
  { documents, sums: [inName, inDescription, inValues] }: Extract<Postings, { bytes?: undefined }>,
  only: Uint32Array | undefined,
): number {
  const [names, descriptions, values] = lengths
  const count = only ? only.length : documents.length
  let most = 0
  for (let n = 0; n < count; n++) {
    const i = only ? only[n]! : n
    const there = ((inName[i] ? 1 : 0) | (inDescription[i] ? 2 : 0) | (inValues[i] ? 4 : 0)) & places
    if (!there) continue
    const at = documents[i]!
    let worth = 0
    if (there & 1) worth += inName[i]! * worths.name[names[at]!]!
    if (there & 2) worth += inDescription[i]! * worths.description[descriptions[at]!]!
    if (there & 4) worth += inValues[i]! * worths.values[values[at]!]!
    if (worth > most) most = worth
    scores[at]! += wordScore(rarity, worth)
    together[at]! += ONE_MORE[there]!
  }
  return most
}
