import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { BoundedCache } from '#src/domain/bounded-cache.ts'
import { graphemes } from '#src/domain/graphemes.ts'
import { shownStem } from '#src/domain/snippet.ts'
import { type SoughtWord, STEM, stemOf } from '#src/domain/words.ts'
import { mapLeaves, nodesOf } from '#src/filter/meaning/plan-nodes.ts'
import type { AnyPlan, FilterPlan } from '#src/filter/meaning/plan.ts'
import { type Db, query } from '#src/sql/query.ts'
import { sightOf } from '#src/storage/sight/sight.ts'
import { maskOf } from '#src/storage/words/find-any.ts'
import { EVERYWHERE } from '#src/storage/words/counts.ts'
import { isAny } from '#src/storage/words/settle-any.ts'
import { asStems, findWord } from '#src/storage/words/word-hits.ts'
import { readWordIndex, type WordIndex } from '#src/storage/words/word-index.ts'

/** Characters from which on a word may have been mistyped once, and twice. */
const [ONCE, TWICE] = [5, 9]
/** Words that stand for one. */
const MOST_FOR_ONE = 10
/** Words of a search for which others are looked for, and candidates that are counted for each. */
const [MOST_WORDS, MOST_COUNTED] = [16, 400]

/** Words that stand for others, by the place of their search in the filter. */
export type Corrections = readonly (readonly [search: number, stem: string, others: readonly string[]])[]

export interface Corrected {
  plan: FilterPlan
  corrections: Corrections
  warnings: readonly string[]
}

/**
 * The plan with other words in place of those that no living item has and that are likely mistyped (additions §13),
 * and what is said of it. `before`: what stood for others on the page before, which goes on by the same words whatever
 * has been written since.
 */
export async function correctWords(db: Db, plan: FilterPlan, before?: Corrections): Promise<Corrected> {
  const searches = nodesOf(plan).filter(isAny)
  // What stands for a word would say what words there are.
  if (!searches.length || sightOf(db)) return { plan, corrections: [], warnings: [] }
  return withCorrections(plan, searches, before ?? (await correctionsOf(db, searches)))
}

async function correctionsOf(db: Db, searches: readonly AnyPlan[]): Promise<Corrections> {
  const index = await readWordIndex(db)
  const found: [number, string, readonly string[]][] = []
  let left = MOST_WORDS
  for (const [i, search] of searches.entries()) {
    const corrected = new Set<string>()
    for (const word of search.texts.flat()) {
      if (left <= 0 || corrected.has(word.stem) || editsOf(word) === 0) continue
      if (await isKnown(db, index, word)) continue
      left--
      const others = await othersFor(db, index, word, maskOf(search))
      if (!others.length) continue
      corrected.add(word.stem)
      found.push([i, word.stem, others])
    }
  }
  return found
}

async function withCorrections(
  plan: FilterPlan,
  searches: readonly AnyPlan[],
  given: Corrections,
): Promise<Corrected> {
  const warnings = new Set<string>()
  const stands_for = new Map<AnyPlan, Map<string, readonly string[]>>()
  const corrections = given.filter(([i, stem, others]) => {
    const search = searches[i]
    const word = search?.texts.flat().find((each) => each.stem === stem)
    if (!search || !word) return false
    stands_for.set(search, (stands_for.get(search) ?? new Map<string, readonly string[]>()).set(stem, others))
    const shown = others.map((each) => `'${shownStem(each)}'`).join(', ')
    warnings.add(`No item has '${wholeOf(word)}': looked for ${shown}`)
    return true
  })
  if (!corrections.length) return { plan, corrections, warnings: [] }
  const corrected = await mapLeaves(plan, (leaf) => {
    const own = isAny(leaf) ? stands_for.get(leaf) : undefined
    return own && isAny(leaf) ? { ...leaf, stands_for: own } : leaf
  })
  return { plan: corrected, corrections, warnings: [...warnings] }
}

/** Behind the cursor of a page, where words stood for others on it. */
const BEHIND = '.'
/** Bytes of what stands there, unpacked. */
const MOST_BEHIND = 64 * 1024

/** The cursor of the following page, which is found by the same words; packed, for it goes out in a header. */
export const cursorWith = (cursor: string, corrections: Corrections): string =>
  corrections.length
    ? cursor + BEHIND + deflateRawSync(JSON.stringify(corrections)).toString('base64url')
    : cursor

/** Takes apart what `cursorWith` has made; it comes from outside. */
export function correctionsIn(cursor: string): { cursor: string; corrections: Corrections } {
  const at = cursor.indexOf(BEHIND)
  if (at < 0) return { cursor, corrections: [] }
  const written = unpacked(Buffer.from(cursor.slice(at + 1), 'base64url'))
  const corrections =
    Array.isArray(written) && written.length <= MOST_WORDS ? written.filter(isCorrection) : []
  return { cursor: cursor.slice(0, at), corrections }
}

