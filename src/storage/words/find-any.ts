import type { AnyPlan } from '#src/filter/meaning/plan.ts'
import type { Db } from '#src/sql/query.ts'
import { placesMask } from '#src/storage/words/counts.ts'
import { seenAmong } from '#src/storage/sight/seen-items.ts'
import { sightOf, wholeOf } from '#src/storage/sight/sight.ts'
import { textFields } from '#src/storage/tags/text-fields.ts'
import { type ItemWords, wordsOfItems } from '#src/storage/words/item-words.ts'
import { rankItems, type Scored, type Wanted, type WeighedWord } from '#src/storage/words/rank-items.ts'
import { FINE, type Weights } from '#src/storage/words/score.ts'
import { asStems, findWord, type SoughtStems } from '#src/storage/words/word-hits.ts'
import { indexOfItems, type WordIndex } from '#src/storage/words/word-index.ts'

/** Of more different words the rarest so many count. */
export const MOST_WORDS = 32

/** How many items have the words that count of one alternative, by their places in it. */
export type Havings = readonly (readonly [at: number, having: number])[]

/** What a search was weighed by; a cursor keeps it. */
export interface AnyWeights {
  readonly weights: Weights
  /** For each alternative. */
  readonly havings: readonly Havings[]
}

export interface FoundAny extends AnyWeights {
  readonly scored: Scored
}

/** Of the places in which a search looks. */
export const maskOf = ({ places }: Pick<AnyPlan, 'places'>): number =>
  placesMask({
    name: places.includes('name'),
    description: places.includes('description'),
    values: places.includes('values'),
  })

/** The items that have any of the words, with their scores; `kept` are the weights of an earlier page, `wanted` who is looked for where not all are. */
export async function findAny(
  db: Db,
  index: WordIndex,
  leaf: AnyPlan,
  { kept, wanted }: { kept?: AnyWeights | undefined; wanted?: Wanted | undefined } = {},
): Promise<FoundAny> {
  if (sightOf(db)) return findAlike(db, index, leaf)
  const { texts, places, stands_for } = leaf
  const mask = maskOf({ places })
  const alternatives: WeighedWord[][] = []
  const havings: Havings[] = []
  for (const [i, words] of texts.entries()) {
    const stems = words.map((word): SoughtStems => {
      const others = stands_for?.get(word.stem)
      return others ? { stems: others, keys: [] } : asStems(word)
    })
    const known = kept?.havings[i]
    const counted = known
      ? await hitsOfKnown(db, index, stems, mask, known)
      : await rarest(db, index, stems, mask)
    alternatives.push(counted)
    havings.push(counted.map(({ at, having }) => [at, having]))
  }
  const weights = kept?.weights ?? index.weights
  return { scored: rankItems(index, alternatives, weights, { mask, wanted }), weights, havings }
}

/** What weighs all words and the lengths of all texts alike: it says nothing of what there is. */
const ALIKE: Weights = { items: 1, averages: [3 * FINE, 30 * FINE, 6 * FINE] }
const ONE = 1

/** The same for who sees a part: the words of each text that come first count, whatever has them. */
async function findAlike(db: Db, whole: WordIndex, leaf: AnyPlan): Promise<FoundAny> {
  const mask = maskOf(leaf)
  const texts = leaf.texts.map((words) => words.slice(0, MOST_WORDS))
  const index = await withinKnown(db, whole, leaf, mask)
  const alternatives: WeighedWord[][] = []
  for (const words of texts) {
    const weighed: WeighedWord[] = []
    for (const word of words)
      weighed.push({ hits: await findWord(db, index, asStems(word), mask), having: ONE })
    alternatives.push(weighed)
  }
  const havings = texts.map((words) => words.map((_, at): [number, number] => [at, ONE]))
  return { scored: rankItems(index, alternatives, ALIKE, { mask }), weights: ALIKE, havings }
}

/** Items whose texts are read at once. */
const CHUNK = 500

/** The index has the values of all fields: where some are unknown, what is found by it is looked at again. */
async function withinKnown(db: Db, index: WordIndex, leaf: AnyPlan, mask: number): Promise<WordIndex> {
  if (!leaf.places.includes('values')) return index
  if ((await textFields(db)).length === (await textFields(wholeOf(db))).length) return index
  const hits: WeighedWord[] = []
  for (const word of leaf.texts.flatMap((words) => words.slice(0, MOST_WORDS)))
    hits.push({ hits: await findWord(db, index, asStems(word), mask), having: ONE })
  const seen = await seenAmong(db, [...rankItems(index, [hits], ALIKE, { mask }).items])
  const words = new Map<number, ItemWords>()
  const ids = [...seen].toSorted((a, b) => a - b)
  for (let at = 0; at < ids.length; at += CHUNK)
    for (const [item, own] of await wordsOfItems(db, ids.slice(at, at + CHUNK))) words.set(item, own)
  return indexOfItems(words)
}

type CountedWord = WeighedWord & { readonly at: number }

async function hitsOfKnown(
  db: Db,
  index: WordIndex,
  stems: readonly SoughtStems[],
  mask: number,
  known: Havings,
): Promise<CountedWord[]> {
  const found: CountedWord[] = []
  for (const [at, having] of known)
    if (stems[at]) found.push({ at, having, hits: await findWord(db, index, stems[at], mask) })
  return found
}

/** Words that no item has do not count. Of equals the first ones stay. */
async function rarest(
  db: Db,
  index: WordIndex,
  stems: readonly SoughtStems[],
  mask: number,
): Promise<CountedWord[]> {
  const found: CountedWord[] = []
  for (const [at, each] of stems.entries()) {
    // None is rarer.
    if (found.length === MOST_WORDS && found.at(-1)!.having === 1) break
    const hits = await findWord(db, index, each, mask)
    const { having } = hits
    if (!having || (found.length === MOST_WORDS && having >= found.at(-1)!.having)) continue
    const place = found.findIndex((other) => other.having > having)
    found.splice(place < 0 ? found.length : place, 0, { at, having, hits })
    if (found.length > MOST_WORDS) found.pop()
  }
  return found
}