function unpacked(packed: Buffer): unknown {
  try {
    return JSON.parse(inflateRawSync(packed, { maxOutputLength: MOST_BEHIND }).toString())
  } catch {
    return undefined
  }
}

const isCorrection = (written: unknown): written is Corrections[number] =>
  Array.isArray(written) &&
  written.length === 3 &&
  Number.isInteger(written[0]) &&
  typeof written[1] === 'string' &&
  Array.isArray(written[2]) &&
  written[2].length > 0 &&
  written[2].length <= MOST_FOR_ONE &&
  written[2].every((each) => typeof each === 'string' && stemOf(each) === each)

const wholeOf = ({ keys }: SoughtWord): string => keys[0]!.replace(' ', '')

function editsOf(word: SoughtWord): number {
  const { length } = graphemes(wholeOf(word))
  return length >= TWICE ? 2 : length >= ONCE ? 1 : 0
}

const isKnown = async (db: Db, index: WordIndex, word: SoughtWord): Promise<boolean> =>
  (await findWord(db, index, asStems(word), EVERYWHERE)).having > 0

/** The commonest words that it would be after an edit or two; of equally common ones the first by their letters. */
async function othersFor(db: Db, index: WordIndex, word: SoughtWord, mask: number): Promise<string[]> {
  const characters = graphemes(wholeOf(word))
  const edits = editsOf(word)
  const near = (await stemsFrom(db, index, characters[0]!)).filter((stem) => isNear(stem, characters, edits))
  const counted: { stem: string; having: number }[] = []
  for (const stem of near.slice(0, MOST_COUNTED)) {
    const { having } = await findWord(db, index, { stems: [stem], keys: [] }, mask)
    if (having) counted.push({ stem, having })
  }
  return counted
    .toSorted((a, b) => b.having - a.having || (a.stem < b.stem ? -1 : 1))
    .slice(0, MOST_FOR_ONE)
    .map(({ stem }) => stem)
}

const wordsOfPart = query((p: { part: number; from: string; to: string }, db) =>
  db
    .selectFrom('word_block')
    .select('word')
    .where('part', '=', p.part)
    .where('word', '>=', p.from)
    .where('word', '<', p.to),
)

const LAST = '\u{10ffff}'
const CACHE_KEY = 'stems of parts'
const BOUNDS = { entries: 2000, size: 1_000_000, unused: 600_000 }

/** The stems of all words that begin with a character. */
async function stemsFrom(db: Db, index: WordIndex, first: string): Promise<string[]> {
  let kept = db.hints.get(CACHE_KEY) as BoundedCache<readonly string[]> | undefined
  if (!kept) db.hints.set(CACHE_KEY, (kept = new BoundedCache(BOUNDS)))
  const stems = new Set<string>()
  for (const { part, size } of index.sections) {
    if (part === undefined) continue
    const key = `${part} ${size} ${first}`
    let own = kept.get(key)
    if (!own) {
      const rows = await db.all(wordsOfPart, { part, from: first, to: first + LAST })
      own = [...new Set(rows.map(({ word }) => stemOf(word)))]
      kept.set(key, own, own.length)
    }
    for (const each of own) stems.add(each)
  }
  for (const { keys } of index.waiting)
    for (const key of keys) if (key.startsWith(first)) stems.add(stemOf(key))
  return [...stems].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Whether a word would have the stem after so many edits, of which none is of its first character. */
function isNear(stem: string, word: readonly string[], edits: number): boolean {
  const own = graphemes(stem)
  const open = own.length >= STEM
  if (own[0] !== word[0]) return false
  if (open ? own.length > word.length + edits : Math.abs(own.length - word.length) > edits) return false
  return distance(own, word, open) <= edits
}

/** A key has no more of a word (src/domain/words.ts). */
const MOST_CHARACTERS = 38

/** Three rows of the table of distances, used again and again. */
const rows = [0, 1, 2].map(() => new Uint16Array(MOST_CHARACTERS + 1))

/** Edits from one to the other, a transposition being one; `open`: what the word has behind does not count. */
function distance(stem: readonly string[], word: readonly string[], open: boolean): number {
  const columns = Math.min(word.length, MOST_CHARACTERS) + 1
  let [before, last, row] = rows as [Uint16Array, Uint16Array, Uint16Array]
  for (let j = 0; j < columns; j++) last[j] = j
  for (let i = 1; i <= stem.length; i++) {
    row[0] = i
    for (let j = 1; j < columns; j++) {
      const same = stem[i - 1] === word[j - 1] ? 0 : 1
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && stem[i - 1] === word[j - 2] && stem[i - 2] === word[j - 1])
        edits = Math.min(edits, before[j - 2]! + 1)
      row[j] = edits
    }
    ;[before, last, row] = [last, row, before]
  }
  return open ? Math.min(...last.subarray(0, columns)) : last[columns - 1]!
}
